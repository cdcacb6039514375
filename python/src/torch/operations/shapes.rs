//! Views, and other shapes of the same elements.

use napkin_engine::Tensor;
use napkin_engine::layout::wrap_dim;
use rustpython_vm::PyResult;

use super::creation::is_contiguous_format;
use super::{Give, Operation, operations, out_of_range};
use crate::torch::OrRaise;
use crate::torch::arguments::{Bound, Operand};
use crate::torch::overflow::{Target, fits};

pub(super) const OPERATIONS: &[Operation] = operations! {
    "view(Tensor input, dtype dtype)" => |a| match a.dtype(1) {
        Some(dtype) => a.tensor(0)?.view_dtype(dtype),
        None => a.tensor(0).map(Ok)?,
    };
    "view(Tensor input, int[*] size)" => |a| a.tensor(0)?.view(&a.dims(1)?);
    "reshape(Tensor input, int[*] shape)" => |a| a.tensor(0)?.reshape(&a.dims(1)?);
    "view_as(Tensor input, Tensor other)" => |a| a.tensor(0)?.view_as(&a.tensor(1)?);
    "reshape_as(Tensor input, Tensor other)" => |a| a.tensor(0)?.reshape_as(&a.tensor(1)?);
    "expand(Tensor input, int[*] size)" => |a| a.tensor(0)?.expand(&a.dims(1)?);
    "expand_as(Tensor input, Tensor other)" => |a| a.tensor(0)?.expand_as(&a.tensor(1)?);
    "permute(Tensor input, int[*] dims)" => |a| a.tensor(0)?.permute(&a.dims(1)?);
    "transpose(Tensor input, int dim0, int dim1)" => |a| a.tensor(0)?.transpose(a.dim(1)?, a.dim(2)?);
    "swapaxes(Tensor input, int axis0, int axis1)" => |a| a.tensor(0)?.swapaxes(a.dim(1)?, a.dim(2)?);
    "movedim(Tensor input, int[] source, int[] destination)" => |a| a.tensor(0)?.movedim(&a.dims(1)?, &a.dims(2)?);
    "t(Tensor input)" => |a| a.tensor(0)?.t();
    "select(Tensor input, int dim, int index)" => |a| a.tensor(0)?.select(a.dim(1)?, a.dim(2)?);
    "narrow(Tensor input, int dim, int start, int length)" => |a| a.tensor(0)?.narrow(a.dim(1)?, a.dim(2)?, a.dim(3)?);
    "unsqueeze(Tensor input, int dim)" => |a| a.tensor(0)?.unsqueeze(a.dim(1)?);
    "squeeze(Tensor input, int? dim=None)" => |a| a.tensor(0)?.squeeze(a.maybe_dim(1)?);
    "squeeze(Tensor input, int[*] dim)" => |a| squeezed(&a.tensor(0)?, &a.dims(1)?);
    "flatten(Tensor input, int start_dim=0, int end_dim=-1)" => |a| a.tensor(0)?.flatten(a.dim_or(1, 0)?, a.dim_or(2, -1)?);
    "diagonal(Tensor input, int offset=0, int dim1=0, int dim2=1)" => |a| {
        a.tensor(0)?.diagonal(a.dim_or(1, 0)?, a.dim_or(2, 0)?, a.dim_or(3, 1)?)
    };
    "unfold(Tensor input, int dimension, int size, int step)" => |a| a.tensor(0)?.unfold(a.dim(1)?, a.size(2)?, a.size(3)?);
    "as_strided(Tensor input, int[] size, int[] stride, int? storage_offset=None)" => |a| {
        let start = if a.has(3) { a.size(3)? } else { a.tensor(0)?.layout().offset() };
        let strides = a.ints(2)?;
        if strides.iter().any(|&stride| stride < 0) {
            let strides = strides.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
            let message = "as_strided: Negative strides are not supported at the moment, got strides";
            return Err(a.vm.new_runtime_error(format!("{message}: [{strides}]")));
        }
        a.tensor(0)?.as_strided(&a.shape(1)?, &a.shape(2)?, start)
    };
    "contiguous(Tensor input, *, Any? memory_format=None)" => |a| match a.tensor(0)? {
        already if already.layout().is_contiguous() => a.object(0),
        other => Some(other.contiguous().give(a.vm)?),
    };
    "clone(Tensor input, *, Any? memory_format=None)" => |a| match a.object(1) {
        Some(format) if is_contiguous_format(&format, a.vm)? => a.tensor(0)?.straight(),
        _ => a.tensor(0)?.copy(),
    };
    "repeat(Tensor input, int[*] repeats)" => |a| a.tensor(0)?.repeat(&a.shape(1)?);
    "tile(Tensor input, int[*] dims)" => |a| a.tensor(0)?.tile(&a.shape(1)?);
    "repeat_interleave(Tensor input, int repeats, int? dim=None)" => |a| {
        a.tensor(0)?.repeat_interleave(a.size(1)?, a.maybe_dim(2)?)
    };
    "repeat_interleave(Tensor input, Tensor repeats, int? dim=None)" => |a| {
        crate::wait::wait(a.tensor(0)?.repeat_interleave_each(&a.tensor(1)?, a.maybe_dim(2)?))
    };
    "repeat_interleave(Tensor repeats)" => |a| {
        let repeats = a.tensor(0)?;
        let places = Tensor::arange(0, repeats.numel() as i64, 1, None, repeats.device()).or_raise(a.vm)?;
        crate::wait::wait(places.repeat_interleave_each(&repeats, None))
    };
    "flip(Tensor input, int[*] dims)" => |a| a.tensor(0)?.flip(&a.dims(1)?);
    "_roll(Tensor input, int shift, int dim)" => |a| a.tensor(0)?.roll(a.dim(1)?, a.dim(2)?);
    "triu(Tensor input, int diagonal=0)" => |a| a.tensor(0)?.triu(a.int_or(1, 0)?);
    "tril(Tensor input, int diagonal=0)" => |a| a.tensor(0)?.tril(a.int_or(1, 0)?);
    "cat(Tensor[] tensors, int dim=0)" => |a| joined(a, Tensor::cat)?;
    "stack(Tensor[] tensors, int dim=0)" => |a| joined(a, Tensor::stack)?;
    "split(Tensor input, int split_size, int dim=0)" => |a| parted(a, "split")?.split_size(a.size(1)?, a.dim_or(2, 0)?);
    "split(Tensor input, int[] split_size, int dim=0)" => |a| parted(a, "split")?.split(&a.shape(1)?, a.dim_or(2, 0)?);
    "chunk(Tensor input, int chunks, int dim=0)" => |a| parted(a, "chunk")?.chunk(a.size(1)?, a.dim_or(2, 0)?);
    "tensor_split(Tensor input, int indices_or_sections, int dim=0)" => |a| {
        a.tensor(0)?.tensor_split(a.size(1)?, a.dim_or(2, 0)?)
    };
    "tensor_split(Tensor input, int[] indices_or_sections, int dim=0)" => |a| {
        a.tensor(0)?.tensor_split_at(&a.dims(1)?, a.dim_or(2, 0)?)
    };
    "unbind(Tensor input, int dim=0)" => |a| a.tensor(0)?.unbind(a.dim_or(1, 0)?);
    "gather(Tensor input, int dim, Tensor index)" => |a| a.tensor(0)?.gather(a.dim(1)?, &a.tensor(2)?);
    "index_select(Tensor input, int dim, Tensor index)" => |a| {
        a.tensor(0)?.index_select(a.dim(1)?, &a.tensor(2)?).map_err(out_of_range)
    };
    "take(Tensor input, Tensor index)" => |a| a.tensor(0)?.take(&a.tensor(1)?);
    "masked_fill(Tensor input, Tensor mask, Operand value)" => |a| a.tensor(0)?.masked_fill(&a.tensor(1)?, filling(a)?.arg());
    "masked_fill_(Tensor input, Tensor mask, Operand value)" => |a| {
        a.changed(a.tensor(0)?.masked_fill_(&a.tensor(1)?, filling(a)?.arg()))
    };
    "scatter(Tensor input, int dim, Tensor index, Operand src)" => |a| {
        a.tensor(0)?.scatter(a.dim(1)?, &a.tensor(2)?, a.operand(3)?.arg())
    };
    "scatter_(Tensor input, int dim, Tensor index, Operand src)" => |a| {
        a.changed(a.tensor(0)?.scatter_(a.dim(1)?, &a.tensor(2)?, a.operand(3)?.arg()))
    };
    "scatter_add(Tensor input, int dim, Tensor index, Tensor src)" => |a| {
        a.tensor(0)?.scatter_add(a.dim(1)?, &a.tensor(2)?, &a.tensor(3)?)
    };
    "scatter_add_(Tensor input, int dim, Tensor index, Tensor src)" => |a| {
        a.changed(a.tensor(0)?.scatter_add_(a.dim(1)?, &a.tensor(2)?, &a.tensor(3)?))
    };
    "index_add_(Tensor input, int dim, Tensor index, Tensor source, *, Scalar alpha=1)" => |a| {
        let done = a.tensor(0)?.index_add_(a.dim(1)?, &a.tensor(2)?, &a.tensor(3)?, a.float_or(4, 1.0)?);
        a.changed(if a.tensor(0)?.shape().len() == 1 { done.map_err(out_of_range) } else { done })
    };
};

