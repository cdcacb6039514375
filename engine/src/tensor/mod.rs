//! Tensors: a storage, a dtype and a layout over it, with autograd's bookkeeping.

mod advanced_indexing;
mod arithmetic;
mod bits;
mod bitwise;
mod closeness;
mod combined;
mod copy;
mod elementwise;
mod extremes;
mod functions;
mod history;
mod in_place;
mod index;
mod indexing;
mod joining;
mod linear;
mod matmul;
mod nested;
mod norms;
mod pack;
mod print;
mod products;
mod random;
mod recorded;
mod reduce;
mod scatter;
mod shapes;
mod values;
pub(crate) mod views;

pub use closeness::Tolerance;
pub use combined::Rounding;
pub use elementwise::Arg;
pub(crate) use history::WeakTensor;
pub use index::Index;
pub(crate) use linear::product_then;
pub use nested::Nested;
pub(crate) use pack::{Row, converted, joined, joined_gradients};
pub use print::PrintOptions;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::DType;
use crate::autograd::{self, Hook, Node, creates_graph};
use crate::backend::{Operand, Storage};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::layout::Layout;
use crate::ledger::Tag;
use crate::program::{Binary, Compute, Program};
use crate::rows::Rows;
use history::{GradHook, View};

/// An n-dimensional array on a device. Cloning gives another handle to the same tensor; a view is a
/// tensor of its own over the same storage.
#[derive(Clone)]
pub struct Tensor(Rc<Inner>);

struct Inner {
    buffer: Rc<Buffer>,
    /// One up per write through it or its views: what derivatives hold against what they have kept.
    version: Rc<Cell<u64>>,
    layout: Layout,
    dtype: DType,
    device: Device,
    requires_grad: Cell<bool>,
    grad: RefCell<Option<Tensor>>,
    /// Where a gradient is kept, if not wherever it comes up: see [`Tensor::pack`].
    grad_place: RefCell<Option<Tensor>>,
    grad_fn: RefCell<Option<Rc<Node>>>,
    /// Whose elements it shows, if it is a view that gradients go through.
    view: RefCell<Option<View>>,
    retains_grad: Cell<bool>,
    /// Of a leaf; those of other tensors are with the operation that made them.
    hooks: RefCell<Vec<Hook>>,
    /// Of a leaf, when its gradient is there.
    grad_hooks: RefCell<Vec<GradHook>>,
    is_inference: bool,
    /// Of a tensor whose elements nobody asks for again: how many derivatives kept its storage when it became so.
    given_up: Option<usize>,
}

/// A storage that tensors share, how often it was written to, and its entry in the ledger.
struct Buffer {
    storage: Rc<dyn Storage>,
    writes: Cell<u64>,
    bytes: u64,
    address: u64,
    tag: Cell<Tag>,
    /// Derivatives that keep it.
    kept: Cell<usize>,
    device: Device,
}

thread_local! {
    /// Where the next storage begins.
    static NEXT_ADDRESS: Cell<u64> = const { Cell::new(1 << 16) };
}

impl Buffer {
    fn new(storage: Rc<dyn Storage>, bytes: u64, device: &Device) -> Rc<Self> {
        let tag = Tag::Temporary;
        device.ledger().allocated(bytes, tag);
        let (writes, tag, kept) = (Cell::new(0), Cell::new(tag), Cell::new(0));
        let address = NEXT_ADDRESS.get();
        NEXT_ADDRESS.set(address + bytes.max(1).next_multiple_of(64));
        Rc::new(Self { storage, writes, bytes, address, tag, kept, device: device.clone() })
    }

    fn set_tag(&self, tag: Tag) {
        self.device.ledger().retagged(self.bytes, self.tag.replace(tag), tag);
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.device.ledger().freed(self.bytes, self.tag.get());
    }
}

impl Tensor {
    fn over(buffer: Rc<Buffer>, layout: Layout, dtype: DType, device: &Device) -> Self {
        Self::with_origin(buffer, Rc::default(), layout, dtype, device, autograd::is_inference_mode_enabled())
    }

