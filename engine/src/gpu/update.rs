//! Optimizer steps: dispatches of shaders/update.wgsl.

use super::core::{Core, Dispatch};
use super::kernels::HEADER_WORDS;
use super::operand::{storage, word};
use super::template::{Variables, expand};
use crate::backend::{Operand, Update, UpdateKind};
use crate::dtype::DType;
use crate::error::{Error, Result};

/// Invocations per workgroup in shaders/update.wgsl.
const THREADS: u64 = 64;

pub(crate) fn update(
    core: &Core,
    op: Update,
    param: Operand<'_>,
    grad: Operand<'_>,
    state: &[Operand<'_>],
    factor: Option<Operand<'_>>,
) -> Result<()> {
    let (kind, c) = op.plan();
    let kind = match kind {
        UpdateKind::Plain => "plain",
        UpdateKind::Momentum => "momentum",
        UpdateKind::Root => "root",
        UpdateKind::RootInside => "root_inside",
        UpdateKind::Adam => "adam",
    };
    let operands: Vec<Operand<'_>> = [param, grad].iter().chain(state).copied().collect();
    let count = param.layout.numel();
    let fits = state.len() == op.states()
        && operands.iter().all(|o| o.layout.is_contiguous() && o.layout.numel() == count);
    if !fits {
        let message = "parameter, gradient and state are contiguous and of one length".to_owned();
        return Err(Error::Shape { op: "update", message });
    }
    if factor.is_some_and(|factor| factor.layout.numel() != 1) {
        return Err(Error::Shape { op: "update", message: "the factor is one number".to_owned() });
    }
    if operands.iter().chain(&factor).any(|o| o.dtype != DType::F32) {
        let message = "parameter, gradient and state are float32".to_owned();
        return Err(Error::DType { op: "update", message });
    }
    let mut buffers = Vec::with_capacity(operands.len());
    for operand in operands.iter().chain(&factor) {
        buffers.push(storage(core, "update", *operand)?);
    }
    if count == 0 {
        return Ok(());
    }
    let vector = count.is_multiple_of(4) && operands.iter().all(|o| o.layout.offset().is_multiple_of(4));
    let step = if vector { 4 } else { 1 };
    let name = format!("update {kind} {vector} {}", factor.is_some());
    // All but the gradient and its factor are written.
    let mut access = vec![true; operands.len()];
    access[1] = false;
    access.extend(factor.map(|_| false));
    let kernel = core.kernels.get(&core.device, &core.faults, &name, &access, || {
        let variables = Variables::default()
            .with("T", if vector { "vec4<f32>" } else { "f32" })
            .with("KIND", kind)
            .with("FACTOR", factor.map_or(0, |_| operands.len()));
        expand("update", shader!("update"), &variables)
    })?;
    let mut params = vec![0; HEADER_WORDS];
    params.push(word("update", count / step)?);
    for slot in 0..4 {
        params.push(match operands.get(slot) {
            Some(operand) => word("update", operand.layout.offset() / step)?,
            None => 0,
        });
    }
    params.push(word("update", factor.map_or(0, |factor| factor.layout.offset()))?);
    params.push(0);
    params.extend([c.c, c.lr, c.eps, c.a, c.b, c.n, c.m, c.decay, c.shrink].map(f32::to_bits));
    core.dispatch(Dispatch {
        kernel: &kernel,
        buffers: &buffers,
        params,
        workgroups: ((count / step) as u64).div_ceil(THREADS),
        flops: 12 * count as u64,
    })
}
