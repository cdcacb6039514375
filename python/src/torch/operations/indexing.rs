//! `x[…]` and `x[…] = value`.

use napkin_engine::layout::IndexItem;
use napkin_engine::tensor::Index;
use napkin_engine::{DType, Tensor};
use rustpython_vm::builtins::{PyInt, PyList, PySlice, PyTuple};
use rustpython_vm::{AsObject, PyObjectRef, PyResult, TryFromObject, VirtualMachine};

use super::{Operation, operations};
use crate::torch::OrRaise;
use crate::torch::arguments::{Bound, Operand, elements, is_sequence};
use crate::torch::nested::{is_array, read};
use crate::torch::overflow::{Target, fits};
use crate::torch::tensor::PyTensor;
use crate::wait::wait;

pub(super) const OPERATIONS: &[Operation] = operations! {
    "_index(Tensor input, Any items)" => |a| {
        let items = items(a)?;
        let items: Vec<Index<'_>> = items.iter().map(Item::index).collect();
        wait(a.tensor(0)?.index(&items))
    };
    "_set_index(Tensor input, Any items, Operand value)" => |a| {
        let items = items(a)?;
        let items: Vec<Index<'_>> = items.iter().map(Item::index).collect();
        let (x, value) = (a.tensor(0)?, a.operand(2)?);
        if let Operand::Scalar(number) = value {
            fits(number, x.dtype(), Target::Fill, a.vm)?;
        }
        wait(x.set_index(&items, value.arg()))
    };
};

/// One item between the brackets, with the tensor that it may be.
enum Item {
    Plain(Index<'static>),
    Tensor(Tensor),
}

impl Item {
    fn index(&self) -> Index<'_> {
        match self {
            Self::Plain(index) => *index,
            Self::Tensor(tensor) => Index::Tensor(tensor),
        }
    }
}

fn items(a: &Bound<'_>) -> PyResult<Vec<Item>> {
    let Some(object) = a.object(1) else { return Ok(vec![Item::Plain(Index::NEW_AXIS)]) };
    if object.downcast_ref::<PyTuple>().is_some() || is_tuple_in_brackets(&object, a.vm)? {
        return elements(&object, a.vm)?.iter().map(|object| item(object, a)).collect();
    }
    Ok(vec![item(&object, a)?])
}

/// A short list that has more than numbers in it is read as several items, as NumPy once did.
fn is_tuple_in_brackets(object: &PyObjectRef, vm: &VirtualMachine) -> PyResult<bool> {
    if object.downcast_ref::<PyList>().is_none() {
        return Ok(false);
    }
    let all = elements(object, vm)?;
    let is_more = |item: &PyObjectRef| {
        let is_mark = vm.is_none(item) || item.is(&vm.ctx.ellipsis);
        is_sequence(item)
            || is_mark
            || item.downcast_ref::<PySlice>().is_some()
            || item.downcast_ref::<PyTensor>().is_some()
    };
    Ok(all.len() < 32 && all.iter().any(is_more))
}

fn item(object: &PyObjectRef, a: &Bound<'_>) -> PyResult<Item> {
    let vm = a.vm;
    let plain = |index| Ok(Item::Plain(index));
    if vm.is_none(object) {
        return plain(Index::NEW_AXIS);
    }
    if object.is(&vm.ctx.ellipsis) {
        return plain(Index::ELLIPSIS);
    }
    if object.fast_isinstance(vm.ctx.types.bool_type) {
        return plain(Index::Bool(object.clone().try_to_bool(vm)?));
    }
    if let Some(tensor) = object.downcast_ref::<PyTensor>() {
        return Ok(Item::Tensor(tensor.get()));
    }
    if let Some(slice) = object.downcast_ref::<PySlice>() {
        let start = slice.start.as_ref().map(|start| bound(start, vm)).transpose()?.flatten();
        let step = slice.step.as_ref().map(|step| bound(step, vm)).transpose()?.flatten();
        if let Some(step) = step.filter(|&step| step <= 0) {
            let message =
                if step == 0 { "slice step cannot be zero" } else { "step must be greater than zero" };
            return Err(vm.new_value_error(message));
        }
        return plain(Index::slice(start, bound(&slice.stop, vm)?, step.unwrap_or(1)));
    }
    if object.downcast_ref::<PyInt>().is_none() && is_array(object, vm)? {
        let device = a.tensor(0)?.device().clone();
        let list = Tensor::from_nested(&read(object, vm)?, None, &device).or_raise(vm)?;
        let list = if list.numel() == 0 { list.to_dtype(DType::I64).or_raise(vm)? } else { list };
        return Ok(Item::Tensor(list));
    }
    if object.class().name().to_string() == "str" {
        return Err(vm.new_type_error("new(): invalid data type 'str'"));
    }
    if object.class().slots.as_number.index.load().is_none() {
        let message = format!(
            "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got {})",
            object.class().name()
        );
        return Err(vm.new_index_error(message));
    }
    plain(Index::View(IndexItem::At(isize::try_from_object(vm, object.clone())?)))
}

/// An end of a slice, or its step.
fn bound(object: &PyObjectRef, vm: &VirtualMachine) -> PyResult<Option<isize>> {
    if vm.is_none(object) {
        return Ok(None);
    }
    if let Some(tensor) = object.downcast_ref::<PyTensor>() {
        return Ok(Some(tensor.item(vm)?.as_i64() as isize));
    }
    Ok(Some(isize::try_from_object(vm, object.clone())?))
}
