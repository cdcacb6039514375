//! Activations that are straight on one side.

use crate::error::{Error, Result};
use crate::program::{Binary, Expr, Unary};
use crate::scalar::Scalar;
use crate::tensor::Tensor;

use super::activations::activation;

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
    let scaled = |x: &Expr| x.clone() * beta;
    let is_straight = |x: &Expr| scaled(x).binary(Binary::Gt, threshold);
    let x_itself = Expr::input(0);
    let curve = scaled(&x_itself).unary(Unary::Exp).unary(Unary::Log1p) / beta;
    let forward = is_straight(&x_itself).choose(x_itself, curve);
    // d(ln(1 + e^(βx)) / β) = σ(βx) dx
    activation(["softplus_cpu", "SoftplusBackward0", "softplus", "softplus_backward"], x, forward, |x| {
        is_straight(x).choose(1.0, scaled(x).unary(Unary::Sigmoid))
    })
}

/// `logsigmoid(x)`: ln σ(x), without overflow.
///
/// # Errors
/// If x is not real.
pub fn logsigmoid(x: &Tensor) -> Result<Tensor> {
    // ln σ(x) = min(x, 0) − ln(1 + e^(−|x|)); d ln σ(x) = σ(−x) dx
    let input = || Expr::input(0);
    let tail = input().unary(Unary::Abs).unary(Unary::Neg).unary(Unary::Exp).unary(Unary::Log1p);
    let names = ["log_sigmoid_cpu", "LogSigmoidBackward0", "log_sigmoid", "log_sigmoid_backward"];
    activation(names, x, input().binary(Binary::Min, 0.0) - tail, |x| {
        x.clone().unary(Unary::Neg).unary(Unary::Sigmoid)
    })
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
    let is_curved = |x: &Expr| x.clone().binary(Binary::Le, 0.0);
    let x_itself = Expr::input(0);
    let curve = x_itself.clone().unary(Unary::Expm1) * alpha;
    let forward = is_curved(&x_itself).choose(curve, x_itself);
    // The slope at 0 is α, and has none itself.
    activation(["elu_cpu", "EluBackward0", "elu", "elu_backward"], x, forward, |x| {
        let is_below = Expr::from(0.0).binary(Binary::Gt, x.clone());
        is_below.choose(x.clone().unary(Unary::Exp) * alpha, is_curved(x).choose(alpha, 1.0))
    })
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
