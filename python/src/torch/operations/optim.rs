//! Optimizer steps in one kernel.

use napkin_engine::Tensor;
use napkin_engine::optim::Rule;
use rustpython_vm::PyResult;

use super::{Operation, operations};
use crate::torch::OrRaise;
use crate::torch::arguments::{Bound, elements, to_scalar};
use crate::wait::wait;

pub(super) const OPERATIONS: &[Operation] = operations! {
    // One step of all parameters, of which each has as many tensors of state; false, and nothing is changed, where the
    // kernel does not take them. `steps` counts them where the rule asks for that.
    "_move(str rule, float lr, Any options, Tensor[] params, Tensor[] grads, Tensor[] state, Tensor[] steps)" => |a| {
        moved(a)?
    };
};

fn moved(a: &Bound<'_>) -> PyResult<bool> {
    let vm = a.vm;
    let given = elements(&a.object(2).unwrap_or_else(|| vm.ctx.none()), vm)?;
    let options = given.iter().map(|it| Ok(to_scalar(it, vm)?.as_f64())).collect::<PyResult<Vec<_>>>()?;
    let rule = match (a.text(0)?.as_str(), options.as_slice()) {
        ("sgd", &[momentum, dampening, nesterov, weight_decay]) => {
            Rule::Sgd { momentum, dampening, nesterov: nesterov != 0.0, weight_decay }
        }
        ("adam", &[first, second, eps, weight_decay]) => {
            Rule::Adam { betas: [first, second], eps, weight_decay }
        }
        ("adamw", &[first, second, eps, weight_decay]) => {
            Rule::AdamW { betas: [first, second], eps, weight_decay }
        }
        _ => return Ok(false),
    };
    let (params, grads, state, steps) = (a.tensors(3)?, a.tensors(4)?, a.tensors(5)?, a.tensors(6)?);
    let kept = state
        .chunks(rule.state_per_param().max(1))
        .map(<[Tensor]>::to_vec)
        .chain(std::iter::repeat(Vec::new()));
    let rows = params
        .into_iter()
        .zip(grads)
        .zip(kept)
        .map(|((param, grad), kept)| [vec![param, grad], kept].concat());
    let rows: Vec<_> = rows.collect();
    if !rows.iter().all(|row| rule.takes(row)) {
        return Ok(false);
    }
    let mut counts = Vec::new();
    for step in &steps {
        step.add_(1.0).or_raise(vm)?;
        counts.push(wait(step.item()).or_raise(vm)?.as_i64() as u32);
    }
    // What nobody counts has taken steps before.
    counts.resize(rows.len(), 2);
    rule.step(a.scalar(1)?.as_f64() as f32, counts.into_iter().zip(rows).collect()).or_raise(vm)?;
    Ok(true)
}
