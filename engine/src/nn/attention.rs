//! Self-attention with several heads.

use super::functional::{self, Attention};
use super::init;
use super::linear::Linear;
use super::mlp::Dropout;
use super::module::{Mode, module, parameter};
use crate::device::Device;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::random::{Generator, Source};
use crate::tensor::Tensor;

/// How queries, keys and values are divided.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Heads {
    /// Heads of queries.
    pub heads: usize,
    /// Heads of keys and values: as many, or fewer that share them (grouped queries; Ainslie et al. 2023).
    pub kv_heads: usize,
    /// Whether a position sees only itself and those before it.
    pub is_causal: bool,
    /// Of the attention weights.
    pub dropout: Dropout,
}

impl Heads {
    /// As many heads of keys as of queries, nothing hidden, nothing dropped.
    #[must_use]
    pub fn new(heads: usize) -> Self {
        Self { heads, kv_heads: heads, is_causal: false, dropout: Dropout { p: 0.0 } }
    }

    /// Rows of a weight that makes queries, keys and values of `dim` numbers.
    ///
    /// # Errors
    /// If the heads do not divide `dim`, or those of the keys those of the queries.
    pub fn rows(&self, dim: usize) -> Result<usize> {
        let fault = |message: &str| Err(Error::Value { op: "MultiheadAttention", message: message.into() });
        if self.heads == 0 || !dim.is_multiple_of(self.heads) {
            return fault("embed_dim must be divisible by num_heads");
        }
        if self.kv_heads == 0 || !self.heads.is_multiple_of(self.kv_heads) {
            return fault("num_heads must be divisible by the number of heads of keys and values");
        }
        Ok((dim / self.heads).saturating_mul(self.parts()))
    }

    /// Heads of queries, keys and values together.
    fn parts(&self) -> usize {
        self.heads.saturating_add(self.kv_heads.saturating_mul(2))
    }

    /// From queries, keys and values side by side, (batch, time, rows), to (batch, time, dim).
    ///
    /// # Errors
    /// If the shape does not fit the heads.
    pub fn attend(&self, qkv: &Tensor, mode: &mut Mode<'_>) -> Result<Tensor> {
        let parts = self.parts();
        let &[batch, time, rows] = qkv.shape() else {
            let message = format!("attention takes (batch, time, features), but got {:?}", qkv.shape());
            return Err(Error::Shape { op: "attention", message });
        };
        if parts == 0 || !rows.is_multiple_of(parts) {
            let message = format!("{rows} features cannot be divided among {parts} heads");
            return Err(Error::Shape { op: "attention", message });
        }
        let [batch, time, width] = [batch, time, rows / parts].map(usize::cast_signed);
        let (own, shared) = (self.heads.cast_signed(), self.kv_heads.cast_signed());
        // (batch, heads, time, width)
        let part = |start: isize, heads: isize| -> Result<Tensor> {
            let part = qkv.narrow(-1, start * width, heads * width)?;
            part.reshape(&[batch, time, heads, width])?.transpose(1, 2)
        };
        let (query, key, value) = (part(0, own)?, part(own, shared)?, part(own + shared, shared)?);
        let dropout = match mode {
            Mode::Train(source) if self.dropout.p != 0.0 => {
                let source: &mut dyn Source = *source;
                Some((self.dropout.p, source))
            }
            _ => None,
        };
        let (is_causal, enable_gqa) = (self.is_causal, own != shared);
        let how = Attention { is_causal, enable_gqa, dropout, ..Attention::default() };
        let seen = functional::scaled_dot_product_attention(&query, &key, &value, how)?;
        seen.transpose(1, 2)?.reshape(&[batch, time, own * width])
    }
}

/// `nn.MultiheadAttention(embed_dim, num_heads, dropout, bias, batch_first=True)` of a sequence with itself.
#[derive(Clone)]
pub struct MultiheadAttention {
    /// (rows, dim): queries', keys' and values' weights on top of each other.
    pub in_proj_weight: Tensor,
    /// (rows,)
    pub in_proj_bias: Option<Tensor>,
    /// (dim, dim)
    pub out_proj: Linear,
    /// How they are divided.
    pub heads: Heads,
}

module!(MultiheadAttention { in_proj_weight, in_proj_bias, out_proj });

impl MultiheadAttention {
    /// Xavier's uniform weights for the three, the default ones behind; biases 0.
    ///
    /// # Errors
    /// If the heads do not divide `embed_dim`, or memory does not allow it.
    pub fn new(
        embed_dim: usize,
        heads: Heads,
        bias: bool,
        generator: &mut Generator,
        device: &Device,
    ) -> Result<Self> {
        let rows = heads.rows(embed_dim)?;
        let out_proj = Linear::new(embed_dim, embed_dim, bias, generator, device)?;
        out_proj.bias.iter().try_for_each(init::zeros_)?;
        let in_proj_weight = Tensor::empty(&[rows, embed_dim], DType::F32, device)?;
        init::xavier_uniform_(&in_proj_weight, 1.0, generator)?;
        let zeros = || parameter(Tensor::zeros(&[rows], DType::F32, device)?);
        Ok(Self {
            in_proj_weight: parameter(in_proj_weight)?,
            in_proj_bias: bias.then(zeros).transpose()?,
            out_proj,
            heads,
        })
    }

    /// From (batch, time, dim) to the same.
    ///
    /// # Errors
    /// With PyTorch's message if the shapes do not fit.
    pub fn forward(&self, x: &Tensor, mode: &mut Mode<'_>) -> Result<Tensor> {
        let qkv = functional::linear(x, &self.in_proj_weight, self.in_proj_bias.as_ref())?;
        self.out_proj.forward(&self.heads.attend(&qkv, mode)?)
    }
}