/// Without those of the dimensions that have size 1, from the last one down: a number says which it was before.
fn squeezed(x: &Tensor, dims: &[isize]) -> napkin_engine::Result<Tensor> {
    let rank = x.shape().len();
    let mut dims = dims.iter().map(|&dim| wrap_dim("squeeze", dim, rank)).collect::<Result<Vec<_>, _>>()?;
    dims.sort_unstable();
    dims.iter().rev().try_fold(x.clone(), |x, &dim| x.squeeze(Some(dim.cast_signed())))
}

fn joined(a: &Bound<'_>, join: fn(&[&Tensor], isize) -> napkin_engine::Result<Tensor>) -> PyResult<Tensor> {
    let tensors = a.tensors(0)?;
    join(&tensors.iter().collect::<Vec<_>>(), a.dim_or(1, 0)?).or_raise(a.vm)
}

/// A tensor that is to be cut along a dimension.
fn parted(a: &Bound<'_>, name: &str) -> PyResult<Tensor> {
    let x = a.tensor(0)?;
    if x.shape().is_empty() {
        return Err(a.vm.new_runtime_error(format!("{name} expects at least a 1-dimensional tensor")));
    }
    Ok(x)
}

/// The number or tensor that `masked_fill` writes.
fn filling(a: &Bound<'_>) -> PyResult<Operand> {
    let value = a.operand(2)?;
    if let Operand::Scalar(number) = value {
        fits(number, a.tensor(0)?.dtype(), Target::Masked, a.vm)?;
    }
    Ok(value)
}
