//! Activations that are straight on one side.

use crate::error::{Error, Result};
use crate::scalar::Scalar;
use crate::tensor::Tensor;

fn check_real(op: &'static str, x: &Tensor) -> Result<()> {
    if x.dtype().is_floating_point() {
        return Ok(());
    }
    Err(Error::not_implemented(op, &format!("{op}_cpu"), x.dtype().scalar_type()))
}

/// `softplus(x, beta, threshold)`: ln(1 + e^(βx)) / β, and x itself where βx is above the threshold (PyTorch's
/// defaults are 1 and 20).
///
/// # Errors
/// If x is not real.
pub fn softplus(x: &Tensor, beta: f64, threshold: f64) -> Result<Tensor> {
    check_real("softplus", x)?;
    let scaled = x.mul(beta)?;
    let is_straight = scaled.detach().gt(threshold)?;
    // What is not taken must not overflow, or its gradient would be no number.
    let curve = is_straight.where_(0.0, &scaled)?.exp()?.log1p()?.div(beta)?;
    Ok(is_straight.where_(x, &curve)?.called("SoftplusBackward0"))
}

/// `logsigmoid(x)`: ln σ(x), without overflow.
///
/// # Errors
/// If x is not real.
pub fn logsigmoid(x: &Tensor) -> Result<Tensor> {
    check_real("log_sigmoid", x)?;
    let is_below = x.detach().lt(0)?;
    // ln σ(x) = min(x, 0) − ln(1 + e^(−|x|))
    let tail = is_below.where_(x, &x.neg()?)?.exp()?.log1p()?;
    Ok(is_below.where_(x, 0.0)?.sub(&tail)?.called("LogSigmoidBackward0"))
}

/// `leaky_relu(x, negative_slope)`: x, times the slope below 0 (PyTorch's default is 0.01).
///
/// # Errors
/// If x is not real.
pub fn leaky_relu(x: &Tensor, negative_slope: f64) -> Result<Tensor> {
    check_real("leaky_relu", x)?;
    Ok(x.detach().gt(0)?.where_(x, &x.mul(negative_slope)?)?.called("LeakyReluBackward0"))
}

/// `elu(x, alpha)`: x, and α (eˣ − 1) below 0 (Clevert et al. 2016; PyTorch's default is 1).
///
/// # Errors
/// If x is not real.
pub fn elu(x: &Tensor, alpha: f64) -> Result<Tensor> {
    check_real("elu", x)?;
    let is_curved = x.detach().le(0)?;
    let curve = is_curved.where_(x, 0.0)?.expm1()?.mul(alpha)?;
    Ok(is_curved.where_(&curve, x)?.called("EluBackward0"))
}

/// `hardtanh(x, min_val, max_val)`: x within the bounds, which pass no gradient themselves (PyTorch's defaults are
/// −1 and 1).
///
/// # Errors
/// If the bounds are in the wrong order.
pub fn hardtanh(x: &Tensor, min_val: Scalar, max_val: Scalar) -> Result<Tensor> {
    if min_val.as_f64() > max_val.as_f64() {
        let message = "min_val cannot be greater than max_val".into();
        return Err(Error::Value { op: "hardtanh", message });
    }
    let fixed = x.detach();
    let is_bound = fixed.le(min_val)?.logical_or(&fixed.ge(max_val)?)?;
    let clamped = fixed.clamp(Some(min_val), Some(max_val))?.to_dtype(x.dtype())?;
    Ok(is_bound.where_(&clamped, x)?.called("HardtanhBackward0"))
}
