//! Products of matrices of whole numbers: dispatches of shaders/dot.wgsl.

use super::core::Core;
use super::lanes::{Job, Lanes, THREADS};
use super::operand::{Binding, Number, storage, with_wide};
use super::template::{Variables, expand};
use crate::backend::Operand;
use crate::error::{Error, Result};
use crate::layout::Layout;

/// `out = a @ b`
pub(super) fn matmul(core: &Core, a: Operand<'_>, b: Operand<'_>, out: Operand<'_>) -> Result<()> {
    const OP: &str = "matmul";
    let shapes = (a.layout.shape(), b.layout.shape(), out.layout.shape());
    let ([a_batch @ .., m, k], [b_batch @ .., k2, n], [batch @ .., m2, n2]) = shapes else {
        return Err(Error::Shape { op: OP, message: "matrices have two dimensions".to_owned() });
    };
    if (a_batch, b_batch, [m, k, n]) != (batch, batch, [m2, k2, n2]) {
        let message = format!("shapes {:?} @ {:?} → {:?} do not go together", shapes.0, shapes.1, shapes.2);
        return Err(Error::Shape { op: OP, message });
    }
    // Everything over (batch, m, n, k): a is the same along n, b along m, and out has no k.
    let spread = |layout: &Layout, sizes: [usize; 3], strides: [usize; 3]| {
        let outer = &layout.strides()[..batch.len()];
        Layout::strided(&[batch, &sizes].concat(), &[outer, &strides].concat(), layout.offset())
    };
    let last = |layout: &Layout| [layout.strides()[batch.len()], layout.strides()[batch.len() + 1]];
    let ([a_m, a_k], [b_k, b_n], [out_m, out_n]) = (last(a.layout), last(b.layout), last(out.layout));
    let a_layout = spread(a.layout, [*m, *n, *k], [a_m, 0, a_k])?;
    let b_layout = spread(b.layout, [*m, *n, *k], [0, b_n, b_k])?;
    let out_layout = spread(out.layout, [*m, *n, 1], [out_m, out_n, 0])?;
    let number = Number::of(out.dtype)?;
    let bindings =
        [(storage(core, OP, out)?, true), (storage(core, OP, a)?, false), (storage(core, OP, b)?, false)];
    let operands = [
        Operand { layout: &out_layout, ..out },
        Operand { layout: &a_layout, ..a },
        Operand { layout: &b_layout, ..b },
    ];
    let lanes = Lanes::new(OP, &operands, batch.len() + 2)?;
    if lanes.count == 0 {
        return Ok(());
    }
    let name = format!("dot {} {} {}", out.dtype, a.dtype, b.dtype);
    let words = [lanes.count, *k, 0, 0];
    let work = lanes.count.saturating_mul(*k).saturating_mul(2);
    lanes.dispatch(
        core,
        &Job { name, words, bindings: &bindings, workgroups: lanes.count.div_ceil(THREADS), work },
        |lanes| {
            let read = Binding { number, ..Binding::default() };
            let codec = Binding { write: true, ..read }.declare("out", 0, out.dtype)?
                + &read.declare("a", 1, a.dtype)?
                + &read.declare("b", 2, b.dtype)?;
            let variables = Variables::default()
                .with("LANES_PART", lanes)
                .with("CODEC", with_wide(codec, number))
                .with("T", number.wgsl())
                .with("ARITHMETIC", number.arithmetic(false)?);
            expand("dot", shader!("dot"), &variables)
        },
    )
}
