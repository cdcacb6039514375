//! `torch.dtype` and `torch.device`.

use std::cell::RefCell;

use napkin_engine::{DType, Device};
use rustpython_vm::builtins::{PyModule, PyStr};
use rustpython_vm::function::FuncArgs;
use rustpython_vm::types::{Comparable, Constructor, Hashable, PyComparisonOp, Representable};
use rustpython_vm::{
    AsObject, Py, PyObject, PyObjectRef, PyPayload, PyRef, PyResult, TryFromObject, VirtualMachine, pyclass,
};

use crate::options::options;

/// A dtype; there is one object of each.
#[pyclass(module = "torch", name = "dtype")]
#[derive(Debug, PyPayload)]
pub(crate) struct PyDType(DType);

thread_local! {
    static DTYPES: RefCell<Vec<PyRef<PyDType>>> = const { RefCell::new(Vec::new()) };
}

/// Other names that PyTorch has.
const SHORT: [(&str, DType); 7] = [
    ("float", DType::F32),
    ("double", DType::F64),
    ("half", DType::F16),
    ("long", DType::I64),
    ("int", DType::I32),
    ("short", DType::I16),
    ("bool", DType::Bool),
];

impl PyDType {
    pub(crate) fn dtype(&self) -> DType {
        self.0
    }

    /// The object of a dtype.
    pub(crate) fn of(dtype: DType, vm: &VirtualMachine) -> PyObjectRef {
        DTYPES.with_borrow_mut(|all| {
            let known = all.iter().find(|known| known.0 == dtype).cloned();
            let one = known.unwrap_or_else(|| {
                let new = Self(dtype).into_ref(&vm.ctx);
                all.push(new.clone());
                new
            });
            one.into()
        })
    }

    pub(super) fn install(module: &Py<PyModule>, vm: &VirtualMachine) -> PyResult<()> {
        for dtype in DType::ALL {
            module.set_attr(dtype.name(), Self::of(dtype, vm), vm)?;
        }
        for (name, dtype) in SHORT {
            module.set_attr(name, Self::of(dtype, vm), vm)?;
        }
        Ok(())
    }
}

/// The dtype that is named; Python's own types of numbers stand for the widest ones.
pub(crate) fn to_dtype(object: &PyObjectRef, vm: &VirtualMachine) -> Option<DType> {
    let types = &vm.ctx.types;
    let own = [(types.float_type, DType::F64), (types.int_type, DType::I64), (types.bool_type, DType::Bool)];
    let known = own.iter().find(|(class, _)| object.is(*class)).map(|&(_, dtype)| dtype);
    known.or_else(|| Some(object.downcast_ref::<PyDType>()?.dtype()))
}

#[pyclass(with(Representable))]
impl PyDType {
    #[pygetset]
    fn itemsize(zelf: &Py<Self>) -> usize {
        zelf.0.size_bytes()
    }

    #[pygetset]
    fn is_floating_point(zelf: &Py<Self>) -> bool {
        zelf.0.is_floating_point()
    }

    #[pygetset]
    fn is_complex(_zelf: &Py<Self>) -> bool {
        false
    }

    #[pygetset]
    fn is_signed(zelf: &Py<Self>) -> bool {
        !matches!(zelf.0, DType::U8 | DType::Bool)
    }
}

impl Representable for PyDType {
    fn repr_str(zelf: &Py<Self>, _vm: &VirtualMachine) -> PyResult<String> {
        Ok(format!("torch.{}", zelf.0.name()))
    }
}

/// A device by its type and number.
#[pyclass(module = "torch", name = "device")]
#[derive(Debug, Clone, PartialEq, Eq, PyPayload)]
pub(crate) struct PyDevice {
    kind: String,
    index: Option<usize>,
}

impl PyDevice {
    pub(crate) fn of(device: &Device) -> Self {
        let text = device.to_string();
        match text.split_once(':') {
            Some((kind, index)) => Self { kind: kind.to_owned(), index: index.parse().ok() },
            None => Self { kind: text, index: None },
        }
    }

    fn parse(text: &str, vm: &VirtualMachine) -> PyResult<Self> {
        if text.is_empty() {
            return Err(vm.new_runtime_error("Device string must not be empty"));
        }
        let invalid = || vm.new_runtime_error(format!("Invalid device string: '{text}'"));
        let (kind, index) = match text.split_once(':') {
            Some((kind, digits)) => {
                let index = digits.parse().ok().filter(|_| digits == "0" || !digits.starts_with(['0', '+']));
                (kind, Some(index.ok_or_else(invalid)?))
            }
            None if text.ends_with(|last: char| last.is_ascii_digit()) => return Err(invalid()),
            None => (text, None),
        };
        if !["cpu", "cuda", "meta"].contains(&kind) {
            let message = format!(
                "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, \
                     mps, meta, hpu, mtia, privateuseone device type at start of device string: {text}"
            );
            return Err(vm.new_runtime_error(message));
        }
        Ok(Self { kind: kind.to_owned(), index })
    }

    fn text(&self) -> String {
        match self.index {
            Some(index) => format!("{}:{index}", self.kind),
            None => self.kind.clone(),
        }
    }

