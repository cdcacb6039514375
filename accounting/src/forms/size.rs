//! Bytes per parameter, and the largest model that they leave room for.

use super::static_memory::Formats;
use crate::papers::{self, reason};
use crate::{Bytes, BytesPerParam, Count, Derived, Expr, Params, Result, Unit, Value};

/// How training keeps a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Convention {
    /// Everything in float32: 4 + 4 + 8.
    Fp32,
    /// Weights and gradients in bfloat16, Adam's moments in float32: 2 + 2 + 8.
    Bf16,
    /// A float32 copy beside bfloat16 weights, gradients in float32: 6 + 4 + 8.
    Mixed,
}

impl Convention {
    /// Bytes of the elements that it keeps.
    #[must_use]
    pub const fn formats(self) -> Formats {
        let (weight_bytes, gradient_bytes, master_bytes) = match self {
            Self::Fp32 => (4.0, 4.0, 0.0),
            Self::Bf16 => (2.0, 2.0, 0.0),
            Self::Mixed => (2.0, 4.0, 4.0),
        };
        Formats { weight_bytes, gradient_bytes, master_bytes, state_bytes: 4.0 }
    }
}

/// What a convention keeps for every parameter under Adam.
///
/// # Errors
/// None in practice.
pub fn bytes_per_param(convention: Convention) -> Result<Derived<BytesPerParam>> {
    let bytes = |value: f64| Expr::constant(value, Unit::BYTE.per(Unit::PARAM));
    let (expr, paper) = match convention {
        Convention::Fp32 => (
            bytes(4.0) + bytes(4.0) + bytes(8.0),
            reason("float32 weight 4, gradient 4, Adam's two moments 8"),
        ),
        Convention::Bf16 => (
            bytes(2.0) + bytes(2.0) + bytes(8.0),
            reason("bfloat16 weight 2, gradient 2, Adam's two moments in float32 8"),
        ),
        Convention::Mixed => (
            bytes(2.0) + bytes(4.0) + bytes(4.0) + bytes(8.0),
            reason("bfloat16 weight 2, its float32 copy 4, gradient in float32 4, Adam's two moments 8"),
        ),
    };
    let papers = [paper, papers::ADAM, papers::MICIKEVICIUS];
    let papers = if convention == Convention::Mixed { &papers[..] } else { &papers[..2] };
    Derived::new("bytes_per_param", "β", "bytes per parameter", expr, papers)
}

/// The memory of devices in gigabytes of 2³⁰ instead of 10⁹ bytes.
///
/// # Errors
/// If it is too large.
pub fn binary(memory: &Value<Bytes>) -> Result<Derived<Bytes>> {
    Derived::new(
        "binary_memory_bytes",
        "M_2",
        "memory, its gigabytes taken as GiB",
        memory.expr() * 1_073_741_824.0 / 1e9,
        &[reason("a GiB is 2^30 bytes, a GB 10^9")],
    )
}

/// The largest model whose parameters, gradients and optimizer state fit, activations left out.
///
/// # Errors
/// If it is too large, or the bytes per parameter are 0.
pub fn largest(
    gpus: &Value<Count>,
    memory: &Value<Bytes>,
    bytes_per_param: &Value<BytesPerParam>,
) -> Result<Derived<Params>> {
    let largest = gpus.expr() * memory / bytes_per_param;
    Derived::new("largest_params", "N", "largest model", largest, &[])
}
