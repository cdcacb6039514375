//! `torch.nn.functional`: functions of tensors that networks are made of.

mod rectifiers;

pub use rectifiers::{elu, hardtanh, leaky_relu, logsigmoid, softplus};

use crate::dtype::{Category, DType};
use crate::error::{Error, Result};
use crate::layout::wrap_dim;
use crate::random::Source;
use crate::tensor::Tensor;

/// How a loss over several examples becomes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LossReduction {
    /// One loss per example.
    None,
    /// Their mean.
    Mean,
    /// Their sum.
    Sum,
}

impl LossReduction {
    fn of(self, losses: &Tensor) -> Result<Tensor> {
        match self {
            Self::None => Ok(losses.clone()),
            Self::Mean => losses.mean(),
            Self::Sum => losses.sum(),
        }
    }
}

/// `softmax(x, dim)`: eˣ / Σ eˣ, shifted by the largest x so that nothing overflows.
///
/// # Errors
/// If the dimension is out of range or x is not real.
pub fn softmax(x: &Tensor, dim: isize) -> Result<Tensor> {
    let (shifted, sums) = shifted_exp(x, dim)?;
    shifted.exp()?.div(&sums)
}

/// `log_softmax(x, dim)`: x − ln Σ eˣ
///
/// # Errors
/// As [`softmax`].
pub fn log_softmax(x: &Tensor, dim: isize) -> Result<Tensor> {
    let (shifted, sums) = shifted_exp(x, dim)?;
    shifted.sub(&sums.log()?)
}

/// x less its largest along `dim`, and the sums of the exponentials of that.
fn shifted_exp(x: &Tensor, dim: isize) -> Result<(Tensor, Tensor)> {
    if x.dtype().category() != Category::Floating {
        let message =
            format!("\"softmax_lastdim_kernel_impl\" not implemented for '{}'", x.dtype().scalar_type());
        return Err(Error::DType { op: "softmax", message });
    }
    wrap_dim("softmax", dim, x.shape().len())?;
    if x.numel() == 0 {
        return Ok((x.clone(), x.clone()));
    }
    let dims: &[isize] = if x.shape().is_empty() { &[] } else { &[dim] };
    let shifted = x.sub(&x.detach().amax(dims, true)?)?;
    let sums = shifted.exp()?.sum_dims(dims, true)?;
    Ok((shifted, sums))
}

/// How [`gelu`] is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gelu {
    /// `x Φ(x)` by the error function (Hendrycks and Gimpel 2016).
    Exact,
    /// `½ x (1 + tanh(√(2/π) (x + 0.044715 x³)))`, as GPT-2 has it.
    Tanh,
}

/// `gelu(x, approximate)`
///
/// # Errors
/// If the device fails.
pub fn gelu(x: &Tensor, approximate: Gelu) -> Result<Tensor> {
    let gate = match approximate {
        Gelu::Exact => x.mul(std::f64::consts::FRAC_1_SQRT_2)?.erf()?,
        Gelu::Tanh => {
            let cubic = x.pow(3.0)?.mul(0.044_715)?.add(x)?;
            cubic.mul((2.0 / std::f64::consts::PI).sqrt())?.tanh()?
        }
    };
    x.mul(0.5)?.mul(&gate.add(1.0)?)
}

/// `silu(x)`: x σ(x)
///
/// # Errors
/// If the device fails.
pub fn silu(x: &Tensor) -> Result<Tensor> {
    x.mul(&x.sigmoid()?)
}

/// `linear(x, weight, bias)`: x @ weightᵀ + bias, weight of shape (out, in).
///
/// # Errors
/// With PyTorch's message if the shapes do not fit.
pub fn linear(x: &Tensor, weight: &Tensor, bias: Option<&Tensor>) -> Result<Tensor> {
    x.linear(weight, bias)
}

/// `layer_norm(x, normalized_shape, weight, bias, eps)` over the last dimensions, which have that shape: mean 0
/// and variance 1, then scaled and moved.
///
/// # Errors
/// If the last dimensions have another shape.
pub fn layer_norm(
    x: &Tensor,
    normalized_shape: &[usize],
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    eps: f64,
) -> Result<Tensor> {
    let dims = last_dims("layer_norm", x, normalized_shape)?;
    let away = x.sub(&x.mean_dims(&dims, true)?)?;
    let variance = away.mul(&away)?.mean_dims(&dims, true)?;
    scaled(&away.mul(&variance.add(eps)?.rsqrt()?)?, weight, bias)
}

/// `rms_norm(x, normalized_shape, weight, eps)` over the last dimensions: divided by the root of the mean of the
/// squares (Zhang and Sennrich 2019). Without `eps` that of the dtype.
///
/// # Errors
/// As [`layer_norm`].
pub fn rms_norm(
    x: &Tensor,
    normalized_shape: &[usize],
    weight: Option<&Tensor>,
    eps: Option<f64>,
) -> Result<Tensor> {
    let dims = last_dims("rms_norm", x, normalized_shape)?;
    let of_dtype = || x.dtype().format().map_or(f64::EPSILON, |format| format.info().eps);
    let square = x.mul(x)?.mean_dims(&dims, true)?;
    scaled(&x.mul(&square.add(eps.unwrap_or_else(of_dtype))?.rsqrt()?)?, weight, None)
}

