//! `torch.tensor(data)`: lists of lists of numbers.

use napkin_engine::dtype::promote_types;
use napkin_engine::tensor::Nested;
use napkin_engine::{DType, Scalar, Tensor};
use rustpython_vm::builtins::{PyInt, PyList, PyRange, PyTuple};
use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};

use super::arguments::{Bound, elements, to_scalar};
use super::tensor::PyTensor;
use super::{OrRaise, room};
use crate::wait::wait;

/// The argument as nested lists.
pub(super) fn nested(a: &Bound<'_>, at: usize) -> PyResult<Nested> {
    match a.object(at) {
        Some(object) if begins_with_text(&object, a.vm)? => {
            Err(a.vm.new_value_error("too many dimensions 'str'"))
        }
        Some(object) => read(&object, a.vm),
        None => Err(a.vm.new_runtime_error("Could not infer dtype of NoneType")),
    }
}

/// Whether the first of all that is in a list is text, of which each letter is text again.
fn begins_with_text(object: &PyObjectRef, vm: &VirtualMachine) -> PyResult<bool> {
    let mut first = None;
    let mut next = is_sequence(object).then(|| object.clone());
    while let Some(list) = next {
        first = elements(&list, vm)?.first().cloned();
        next = first.clone().filter(is_sequence);
    }
    Ok(first.is_some_and(|first| first.class().name().to_string() == "str"))
}

pub(super) fn read(object: &PyObjectRef, vm: &VirtualMachine) -> PyResult<Nested> {
    if is_sequence(object) {
        let read = |object: &PyObjectRef| vm.with_recursion("in torch.tensor", || read(object, vm));
        return Ok(Nested::List(elements(object, vm)?.iter().map(read).collect::<PyResult<_>>()?));
    }
    if let Some(tensor) = whole(object, vm)? {
        let values = wait(tensor.to_scalars()).or_raise(vm)?;
        return shaped(&mut values.into_iter(), tensor.shape(), vm);
    }
    to_scalar(object, vm).map(Nested::Number).map_err(|_| {
        let name = object.class().name().to_string();
        if name == "str" {
            return vm.new_type_error(format!("new(): invalid data type '{name}'"));
        }
        if object.downcast_ref::<PyInt>().is_some() {
            return vm.new_value_error("Overflow when unpacking long long");
        }
        vm.new_runtime_error(format!("Could not infer dtype of {name}"))
    })
}

/// A list, a tuple or a range.
fn is_sequence(object: &PyObjectRef) -> bool {
    let is_list = object.downcast_ref::<PyList>().is_some();
    is_list || object.downcast_ref::<PyTuple>().is_some() || object.downcast_ref::<PyRange>().is_some()
}

/// Whether it is read as one, or as an array of NumPy's.
pub(super) fn is_array(object: &PyObjectRef, vm: &VirtualMachine) -> PyResult<bool> {
    Ok(is_sequence(object) || whole(object, vm)?.is_some())
}

/// A tensor, or that of an array of NumPy's.
fn whole(object: &PyObjectRef, vm: &VirtualMachine) -> PyResult<Option<Tensor>> {
    if let Some(tensor) = object.downcast_ref::<PyTensor>() {
        return Ok(Some(tensor.get()));
    }
    let held = vm.get_attribute_opt(object, "_tensor")?;
    Ok(held.and_then(|held| held.downcast_ref::<PyTensor>().map(|held| held.get())))
}

/// The dtype that the argument has as a whole, if it has one.
pub(super) fn own_dtype(a: &Bound<'_>, at: usize) -> PyResult<Option<DType>> {
    let Some(object) = a.object(at) else { return Ok(None) };
    held_dtype(&object, a.vm)
}

/// That of a tensor, or the one that all tensors of a list become; none where it begins with a number.
fn held_dtype(object: &PyObjectRef, vm: &VirtualMachine) -> PyResult<Option<DType>> {
    if let Some(tensor) = whole(object, vm)? {
        return Ok(Some(tensor.dtype()));
    }
    if !is_sequence(object) {
        return Ok(None);
    }
    let mut common = None;
    for item in elements(object, vm)? {
        let held = vm.with_recursion("in torch.tensor", || held_dtype(&item, vm))?;
        let dtype = match (held, common) {
            (None, None) => return Ok(None),
            (None, Some(_)) => match read(&item, vm)? {
                Nested::Number(number) => DType::of(number.category()),
                Nested::List(_) => return Ok(None),
            },
            (Some(dtype), _) => dtype,
        };
        common = Some(common.map_or(Ok(dtype), |have| promote_types(have, dtype)).or_raise(vm)?);
    }
    Ok(common)
}

fn shaped(
    values: &mut impl Iterator<Item = Scalar>,
    shape: &[usize],
    vm: &VirtualMachine,
) -> PyResult<Nested> {
    let Some((&size, rest)) = shape.split_first() else {
        return Ok(Nested::Number(values.next().unwrap_or(Scalar::Float(f64::NAN))));
    };
    let mut rows = room(size, vm)?;
    for _ in 0..size {
        rows.push(shaped(values, rest, vm)?);
    }
    Ok(Nested::List(rows))
}