    fn with_origin(
        buffer: Rc<Buffer>,
        version: Rc<Cell<u64>>,
        layout: Layout,
        dtype: DType,
        device: &Device,
        is_inference: bool,
    ) -> Self {
        Self(Rc::new(Inner {
            buffer,
            version,
            layout,
            dtype,
            device: device.clone(),
            requires_grad: Cell::new(false),
            grad: RefCell::new(None),
            grad_place: RefCell::new(None),
            grad_fn: RefCell::new(None),
            view: RefCell::new(None),
            retains_grad: Cell::new(false),
            hooks: RefCell::default(),
            grad_hooks: RefCell::default(),
            is_inference,
            given_up: None,
        }))
    }

    /// The same storage under another layout, without history.
    fn with_layout(&self, layout: Layout) -> Self {
        self.shared(self.0.version.clone(), layout, self.dtype())
    }

    /// The same storage with another layout, dtype and count of writes, without history.
    fn shared(&self, version: Rc<Cell<u64>>, layout: Layout, dtype: DType) -> Self {
        let (buffer, is_inference) = (self.0.buffer.clone(), self.0.is_inference);
        Self::with_origin(buffer, version, layout, dtype, self.device(), is_inference)
    }
}

/// What it is.
impl Tensor {
    /// Shape, strides and offset.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.0.layout
    }

    /// Size of each dimension.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        self.0.layout.shape()
    }

    /// Number of elements.
    #[must_use]
    pub fn numel(&self) -> usize {
        self.0.layout.numel()
    }

    /// Element type.
    #[must_use]
    pub fn dtype(&self) -> DType {
        self.0.dtype
    }

    /// Where it lives.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.0.device
    }

    /// Bytes of its storage, which views share. On `meta` there may be more than a machine can address.
    #[must_use]
    pub fn storage_bytes(&self) -> u64 {
        self.0.buffer.bytes
    }

    /// Whether both are views of one storage.
    #[must_use]
    pub fn shares_storage_with(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0.buffer, &other.0.buffer)
    }

    /// Where its storage begins, in bytes. Storages have addresses as if they lay one after the other in a single
    /// memory, each at a multiple of 64, whatever the device; an address is not given twice.
    #[must_use]
    pub fn storage_address(&self) -> u64 {
        self.0.buffer.address
    }

    /// What tells this tensor from others while it lives, as Python's `id(x)`; its handles have the same.
    #[must_use]
    pub fn id(&self) -> usize {
        Rc::as_ptr(&self.0).addr()
    }

    /// How often it was written to, as `tensor._version`: through itself, its views and what [`Tensor::detach`] gives,
    /// but not through [`Tensor::data`].
    #[must_use]
    pub fn version(&self) -> u64 {
        self.0.version.get()
    }

    /// How often its storage was written to, by whomever.
    #[must_use]
    pub fn writes(&self) -> u64 {
        self.0.buffer.writes.get()
    }

    /// What its storage is held for.
    #[must_use]
    pub fn tag(&self) -> Tag {
        self.0.buffer.tag.get()
    }

    /// Says what its storage is held for.
    pub fn set_tag(&self, tag: Tag) {
        self.0.buffer.set_tag(tag);
    }

    /// Counts one more derivative that keeps the storage.
    pub(crate) fn keep(&self) {
        let buffer = &self.0.buffer;
        buffer.kept.set(buffer.kept.get() + 1);
        if buffer.tag.get() == Tag::Temporary {
            buffer.set_tag(Tag::Activation);
        }
    }

    /// Counts one less.
    pub(crate) fn let_go(&self) {
        let buffer = &self.0.buffer;
        buffer.kept.set(buffer.kept.get() - 1);
        if buffer.kept.get() == 0 && buffer.tag.get() == Tag::Activation {
            buffer.set_tag(Tag::Temporary);
        }
    }

    pub(crate) fn operand(&self) -> Operand<'_> {
        Operand { storage: self.0.buffer.storage.as_ref(), layout: &self.0.layout, dtype: self.0.dtype }
    }

    /// What PyTorch calls its type in messages of autograd.
    pub(crate) fn type_name(&self) -> String {
        let device = match self.device().backend().device_type() {
            "cpu" => String::new(),
            kind => format!("{kind}."),
        };
        format!("torch.{device}{}Tensor", self.dtype().scalar_type())
    }

    /// Bytes of its elements, each once: a broadcast dimension repeats what it has.
    pub(crate) fn bytes(&self) -> u64 {
        let sizes = self.shape().iter().zip(self.layout().strides());
        let distinct = sizes.map(|(&size, &stride)| if stride == 0 { size.min(1) } else { size });
        distinct.product::<usize>() as u64 * self.dtype().size_bytes() as u64
    }
}

