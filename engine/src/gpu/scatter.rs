//! Elements to where an index says: dispatches of shaders/scatter_add.wgsl.

use super::alarm;
use super::core::Core;
use super::lanes::{Job, Lanes, THREADS, check_lengths, length};
use super::operand::{Binding, Number, storage, with_wide};
use super::sort::sorted;
use super::template::{Variables, expand};
use crate::backend::{Operand, check_dtypes};
use crate::dtype::DType;
use crate::error::Result;
use crate::layout::Layout;

/// Up to so many sources of a lane each looks for its like by itself.
const FEW: usize = 16;

/// What a source does to the element where its index leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// It takes its place; of several the last.
    Replace,
    /// It is added.
    Add,
}

pub(super) fn scatter(
    core: &Core,
    mode: Mode,
    out: Operand<'_>,
    index: Operand<'_>,
    source: Operand<'_>,
    dim: usize,
) -> Result<()> {
    const OP: &str = "scatter_add";
    check_dtypes(OP, &[(source, out.dtype), (index, DType::I64)])?;
    let number = Number::of(out.dtype)?;
    check_lengths(OP, index, source, dim)?;
    Lanes::new(OP, &[out, source, index], dim)?;
    storage(core, OP, index)?;
    let length = length(index, dim);
    if source.layout.numel() == 0 || index.layout.numel() == 0 {
        return Ok(());
    }
    // Where one index serves many lanes, as in an embedding, it is sorted once.
    let (shape, strides) = (index.layout.shape(), index.layout.strides());
    let is_shared = |d: usize| d != dim && strides[d] == 0;
    let distinct: Vec<usize> = (0..shape.len()).map(|d| if is_shared(d) { 1 } else { shape[d] }).collect();
    let distinct = Layout::strided(&distinct, strides, index.layout.offset())?;
    let order = if length > FEW {
        Some(sorted(core, Operand { layout: &distinct, ..index }, dim, false)?)
    } else {
        None
    };
    let by_key = match &order {
        None => index.layout.clone(),
        Some(order) => {
            let strides: Vec<usize> =
                (0..shape.len()).map(|d| if is_shared(d) { 0 } else { order.layout.strides()[d] }).collect();
            Layout::strided(shape, &strides, 0)?
        }
    };
    let indices = match &order {
        None => index,
        Some(order) => Operand { storage: &*order.keys, layout: &by_key, dtype: DType::I64 },
    };
    let mut lanes = Lanes::new(OP, &[out, source, indices], dim)?;
    let vector = number == Number::F32 && lanes.by_four(2);
    let total = lanes.count * length;
    let alarm = core.alarm()?;
    let mut bindings = vec![
        (storage(core, OP, out)?, true),
        (storage(core, OP, source)?, false),
        (storage(core, OP, indices)?, false),
    ];
    if let Some(order) = &order {
        bindings.push((&*order.places, false));
    }
    let alarm_at = bindings.len();
    bindings.push((&*alarm, true));
    let name = format!("scatter {mode:?} {} {} {vector}", out.dtype, order.is_some());
    let words = [total, length, self::length(out, dim), dim];
    lanes.dispatch(
        core,
        &Job { name, words, bindings: &bindings, workgroups: total.div_ceil(THREADS), work: total },
        |lanes| {
            let binding = Binding { vector, number, ..Binding::default() };
            let codec = Binding { both: true, ..binding }.declare("out", 0, out.dtype)?
                + &binding.declare("in0", 1, source.dtype)?;
            let variables = Variables::default()
                .with("LANES_PART", lanes)
                .with("CODEC", with_wide(codec, number))
                .with("ALARM", alarm::declare(alarm_at)?)
                .with("ARITHMETIC", number.arithmetic(false)?)
                .with("SORTED", order.is_some())
                .with("REPLACES", mode == Mode::Replace)
                .with("VECTOR", vector);
            expand(OP, shader!("scatter_add"), &variables)
        },
    )
}
