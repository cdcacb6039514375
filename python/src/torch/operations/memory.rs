//! Where elements lie, what dtypes are made of, and what the ledger has counted.

use napkin_engine::DType;
use napkin_engine::layout::wrap_dim;
use napkin_engine::ledger::Tag;
use napkin_engine::ledger::set_part;
use napkin_engine::names::interned;
use napkin_engine::tensor::PrintOptions;
use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};

use super::{Give, List, Operation, operations};
use crate::options::options;
use crate::torch::arguments::Bound;
use crate::torch::tensor::{number, set_print_options};
use crate::torch::{OrRaise, room};
use crate::wait::wait;

pub(super) const OPERATIONS: &[Operation] = operations! {
    "stride(Tensor input, int dim)" => |a| {
        let (x, dim) = (a.tensor(0)?, a.dim(1)?);
        // Says what is wrong with a dimension, even where there is none.
        x.size(dim).or_raise(a.vm)?;
        let strides = x.layout().strides();
        strides[wrap_dim("stride", dim, strides.len()).or_raise(a.vm)?]
    };
    "stride(Tensor input)" => |a| {
        let strides = a.tensor(0)?.layout().strides().iter().map(|&stride| a.vm.ctx.new_int(stride).into()).collect();
        PyObjectRef::from(a.vm.ctx.new_tuple(strides))
    };
    "_size(Tensor input, int dim)" => |a| a.tensor(0)?.size(a.dim(1)?);
    "storage_offset(Tensor input)" => |a| a.tensor(0)?.layout().offset();
    "is_contiguous(Tensor input, *, Any? memory_format=None)" => |a| a.tensor(0)?.layout().is_contiguous();
    "data_ptr(Tensor input)" => |a| {
        let x = a.tensor(0)?;
        x.storage_address() + x.layout().offset() as u64 * x.dtype().size_bytes() as u64
    };
    "_storage_address(Tensor input)" => |a| a.tensor(0)?.storage_address();
    "_storage_bytes(Tensor input)" => |a| a.tensor(0)?.storage_bytes();
    "_is_state(Tensor input)" => |a| a.tensor(0)?.set_tag(Tag::OptimizerState);
    "tolist(Tensor input)" => |a| {
        let x = a.tensor(0)?;
        room::<PyObjectRef>(x.numel(), a.vm)?;
        let mut values = wait(x.to_scalars()).or_raise(a.vm)?.into_iter().map(|value| number(value, a.vm));
        list(a, &mut values, x.shape())?
    };
    "_finfo(dtype dtype)" => |a| {
        let Some(dtype) = a.dtype(0) else { return Err(a.vm.new_type_error("_finfo() takes a dtype")) };
        let limits = match dtype.format().map(napkin_engine::format::Format::info) {
            Some(info) => [info.max, info.min, info.eps, info.tiny, info.smallest_subnormal],
            None => [f64::MAX, f64::MIN, f64::EPSILON, f64::MIN_POSITIVE, f64::from_bits(1)],
        };
        List(limits.into_iter().map(|limit| a.vm.ctx.new_float(limit).into()).collect())
    };
    "promote_types(dtype type1, dtype type2)" => |a| {
        let (one, other) = (a.dtype(0).unwrap_or(DType::standard()), a.dtype(1).unwrap_or(DType::standard()));
        let both = napkin_engine::dtype::promote_types(one, other).or_raise(a.vm)?;
        crate::torch::kinds::PyDType::of(both, a.vm)
    };
    "_get_default_dtype()" => |a| crate::torch::kinds::PyDType::of(DType::standard(), a.vm);
    "_set_default_dtype(dtype d)" => |a| match a.dtype(0) {
        Some(dtype) => dtype.set_standard().map_err(|_| {
            a.vm.new_type_error("only floating-point types are supported as the default type")
        })?,
        None => return Err(a.vm.new_type_error("invalid dtype object")),
    };
    "_get_autocast()" => |a| maybe_dtype(napkin_engine::amp::autocast(), a.vm);
    "_set_autocast(dtype? dtype)" => |a| maybe_dtype(napkin_engine::amp::set_autocast(a.dtype(0)), a.vm);
    "_set_print_options(int precision, int threshold, int edgeitems, int linewidth, bool? sci_mode)" => |a| {
        set_print_options(PrintOptions {
            precision: a.size(0)?,
            threshold: a.size(1)?,
            edge_items: a.size(2)?,
            line_width: a.size(3)?,
            sci_mode: if a.has(4) { Some(a.bool_or(4, false)?) } else { None },
        });
    };
    "_has_gpu()" => |_a| options().gpu.is_some();
    "_gpu_name()" => |a| options().gpu.as_ref().map(|gpu| -> PyObjectRef {
        a.vm.ctx.new_str(gpu.backend().name()).into()
    });
    "_synchronize(device device)" => |a| wait(a.device(0)?.synchronize());
    "_start_count(device device)" => |a| a.device(0)?.ledger().start_count();
    "_take_count(device device)" => |a| {
        let counted = a.device(0)?.ledger().take_count().unwrap_or_default();
        let each = counted.into_iter().map(|operation| -> PyObjectRef {
            let text = |text: &str| a.vm.ctx.new_str(text).into();
            let flops = a.vm.ctx.new_int(operation.matmul_flops).into();
            a.vm.ctx.new_tuple(vec![text(operation.name), text(operation.part), flops]).into()
        });
        List(each.collect())
    };
    "_set_part(str name)" => |a| {
        set_part(interned(&a.text(0)?));
    };
    "_allocated_bytes(device device)" => |a| a.device(0)?.ledger().totals().allocated_bytes;
    "_peak_bytes(device device)" => |a| a.device(0)?.ledger().totals().peak_bytes;
};

fn maybe_dtype(dtype: Option<DType>, vm: &VirtualMachine) -> PyObjectRef {
    dtype.map_or_else(|| vm.ctx.none(), |dtype| crate::torch::kinds::PyDType::of(dtype, vm))
}

/// The values as nested lists of that shape.
fn list(
    a: &Bound<'_>,
    values: &mut impl Iterator<Item = PyObjectRef>,
    shape: &[usize],
) -> PyResult<PyObjectRef> {
    match shape.split_first() {
        None => Ok(values.next().unwrap_or_else(|| a.vm.ctx.none())),
        Some((&size, rest)) => {
            let mut rows = room(size, a.vm)?;
            for _ in 0..size {
                rows.push(list(a, values, rest)?);
            }
            List(rows).give(a.vm)
        }
    }
}