fn last_dims(op: &'static str, x: &Tensor, normalized_shape: &[usize]) -> Result<Vec<isize>> {
    if normalized_shape.is_empty() || !x.shape().ends_with(normalized_shape) {
        let join = |shape: &[usize]| crate::layout::join(shape.iter());
        let message = format!(
            "Given normalized_shape=[{0}], expected input with shape [*, {0}], but got input of size[{1}]",
            join(normalized_shape),
            join(x.shape())
        );
        return Err(Error::Shape { op, message });
    }
    Ok((1..=normalized_shape.len().cast_signed()).map(|d| -d).collect())
}

fn scaled(x: &Tensor, weight: Option<&Tensor>, bias: Option<&Tensor>) -> Result<Tensor> {
    let x = match weight {
        Some(weight) => x.mul(weight)?,
        None => x.clone(),
    };
    match bias {
        Some(bias) => x.add(bias),
        None => Ok(x),
    }
}

/// `cross_entropy(logits, target, reduction=reduction)` of logits (N, C) and classes (N,): −ln of the probability
/// that softmax gives to the class.
///
/// # Errors
/// With PyTorch's message if the shapes do not fit, or a class is out of bounds.
pub fn cross_entropy(logits: &Tensor, target: &Tensor, reduction: LossReduction) -> Result<Tensor> {
    let (&[batch, _], &[targets]) = (logits.shape(), target.shape()) else {
        let message = format!(
            "cross_entropy takes logits (N, C) and classes (N,), not {:?} and {:?}",
            logits.shape(),
            target.shape()
        );
        return Err(Error::Shape { op: "cross_entropy", message });
    };
    if batch != targets {
        let message = format!("Expected input batch_size ({batch}) to match target batch_size ({targets}).");
        return Err(Error::Shape { op: "cross_entropy", message });
    }
    if target.dtype() != DType::I64 {
        let message = format!("expected scalar type Long but found {}", target.dtype().scalar_type());
        return Err(Error::DType { op: "cross_entropy", message });
    }
    let chosen = log_softmax(logits, 1)?.gather(1, &target.unsqueeze(1)?)?;
    reduction.of(&chosen.squeeze(Some(1))?.neg()?)
}

/// `dropout(x, p, training)`: each element is 0 with probability p, and the others are divided by 1 − p
/// (Srivastava et al. 2014). The mask is drawn as its source draws: by PyTorch's CPU generator, or on the device.
///
/// # Errors
/// If p is no probability.
pub fn dropout(x: &Tensor, p: f64, training: bool, source: &mut dyn Source) -> Result<Tensor> {
    if !(0.0..=1.0).contains(&p) {
        let message = format!("dropout probability has to be between 0 and 1, but got {p}");
        return Err(Error::Value { op: "dropout", message });
    }
    if !training || p == 0.0 {
        return Ok(x.clone());
    }
    if p == 1.0 {
        return x.mul(0.0);
    }
    let keep = 1.0 - p;
    let mask = source.mask(keep, x.shape(), x.device())?;
    // As PyTorch computes them: the draws divided by `keep` in float32.
    x.mul(&mask.to_dtype(x.dtype())?.mul(1.0 / keep as f32)?)
}

/// `scaled_dot_product_attention(query, key, value, attn_mask, is_causal, scale)`: softmax(q kᵀ · scale) v over the
/// last two dimensions (Vaswani et al. 2017). A mask of truth values says where to look, another one is added.
///
/// # Errors
/// If the shapes do not fit, or a mask is given beside `is_causal`.
pub fn scaled_dot_product_attention(
    query: &Tensor,
    key: &Tensor,
    value: &Tensor,
    attn_mask: Option<&Tensor>,
    is_causal: bool,
    scale: Option<f64>,
) -> Result<Tensor> {
    let (&[.., rows, width], &[.., columns, _]) = (query.shape(), key.shape()) else {
        let message = "query and key need at least two dimensions".into();
        return Err(Error::Shape { op: "scaled_dot_product_attention", message });
    };
    let scale = scale.unwrap_or(1.0 / (width as f64).sqrt());
    let mut scores = query.matmul(&key.transpose(-2, -1)?)?.mul(scale)?;
    if is_causal {
        if attn_mask.is_some() {
            let message = "Explicit attn_mask should not be set when is_causal=True".into();
            return Err(Error::Value { op: "scaled_dot_product_attention", message });
        }
        let seen = Tensor::ones(&[rows, columns], DType::Bool, query.device())?.tril(0)?;
        scores = scores.masked_fill(&seen.logical_not()?, f64::NEG_INFINITY)?;
    }
    if let Some(mask) = attn_mask {
        scores = if mask.dtype() == DType::Bool {
            scores.masked_fill(&mask.logical_not()?, f64::NEG_INFINITY)?
        } else {
            scores.add(mask)?
        };
    }
    softmax(&scores, -1)?.matmul(value)
}
