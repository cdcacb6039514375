//! `torch.nn.functional`: functions of tensors that networks are made of.

mod activations;
mod attention;
mod fp8;
mod losses;
mod norms;
mod rectifiers;
mod softmax;

pub(crate) use activations::silu_of;
pub use activations::{Gelu, dropout, gelu, silu};
pub use attention::{Attention, scaled_dot_product_attention};
pub use fp8::linear_fp8;
pub use losses::{CrossEntropy, LossReduction, cross_entropy, mse_loss};
pub use norms::{layer_norm, rms_norm};
pub use rectifiers::{elu, hardtanh, leaky_relu, logsigmoid, softplus};
pub use softmax::{log_softmax, softmax};

use crate::error::Result;
use crate::tensor::Tensor;

/// `linear(x, weight, bias)`: x @ weightᵀ + bias, weight of shape (out, in).
///
/// # Errors
/// With PyTorch's message if the shapes do not fit.
pub fn linear(x: &Tensor, weight: &Tensor, bias: Option<&Tensor>) -> Result<Tensor> {
    x.linear(weight, bias)
}
