//! Running sums and products: dispatches of shaders/scan.wgsl.

use super::core::Core;
use super::lanes::{Job, Lanes, Shares, check_lengths, length};
use super::operand::{Binding, Number, storage, with_wide};
use super::template::{Variables, expand};
use crate::backend::{Operand, Scan};
use crate::error::Result;

pub(super) fn scan(core: &Core, op: Scan, input: Operand<'_>, dim: usize, out: Operand<'_>) -> Result<()> {
    const OP: &str = "scan";
    let number = Number::of(out.dtype)?;
    Number::of(input.dtype)?;
    check_lengths(OP, input, out, dim)?;
    let lanes = Lanes::new(OP, &[out, input], dim)?;
    let bindings = [(storage(core, OP, out)?, true), (storage(core, OP, input)?, false)];
    if out.layout.numel() == 0 {
        return Ok(());
    }
    let length = length(out, dim);
    let Shares { sharing, threads, workgroups } = lanes.shares(core, length);
    let name = format!("scan {op:?} {} {} {sharing}", input.dtype, out.dtype);
    let words = [lanes.count, length, 0, 0];
    lanes.dispatch(
        core,
        &Job { name, words, bindings: &bindings, workgroups, work: lanes.count * length },
        |part| {
            let binding = Binding { number, ..Binding::default() };
            let codec = Binding { write: true, ..binding }.declare("out", 0, out.dtype)?
                + &binding.declare("in0", 1, input.dtype)?;
            let (combine, identity) = match (op, number) {
                (Scan::Sum, _) => ("add", format!("{}(0)", number.wgsl())),
                (Scan::Prod, Number::I64) => ("multiply", "vec2<u32>(1u, 0u)".to_owned()),
                (Scan::Prod, _) => ("multiply", format!("{}(1)", number.wgsl())),
            };
            let variables = Variables::default()
                .with("LANES_PART", part)
                .with("CODEC", with_wide(codec, number))
                .with("ARITHMETIC", number.arithmetic(false)?)
                .with("T", number.wgsl())
                .with("OP", combine)
                .with("IDENTITY", identity)
                .with("LANES", sharing)
                .with("THREADS", threads);
            expand(OP, shader!("scan"), &variables)
        },
    )
}