    fn device(&self, vm: &VirtualMachine) -> PyResult<Device> {
        match (self.kind.as_str(), self.index) {
            ("cpu", _) => Ok(Device::cpu()),
            ("cuda", None | Some(0)) => match &options().gpu {
                Some(gpu) => Ok(gpu.clone()),
                None => Err(vm.new_runtime_error(
                    "No CUDA GPUs are available: this machine offers no GPU, or was not asked for one",
                )),
            },
            ("cuda", Some(_)) => Err(vm.new_runtime_error("CUDA error: invalid device ordinal")),
            _ => Ok(Device::meta()),
        }
    }
}

thread_local! {
    /// Where tensors are made unless it is said, the last one first to go; below all is the processor.
    static DEFAULTS: RefCell<Vec<PyDevice>> = const { RefCell::new(Vec::new()) };
}

/// Where tensors are made unless it is said.
pub(crate) fn default_device(vm: &VirtualMachine) -> PyResult<Device> {
    match DEFAULTS.with_borrow(|all| all.last().cloned()) {
        Some(device) => device.device(vm),
        None => Ok(Device::cpu()),
    }
}

/// From now on tensors are made on the processor.
pub(super) fn forget_default_device() {
    DEFAULTS.take();
}

/// The device that an argument names: `"cuda:0"`, `torch.device("cpu")`, `0`.
pub(crate) fn to_device(object: &PyObject, vm: &VirtualMachine) -> PyResult<Device> {
    if let Some(device) = object.downcast_ref::<PyDevice>() {
        return device.device(vm);
    }
    if let Some(text) = object.downcast_ref::<PyStr>() {
        return PyDevice::parse(&text.to_string_lossy(), vm)?.device(vm);
    }
    let index = usize::try_from_object(vm, object.to_owned())?;
    PyDevice { kind: "cuda".to_owned(), index: Some(index) }.device(vm)
}

impl Constructor for PyDevice {
    type Args = FuncArgs;

    fn py_new(
        _class: &Py<rustpython_vm::builtins::PyType>,
        args: FuncArgs,
        vm: &VirtualMachine,
    ) -> PyResult<Self> {
        let Some(first) =
            args.args.first().or_else(|| args.kwargs.get("type").or_else(|| args.kwargs.get("device")))
        else {
            return Err(vm.new_type_error("device() missing 1 required positional argument: 'type'"));
        };
        if let Some(device) = first.downcast_ref::<Self>() {
            return Ok((**device).clone());
        }
        if first.downcast_ref::<PyStr>().is_none() {
            let index = usize::try_from_object(vm, first.clone())?;
            return Ok(Self { kind: "cuda".to_owned(), index: Some(index) });
        }
        let mut device = Self::parse(&String::try_from_object(vm, first.clone())?, vm)?;
        if let Some(index) = args.args.get(1).or_else(|| args.kwargs.get("index")) {
            device.index = Some(usize::try_from_object(vm, index.clone())?);
        }
        Ok(device)
    }
}

#[pyclass(with(Constructor, Representable, Comparable, Hashable))]
impl PyDevice {
    #[pygetset(name = "type")]
    fn kind(zelf: &Py<Self>) -> String {
        zelf.kind.clone()
    }

    #[pygetset]
    fn index(zelf: &Py<Self>) -> Option<usize> {
        zelf.index
    }

    /// Within a `with` block tensors are made there.
    #[pymethod]
    fn __enter__(zelf: PyRef<Self>) -> PyRef<Self> {
        DEFAULTS.with_borrow_mut(|all| all.push((*zelf).clone()));
        zelf
    }

    #[pymethod]
    fn __exit__(_zelf: &Py<Self>, _: FuncArgs) {
        DEFAULTS.with_borrow_mut(Vec::pop);
    }

    /// From now on tensors are made there.
    #[pymethod]
    fn _make_default(zelf: &Py<Self>) {
        DEFAULTS.with_borrow_mut(|all| {
            all.pop();
            all.push((**zelf).clone());
        });
    }

    #[pystaticmethod]
    fn _default() -> Self {
        let default = DEFAULTS.with_borrow(|all| all.last().cloned());
        default.unwrap_or_else(|| Self { kind: "cpu".to_owned(), index: None })
    }

    #[pymethod]
    fn __str__(zelf: &Py<Self>) -> String {
        zelf.text()
    }
}

impl Representable for PyDevice {
    fn repr_str(zelf: &Py<Self>, _vm: &VirtualMachine) -> PyResult<String> {
        Ok(match zelf.index {
            Some(index) => format!("device(type='{}', index={index})", zelf.kind),
            None => format!("device(type='{}')", zelf.kind),
        })
    }
}

impl Comparable for PyDevice {
    fn cmp(
        zelf: &Py<Self>,
        other: &PyObject,
        op: PyComparisonOp,
        _vm: &VirtualMachine,
    ) -> PyResult<rustpython_vm::function::PyComparisonValue> {
        op.eq_only(|| match other.downcast_ref::<Self>() {
            Some(other) => Ok((**zelf == **other).into()),
            None => Ok(rustpython_vm::function::PyComparisonValue::NotImplemented),
        })
    }
}

impl Hashable for PyDevice {
    fn hash(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult<rustpython_vm::common::hash::PyHash> {
        vm.ctx.new_str(zelf.text()).as_object().hash(vm)
    }
}
