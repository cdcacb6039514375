//! Norms of vectors.

use super::Tensor;
use super::reduce::Plan;
use super::views::signed;
use crate::autograd::Node;
use crate::error::{Error, Result};

impl Tensor {
    /// `x.norm(dim=dims, keepdim=keepdim)`: the root of the sum of squares; no dims means all of them.
    ///
    /// # Errors
    /// As [`Tensor::mean_dims`].
    pub fn norm(&self, dims: &[isize], keepdim: bool) -> Result<Self> {
        self.check_normed()?;
        let name = "LinalgVectorNormBackward0";
        Self::rounded_once([self], |[x]| x.mul(x)?.sum_dims(dims, keepdim)?.root(name))
    }

    /// `torch.linalg.vector_norm(x, ord, dim=dims, keepdim=keepdim)`: (Σ |x|ᵒʳᵈ)^(1/ord); the largest |x| for infinity, the
    /// smallest for its opposite, and for 0 the number of elements that are not 0. No dims means all of them.
    ///
    /// # Errors
    /// As [`Tensor::mean_dims`]; or if `ord` is not a number, or asks for an extreme of nothing.
    pub fn vector_norm(&self, ord: f64, dims: &[isize], keepdim: bool) -> Result<Self> {
        self.check_normed()?;
        if ord.is_nan() {
            return Err(Error::Value {
                op: "vector_norm",
                message: "the order of a norm is a number".into(),
            });
        }
        match ord {
            2.0 => self.norm(dims, keepdim),
            1.0 => self.abs()?.sum_dims(dims, keepdim),
            0.0 => self.ne(0)?.to_dtype(self.dtype())?.sum_dims(dims, keepdim),
            f64::INFINITY => self.abs()?.amax(dims, keepdim),
            f64::NEG_INFINITY => self.abs()?.amin(dims, keepdim),
            _ => Self::rounded_once([self], |[x]| x.power_norm(ord, dims, keepdim)),
        }
    }

    fn power_norm(&self, ord: f64, dims: &[isize], keepdim: bool) -> Result<Self> {
        let values = self.detach();
        let out = values.abs()?.pow(ord)?.sum_dims(dims, keepdim)?.pow(1.0 / ord)?;
        let kept = signed(&Plan::new("vector_norm", self.shape(), dims, keepdim)?.kept);
        // ∂‖x‖/∂x = sign(x) |x|^(ord − 1) ‖x‖^(1 − ord); 0 where x or the norm is 0, as PyTorch has it.
        let node = Node::record("LinalgVectorNormBackward0", &[self], &[self, &out], move |g, saved| {
            let (x, norm) = (&saved[0], saved[1].reshape(&kept)?);
            let along = x.sign()?.mul(&x.abs()?.pow(ord - 1.0)?)?;
            let along = x.eq(0)?.where_(0.0, &along)?;
            let share = norm.eq(0)?.where_(0.0, &norm.pow(1.0 - ord)?)?;
            Ok(vec![Some(along.mul(&share.mul(&g.reshape(&kept)?)?)?)])
        });
        Ok(out.made_by(node))
    }

    fn check_normed(&self) -> Result<()> {
        if self.dtype().is_floating_point() {
            return Ok(());
        }
        let message = format!(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got {}",
            self.dtype().scalar_type()
        );
        Err(Error::NotImplemented { op: "norm", message })
    }

    /// The root; where it is 0 the gradient is 0 and not infinite, as PyTorch has it for norms.
    pub(super) fn root(&self, name: &'static str) -> Result<Self> {
        let out = self.detach().sqrt()?;
        let node = Node::record(name, &[self], &[&out], |g, saved| {
            let root = &saved[0];
            Ok(vec![Some(root.eq(0)?.where_(0.0, &g.div(&root.mul(2.0)?)?)?)])
        });
        Ok(out.made_by(node))
    }
}
