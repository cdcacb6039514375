//! Softmax and its logarithm: one kernel forward, one backward.

use crate::autograd::{Node, creates_graph};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::layout::wrap_dim;
use crate::rows::{Rows, Softmax};
use crate::tensor::Tensor;

/// `softmax(x, dim)`: eˣ / Σ eˣ, shifted by the largest x so that nothing overflows.
///
/// # Errors
/// If the dimension is out of range or x is not real.
pub fn softmax(x: &Tensor, dim: isize) -> Result<Tensor> {
    fused(x, dim, Softmax::PLAIN, None)
}

/// `log_softmax(x, dim)`: x − ln Σ eˣ
///
/// # Errors
/// As [`softmax`].
pub fn log_softmax(x: &Tensor, dim: isize) -> Result<Tensor> {
    fused(x, dim, Softmax { is_log: true, ..Softmax::PLAIN }, None)
}

/// What PyTorch has no kernel of that name for: whole numbers and floats of 8 bits.
pub(super) fn refuse(kernel: &'static str, dtype: DType) -> Result<()> {
    if dtype.is_floating_point() && dtype.size_bytes() > 1 {
        return Ok(());
    }
    Err(Error::not_implemented(kernel, kernel, dtype.scalar_type()))
}

/// Softmax of `scale · x + mask` in one kernel; a mask of truth values says what counts.
pub(super) fn fused(x: &Tensor, dim: isize, how: Softmax, mask: Option<&Tensor>) -> Result<Tensor> {
    let (op, name) =
        if how.is_log { ("log_softmax", "LogSoftmaxBackward0") } else { ("softmax", "SoftmaxBackward0") };
    let dtype = x.dtype();
    refuse(
        if how.is_log { "log_softmax_lastdim_kernel_impl" } else { "softmax_lastdim_kernel_impl" },
        dtype,
    )?;
    wrap_dim(op, dim, x.shape().len())?;
    // Its rows lie along the last dimension; a number is a row of one.
    let rows = move |t: &Tensor| {
        if t.shape().is_empty() { t.detach().unsqueeze(0) } else { t.detach().transpose(dim, -1) }
    };
    let out = Tensor::empty(x.shape(), dtype, x.device())?;
    Tensor::run_rows(Rows::Softmax(how), &[Some(&rows(x)?), mask], &[&rows(&out)?])?;
    let added = mask.filter(|mask| mask.requires_grad());
    let inputs: Vec<&Tensor> = [x].into_iter().chain(added).collect();
    let scale = how.scale;
    let of_mask = added.map(|mask| (mask.shape().to_vec(), mask.dtype()));
    let node = Node::record(name, &inputs, &[&out], move |g, saved| {
        // The gradient of an added mask is that of x before it was scaled.
        let how = if of_mask.is_some() { Softmax { scale: 1.0, ..how } } else { how };
        let dx = if creates_graph() {
            recorded_back(g, &saved[0], dim, how)?
        } else {
            let dx = Tensor::empty(g.shape(), dtype, g.device())?;
            let given = [Some(&rows(g)?), Some(&rows(&saved[0])?)];
            Tensor::run_rows(Rows::SoftmaxBackward(how), &given, &[&rows(&dx)?])?;
            dx
        };
        match &of_mask {
            None => Ok(vec![Some(dx)]),
            Some((shape, mask)) => {
                let of_mask = dx.sum_to(shape)?.to_dtype(*mask)?;
                Ok(vec![Some(dx.mul(scale)?), Some(of_mask)])
            }
        }
    });
    Ok(out.made_by(node))
}

/// [`Rows::SoftmaxBackward`] by recorded operations.
fn recorded_back(g: &Tensor, y: &Tensor, dim: isize, how: Softmax) -> Result<Tensor> {
    let dx = if how.is_log {
        g.sub(&y.exp()?.mul(&g.sum_dims(&[dim], true)?)?)?
    } else {
        y.mul(&g.sub(&g.mul(y)?.sum_dims(&[dim], true)?)?)?
    };
    if how.scale == 1.0 { Ok(dx) } else { dx.mul(how.scale) }
}
