//! The module `torch._C`: tensors, and all operations by their signatures.

mod arguments;
mod generator;
mod kinds;
mod nested;
mod operations;
mod overflow;
mod refused;
mod signature;
mod tensor;

pub(crate) use generator::PyGenerator;
pub(crate) use native::module_def;
pub(crate) use tensor::PyTensor;

use napkin_engine::tensor::PrintOptions;
use napkin_engine::{DType, Device, Error, amp, autograd, ledger};
use rustpython_vm::builtins::PyBaseExceptionRef;
use rustpython_vm::{PyResult, VirtualMachine};

use crate::options::options;
use crate::polling::keyboard_interrupt;

/// What the engine refuses, as the exception that PyTorch raises.
pub(crate) fn raise(error: Error, vm: &VirtualMachine) -> PyBaseExceptionRef {
    match error {
        Error::Index { message, .. } => vm.new_index_error(message),
        Error::NotImplemented { message, .. } => vm.new_not_implemented_error(message),
        Error::Value { op: op @ ("uniform_" | "bernoulli_"), message } => {
            vm.new_runtime_error(format!("{op} {message}"))
        }
        // Who reads it sees the text that it is about: a place in it says nothing.
        Error::Value { message, .. } | Error::DType { message, .. } | Error::Parse { message, .. } => {
            vm.new_runtime_error(message)
        }
        // Who interrupts an operation interrupts Python, too: that is raised here, once.
        Error::Interrupted => vm.check_signals().err().unwrap_or_else(|| keyboard_interrupt(vm)),
        other => vm.new_runtime_error(other.to_string()),
    }
}

/// `Result`s of the engine, for Python.
pub(crate) trait OrRaise<T> {
    fn or_raise(self, vm: &VirtualMachine) -> PyResult<T>;
}

impl<T> OrRaise<T> for napkin_engine::Result<T> {
    fn or_raise(self, vm: &VirtualMachine) -> PyResult<T> {
        self.map_err(|error| raise(error, vm))
    }
}

/// An empty list with room for so many, or `MemoryError`.
fn room<T>(count: usize, vm: &VirtualMachine) -> PyResult<Vec<T>> {
    napkin_engine::room::room(count).map_err(|error| vm.new_memory_error(format!("{count} values: {error}")))
}

/// What programs set in the engine is as at the beginning: modes, default dtype and device, seed, how tensors are
/// printed, who looks at what is saved for derivatives, what is being counted.
///
/// # Errors
/// None that the engine knows of.
pub(crate) fn renew() -> napkin_engine::Result<()> {
    // Both modes hold for the thread, from now on.
    std::mem::forget(autograd::set_inference_mode(false));
    autograd::set_pack(None);
    amp::set_autocast(None);
    ledger::set_part("");
    let devices = [Device::cpu(), Device::meta()].into_iter().chain(options().gpu.clone());
    devices.for_each(|device| while device.ledger().take_count().is_some() {});
    tensor::set_print_options(PrintOptions::default());
    kinds::forget_default_device();
    PyGenerator::renew_default();
    DType::F32.set_standard()
}

#[rustpython_vm::pymodule(name = "_torch")]
mod native {
    use rustpython_vm::builtins::PyModule;
    use rustpython_vm::class::PyClassImpl;
    use rustpython_vm::{Py, PyResult, VirtualMachine};

    use super::kinds::{PyDType, PyDevice};
    use super::operations;
    use super::tensor::PyTensor;
    use super::{OrRaise, PyGenerator};

    pub(crate) fn module_exec(vm: &VirtualMachine, module: &Py<PyModule>) -> PyResult<()> {
        __module_exec(vm, module);
        let tensor = PyTensor::make_static_type();
        module.set_attr("TensorBase", tensor.clone(), vm)?;
        module.set_attr("dtype", PyDType::make_static_type(), vm)?;
        module.set_attr("device", PyDevice::make_static_type(), vm)?;
        module.set_attr("Generator", PyGenerator::make_static_type(), vm)?;
        PyGenerator::forget_default();
        super::renew().or_raise(vm)?;
        PyDType::install(module, vm)?;
        operations::install(module, vm)
    }
}
