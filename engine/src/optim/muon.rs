//! Muon's step: momentum, made orthogonal by a Newton–Schulz iteration.

use super::rule::{AdjustLr, Rule};
use crate::dtype::DType;
use crate::error::Result;
use crate::tensor::Tensor;

/// One step of a row of parameter, gradient and momentum.
pub(super) fn step(rule: Rule, lr: f32, row: &[Tensor]) -> Result<()> {
    let Rule::Muon { momentum, nesterov, weight_decay, ns_coefficients, ns_steps, eps, adjust_lr } = rule
    else {
        return Ok(());
    };
    let [param, grad, buffer] = row else { return Ok(()) };
    if param.numel() == 0 {
        return Ok(());
    }
    buffer.copy_(&lerp(buffer, grad, 1.0 - momentum)?)?;
    let update = if nesterov { lerp(grad, buffer, momentum)? } else { buffer.clone() };
    let update = orthogonal(&update, ns_coefficients, ns_steps, eps)?;
    let lr = f64::from(lr);
    let moved = update.mul(lr * adjust_lr.ratio(param.shape()))?;
    param.mul_(1.0 - lr * weight_decay)?;
    param.sub_(&moved)
}

impl AdjustLr {
    fn ratio(self, shape: &[usize]) -> f64 {
        let [a, b] = [0, 1].map(|d| shape.get(d).map_or(1.0, |&n| n as f64));
        match self {
            Self::Original => (a / b).max(1.0).sqrt(),
            Self::MatchRmsAdamW => 0.2 * a.max(b).sqrt(),
            Self::SpectralUnclamped => (a / b).sqrt(),
        }
    }
}

/// `torch.lerp(start, end, weight)`, from the nearer end.
fn lerp(start: &Tensor, end: &Tensor, weight: f64) -> Result<Tensor> {
    let way = end.sub(start)?;
    if weight < 0.5 { start.add(&way.mul(weight)?) } else { end.sub(&way.mul(1.0 - weight)?) }
}

/// Close to U Vᵀ of the singular value decomposition U S Vᵀ. PyTorch computes in bfloat16, with float32 within an
/// operation: the same is float32 that is rounded after each.
fn orthogonal(matrix: &Tensor, [a, b, c]: [f64; 3], steps: u32, eps: f64) -> Result<Tensor> {
    let is_tall = matrix.shape()[0] > matrix.shape()[1];
    let flipped = |x: &Tensor| if is_tall { x.t() } else { Ok(x.clone()) };
    let mut x = flipped(&rounded(matrix)?)?;
    x = rounded(&x.div(&rounded(&x.norm(&[], false)?)?.clamp(Some(eps.into()), None)?)?)?;
    for _ in 0..steps {
        let gram = rounded(&x.matmul(&x.t()?)?)?;
        let polynomial = rounded(&gram.matmul(&gram)?.mul(c)?.add(&gram.mul(b)?)?)?;
        x = rounded(&polynomial.matmul(&x)?.add(&x.mul(a)?)?)?;
    }
    flipped(&x)
}

fn rounded(x: &Tensor) -> Result<Tensor> {
    x.to_dtype(DType::BF16)?.to_dtype(DType::F32)
}
