//! `nn.LayerNorm` and `nn.RMSNorm`.

use super::functional;
use super::module::{Module, Visitor, module, parameter};
use crate::device::Device;
use crate::dtype::DType;
use crate::error::Result;
use crate::tensor::Tensor;

/// `nn.LayerNorm`: mean 0 and variance 1 over the last dimensions, then scaled and moved.
#[derive(Clone)]
pub struct LayerNorm {
    /// As the last dimensions.
    pub weight: Tensor,
    /// As the last dimensions.
    pub bias: Option<Tensor>,
    /// Added to the variance.
    pub eps: f64,
}

module!(LayerNorm { weight, bias });

impl LayerNorm {
    /// PyTorch's default for what is added to the variance.
    pub const EPS: f64 = 1e-5;

    /// `nn.LayerNorm(normalized_shape, eps, bias=bias)`: weight 1, bias 0.
    ///
    /// # Errors
    /// If memory does not allow it.
    pub fn new(normalized_shape: &[usize], eps: f64, bias: bool, device: &Device) -> Result<Self> {
        let weight = parameter(Tensor::ones(normalized_shape, DType::F32, device)?)?;
        let zeros = || parameter(Tensor::zeros(normalized_shape, DType::F32, device)?);
        Ok(Self { weight, bias: bias.then(zeros).transpose()?, eps })
    }

    /// Same shape out as in.
    ///
    /// # Errors
    /// With PyTorch's message if the last dimensions have another shape.
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        functional::layer_norm(x, self.weight.shape(), Some(&self.weight), self.bias.as_ref(), self.eps)
    }
}

/// `nn.RMSNorm`: divided by the root of the mean of the squares over the last dimensions, then scaled.
#[derive(Clone)]
pub struct RMSNorm {
    /// As the last dimensions.
    pub weight: Tensor,
    /// Added to the mean; without one that of the dtype.
    pub eps: Option<f64>,
}

module!(RMSNorm { weight });

impl RMSNorm {
    /// `nn.RMSNorm(normalized_shape, eps)`: weight 1.
    ///
    /// # Errors
    /// If memory does not allow it.
    pub fn new(normalized_shape: &[usize], eps: Option<f64>, device: &Device) -> Result<Self> {
        Ok(Self { weight: parameter(Tensor::ones(normalized_shape, DType::F32, device)?)?, eps })
    }

    /// Same shape out as in.
    ///
    /// # Errors
    /// As [`LayerNorm::forward`].
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        functional::rms_norm(x, self.weight.shape(), Some(&self.weight), self.eps)
    }
}

/// Which norm a model has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NormKind {
    /// [`LayerNorm`]
    Layer,
    /// [`RMSNorm`]
    Rms,
}

/// One or the other.
#[derive(Clone)]
pub enum Norm {
    /// [`LayerNorm`]
    Layer(LayerNorm),
    /// [`RMSNorm`]
    Rms(RMSNorm),
}

impl Norm {
    /// Of the kind, over a last dimension of `dim`, with PyTorch's `eps`.
    ///
    /// # Errors
    /// If memory does not allow it.
    pub fn new(kind: NormKind, dim: usize, bias: bool, device: &Device) -> Result<Self> {
        Ok(match kind {
            NormKind::Layer => Self::Layer(LayerNorm::new(&[dim], LayerNorm::EPS, bias, device)?),
            NormKind::Rms => Self::Rms(RMSNorm::new(&[dim], None, device)?),
        })
    }

    /// Same shape out as in.
    ///
    /// # Errors
    /// As [`LayerNorm::forward`].
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        match self {
            Self::Layer(norm) => norm.forward(x),
            Self::Rms(norm) => norm.forward(x),
        }
    }
}

impl Module for Norm {
    fn visit(&mut self, prefix: &str, visit: &mut Visitor<'_>) {
        match self {
            Self::Layer(norm) => norm.visit(prefix, visit),
            Self::Rms(norm) => norm.visit(prefix, visit),
        }
    }
}
