//! What an operation was called with, by its signature.

use napkin_engine::layout::MAX_NUMEL;
use napkin_engine::room;
use napkin_engine::tensor::Arg;
use napkin_engine::{DType, Device, Error, Scalar, Tensor};
use rustpython_vm::builtins::{PyBaseExceptionRef, PyFloat, PyInt, PyList, PyRange, PyStr, PyTuple};
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{AsObject, PyObjectRef, PyRef, PyResult, TryFromObject, VirtualMachine};

use super::OrRaise;
use super::generator::PyGenerator;
use super::kinds::{self, PyDevice};
use super::signature::{Kind, Parameter, Signature};
use super::tensor::{PyTensor, ask_gradient, to_tensor};

/// Arguments in the order of the signature.
pub(crate) struct Bound<'a> {
    pub(crate) vm: &'a VirtualMachine,
    signature: &'a Signature,
    values: Vec<Option<PyObjectRef>>,
}

/// A tensor or a number.
pub(crate) enum Operand {
    Tensor(Tensor),
    Scalar(Scalar),
}

impl Operand {
    pub(crate) fn arg(&self) -> Arg<'_> {
        match self {
            Self::Tensor(tensor) => Arg::Tensor(tensor),
            Self::Scalar(scalar) => Arg::Scalar(*scalar),
        }
    }
}

impl<'a> Bound<'a> {
    /// Puts arguments where the signature has them, and says in PyTorch's words what does not fit.
    pub(crate) fn new(
        signature: &'a Signature,
        args: &FuncArgs,
        is_method: bool,
        vm: &'a VirtualMachine,
    ) -> PyResult<Self> {
        let name = signature.name;
        let refuse = |message: String| Err(vm.new_type_error(message));
        let mut values: Vec<Option<PyObjectRef>> = vec![None; signature.parameters.len()];
        let mut given = args.args.iter();
        let mut count = 0;
        for (place, parameter) in signature.parameters.iter().enumerate() {
            if parameter.is_keyword_only {
                break;
            }
            let Some(first) = given.next() else { break };
            count += 1;
            values[place] = Some(first.clone());
            // Sizes may stand one by one.
            if parameter.kind == Kind::Sizes && is_int(first, vm) {
                let all = std::iter::once(first.clone()).chain(given.by_ref().cloned()).collect();
                values[place] = Some(vm.ctx.new_tuple(all).into());
            }
        }
        let extra = given.len();
        if extra > 0 {
            let most = signature.parameters.iter().filter(|parameter| !parameter.is_keyword_only).count();
            let (plural, all) = (if most == 1 { "" } else { "s" }, count + extra);
            return refuse(format!("{name}() takes {most} positional argument{plural} but {all} were given"));
        }
        for (keyword, value) in &args.kwargs {
            // NumPy's names are understood where PyTorch does.
            let wanted = match keyword.as_str().unwrap_or_default() {
                "axis" => "dim",
                "keepdims" => "keepdim",
                "self" => "input",
                other => other,
            };
            let place = signature.parameters.iter().position(|parameter| parameter.name == wanted);
            let Some(place) = place else {
                return refuse(format!("{name}() got an unexpected keyword argument '{keyword}'"));
            };
            if values[place].is_some() {
                return refuse(format!("{name}() got multiple values for argument '{keyword}'"));
            }
            values[place] = Some(value.clone());
        }
        let missing: Vec<&str> = signature
            .parameters
            .iter()
            .zip(&values)
            .filter(|(parameter, value)| value.is_none() && !parameter.has_default)
            .map(|(parameter, _)| parameter.name)
            .collect();
        if let Some(first) = missing.first() {
            let count = missing.len();
            return refuse(format!("{name}() missing {count} required positional arguments: \"{first}\""));
        }
        for (place, (parameter, value)) in signature.parameters.iter().zip(&mut values).enumerate() {
            let Some(object) = value else { continue };
            if vm.is_none(object) && (parameter.is_optional || parameter.has_default) {
                *value = None;
            } else if !fits(parameter.kind, object, vm) {
                // A method does not count the tensor that it is called on.
                let position =
                    (place < count && !parameter.is_keyword_only).then(|| place + 1 - usize::from(is_method));
                return Err(mismatch(name, position, parameter, object, vm));
            }
        }
        Ok(Self { vm, signature, values })
    }

