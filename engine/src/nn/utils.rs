//! `torch.nn.utils`

use crate::autograd::no_grad;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::ledger::{Phase, during};
use crate::program::{Binary, Compute, Expr};
use crate::tensor::{Tensor, joined_gradients};

/// `clip_grad_norm_(params, max_norm)`: scales all gradients together, in place, so that their norm as one vector is
/// at most `max_norm` (Pascanu et al. 2013). Returns the norm before that, on the parameters' device; waits for
/// nothing. Whoever steps right afterwards saves a pass over the gradients by
/// [`step_clipped`](crate::optim::Optimizer::step_clipped).
///
/// # Errors
/// If `max_norm` is negative or not a number, or the device fails.
pub fn clip_grad_norm_(params: &[Tensor], max_norm: f64) -> Result<Tensor> {
    let clip = || {
        let Some(Clipping { norm, factor, gradients }) = Clipping::new(params, max_norm, false)? else {
            return Tensor::zeros(&[], DType::standard(), &crate::Device::cpu());
        };
        gradients.iter().try_for_each(|gradient| gradient.mul_(&factor).map(drop))?;
        Ok(norm)
    };
    during(Phase::Optimizer, || no_grad(clip))
}

/// What clipping needs to know.
pub(crate) struct Clipping {
    /// Of all gradients as one vector.
    pub(crate) norm: Tensor,
    /// What they are multiplied by.
    pub(crate) factor: Tensor,
    /// Those that lie side by side are one.
    gradients: Vec<Tensor>,
}

impl Clipping {
    /// `None` without gradients. If it `refuses`, the factor is NaN where the norm is not finite.
    pub(crate) fn new(params: &[Tensor], max_norm: f64, refuses: bool) -> Result<Option<Self>> {
        if max_norm.is_nan() || max_norm < 0.0 {
            let message = format!("max_norm must not be negative, but is {max_norm}");
            return Err(Error::Value { op: "clip_grad_norm_", message });
        }
        let gradients = joined_gradients(params)?;
        let norms = gradients.iter().map(|g| g.norm(&[], false)).collect::<Result<Vec<_>>>()?;
        let norm = match &norms[..] {
            [] => return Ok(None),
            [norm] => norm.clone(),
            norms => Tensor::stack(&norms.iter().collect::<Vec<_>>(), 0)?.norm(&[], false)?,
        };
        // min(1, max_norm / (norm + 1e-6)): as PyTorch has it, a little is added so that a norm of 0 divides nothing.
        let mut factor = (max_norm / (Expr::input(0) + 1e-6)).binary(Binary::Min, 1.0);
        if refuses {
            // 0 times a number is 0; 0 times an infinity is none.
            factor = factor + Expr::input(0) * 0.0;
        }
        let factor = norm.mapped(&factor.program(Compute::of(norm.dtype())), norm.dtype())?;
        Ok(Some(Self { norm, factor, gradients }))
    }
}
