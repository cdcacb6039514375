//! Sums, products and extremes over dimensions: dispatches of shaders/reduce.wgsl.

use super::core::{Core, Dispatch};
use super::map::{copy, scratch};
use super::operand::{Binding, Collapsed, Number, storage, uniforms, with_wide, word};
use super::template::{Variables, expand};
use crate::backend::{Operand, Reduction};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::layout::Layout;
use crate::scalar::Scalar;

/// Invocations per workgroup where each combines elements on its own.
const THREADS: u32 = 64;

/// Invocations that combine the elements of one result together.
const LANES: u32 = 256;

/// Elements that one invocation combines one after the other; a longer chain would lose digits.
const CHAIN: usize = 1024;

pub(crate) fn reduce(
    core: &Core,
    op: Reduction,
    scale: f64,
    input: Operand<'_>,
    dims: &[usize],
    out: Operand<'_>,
) -> Result<()> {
    let shape = input.layout.shape();
    let kept: Vec<usize> = (0..shape.len()).filter(|d| !dims.contains(d)).collect();
    let sizes = |dims: &[usize]| dims.iter().map(|&d| shape[d]).collect::<Vec<_>>();
    if dims.iter().any(|&d| d >= shape.len())
        || sizes(&kept) != out.layout.shape()
        || !out.layout.is_contiguous()
    {
        let message = format!("dims {dims:?} of {shape:?} do not leave {:?}", out.layout.shape());
        return Err(Error::Shape { op: "reduce", message });
    }
    storage(core, "reduce", input)?;
    storage(core, "reduce", out)?;
    let results = out.layout.numel();
    if results == 0 {
        return Ok(());
    }
    let number = number(op, input.dtype)?;
    // Narrow results share words and are written by map, which converts.
    if out.dtype != number.dtype() {
        let (wide, layout) = (scratch(core, number, results)?, Layout::contiguous(out.layout.shape())?);
        let wide = Operand { storage: &*wide, layout: &layout, dtype: number.dtype() };
        reduce(core, op, scale, input, dims, wide)?;
        return copy(core, wide, out);
    }
    let count: usize = sizes(dims).iter().product();
    let strides = |dims: &[usize]| dims.iter().map(|&d| input.layout.strides()[d]).collect::<Vec<_>>();
    let kept = Collapsed::new(&sizes(&kept), &[strides(&kept)]);
    let reduced = Collapsed::new(&sizes(dims), &[strides(dims)]);
    let contiguous = reduced.strides[0].last() == Some(&1);
    // Alone, neighbours read neighbouring results' elements; together, they read along the reduction.
    // A program that acts as a GPU has few cores to keep busy, and waiting for one another costs it most: together only for
    // one result of middling length.
    let alone = count <= 32
        || if core.info.is_software {
            results > 1 || count <= CHAIN || count > 64 * CHAIN
        } else {
            results >= 4096 && !contiguous && count <= CHAIN
        };
    let lanes = if alone { 1 } else { LANES };
    let chunk = (CHAIN * lanes as usize).min(count.max(1));
    let parts = count.div_ceil(chunk).max(1);
    if parts == 1 {
        return dispatch(core, op, scale, input, &kept, &reduced, count, lanes, chunk, out);
    }
    let partial = scratch(core, number, results * parts)?;
    let layout = Layout::contiguous(&[results, parts])?;
    let partial = Operand { storage: &*partial, layout: &layout, dtype: number.dtype() };
    dispatch(core, op, 1.0, input, &kept, &reduced, count, lanes, chunk, partial)?;
    let flat = Layout::strided(&[results], &[1], out.layout.offset())?;
    reduce(core, op, scale, partial, &[1], Operand { layout: &flat, ..out })
}

/// What elements are combined in. The largest of narrow whole numbers is one of them; their sum may not be.
fn number(op: Reduction, dtype: DType) -> Result<Number> {
    Ok(match Number::of(dtype)? {
        Number::I32 if matches!(op, Reduction::Sum | Reduction::Prod) => Number::I64,
        number => number,
    })
}

#[allow(clippy::too_many_arguments, reason = "one call site's locals, not an interface")]
fn dispatch(
    core: &Core,
    op: Reduction,
    scale: f64,
    input: Operand<'_>,
    kept: &Collapsed,
    reduced: &Collapsed,
    count: usize,
    lanes: u32,
    chunk: usize,
    out: Operand<'_>,
) -> Result<()> {
    let w = |value: usize| word("reduce", value);
    let parts = count.div_ceil(chunk).max(1);
    let slots = kept.shape.iter().product::<usize>() * parts;
    let number = number(op, input.dtype)?;
    let (combine, identity) = match (op, number) {
        (Reduction::Sum, _) => ("add", Scalar::Int(0)),
        (Reduction::Prod, _) => ("multiply", Scalar::Int(1)),
        (Reduction::Max, Number::F32) => ("larger", Scalar::Float(f64::NEG_INFINITY)),
        (Reduction::Max, Number::I32) => ("larger", Scalar::Int(i32::MIN.into())),
        (Reduction::Max, Number::I64) => ("larger", Scalar::Int(i64::MIN)),
        (Reduction::Min, Number::F32) => ("smaller", Scalar::Float(f64::INFINITY)),
        (Reduction::Min, Number::I32) => ("smaller", Scalar::Int(i32::MAX.into())),
        (Reduction::Min, Number::I64) => ("smaller", Scalar::Int(i64::MAX)),
    };
    let mut data = vec![w(slots)?, w(parts)?, w(chunk)?, w(count)?];
    data.extend([w(input.layout.offset())?, w(out.layout.offset())?, (scale as f32).to_bits(), 0]);
    data.extend(number.words(identity));
    data.resize(12, 0);
    for dims in [kept, reduced] {
        for &value in dims.shape.iter().chain(&dims.strides[0]) {
            data.push(w(value)?);
        }
    }
    let (params, words4) = uniforms("reduce", &data, format_args!("{} dimensions", input.layout.rank()))?;
    let (kept_rank, reduced_rank) = (kept.shape.len(), reduced.shape.len());
    let threads = if lanes == 1 { THREADS } else { lanes };
    let name = format!("reduce {op:?} {kept_rank} {reduced_rank} {words4} {lanes} {}", input.dtype);
    let kernel = core.kernels.get(&core.device, &core.faults, &name, &[false, true], || {
        let codec = Binding { number, ..Binding::default() }.declare("in0", 0, input.dtype)?
            + &Binding { write: true, number, ..Binding::default() }.declare("out", 1, out.dtype)?;
        let variables = Variables::default()
            .with("KEPT", kept_rank)
            .with("REDUCED", reduced_rank)
            .with("LANES", lanes)
            .with("THREADS", threads)
            .with("T", number.wgsl())
            .with("OP", combine)
            .with("ARITHMETIC", number.arithmetic(false)?)
            .with("WORDS4", words4)
            .with("CODEC", with_wide(codec, number));
        expand("reduce", shader!("reduce"), &variables)
    })?;
    let buffers = [storage(core, "reduce", input)?, storage(core, "reduce", out)?];
    core.dispatch(Dispatch {
        kernel: &kernel,
        buffers: &buffers,
        params,
        workgroups: if lanes == 1 { (slots as u64).div_ceil(THREADS.into()) } else { slots as u64 },
        flops: count as u64 * kept.shape.iter().product::<usize>() as u64,
    })
}
