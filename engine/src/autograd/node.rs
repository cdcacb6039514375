//! One recorded operation, and what it keeps for its derivative.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;

use super::checkpoint::{self, Frame, Pass};
use super::mode::is_grad_enabled;
use crate::device::Device;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::ledger;
use crate::tensor::{Tensor, WeakTensor};

thread_local! {
    static NEXT_ID: Cell<u64> = const { Cell::new(0) };
}

/// Where the gradient of an input goes.
pub(crate) enum Edge {
    /// The input needs none.
    None,
    /// Into the `.grad` of a leaf.
    Leaf(Tensor),
    /// On through the operation that made the input.
    Node(Rc<Node>),
    /// On through an operation on several tensors side by side, of whose results the input is that one.
    Part(Rc<Node>, usize),
}

impl Edge {
    /// The operation that it leads to.
    pub(super) fn node(&self) -> Option<&Rc<Node>> {
        match self {
            Self::Node(node) | Self::Part(node, _) => Some(node),
            Self::None | Self::Leaf(_) => None,
        }
    }
}

/// The conversion of tensors that lie side by side: its results do so too, and so will their gradients.
pub(crate) struct Joint {
    /// Where each tensor is among all elements, and its shape.
    pub(crate) parts: Vec<(Range<usize>, Vec<usize>)>,
    pub(crate) from: DType,
    pub(crate) to: DType,
    pub(crate) device: Device,
}

impl Joint {
    /// Room for the elements of all tensors.
    pub(super) fn room(&self, dtype: DType) -> Result<Tensor> {
        Tensor::empty(&[self.numel()], dtype, &self.device)
    }

    pub(super) fn numel(&self) -> usize {
        self.parts.last().map_or(0, |(range, _)| range.end)
    }

    /// One of the tensors that `flat` holds.
    pub(super) fn part(&self, flat: &Tensor, at: usize) -> Result<Tensor> {
        let (range, shape) = &self.parts[at];
        flat.part(range.clone(), shape)
    }
}

