//! `torch.nn.utils`

use crate::autograd::no_grad;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::ledger::{Phase, during};
use crate::tensor::{Tensor, joined};

/// `clip_grad_norm_(params, max_norm)`: scales all gradients together, in place, so that their norm as one vector is
/// at most `max_norm` (Pascanu et al. 2013). Returns the norm before that, on the parameters' device; waits for
/// nothing.
///
/// # Errors
/// If `max_norm` is negative or not a number, or the device fails.
pub fn clip_grad_norm_(params: &[Tensor], max_norm: f64) -> Result<Tensor> {
    if max_norm.is_nan() || max_norm < 0.0 {
        let message = format!("max_norm must not be negative, but is {max_norm}");
        return Err(Error::Value { op: "clip_grad_norm_", message });
    }
    // Gradients that lie side by side are one.
    let rows = joined(params.iter().filter_map(Tensor::grad).map(|gradient| vec![gradient]).collect())?;
    let gradients = rows.concat();
    let Some(first) = gradients.first() else {
        return Tensor::zeros(&[], DType::DEFAULT, &crate::Device::cpu());
    };
    let clip = || {
        let norms = gradients.iter().map(|g| g.norm(&[], false)).collect::<Result<Vec<_>>>()?;
        let total = Tensor::stack(&norms.iter().collect::<Vec<_>>(), 0)?.norm(&[], false)?;
        // As PyTorch has it, a little is added so that a norm of 0 divides nothing.
        let bound = Tensor::full(&[], max_norm, first.dtype(), first.device())?;
        let factor = bound.div(&total.add(1e-6)?)?.clamp(None, Some(1.0.into()))?;
        for gradient in &gradients {
            gradient.mul_(&factor)?;
        }
        Ok(total)
    };
    during(Phase::Optimizer, || no_grad(clip))
}