/// Autograd.
impl Tensor {
    /// The gradient that backward passes have summed up; `None` for tensors that are not leaves.
    #[must_use]
    pub fn grad(&self) -> Option<Self> {
        self.0.grad.borrow().clone()
    }

    /// Drops the gradient, as `zero_grad(set_to_none=True)`.
    pub fn zero_grad(&self) {
        self.0.grad.borrow_mut().take();
    }

    /// `tensor.grad = gradient`.
    ///
    /// # Errors
    /// With PyTorch's messages, if the gradient is not of the shape, dtype and device of the tensor, or is the tensor.
    pub fn set_grad(&self, gradient: &Self) -> Result<()> {
        let fault = |message: &str| Err(Error::Autograd(message.into()));
        if gradient.is(self) {
            return fault("can't assign Variable as its own grad");
        }
        if gradient.dtype() != self.dtype() {
            return Err(Error::Autograd(format!(
                "attempting to assign a gradient with dtype '{}' to a tensor with grad_dtype '{}'. The gradient must \
                 match the tensor's grad_dtype (defaults to the tensor's dtype).",
                gradient.dtype().scalar_type(),
                self.dtype().scalar_type()
            )));
        }
        if gradient.device() != self.device() {
            return fault("attempting to assign a gradient located on a different device than the tensor");
        }
        if gradient.shape() != self.shape() {
            return Err(Error::Autograd(format!(
                "attempting to assign a gradient of size '[{}]' to a tensor of size '[{}]'. Please ensure that the \
                 gradient and the tensor are the same size",
                crate::layout::join(gradient.shape().iter()),
                crate::layout::join(self.shape().iter())
            )));
        }
        if gradient.tag() == Tag::Temporary {
            gradient.set_tag(Tag::Gradient);
        }
        *self.0.grad.borrow_mut() = Some(gradient.clone());
        Ok(())
    }

    /// The same elements without history.
    #[must_use]
    pub fn detach(&self) -> Self {
        self.with_layout(self.0.layout.clone())
    }

    /// `self.backward()` of a scalar.
    ///
    /// # Errors
    /// With PyTorch's messages: not a scalar, nothing requires a gradient, a graph used twice, a
    /// saved tensor overwritten since.
    pub fn backward(&self) -> Result<()> {
        autograd::backward_of(self, None, false)
    }

    /// `self.backward(gradient, retain_graph=retain_graph)`.
    ///
    /// # Errors
    /// As [`Tensor::backward`].
    pub fn backward_with(&self, gradient: Option<&Self>, retain_graph: bool) -> Result<()> {
        autograd::backward_of(self, gradient, retain_graph)
    }

    /// Where its gradient is kept, if that is fixed.
    pub(crate) fn grad_place(&self) -> Option<Self> {
        self.0.grad_place.borrow().clone()
    }

    /// Whether both are handles to one tensor.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// Whether the first gradient that arrives here becomes `.grad` as it is, and not a copy of it. A gradient is
    /// contiguous, so that an optimizer can walk it and the parameter together; and what is written to it is written
    /// to no other.
    pub(crate) fn takes_over(&self, gradient: &Self) -> bool {
        let is_first = self.grad().is_none() && self.grad_place().is_none() && !creates_graph();
        is_first && gradient.layout().is_contiguous() && gradient.is_alone()
    }

    /// Adds to the gradient, in place as PyTorch does; where gradients are recorded, to a new one.
    pub(crate) fn accumulate_grad(&self, gradient: Self) -> Result<()> {
        let sum = match (self.grad(), self.grad_place()) {
            (Some(old), _) if creates_graph() => old.add(&gradient)?,
            (None, _) if creates_graph() && !self.is_leaf() => gradient.copy()?,
            (None, _) if creates_graph() => {
                let copy = gradient.empty_like()?;
                copy.copy_(&gradient)?;
                copy
            }
            (Some(old), None) => old.plus(&gradient, true)?,
            (old, Some(place)) => {
                let sum = match old {
                    Some(old) => old.plus(&gradient, true)?,
                    None => gradient,
                };
                if !place.is(&sum) {
                    place.copy_(&sum)?;
                }
                place
            }
            (None, None) if self.takes_over(&gradient) => gradient.detach(),
            (None, None) => gradient.duplicate()?,
        };
        sum.set_tag(Tag::Gradient);
        *self.0.grad.borrow_mut() = Some(sum);
        Ok(())
    }
}

