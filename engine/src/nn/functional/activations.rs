//! Elementwise functions, each one program, and its derivative another.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, SQRT_2};

use crate::autograd::Node;
use crate::error::{Error, Result};
use crate::layout::Layout;
use crate::program::{Compute, Expr, Unary};
use crate::random::Source;
use crate::tensor::Tensor;

use super::softmax::refuse;

/// How [`gelu`] is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gelu {
    /// `x Φ(x)` by the error function (Hendrycks and Gimpel 2016).
    Exact,
    /// `½ x (1 + tanh(√(2/π) (x + 0.044715 x³)))`, as GPT-2 has it.
    Tanh,
}

/// √(2/π)
const BETA: f64 = SQRT_2 * FRAC_2_SQRT_PI * 0.5;
const KAPPA: f64 = 0.044_715;

impl Gelu {
    /// The function itself.
    pub(crate) fn of(self, x: &Expr) -> Expr {
        x.clone() * 0.5 * self.gate(x)
    }

    /// What x is multiplied by, times two: from 0 to 2.
    fn gate(self, x: &Expr) -> Expr {
        let x = || x.clone();
        match self {
            Self::Exact => (x() * FRAC_1_SQRT_2).unary(Unary::Erf) + 1.0,
            Self::Tanh => ((x() * x() * x() * KAPPA + x()) * BETA).unary(Unary::Tanh) + 1.0,
        }
    }

    /// d(½ x gate) = ½ gate dx + ½ x dgate
    fn slope(self, x: &Expr) -> Expr {
        let x = || x.clone();
        let half_of_gate = self.gate(&x()) * 0.5;
        match self {
            Self::Exact => half_of_gate + x() * ((x() * x() * -0.5).unary(Unary::Exp) * (0.5 * BETA)),
            Self::Tanh => {
                // 1 − tanh² is (1 + tanh)(1 − tanh).
                let of_tanh = self.gate(&x()) * (2.0 - self.gate(&x()));
                half_of_gate + x() * 0.5 * of_tanh * ((x() * x() * (3.0 * KAPPA) + 1.0) * BETA)
            }
        }
    }
}

/// `gelu(x, approximate)`
///
/// # Errors
/// If x is not real.
pub fn gelu(x: &Tensor, approximate: Gelu) -> Result<Tensor> {
    let forward = approximate.of(&Expr::input(0));
    activation(["GeluKernelImpl", "GeluBackward0", "gelu", "gelu_backward"], x, forward, |x| {
        approximate.slope(x)
    })
}

/// `silu(x)`: x σ(x)
///
/// # Errors
/// If x is not real.
pub fn silu(x: &Tensor) -> Result<Tensor> {
    let gate = |x: &Expr| x.clone().unary(Unary::Sigmoid);
    // d(x σ) = σ (1 + x (1 − σ)) dx
    let names = ["silu_cpu", "SiluBackward0", "silu", "silu_backward"];
    activation(names, x, silu_of(&Expr::input(0)), |x| gate(x) * (x.clone() * (1.0 - gate(x)) + 1.0))
}

/// The function [`silu`] itself.
pub(crate) fn silu_of(x: &Expr) -> Expr {
    x.clone() * x.clone().unary(Unary::Sigmoid)
}

/// A function of the input 0 and its slope, told of where x is.
pub(super) fn activation(
    [kernel, name, forward_name, backward_name]: [&'static str; 4],
    x: &Tensor,
    forward: Expr,
    slope: impl FnOnce(&Expr) -> Expr,
) -> Result<Tensor> {
    let dtype = x.dtype();
    refuse(kernel, dtype)?;
    let compute = Compute::of(dtype);
    let backward = (Expr::input(0) * slope(&Expr::input(1))).program(compute).named(backward_name);
    let node = Node::record(name, &[x], &[x], move |g, saved| {
        Ok(vec![Some(g.combined_back(&backward, &[&saved[0]], dtype)?)])
    });
    Ok(x.mapped(&forward.program(compute).named(forward_name), dtype)?.made_by(node))
}

/// `dropout(x, p, training)`: each element is 0 with probability p, and the others are divided by 1 − p
/// (Srivastava et al. 2014). A [`crate::random::Generator`] draws as PyTorch's, on the CPU; a
/// [`crate::random::Philox`] where the tensor is.
///
/// # Errors
/// If p is no probability.
pub fn dropout(x: &Tensor, p: f64, training: bool, source: &mut dyn Source) -> Result<Tensor> {
    if !(0.0..=1.0).contains(&p) {
        let message = format!("dropout probability has to be between 0 and 1, but got {p}");
        return Err(Error::Value { op: "dropout", message });
    }
    if training && !x.dtype().is_floating_point() {
        let message =
            format!("result type Float can't be cast to the desired output type {}", x.dtype().scalar_type());
        return Err(Error::DType { op: "dropout", message });
    }
    if !training || p == 0.0 || x.numel() == 0 {
        return Ok(x.clone());
    }
    if p == 1.0 {
        return x.mul(0.0);
    }
    let keep = 1.0 - p;
    let kept = mask_like(x, keep, source)?;
    let dtype = x.dtype();
    // As PyTorch computes it: in the dtype of x.
    let factor = dtype.format().map_or(1.0 / keep, |f| f.decode(f.encode(f64::from(1.0 / keep as f32))));
    // As a factor and not as a choice: NaN and infinities that are dropped are NaN.
    let apply =
        (Expr::input(0) * Expr::input(1) * factor).program(Compute::of(dtype)).named("native_dropout");
    let backward = apply.clone();
    let node = Node::record("MulBackward0", &[x], &[&kept], move |g, saved| {
        Ok(vec![Some(g.combined_back(&backward, &[&saved[0]], dtype)?)])
    });
    Ok(x.combined(&apply, &[&kept], dtype)?.made_by(node))
}

/// 1 for each element that is kept, drawn in the order in which the elements lie in memory.
fn mask_like(x: &Tensor, keep: f64, source: &mut dyn Source) -> Result<Tensor> {
    let laid = Layout::of_result(&[x.layout()]);
    let mut order: Vec<usize> = (0..x.shape().len()).collect();
    order.sort_by_key(|&dim| std::cmp::Reverse(laid.strides()[dim]));
    if order.is_sorted() {
        return source.mask(keep, x.shape(), x.device());
    }
    let shape: Vec<usize> = order.iter().map(|&dim| x.shape()[dim]).collect();
    let mask = source.mask(keep, &shape, x.device())?;
    let mut places = vec![0; order.len()];
    for (place, &dim) in order.iter().enumerate() {
        places[dim] = place as isize;
    }
    mask.permute(&places)
}
