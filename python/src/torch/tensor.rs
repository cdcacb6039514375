//! `TensorBase`: what `torch.Tensor` is made of.

use std::cell::{Cell, RefCell};

use napkin_engine::tensor::PrintOptions;
use napkin_engine::{Scalar, Tensor};
use rustpython_vm::builtins::{PyTuple, PyTypeRef};
use rustpython_vm::function::OptionalArg;
use rustpython_vm::{Py, PyObjectRef, PyPayload, PyRef, PyResult, VirtualMachine, pyclass};

use super::OrRaise;
use super::kinds::{PyDType, PyDevice};
use crate::wait::wait;

/// A tensor of the engine; `x.data = y` gives the same object another one.
#[pyclass(module = "torch._C", name = "TensorBase")]
#[derive(Debug, PyPayload)]
pub(crate) struct PyTensor {
    tensor: RefCell<Tensor>,
    /// The object that `x.grad` gave last, so that it is the same one while the gradient is.
    grad: RefCell<Option<PyRef<PyTensor>>>,
    /// The object whose elements it shows.
    base: RefCell<Option<PyRef<PyTensor>>>,
}

thread_local! {
    /// How tensors are printed.
    static PRINT: Cell<PrintOptions> = Cell::default();
    /// `torch.Tensor`, which is written in Python.
    static CLASS: RefCell<Option<PyTypeRef>> = const { RefCell::new(None) };
}

/// From now on new tensors are of that class.
pub(super) fn set_class(class: PyTypeRef) {
    CLASS.set(Some(class));
}

/// From now on tensors are printed so.
pub(super) fn set_print_options(options: PrintOptions) {
    PRINT.set(options);
}

impl PyTensor {
    pub(crate) fn get(&self) -> Tensor {
        self.tensor.borrow().clone()
    }

    /// The tensor as an object of class `torch.Tensor`.
    pub(crate) fn object(tensor: Tensor, vm: &VirtualMachine) -> PyResult<PyRef<Self>> {
        let class = CLASS.with_borrow(Clone::clone);
        Self::of_class(tensor, class.unwrap_or_else(|| Self::class(&vm.ctx).to_owned()), vm)
    }

    pub(crate) fn of_class(tensor: Tensor, class: PyTypeRef, vm: &VirtualMachine) -> PyResult<PyRef<Self>> {
        Self { tensor: RefCell::new(tensor), grad: RefCell::default(), base: RefCell::default() }
            // Few have attributes of their own: a dict for them is made when they are set.
            .into_ref_with_type_lazy_dict(vm, class)
    }

    /// Remembers the object that it is a view of, where it was made from that object or from another view of it.
    pub(super) fn show(&self, input: &PyRef<Self>) {
        let Some(base) = self.tensor.borrow().base() else { return };
        let held = if input.tensor.borrow().id() == base.id() {
            Some(input.clone())
        } else {
            input.base.borrow().clone().filter(|held| held.tensor.borrow().id() == base.id())
        };
        if held.is_some() {
            self.base.replace(held);
        }
    }

    /// Its only element.
    pub(crate) fn item(&self, vm: &VirtualMachine) -> PyResult<Scalar> {
        let tensor = self.get();
        if tensor.device().is_meta() {
            return Err(vm.new_runtime_error("Tensor.item() cannot be called on meta tensors"));
        }
        wait(tensor.item()).or_raise(vm)
    }
}

/// The tensor that an object is.
pub(crate) fn to_tensor(object: &PyObjectRef, vm: &VirtualMachine) -> PyResult<Tensor> {
    object.downcast_ref::<PyTensor>().map(|tensor| tensor.get()).ok_or_else(|| {
        vm.new_type_error(format!("expected Tensor as element, but got {}", object.class().name()))
    })
}

/// A new tensor asks for a gradient: PyTorch has other words for what cannot than `requires_grad_` has.
pub(super) fn ask_gradient(tensor: &Tensor, vm: &VirtualMachine) -> PyResult<()> {
    if !tensor.dtype().is_floating_point() {
        let message = "Only Tensors of floating point and complex dtype can require gradients";
        return Err(vm.new_runtime_error(message));
    }
    tensor.set_requires_grad(true).or_raise(vm)
}

/// Python's number of a scalar.
pub(crate) fn number(value: Scalar, vm: &VirtualMachine) -> PyObjectRef {
    match value {
        Scalar::Bool(value) => vm.ctx.new_bool(value).into(),
        Scalar::Int(value) => vm.ctx.new_int(value).into(),
        Scalar::Float(value) => vm.ctx.new_float(value).into(),
    }
}