/// Running kernels.
impl Tensor {
    /// The same elements with the same history, over which the operation that gets them may write its result.
    pub(super) fn given_up(&self) -> Self {
        let mut same = self.with_layout(self.0.layout.clone());
        if let Some(inner) = Rc::get_mut(&mut same.0) {
            inner.given_up = Some(self.0.buffer.kept.get());
        }
        same.made_by(self.grad_fn())
    }

    /// Whether an operation with a result of this dtype may write over it: it is given up, and the operation's own
    /// derivative does not need it.
    pub(super) fn may_become(&self, dtype: DType) -> bool {
        self.0.given_up == Some(self.0.buffer.kept.get()) && self.dtype() == dtype
    }

    /// Whether nobody else sees its elements.
    fn is_alone(&self) -> bool {
        Rc::strong_count(&self.0) == 1 && Rc::strong_count(&self.0.buffer) == 1
    }

    /// Whether one kernel can add `other` to it: they are alike and lie apart, and nobody records it.
    pub(crate) fn adds_in_place(&self, other: &Self) -> bool {
        !creates_graph()
            && self.shape() == other.shape()
            && self.dtype() == other.dtype()
            && !self.overlaps_itself()
            && !self.shares_storage_with(other)
    }

    /// `self + other`, both gradients of one tensor, in the place of `self` where nobody else sees that, or `is_free`.
    pub(crate) fn plus(self, other: &Self, is_free: bool) -> Result<Self> {
        if !(self.adds_in_place(other) && (is_free || self.is_alone())) {
            return self.add(other);
        }
        let program = Program::binary(Compute::of(self.dtype()), Binary::Add);
        self.run(&program, &[&self, other])?;
        self.mark_written();
        Ok(self)
    }

    /// Writes `program` of the inputs into this tensor; the inputs have its shape.
    fn run(&self, program: &Program, inputs: &[&Self]) -> Result<()> {
        let operands: Vec<_> = inputs.iter().map(|t| t.operand()).collect();
        self.device().backend().map(program, &operands, self.operand())?;
        let is_copy = program.name() == "copy_" && inputs.iter().any(|input| input.dtype() != self.dtype());
        let name = if is_copy { "_to_copy" } else { program.name() };
        self.device().ledger().ran(name, 0, inputs.iter().map(|t| t.bytes()).sum(), self.bytes());
        Ok(())
    }

    /// Runs a kernel of whole rows on tensors of one device.
    pub(crate) fn run_rows(op: Rows, inputs: &[Option<&Self>], outputs: &[&Self]) -> Result<()> {
        let Some(first) = outputs.first() else { return Ok(()) };
        inputs.iter().flatten().try_for_each(|input| first.same_device(op.name(), input))?;
        let operands: Vec<_> = inputs.iter().map(|input| input.map(Self::operand)).collect();
        let results: Vec<_> = outputs.iter().map(|output| output.operand()).collect();
        first.device().backend().rows(op, &operands, &results)?;
        let bytes = |tensors: &mut dyn Iterator<Item = &&Self>| tensors.map(|t| t.bytes()).sum();
        let (read, written) = (bytes(&mut inputs.iter().flatten()), bytes(&mut outputs.iter()));
        let has_mean = inputs.get(3).is_some_and(Option::is_some);
        first.device().ledger().ran(op.torch_name(has_mean), 0, read, written);
        Ok(())
    }

    /// Whether a broadcast dimension shows one element several times.
    pub(crate) fn overlaps_itself(&self) -> bool {
        self.layout().strides().iter().zip(self.shape()).any(|(&s, &n)| s == 0 && n > 1)
    }

    pub(crate) fn mark_written(&self) {
        self.0.version.set(self.version() + 1);
        self.0.buffer.writes.set(self.writes() + 1);
    }
}

impl std::fmt::Debug for Tensor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tensor({:?}, {}, {})", self.shape(), self.dtype(), self.device())
    }
}