type OfAll = dyn Fn(&Tensor, &[Tensor]) -> Result<Vec<Option<Tensor>>>;
type OfOne = dyn Fn(usize, &Tensor, &[Tensor], Place<'_>) -> Result<Tensor>;

/// The derivative of one operation: from the gradient of its output and the saved tensors to the
/// gradients of its inputs.
pub(super) enum Derivative {
    /// All inputs together; `None` where an input has none.
    Together(Box<OfAll>),
    /// One input, by its number, asked for only if it is needed.
    Each(Box<OfOne>),
    /// All inputs by one kernel.
    Joint(Joint),
}

/// Where the gradient of a leaf may be written straight away, which saves a copy: a contiguous tensor of its
/// shape and dtype. What was written there is returned; anything else that is returned is copied.
pub(crate) type Place<'a> = Option<&'a Tensor>;

/// What somebody wants to see or change of a gradient on its way.
pub(crate) type Hook = Rc<dyn Fn(&Tensor) -> Result<Option<Tensor>>>;

/// One recorded operation.
pub(crate) struct Node {
    /// Grows with time: consumers of a node's output have larger ids than the node.
    pub(super) id: u64,
    name: &'static str,
    /// Of the model, in whose name the ledger counts the derivative.
    pub(super) part: &'static str,
    pub(super) edges: RefCell<Vec<Edge>>,
    saved: RefCell<Saved>,
    pub(super) derivative: Derivative,
    /// Outputs that keep their gradient though they are no leaves.
    retaining: RefCell<Vec<WeakTensor>>,
    hooks: RefCell<Vec<Hook>>,
}

/// The tensors of a derivative.
enum Saved {
    Here(Vec<Kept>),
    /// A backward pass has let go of them.
    Freed,
    /// They are computed anew: those of this node in a second run of the frame.
    Again(Rc<Frame>, usize),
}

/// A tensor kept for the derivative, without its own history, and the version it had.
pub(super) struct Kept {
    tensor: Tensor,
    version: u64,
    origin: Origin,
}

/// Where a kept tensor comes from.
#[derive(Clone)]
pub(super) enum Origin {
    /// It is the output of this operation.
    Output(&'static str),
    /// It is an input: this one, which may have got another history since.
    Input(WeakTensor),
}

impl Kept {
    /// An input of an operation.
    pub(super) fn input(tensor: &Tensor) -> Self {
        Self::new(tensor, Origin::Input(tensor.downgrade()))
    }

    fn new(tensor: &Tensor, origin: Origin) -> Self {
        tensor.keep();
        Self { tensor: tensor.detach(), version: tensor.version(), origin }
    }

    /// The tensor, if nobody has written to it.
    pub(super) fn get(&self) -> Result<Tensor> {
        let (tensor, version) = (&self.tensor, self.tensor.version());
        if tensor.is_inference() {
            return Err(Error::Autograd(
                "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode \
                 in computation tracked by autograd. To work around this, you can make a clone to get a normal tensor \
                 and use it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."
                    .into(),
            ));
        }
        if version == self.version {
            return Ok(tensor.clone());
        }
        let maker = match &self.origin {
            Origin::Output(name) => Some(*name),
            Origin::Input(input) => input.upgrade().and_then(|input| input.grad_fn_name()),
        };
        let maker = maker.map_or_else(String::new, |name| {
            // As PyTorch shortens it: of several derivatives of one operation all but the first have a number.
            let short = name.replace("Backward", "");
            format!(", which is output 0 of {},", short.strip_suffix('0').unwrap_or(&short))
        });
        Err(Error::Autograd(format!(
            "one of the variables needed for gradient computation has been modified by an inplace operation: \
             [{} [{}]]{maker} is at version {version}; expected version {} instead. Hint: enable anomaly detection \
             to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, \
             check_nan=False).",
            tensor.type_name(),
            crate::layout::join(tensor.shape().iter()),
            self.version
        )))
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.tensor.let_go();
    }
}

impl Node {
    /// Records an operation with these inputs, if any of them needs a gradient and recording is on.
    /// The name is PyTorch's, as `MulBackward0`.
    pub(crate) fn record(
        name: &'static str,
        inputs: &[&Tensor],
        saved: &[&Tensor],
        derivative: impl Fn(&Tensor, &[Tensor]) -> Result<Vec<Option<Tensor>>> + 'static,
    ) -> Option<Rc<Self>> {
        Self::with(name, inputs, saved, || Derivative::Together(Box::new(derivative)))
    }

    /// As [`Node::record`] with a derivative that gives the gradient of one input at a time.
    pub(crate) fn record_each(
        name: &'static str,
        inputs: &[&Tensor],
        saved: &[&Tensor],
        derivative: impl Fn(usize, &Tensor, &[Tensor], Place<'_>) -> Result<Tensor> + 'static,
    ) -> Option<Rc<Self>> {
        Self::with(name, inputs, saved, || Derivative::Each(Box::new(derivative)))
    }

    /// Records the conversion of tensors side by side.
    pub(crate) fn record_joint(inputs: &[&Tensor], joint: Joint) -> Option<Rc<Self>> {
        Self::with("ToCopyBackward0", inputs, &[], || Derivative::Joint(joint))
    }

    /// One of the results of a joint operation, as a view of them.
    pub(crate) fn part_of(joint: &Rc<Self>, at: usize) -> Rc<Self> {
        let derivative = |g: &Tensor, _: &[Tensor]| Ok(vec![Some(g.clone())]);
        let (edges, saved) = (vec![Edge::Part(joint.clone(), at)], Saved::Here(Vec::new()));
        Self::new("ViewBackward0", edges, saved, Derivative::Together(Box::new(derivative)))
    }

    fn new(name: &'static str, edges: Vec<Edge>, saved: Saved, derivative: Derivative) -> Rc<Self> {
        Rc::new(Self {
            id: NEXT_ID.replace(NEXT_ID.get() + 1),
            name,
            part: ledger::part(),
            edges: RefCell::new(edges),
            saved: RefCell::new(saved),
            derivative,
            retaining: RefCell::default(),
            hooks: RefCell::default(),
        })
    }

    fn with(
        name: &'static str,
        inputs: &[&Tensor],
        saved: &[&Tensor],
        derivative: impl FnOnce() -> Derivative,
    ) -> Option<Rc<Self>> {
        if !is_grad_enabled() || !inputs.iter().any(|t| t.requires_grad()) {
            return None;
        }
        let edges = inputs.iter().map(|t| t.edge()).collect();
        let pass = checkpoint::pass();
        let saved = match &pass {
            Pass::First(frame) => Saved::Again(frame.clone(), frame.count()),
            Pass::Second(_) | Pass::None => {
                let keep = |t: &&Tensor| {
                    // What is no input and has no history is the output, which gets it only now.
                    let is_input = inputs.iter().any(|input| input.is(t));
                    let is_output = !is_input && t.is_leaf() && t.dtype().is_floating_point();
                    if is_output { Kept::new(t, Origin::Output(name)) } else { Kept::input(t) }
                };
                Saved::Here(saved.iter().map(keep).collect())
            }
        };
        let node = Self::new(name, edges, saved, derivative());
        if let Pass::Second(frame) = pass {
            frame.push(node.clone());
        }
        Some(node)
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// Lets go of the saved tensors. A node that saved nothing can run again, as in PyTorch.
    pub(super) fn free(&self) {
        let mut saved = self.saved.borrow_mut();
        if !matches!(&*saved, Saved::Here(kept) if kept.is_empty()) {
            *saved = Saved::Freed;
        }
    }

    pub(super) fn saved_tensors(&self) -> Result<Vec<Tensor>> {
        match &*self.saved.borrow() {
            Saved::Here(kept) => kept.iter().map(Kept::get).collect(),
            Saved::Again(frame, number) => frame.node(*number)?.saved_tensors(),
            Saved::Freed => Err(Error::Autograd(
                "Trying to backward through the graph a second time (or directly access saved tensors after \
                 they have already been freed). Saved intermediate values of the graph are freed when you call \
                 .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the \
                 graph a second time or if you need to access saved tensors after calling backward."
                    .into(),
            )),
        }
    }

    /// The first argument is about to be overwritten: where the derivative needs it, a copy is kept instead.
    pub(crate) fn spare(&self, argument: &Tensor) -> Result<()> {
        if let Saved::Here(kept) = &mut *self.saved.borrow_mut()
            && let Some(first) = kept.iter_mut().find(|kept| kept.tensor.shares_storage_with(argument))
        {
            *first = Kept::new(&first.tensor.duplicate()?, first.origin.clone());
        }
        Ok(())
    }

    /// The result has moved into another tensor: what the derivative needs of it is found there.
    pub(crate) fn moved(&self, result: &Tensor, to: &Tensor) {
        if let Saved::Here(kept) = &mut *self.saved.borrow_mut() {
            for kept in kept.iter_mut().filter(|kept| kept.tensor.shares_storage_with(result)) {
                *kept = Kept::new(to, kept.origin.clone());
            }
        }
    }

    /// The tensor's `.grad` is set when the gradient comes by.
    pub(crate) fn retain(&self, output: &Tensor) {
        self.retaining.borrow_mut().push(output.downgrade());
    }

    /// The tensor has another history now.
    pub(crate) fn release(&self, output: &Tensor) {
        self.retaining.borrow_mut().retain(|kept| kept.upgrade().is_some_and(|kept| !kept.is(output)));
    }

    pub(crate) fn hook(&self, hook: Hook) {
        self.hooks.borrow_mut().push(hook);
    }

    /// The gradient of the output is complete: hooks see it, and outputs that want it keep it.
    pub(super) fn arrived(&self, gradient: Tensor) -> Result<Tensor> {
        let gradient = hooked(&self.hooks.borrow(), gradient)?;
        for output in self.retaining.borrow().iter().filter_map(WeakTensor::upgrade) {
            output.accumulate_grad(gradient.clone())?;
        }
        Ok(gradient)
    }
}

/// What hooks make of a gradient, in the order in which they were registered.
pub(crate) fn hooked(hooks: &[Hook], gradient: Tensor) -> Result<Tensor> {
    hooks.iter().try_fold(gradient, |gradient, hook| Ok(hook(&gradient)?.unwrap_or(gradient)))
}

impl Drop for Node {
    /// Unlinks the chain behind this node in a loop: dropping it link by link would recurse as deep
    /// as the graph is long.
    fn drop(&mut self) {
        let mut pending = self.edges.take();
        while let Some(edge) = pending.pop() {
            if let Edge::Node(node) | Edge::Part(node, _) = edge
                && let Some(node) = Rc::into_inner(node)
            {
                pending.append(&mut node.edges.borrow_mut());
            }
        }
    }
}