    /// The first argument itself, when it has been changed in place.
    pub(crate) fn changed(&self, done: napkin_engine::Result<()>) -> PyResult<PyObjectRef> {
        done.or_raise(self.vm)?;
        self.required(0).cloned()
    }

    fn given(&self, at: usize) -> Option<&PyObjectRef> {
        self.values.get(at)?.as_ref()
    }

    fn required(&self, at: usize) -> PyResult<&PyObjectRef> {
        self.given(at).ok_or_else(|| {
            let name = self.signature.parameters.get(at).map_or("?", |parameter| parameter.name);
            self.vm.new_type_error(format!("{}(): argument '{name}' must not be None", self.signature.name))
        })
    }

    pub(crate) fn object(&self, at: usize) -> Option<PyObjectRef> {
        self.given(at).cloned()
    }

    /// How many elements the tensor has, if that is one.
    pub(crate) fn elements(&self, at: usize) -> usize {
        let tensor = self.given(at).and_then(|object| object.downcast_ref::<PyTensor>());
        tensor.map_or(0, |tensor| tensor.get().numel())
    }

    pub(crate) fn has(&self, at: usize) -> bool {
        self.given(at).is_some()
    }

    pub(crate) fn tensor(&self, at: usize) -> PyResult<Tensor> {
        to_tensor(self.required(at)?, self.vm)
    }

    pub(crate) fn maybe_tensor(&self, at: usize) -> PyResult<Option<Tensor>> {
        self.given(at).map(|object| to_tensor(object, self.vm)).transpose()
    }

    pub(crate) fn operand(&self, at: usize) -> PyResult<Operand> {
        let object = self.required(at)?;
        match object.downcast_ref::<PyTensor>() {
            Some(tensor) => Ok(Operand::Tensor(tensor.get())),
            None => Ok(Operand::Scalar(to_scalar(object, self.vm)?)),
        }
    }

    pub(crate) fn tensors(&self, at: usize) -> PyResult<Vec<Tensor>> {
        let all = elements(self.required(at)?, self.vm)?;
        all.iter().enumerate().map(|(number, object)| to_element(object, number, at, self.vm)).collect()
    }

    pub(crate) fn int(&self, at: usize) -> PyResult<i64> {
        to_int(self.required(at)?, self.vm)
    }

    pub(crate) fn maybe_int(&self, at: usize) -> PyResult<Option<i64>> {
        self.given(at).map(|object| to_int(object, self.vm)).transpose()
    }

    pub(crate) fn int_or(&self, at: usize, default: i64) -> PyResult<i64> {
        Ok(self.maybe_int(at)?.unwrap_or(default))
    }

    pub(crate) fn ints(&self, at: usize) -> PyResult<Vec<i64>> {
        to_ints(self.required(at)?, self.vm)
    }

    /// Dimensions, or sizes of which one may be -1.
    pub(crate) fn dims(&self, at: usize) -> PyResult<Vec<isize>> {
        self.ints(at)?.into_iter().map(|dim| self.reachable(at, dim)).collect()
    }

    pub(crate) fn maybe_dims(&self, at: usize) -> PyResult<Option<Vec<isize>>> {
        if self.has(at) { self.dims(at).map(Some) } else { Ok(None) }
    }

    /// Dimensions; none stand for all.
    pub(crate) fn dims_or_all(&self, at: usize) -> PyResult<Vec<isize>> {
        Ok(self.maybe_dims(at)?.unwrap_or_default())
    }

    pub(crate) fn dim(&self, at: usize) -> PyResult<isize> {
        self.reachable(at, self.int(at)?)
    }

    /// A number that an index can be: in the browser there are 32 bits.
    fn reachable(&self, at: usize, number: i64) -> PyResult<isize> {
        isize::try_from(number).map_err(|_| self.beyond(at, number))
    }

    /// What is wrong with a number that takes more bits than addresses have.
    fn beyond(&self, at: usize, number: i64) -> PyBaseExceptionRef {
        let Signature { name, parameters } = self.signature;
        let parameter = parameters.get(at).map_or("?", |parameter| parameter.name);
        self.vm.new_runtime_error(too_large(name, parameter, number))
    }

