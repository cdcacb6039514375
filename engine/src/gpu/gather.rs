//! Elements by index: dispatches of shaders/gather.wgsl.

use super::alarm;
use super::core::Core;
use super::lanes::{Job, Lanes, THREADS, check_lengths, length};
use super::operand::{Binding, Number, storage, with_wide};
use super::template::{Variables, expand};
use crate::backend::{Operand, check_dtypes};
use crate::dtype::DType;
use crate::error::Result;

pub(super) fn gather(
    core: &Core,
    input: Operand<'_>,
    index: Operand<'_>,
    dim: usize,
    out: Operand<'_>,
) -> Result<()> {
    const OP: &str = "gather";
    check_dtypes(OP, &[(input, out.dtype), (index, DType::I64)])?;
    check_lengths(OP, index, out, dim)?;
    let mut lanes = Lanes::new(OP, &[out, input, index], dim)?;
    let buffers = [storage(core, OP, out)?, storage(core, OP, input)?, storage(core, OP, index)?];
    if out.layout.numel() == 0 {
        return Ok(());
    }
    let vector = lanes.by_four(2);
    let inner = !vector && lanes.along[0] == 1;
    let (size, length) = (length(input, dim), length(out, dim));
    let total = lanes.count * length;
    let alarm = core.alarm()?;
    let bindings = [(buffers[0], true), (buffers[1], false), (buffers[2], false), (&*alarm, true)];
    let name = format!("gather {} {inner} {vector}", out.dtype.size_bytes());
    let words = [total, length, size, dim];
    lanes.dispatch(
        core,
        &Job { name, words, bindings: &bindings, workgroups: total.div_ceil(THREADS), work: total },
        |lanes| {
            let number = Number::of_bits(out.dtype);
            let read = Binding { vector, number, raw: true, ..Binding::default() };
            let codec = Binding { write: true, ..read }.declare("out", 0, out.dtype)?
                + &read.declare("in0", 1, input.dtype)?;
            let variables = Variables::default()
                .with("LANES_PART", lanes)
                .with("CODEC", with_wide(codec, number))
                .with("ALARM", alarm::declare(3)?)
                .with("INNER", inner)
                .with("VECTOR", vector);
            expand(OP, shader!("gather"), &variables)
        },
    )
}
