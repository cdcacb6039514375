//! What `tensor.grad_fn` is made of.

use std::fmt;

use napkin_engine::autograd::GradFn;
use rustpython_vm::{Py, PyObjectRef, PyPayload, PyRef, PyResult, VirtualMachine, pyclass};

use super::tensor::PyTensor;

/// A place in the graph of recorded operations.
#[pyclass(module = "torch._C", name = "GradFn")]
#[derive(PyPayload)]
pub(super) struct PyGradFn(GradFn);

impl fmt::Debug for PyGradFn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl PyGradFn {
    pub(super) fn object(made: Option<GradFn>, vm: &VirtualMachine) -> PyObjectRef {
        made.map_or_else(|| vm.ctx.none(), |made| Self(made).into_ref(&vm.ctx).into())
    }
}

#[pyclass]
impl PyGradFn {
    #[pygetset]
    fn name(zelf: &Py<Self>) -> &'static str {
        zelf.0.name()
    }

    /// The same for the same place.
    #[pygetset]
    fn key(zelf: &Py<Self>) -> (&'static str, u64) {
        zelf.0.key()
    }

    /// Where the gradients of the inputs go: the place or `None`, and the number of the output there.
    #[pygetset]
    fn next(zelf: &Py<Self>, vm: &VirtualMachine) -> Vec<PyObjectRef> {
        let pair = |(made, at): (Option<GradFn>, usize)| {
            vm.ctx.new_tuple(vec![Self::object(made, vm), vm.ctx.new_int(at).into()]).into()
        };
        zelf.0.next_functions().into_iter().map(pair).collect()
    }

    /// The leaf whose gradient arrives here.
    #[pygetset]
    fn variable(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult<Option<PyRef<PyTensor>>> {
        zelf.0.variable().map(|leaf| PyTensor::object(leaf.clone(), vm)).transpose()
    }
}