#[pyclass(flags(BASETYPE, HAS_DICT))]
impl PyTensor {
    /// `Tensor._make_subclass(cls, data, require_grad=False)`: the same elements as an object of another class.
    #[pystaticmethod]
    fn _make_subclass(
        class: PyTypeRef,
        data: PyRef<Self>,
        require_grad: OptionalArg<bool>,
        vm: &VirtualMachine,
    ) -> PyResult {
        let tensor = data.get().detach();
        if require_grad.unwrap_or(false) {
            ask_gradient(&tensor, vm)?;
        }
        Ok(Self::of_class(tensor, class, vm)?.into())
    }

    #[pygetset]
    fn _shape(zelf: &Py<Self>, vm: &VirtualMachine) -> PyRef<PyTuple> {
        let sizes = zelf.get().shape().iter().map(|&size| vm.ctx.new_int(size).into()).collect();
        vm.ctx.new_tuple(sizes)
    }

    #[pygetset]
    fn dtype(zelf: &Py<Self>, vm: &VirtualMachine) -> PyObjectRef {
        PyDType::of(zelf.get().dtype(), vm)
    }

    #[pygetset]
    fn device(zelf: &Py<Self>) -> PyDevice {
        PyDevice::of(zelf.get().device())
    }

    #[pygetset]
    fn requires_grad(zelf: &Py<Self>) -> bool {
        zelf.get().requires_grad()
    }

    #[pygetset(setter)]
    fn set_requires_grad(zelf: &Py<Self>, value: bool, vm: &VirtualMachine) -> PyResult<()> {
        zelf.get().set_requires_grad(value).or_raise(vm)
    }

    #[pygetset]
    fn is_leaf(zelf: &Py<Self>) -> bool {
        zelf.get().is_leaf()
    }

    #[pygetset]
    fn grad(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        let Some(grad) = zelf.get().grad() else { return Ok(vm.ctx.none()) };
        let known = zelf.grad.borrow().clone().filter(|known| known.get().id() == grad.id());
        let object = match known {
            Some(known) => known,
            None => Self::object(grad, vm)?,
        };
        zelf.grad.replace(Some(object.clone()));
        Ok(object.into())
    }

    #[pygetset(setter)]
    fn set_grad(zelf: &Py<Self>, value: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        zelf.grad.replace(None);
        if vm.is_none(&value) {
            zelf.get().zero_grad();
            return Ok(());
        }
        let kind = value.class().to_owned();
        let Ok(gradient) = value.downcast::<Self>() else {
            let class = kind.name();
            return Err(vm.new_type_error(format!(
                "assigned grad expected to be a Tensor or None but got grad of type {class}"
            )));
        };
        zelf.get().set_grad(&gradient.get()).or_raise(vm)?;
        zelf.grad.replace(Some(gradient));
        Ok(())
    }

    /// The same elements without history.
    #[pygetset]
    fn data(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult<PyRef<Self>> {
        Self::object(zelf.get().data(), vm)
    }

    /// From now on the elements are those of another tensor; whether a gradient is asked for, and the gradient where it
    /// fits, stay.
    #[pygetset(setter)]
    fn set_data(zelf: &Py<Self>, value: PyRef<Self>, vm: &VirtualMachine) -> PyResult<()> {
        let (old, given) = (zelf.get(), value.get());
        let is_same =
            old.shares_storage_with(&given) && old.layout() == given.layout() && old.dtype() == given.dtype();
        if is_same {
            return Ok(());
        }
        let new = old.with_data(&given);
        if old.requires_grad() {
            new.set_requires_grad(true).or_raise(vm)?;
        }
        if let Some(gradient) = old.grad().filter(|gradient| gradient.shape() == new.shape()) {
            new.set_grad(&gradient).or_raise(vm)?;
        }
        zelf.tensor.replace(new);
        Ok(())
    }

    /// The tensor that it is a view of; what only an operation has seen within is none.
    #[pygetset]
    fn _base(zelf: &Py<Self>) -> Option<PyRef<Self>> {
        let base = zelf.get().base()?;
        zelf.base.borrow().clone().filter(|held| held.get().id() == base.id())
    }

    #[pygetset]
    fn retains_grad(zelf: &Py<Self>) -> bool {
        zelf.get().retains_grad()
    }

    /// How often it was written to.
    #[pygetset]
    fn _version(zelf: &Py<Self>) -> u64 {
        zelf.get().version()
    }

    /// The name of the operation that made it.
    #[pygetset]
    fn _grad_fn(zelf: &Py<Self>) -> Option<&'static str> {
        zelf.get().grad_fn_name()
    }

    #[pymethod]
    fn _repr(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult<String> {
        wait(zelf.get().repr_with(PRINT.get())).or_raise(vm)
    }

    #[pymethod(name = "item")]
    fn py_item(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        Ok(number(zelf.item(vm)?, vm))
    }
}