    pub(crate) fn dim_or(&self, at: usize, default: isize) -> PyResult<isize> {
        if self.has(at) { self.dim(at) } else { Ok(default) }
    }

    pub(crate) fn maybe_dim(&self, at: usize) -> PyResult<Option<isize>> {
        if self.has(at) { self.dim(at).map(Some) } else { Ok(None) }
    }

    /// A number of something.
    pub(crate) fn size(&self, at: usize) -> PyResult<usize> {
        let size = self.int(at)?;
        if size >= 0 {
            return usize::try_from(size).map_err(|_| self.beyond(at, size));
        }
        let refusal = match self.signature.name {
            "eye" => format!("n must be greater or equal to 0, got {size}"),
            "linspace" => "number of steps must be non-negative".to_owned(),
            "topk" => "selected index k out of range".to_owned(),
            "split" => format!("split expects split_size be non-negative, but got split_size={size}"),
            "randperm" => negative(size, &[size]),
            name => format!("{name}() expects a number that is not negative, but got {size}"),
        };
        Err(self.vm.new_runtime_error(refusal))
    }

    /// Sizes of a tensor.
    pub(crate) fn shape(&self, at: usize) -> PyResult<Vec<usize>> {
        let sizes = self.ints(at)?;
        if let Some(&size) = sizes.iter().find(|&&size| size < 0) {
            return Err(self.vm.new_runtime_error(match self.signature.name {
                "zeros" => "zeros: Dimension size must be non-negative.".to_owned(),
                _ => negative(size, &sizes),
            }));
        }
        let all = sizes.iter().map(|&size| usize::try_from(size).ok()).collect::<Option<_>>();
        all.map_or_else(|| Err(self.too_large_a_tensor(at, &sizes)?), Ok)
    }

    /// What is wrong with sizes that take more bits than addresses have.
    fn too_large_a_tensor(&self, at: usize, sizes: &[i64]) -> PyResult<PyBaseExceptionRef> {
        let parameters = &self.signature.parameters;
        let of = |kind: Kind| parameters.iter().position(|parameter| parameter.kind == kind);
        // What makes no tensor of these sizes has no choice of device.
        let Some(device) = of(Kind::Device) else {
            return Ok(self.beyond(at, sizes.iter().copied().max().unwrap_or_default()));
        };
        let dtype = match (of(Kind::DType).and_then(|at| self.dtype(at)), self.signature.name) {
            (Some(dtype), _) => dtype,
            (None, "randint") => DType::I64,
            (None, "full") => match self.scalar(1)? {
                Scalar::Bool(_) => DType::Bool,
                Scalar::Int(_) => DType::I64,
                Scalar::Float(_) => DType::standard(),
            },
            _ => DType::standard(),
        };
        let is_counted = self.device(device)?.is_meta();
        Ok(super::raise(no_room(sizes, dtype, is_counted), self.vm))
    }

    pub(crate) fn scalar(&self, at: usize) -> PyResult<Scalar> {
        to_scalar(self.required(at)?, self.vm)
    }

    pub(crate) fn maybe_scalar(&self, at: usize) -> PyResult<Option<Scalar>> {
        self.given(at).map(|object| to_scalar(object, self.vm)).transpose()
    }

    pub(crate) fn scalar_or(&self, at: usize, default: i64) -> PyResult<Scalar> {
        Ok(self.maybe_scalar(at)?.unwrap_or(Scalar::Int(default)))
    }

    pub(crate) fn float_or(&self, at: usize, default: f64) -> PyResult<f64> {
        Ok(self.maybe_scalar(at)?.map_or(default, Scalar::as_f64))
    }

    pub(crate) fn maybe_bool(&self, at: usize) -> PyResult<Option<bool>> {
        self.given(at).map(|object| object.clone().try_to_bool(self.vm)).transpose()
    }

    pub(crate) fn bool_or(&self, at: usize, default: bool) -> PyResult<bool> {
        Ok(self.maybe_bool(at)?.unwrap_or(default))
    }

