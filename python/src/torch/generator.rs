//! `torch.Generator`.

use std::cell::{RefCell, RefMut};

use napkin_engine::random::Generator;
use napkin_engine::{DType, Device, Tensor};
use rustpython_vm::builtins::PyType;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::types::Constructor;
use rustpython_vm::{Py, PyObjectRef, PyPayload, PyRef, PyResult, TryFromObject, VirtualMachine, pyclass};

use super::OrRaise;
use super::kinds::PyDevice;
use super::tensor::{PyTensor, to_tensor};
use crate::trace;
use crate::wait::wait;

/// What PyTorch's generators begin with.
const DEFAULT_SEED: u64 = 67_280_421_310_721;

/// PyTorch's CPU generator; what is drawn for another device is drawn by it, too.
#[pyclass(module = "torch._C", name = "Generator")]
#[derive(PyPayload)]
pub(crate) struct PyGenerator(RefCell<Generator>);

impl std::fmt::Debug for PyGenerator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PyGenerator")
    }
}

thread_local! {
    static DEFAULT: RefCell<Option<PyRef<PyGenerator>>> = const { RefCell::new(None) };
}

impl PyGenerator {
    /// Its state, to draw from.
    pub(crate) fn draw(&self) -> RefMut<'_, Generator> {
        if self.is_default() {
            trace::drew();
        }
        self.0.borrow_mut()
    }

    /// Gives it another state, whatever it had.
    pub(crate) fn seed_with<T>(&self, seed: impl FnOnce(&mut Generator) -> T) -> T {
        if self.is_default() {
            trace::seeded();
        }
        seed(&mut self.0.borrow_mut())
    }

    /// Its state as bytes.
    pub(crate) fn state(&self) -> Vec<u8> {
        self.0.borrow().state()
    }

    fn is_default(&self) -> bool {
        DEFAULT.with_borrow(|default| default.as_ref().is_some_and(|default| std::ptr::eq(&***default, self)))
    }

    /// The one that is drawn from where none is given.
    pub(crate) fn default_one(vm: &VirtualMachine) -> PyRef<Self> {
        DEFAULT.with_borrow_mut(|default| {
            default.get_or_insert_with(|| Self(Generator::new(DEFAULT_SEED).into()).into_ref(&vm.ctx)).clone()
        })
    }

    /// Those who hold it draw as from a new one.
    pub(super) fn renew_default() {
        if let Some(default) = DEFAULT.with_borrow(Clone::clone) {
            *default.0.borrow_mut() = Generator::new(DEFAULT_SEED);
        }
    }

    /// A session begins with a new one.
    pub(super) fn forget_default() {
        DEFAULT.set(None);
    }
}

impl Constructor for PyGenerator {
    type Args = FuncArgs;

    fn py_new(_class: &Py<PyType>, args: FuncArgs, vm: &VirtualMachine) -> PyResult<Self> {
        if let Some(device) = args.args.first().or_else(|| args.kwargs.get("device")) {
            super::kinds::to_device(device, vm)?;
        }
        Ok(Self(Generator::new(DEFAULT_SEED).into()))
    }
}

#[pyclass(with(Constructor))]
impl PyGenerator {
    #[pymethod]
    fn manual_seed(zelf: PyRef<Self>, seed: PyObjectRef, vm: &VirtualMachine) -> PyResult<PyRef<Self>> {
        let range = i128::from(i64::MIN)..=i128::from(u64::MAX);
        let seed = i128::try_from_object(vm, seed).ok().filter(|seed| range.contains(seed));
        let Some(seed) = seed else { return Err(vm.new_value_error("Overflow when unpacking long long")) };
        zelf.seed_with(|generator| *generator = Generator::new(seed as u64));
        Ok(zelf)
    }

    /// Begins anew with a seed that nobody chose; it comes from the generator itself, so that a program can be run again.
    #[pymethod]
    fn seed(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult<i64> {
        let drawn = zelf.draw().randint(0, i64::MAX, 1).or_raise(vm)?;
        let chosen = drawn.first().copied().unwrap_or_default();
        zelf.seed_with(|generator| *generator = Generator::new(chosen as u64));
        Ok(chosen)
    }

    /// Another one that goes on as this one would.
    #[pymethod]
    fn clone_state(zelf: &Py<Self>, vm: &VirtualMachine) -> PyRef<Self> {
        Self(zelf.draw().clone().into()).into_ref(&vm.ctx)
    }

    #[pymethod]
    fn initial_seed(zelf: &Py<Self>) -> u64 {
        zelf.draw().initial_seed()
    }

    #[pymethod]
    fn get_state(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult<PyRef<PyTensor>> {
        let state: Vec<f32> = zelf.draw().state().into_iter().map(f32::from).collect();
        let state = Tensor::from_slice(&state, &[state.len()], DType::U8, &Device::cpu()).or_raise(vm)?;
        PyTensor::object(state, vm)
    }

    #[pymethod]
    fn set_state(zelf: PyRef<Self>, new_state: PyObjectRef, vm: &VirtualMachine) -> PyResult<PyRef<Self>> {
        let state = to_tensor(&new_state, vm)?;
        if state.dtype() != DType::U8 {
            return Err(vm.new_type_error("RNG state must be a torch.ByteTensor"));
        }
        let state: Vec<u8> = wait(state.to_vec()).or_raise(vm)?.into_iter().map(|byte| byte as u8).collect();
        zelf.seed_with(|generator| generator.set_state(&state)).or_raise(vm)?;
        Ok(zelf)
    }

    #[pygetset]
    fn device(_zelf: &Py<Self>) -> PyDevice {
        PyDevice::of(&Device::cpu())
    }
}
