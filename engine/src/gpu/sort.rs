//! Order along a dimension: dispatches of shaders/sort.wgsl and shaders/arg_extreme.wgsl.

use std::rc::Rc;

use super::core::Core;
use super::gather::gather;
use super::lanes::{Job, Lanes, Shares, THREADS, length};
use super::map::copy;
use super::operand::{Binding, Number, storage, with_wide};
use super::storage::GpuStorage;
use super::template::{Variables, expand};
use crate::backend::{Operand, check_dtypes};
use crate::dtype::DType;
use crate::error::Result;
use crate::layout::Layout;

/// Elements that a workgroup sorts in its own memory.
const BLOCK: usize = 256;

/// Lanes in order.
pub(super) struct Sorted {
    /// By shaders/key.wgsl: a word each, two for int64.
    pub(super) keys: Rc<GpuStorage>,
    /// Where in its lane each was, a word each.
    pub(super) places: Rc<GpuStorage>,
    /// How both lie there: lane by lane.
    pub(super) layout: Layout,
}

/// Which way numbers are ordered, and where NaN goes.
#[derive(Clone, Copy)]
enum Order {
    /// NaN last.
    Up,
    /// NaN first.
    Down,
    /// NaN first.
    UpFromNan,
}

/// The type of keys, and shaders/key.wgsl.
fn keys(number: Number, order: Order) -> Result<(&'static str, String)> {
    let variables = Variables::default()
        .with("T", number.wgsl())
        .with("FLIP", if matches!(order, Order::Down) { "~" } else { "" })
        .with("NAN", if matches!(order, Order::Up) { "0xffffffffu" } else { "0u" });
    let key = if number == Number::I64 { "vec2<u32>" } else { "u32" };
    Ok((key, expand("key", shader!("key"), &variables)?))
}

/// Sorts the lanes of `input`, stably.
pub(super) fn sorted(core: &Core, input: Operand<'_>, dim: usize, descending: bool) -> Result<Sorted> {
    const OP: &str = "sort";
    let number = Number::of(input.dtype)?;
    let lanes = Lanes::new(OP, &[input], dim)?;
    let length = length(input, dim);
    let total = lanes.count * length;
    // The dimension moves to the end.
    let shape = input.layout.shape();
    let mut strides = vec![0; shape.len()];
    let mut stride = 1;
    for d in std::iter::once(dim).chain((0..shape.len()).rev().filter(|&d| d != dim)) {
        strides[d] = stride;
        stride *= shape[d].max(1);
    }
    let layout = Layout::strided(shape, &strides, 0)?;
    let width = if number == Number::I64 { 8 } else { 4 };
    let room = || -> Result<(Rc<GpuStorage>, Rc<GpuStorage>)> {
        Ok((core.allocate(total.saturating_mul(width))?, core.allocate(total.saturating_mul(4))?))
    };
    let (mut keys_now, mut places_now) = room()?;
    if total == 0 {
        return Ok(Sorted { keys: keys_now, places: places_now, layout });
    }
    let order = if descending { Order::Down } else { Order::Up };
    let source = |lanes: String, local: bool| {
        let (key, functions) = keys(number, order)?;
        let codec = if local {
            Binding { number, ..Binding::default() }.declare("in0", 0, input.dtype)?
        } else {
            String::new()
        };
        let variables = Variables::default()
            .with("LANES_PART", lanes)
            .with("CODEC", with_wide(codec, number))
            .with("KEY", functions)
            .with("K", key)
            .with("LOCAL", local)
            .with("BLOCK", BLOCK)
            .with("THREADS", if local { BLOCK } else { THREADS });
        expand(OP, shader!("sort"), &variables)
    };
    let runs = length.div_ceil(BLOCK);
    let name = format!("sort {} {descending}", input.dtype);
    let bindings = [(storage(core, OP, input)?, false), (&*keys_now, true), (&*places_now, true)];
    let words = [lanes.count * runs, length, runs, 0];
    let steps = BLOCK.ilog2() as usize;
    lanes.dispatch(
        core,
        &Job { name, words, bindings: &bindings, workgroups: lanes.count * runs, work: steps * total },
        |l| source(l, true),
    )?;
    let mut run = BLOCK;
    while run < length {
        let (keys_next, places_next) = room()?;
        let bindings =
            [(&*keys_now, false), (&*keys_next, true), (&*places_next, true), (&*places_now, false)];
        let words = [total, length, 0, run];
        let name = format!("merge {number:?}");
        let work = total * (run.ilog2() as usize);
        let workgroups = total.div_ceil(THREADS);
        lanes.dispatch(core, &Job { name, words, bindings: &bindings, workgroups, work }, |l| {
            source(l, false)
        })?;
        (keys_now, places_now) = (keys_next, places_next);
        run *= 2;
    }
    Ok(Sorted { keys: keys_now, places: places_now, layout })
}

pub(super) fn sort(
    core: &Core,
    input: Operand<'_>,
    dim: usize,
    descending: bool,
    values: Operand<'_>,
    indices: Operand<'_>,
) -> Result<()> {
    check_dtypes("sort", &[(values, input.dtype), (indices, DType::I64)])?;
    let order = sorted(core, input, dim, descending)?;
    copy(core, Operand { storage: &*order.places, layout: &order.layout, dtype: DType::I32 }, indices)?;
    gather(core, input, indices, dim, values)
}

pub(super) fn arg_extreme(
    core: &Core,
    is_largest: bool,
    input: Operand<'_>,
    dim: usize,
    out: Operand<'_>,
) -> Result<()> {
    const OP: &str = "argmax";
    check_dtypes(OP, &[(out, DType::I64)])?;
    let number = Number::of(input.dtype)?;
    let lanes = Lanes::new(OP, &[out, input], dim)?;
    let bindings = [(storage(core, OP, out)?, true), (storage(core, OP, input)?, false)];
    if input.layout.numel() == 0 {
        return Ok(());
    }
    let length = length(input, dim);
    let Shares { sharing, threads, workgroups } = lanes.shares(core, length);
    let name = format!("arg_extreme {is_largest} {} {sharing}", input.dtype);
    let words = [lanes.count, length, 0, 0];
    lanes.dispatch(
        core,
        &Job { name, words, bindings: &bindings, workgroups, work: lanes.count * length },
        |part| {
            let (key, functions) = keys(number, if is_largest { Order::Down } else { Order::UpFromNan })?;
            let codec = Binding { number, ..Binding::default() }.declare("in0", 1, input.dtype)?;
            let variables = Variables::default()
                .with("LANES_PART", part)
                .with("CODEC", with_wide(codec, number))
                .with("KEY", functions)
                .with("K", key)
                .with("LANES", sharing)
                .with("THREADS", threads);
            expand("arg_extreme", shader!("arg_extreme"), &variables)
        },
    )
}