    pub(crate) fn string(&self, at: usize) -> PyResult<Option<String>> {
        self.given(at).map(|object| String::try_from_object(self.vm, object.clone())).transpose()
    }

    pub(crate) fn text(&self, at: usize) -> PyResult<String> {
        String::try_from_object(self.vm, self.required(at)?.clone())
    }

    pub(crate) fn dtype(&self, at: usize) -> Option<DType> {
        kinds::to_dtype(self.given(at)?, self.vm)
    }

    /// With `requires_grad` as it was asked for.
    pub(crate) fn made(&self, tensor: Tensor, requires_grad: usize) -> PyResult<Tensor> {
        if self.bool_or(requires_grad, false)? {
            ask_gradient(&tensor, self.vm)?;
        }
        Ok(tensor)
    }

    /// The generator that was given, or the default one.
    pub(crate) fn generator(&self, at: usize) -> PyResult<PyRef<PyGenerator>> {
        match self.given(at) {
            None => Ok(PyGenerator::default_one(self.vm)),
            Some(object) => PyRef::try_from_object(self.vm, object.clone()),
        }
    }

    /// The device that was named, or the one that tensors are made on.
    pub(crate) fn device(&self, at: usize) -> PyResult<Device> {
        match self.given(at) {
            None => kinds::default_device(self.vm),
            Some(object) => kinds::to_device(object, self.vm),
        }
    }
}

fn too_large(name: &str, parameter: &str, number: i64) -> String {
    let most = isize::MAX;
    format!("{name}(): {parameter} is {number}; sizes, dimensions and indices are at most {most} here")
}

/// The error of a tensor that is larger than what there are addresses for, or only counted.
fn no_room(sizes: &[i64], dtype: DType, is_counted: bool) -> Error {
    let elements = sizes.iter().fold(1u128, |all, &size| all.saturating_mul(size.unsigned_abs().into()));
    let mut error = room::out_of_memory(elements.saturating_mul(dtype.size_bytes() as u128));
    if let Error::OutOfMemory { what, device, rule, .. } = &mut error {
        *what = Some(format!("a tensor of shape {sizes:?}, {dtype}"));
        if is_counted {
            *device = "meta".to_owned();
            *rule = format!("it has {elements} elements, and at most {MAX_NUMEL} can be numbered here");
        }
    }
    error
}

/// What is wrong with a size among sizes.
fn negative(size: i64, sizes: &[i64]) -> String {
    let sizes = sizes.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
    format!("Trying to create tensor with negative dimension {size}: [{sizes}]")
}

fn fits(kind: Kind, object: &PyObjectRef, vm: &VirtualMachine) -> bool {
    let is_tensor = || object.downcast_ref::<PyTensor>().is_some();
    let is_bool = || object.fast_isinstance(vm.ctx.types.bool_type);
    match kind {
        Kind::Tensor => is_tensor(),
        Kind::Operand => is_tensor() || is_number(object, vm),
        Kind::Tensors => is_sequence(object),
        Kind::Int => is_int(object, vm) && !is_bool(),
        Kind::Ints | Kind::Sizes => is_int(object, vm) && !is_bool() || is_sequence(object),
        Kind::Scalar => is_number(object, vm) || is_tensor(),
        Kind::Bool => object.fast_isinstance(vm.ctx.types.bool_type) || is_int(object, vm),
        Kind::Str => object.downcast_ref::<PyStr>().is_some(),
        Kind::DType => kinds::to_dtype(object, vm).is_some(),
        Kind::Device => {
            object.downcast_ref::<PyDevice>().is_some()
                || object.downcast_ref::<PyStr>().is_some()
                || is_int(object, vm)
        }
        Kind::Generator => object.downcast_ref::<PyGenerator>().is_some(),
        Kind::Any => true,
    }
}

fn mismatch(
    name: &str,
    position: Option<usize>,
    parameter: &Parameter,
    object: &PyObjectRef,
    vm: &VirtualMachine,
) -> PyBaseExceptionRef {
    let position = position.map(|position| format!(" (position {position})")).unwrap_or_default();
    vm.new_type_error(format!(
        "{name}(): argument '{}'{position} must be {}, not {}",
        parameter.name,
        parameter.kind.label(),
        object.class().name()
    ))
}

