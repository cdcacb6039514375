//! New tensors.

use napkin_engine::tensor::Nested;
use napkin_engine::{DType, Device, Error, Scalar, Tensor};
use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};

use super::{Operation, operations};
use crate::torch::OrRaise;
use crate::torch::arguments::Bound;
use crate::torch::nested::{nested, own_dtype};
use crate::torch::overflow::{Target, fits};
use crate::wait::wait;

pub(super) const OPERATIONS: &[Operation] = operations! {
    "tensor(Any data, *, dtype? dtype=None, device? device=None, bool requires_grad=False)" => |a| {
        let data = nested(a, 0)?;
        let dtype = a.dtype(1).or(own_dtype(a, 0)?);
        if let Some(dtype) = a.dtype(1).filter(|dtype| !dtype.is_floating_point()) {
            each_fits(&data, dtype, a.vm)?;
        }
        let tensor = match Tensor::from_nested(&data, dtype, &a.device(2)?) {
            // Lists that are no block of numbers.
            Err(Error::Shape { message, .. }) => return Err(a.vm.new_value_error(message)),
            Err(Error::DType { message, .. }) => return Err(a.vm.new_type_error(message)),
            other => other.or_raise(a.vm)?,
        };
        a.made(tensor, 3)?
    };
    "empty(int[*] size, *, dtype? dtype=None, device? device=None, bool requires_grad=False)" => |a| sized(a, Tensor::empty)?;
    "zeros(int[*] size, *, dtype? dtype=None, device? device=None, bool requires_grad=False)" => |a| sized(a, Tensor::zeros)?;
    "ones(int[*] size, *, dtype? dtype=None, device? device=None, bool requires_grad=False)" => |a| sized(a, Tensor::ones)?;
    "full(int[] size, Scalar fill_value, *, dtype? dtype=None, device? device=None, bool requires_grad=False)" => |a| {
        let value = a.scalar(1)?;
        let dtype = a.dtype(2).unwrap_or(DType::of(value.category()));
        fits(value, dtype, Target::Fill, a.vm)?;
        let full = Tensor::full(&a.shape(0)?, value, dtype, &a.device(3)?);
        a.made(full.or_raise(a.vm)?, 4)?
    };
    "empty_like(Tensor input, *, dtype? dtype=None, device? device=None, bool requires_grad=False, Any? memory_format=None)" => |a| alike(a, None, 1)?;
    "zeros_like(Tensor input, *, dtype? dtype=None, device? device=None, bool requires_grad=False, Any? memory_format=None)" => |a| alike(a, Some(Scalar::Int(0)), 1)?;
    "ones_like(Tensor input, *, dtype? dtype=None, device? device=None, bool requires_grad=False, Any? memory_format=None)" => |a| alike(a, Some(Scalar::Int(1)), 1)?;
    "full_like(Tensor input, Scalar fill_value, *, dtype? dtype=None, device? device=None, bool requires_grad=False, Any? memory_format=None)" => |a| {
        alike(a, Some(a.scalar(1)?), 2)?
    };
    "arange(Scalar end, *, dtype? dtype=None, device? device=None, bool requires_grad=False)" => |a| {
        let whole = Tensor::arange(0, a.scalar(0)?, 1, a.dtype(1), &a.device(2)?);
        a.made(whole.or_raise(a.vm)?, 3)?
    };
    "arange(Scalar start, Scalar end, Scalar step=1, *, dtype? dtype=None, device? device=None, bool requires_grad=False)" => |a| {
        let step = a.scalar_or(2, 1)?;
        let all = Tensor::arange(a.scalar(0)?, a.scalar(1)?, step, a.dtype(3), &a.device(4)?);
        a.made(all.or_raise(a.vm)?, 5)?
    };
    "linspace(Scalar start, Scalar end, int steps, *, dtype? dtype=None, device? device=None, bool requires_grad=False)" => |a| {
        let dtype = a.dtype(3).unwrap_or(DType::standard());
        let made = Tensor::linspace(a.float_or(0, 0.0)?, a.float_or(1, 0.0)?, a.size(2)?, dtype, &a.device(4)?);
        a.made(made.or_raise(a.vm)?, 5)?
    };
    "eye(int n, int? m=None, *, dtype? dtype=None, device? device=None, bool requires_grad=False)" => |a| {
        let rows = a.size(0)?;
        let columns = if a.has(1) { a.size(1)? } else { rows };
        let out = Tensor::eye(rows, columns, a.dtype(2).unwrap_or(DType::standard()), &a.device(3)?).or_raise(a.vm)?;
        a.made(out, 4)?
    };
    "tril_indices(int row, int col, int offset=0)" => |a| {
        Tensor::tril_indices(a.size(0)?, a.size(1)?, a.int_or(2, 0)?, &a.device(3)?)
    };
    "triu_indices(int row, int col, int offset=0)" => |a| {
        Tensor::triu_indices(a.size(0)?, a.size(1)?, a.int_or(2, 0)?, &a.device(3)?)
    };
    "_to(Tensor input, device? device=None, dtype? dtype=None, bool copy=False)" => |a| {
        let x = a.tensor(0)?;
        let dtype = a.dtype(2).unwrap_or(x.dtype());
        let device = if a.has(1) { a.device(1)? } else { x.device().clone() };
        let moved = wait(x.to_device(&device)).or_raise(a.vm)?.to_dtype(dtype).or_raise(a.vm)?;
        if a.bool_or(3, false)? { moved.copy() } else { Ok(moved) }
    };
};

/// Whether a dtype holds all that is in lists of numbers.
fn each_fits(data: &Nested, dtype: DType, vm: &VirtualMachine) -> PyResult<()> {
    let mut pending = vec![data];
    while let Some(next) = pending.pop() {
        match next {
            Nested::Number(number) => fits(*number, dtype, Target::Data, vm)?,
            Nested::List(list) => pending.extend(list.iter().rev()),
        }
    }
    Ok(())
}

/// `torch.zeros` and the like: size, dtype, device, requires_grad.
fn sized(
    a: &Bound<'_>,
    make: fn(&[usize], DType, &Device) -> napkin_engine::Result<Tensor>,
) -> PyResult<Tensor> {
    let tensor = make(&a.shape(0)?, a.dtype(1).unwrap_or(DType::standard()), &a.device(2)?).or_raise(a.vm)?;
    a.made(tensor, 3)
}

/// As many elements as the first argument has, of that value; `dtype` is the place of that argument, and the others follow.
fn alike(a: &Bound<'_>, value: Option<Scalar>, dtype: usize) -> PyResult<Tensor> {
    let x = a.tensor(0)?;
    let device = if a.has(dtype + 1) { a.device(dtype + 1)? } else { x.device().clone() };
    let (kind, format) = (a.dtype(dtype).unwrap_or(x.dtype()), a.object(dtype + 3));
    if let Some(value) = value {
        fits(value, kind, Target::Fill, a.vm)?;
    }
    let is_straight = format.map(|format| is_contiguous_format(&format, a.vm)).transpose()?.unwrap_or(false);
    let made = match value {
        None if is_straight => Tensor::empty(x.shape(), kind, &device),
        Some(value) if is_straight => Tensor::full(x.shape(), value, kind, &device),
        None => x.empty_like_as(kind, &device),
        Some(value) => x.full_like_as(value, kind, &device),
    };
    a.made(made.or_raise(a.vm)?, dtype + 2)
}

/// Whether that is `torch.contiguous_format`.
pub(super) fn is_contiguous_format(format: &PyObjectRef, vm: &VirtualMachine) -> PyResult<bool> {
    Ok(format.str(vm)?.to_string() == "torch.contiguous_format")
}