pub(crate) fn is_sequence(object: &PyObjectRef) -> bool {
    object.downcast_ref::<PyList>().is_some() || object.downcast_ref::<PyTuple>().is_some()
}

fn is_int(object: &PyObjectRef, vm: &VirtualMachine) -> bool {
    object.fast_isinstance(vm.ctx.types.int_type)
        || object.downcast_ref::<PyTensor>().is_some_and(|tensor| {
            let tensor = tensor.get();
            tensor.numel() == 1 && !tensor.dtype().is_floating_point()
        })
}

fn is_number(object: &PyObjectRef, vm: &VirtualMachine) -> bool {
    is_int(object, vm) || object.fast_isinstance(vm.ctx.types.float_type)
}

pub(crate) fn elements(object: &PyObjectRef, vm: &VirtualMachine) -> PyResult<Vec<PyObjectRef>> {
    // What counts for ever has no room anywhere; lists and tuples have theirs.
    if let Some(range) = object.downcast_ref::<PyRange>() {
        super::room::<PyObjectRef>(range.as_object().length(vm)?, vm)?;
    }
    vm.extract_elements_with(object, Ok)
}

/// A tensor of a list that is an argument.
fn to_element(object: &PyObjectRef, number: usize, at: usize, vm: &VirtualMachine) -> PyResult<Tensor> {
    object.downcast_ref::<PyTensor>().map(|tensor| tensor.get()).ok_or_else(|| {
        let class = object.class().name();
        vm.new_type_error(format!("expected Tensor as element {number} in argument {at}, but got {class}"))
    })
}

fn to_int(object: &PyObjectRef, vm: &VirtualMachine) -> PyResult<i64> {
    if let Some(tensor) = object.downcast_ref::<PyTensor>() {
        return Ok(tensor.item(vm)?.as_i64());
    }
    i64::try_from_object(vm, object.clone())
}

fn to_ints(object: &PyObjectRef, vm: &VirtualMachine) -> PyResult<Vec<i64>> {
    if is_int(object, vm) {
        return Ok(vec![to_int(object, vm)?]);
    }
    elements(object, vm)?.iter().map(|object| to_int(object, vm)).collect()
}

/// A number of Python, or that of a tensor with one element.
pub(crate) fn to_scalar(object: &PyObjectRef, vm: &VirtualMachine) -> PyResult<Scalar> {
    if let Some(tensor) = object.downcast_ref::<PyTensor>() {
        return tensor.item(vm);
    }
    if object.fast_isinstance(vm.ctx.types.bool_type) {
        return Ok(Scalar::Bool(object.clone().try_to_bool(vm)?));
    }
    if let Some(int) = object.downcast_ref::<PyInt>() {
        let int = i64::try_from(int.as_bigint()).map(Scalar::Int);
        return int.map_err(|_| vm.new_overflow_error("int too big to convert"));
    }
    object
        .downcast_ref::<PyFloat>()
        .map(|float| Scalar::Float(float.to_f64()))
        .ok_or_else(|| vm.new_type_error(format!("expected a number, but got {}", object.class().name())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As in a browser, whose addresses have 32 bits.
    #[test]
    fn what_is_too_large_is_named_with_its_unit() {
        let text = |sizes: &[i64], dtype, is_counted| no_room(sizes, dtype, is_counted).to_string();
        let huge = text(&[1_000_000_000_000], DType::F32, false);
        let begin = "cannot allocate 4 TB for a tensor of shape [1000000000000], torch.float32 on cpu: ";
        assert!(huge.starts_with(begin) && huge.len() > begin.len(), "{huge}");
        let counted = text(&[2, 1 << 40], DType::F16, true);
        assert!(counted.starts_with("cannot allocate 4.398 TB for a tensor of shape [2, 1099511627776], torch.float16 on meta: it has 2199023255552 elements, and at most "), "{counted}");
        assert!(text(&[i64::MAX; 3], DType::F64, false).contains("EB for a tensor"));
        let number = too_large("eye", "n", 1 << 40);
        assert!(
            number.starts_with("eye(): n is 1099511627776; sizes, dimensions and indices are at most "),
            "{number}"
        );
    }
}
