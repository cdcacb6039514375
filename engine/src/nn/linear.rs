//! `nn.Linear`, `nn.Embedding`, and the lecture's deep linear model.

use super::functional;
use super::init::{self, Fan, Nonlinearity};
use super::module::{Module, Visitor, join, module, parameter};
use crate::device::Device;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::ledger::within;
use crate::random::Generator;
use crate::tensor::Tensor;

/// `nn.Linear`: x @ weightᵀ + bias.
#[derive(Clone)]
pub struct Linear {
    /// (out, in)
    pub weight: Tensor,
    /// (out,)
    pub bias: Option<Tensor>,
    /// Whether its products are made in 8 bits, see [`functional::linear_fp8`].
    pub is_fp8: bool,
}

module!(Linear { weight, bias });

impl Linear {
    /// `nn.Linear(in_features, out_features, bias)`: both uniform within ±1/√in.
    ///
    /// # Errors
    /// If memory does not allow it.
    pub fn new(
        in_features: usize,
        out_features: usize,
        bias: bool,
        generator: &mut Generator,
        device: &Device,
    ) -> Result<Self> {
        let weight = Tensor::empty(&[out_features, in_features], DType::F32, device)?;
        init::kaiming_uniform_(&weight, Fan::In, Nonlinearity::LeakyRelu(5f64.sqrt()), generator)?;
        let new_bias = || -> Result<Tensor> {
            let values = Tensor::empty(&[out_features], DType::F32, device)?;
            let bound = if in_features > 0 { 1.0 / (in_features as f64).sqrt() } else { 0.0 };
            init::uniform_(&values, -bound, bound, generator)?;
            parameter(values)
        };
        let bias = bias.then(new_bias).transpose()?;
        Ok(Self { weight: parameter(weight)?, bias, is_fp8: false })
    }

    /// From (…, in) to (…, out).
    ///
    /// # Errors
    /// With PyTorch's message if the shapes do not fit.
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let linear = if self.is_fp8 { functional::linear_fp8 } else { functional::linear };
        linear(x, &self.weight, self.bias.as_ref())
    }
}

/// `nn.Embedding`: a row for each of its indices.
#[derive(Clone)]
pub struct Embedding {
    /// (indices, width)
    pub weight: Tensor,
}

module!(Embedding { weight });

impl Embedding {
    /// `nn.Embedding(num_embeddings, embedding_dim)`: normal numbers.
    ///
    /// # Errors
    /// If memory does not allow it.
    pub fn new(
        num_embeddings: usize,
        embedding_dim: usize,
        generator: &mut Generator,
        device: &Device,
    ) -> Result<Self> {
        let weight = Tensor::randn(&[num_embeddings, embedding_dim], generator, device)?;
        Ok(Self { weight: parameter(weight)? })
    }

    /// From int64 (…) to (…, width).
    ///
    /// # Errors
    /// If the indices are not whole numbers, or one is out of range.
    pub fn forward(&self, index: &Tensor) -> Result<Tensor> {
        self.weight.embedding(index)
    }
}

/// The lecture's deep linear model: `layers` matrices of `dim × dim` and a head of `dim × 1`,
/// without biases: `dim² · layers + dim` parameters.
#[derive(Clone)]
pub struct DeepLinear {
    weights: Vec<Tensor>,
    /// One for each weight, or none at all.
    biases: Vec<Tensor>,
}

/// The names of the lecture: `layers.0.weight`, …, `final.weight`.
impl Module for DeepLinear {
    fn visit(&mut self, prefix: &str, visit: &mut Visitor<'_>) {
        let layers = self.weights.len().saturating_sub(1);
        let mut biases = self.biases.iter_mut();
        for (i, weight) in self.weights.iter_mut().enumerate() {
            let part = join(prefix, if i < layers { format!("layers.{i}") } else { "final".into() });
            visit(&join(&part, "weight"), weight);
            if let Some(bias) = biases.next() {
                visit(&join(&part, "bias"), bias);
            }
        }
    }
}

impl DeepLinear {
    /// Weights drawn from a normal distribution and divided by the root of the number of inputs, so
    /// that activations keep their size through the layers.
    ///
    /// # Errors
    /// If memory does not allow it.
    pub fn new(dim: usize, layers: usize, generator: &mut Generator, device: &Device) -> Result<Self> {
        let scale = 1.0 / (dim as f32).sqrt();
        let mut weight = |out: usize| -> Result<Tensor> {
            let values: Vec<f32> = generator.randn(dim * out).iter().map(|v| v * scale).collect();
            let w = Tensor::from_slice(&values, &[dim, out], DType::F32, device)?;
            w.set_requires_grad(true)?;
            Ok(w)
        };
        let mut weights = (0..layers).map(|_| weight(dim)).collect::<Result<Vec<_>>>()?;
        weights.push(weight(1)?);
        Ok(Self { weights, biases: Vec::new() })
    }

    /// With biases of 0, which the lecture's model does not have: `dim · layers + 1` parameters more.
    ///
    /// # Errors
    /// If memory does not allow it.
    pub fn with_biases(self) -> Result<Self> {
        let zeros = |w: &Tensor| parameter(Tensor::zeros(&w.shape()[1..], w.dtype(), w.device())?);
        let biases = self.weights.iter().map(zeros).collect::<Result<_>>()?;
        Ok(Self { biases, ..self })
    }

    /// From `(batch, dim)` to `(batch,)`.
    ///
    /// # Errors
    /// If the shape does not fit or the device fails.
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let mut x = x.clone();
        let last = self.weights.len().saturating_sub(1);
        for (i, w) in self.weights.iter().enumerate() {
            x = within(if i < last { "layers" } else { "head" }, || {
                let product = x.matmul(w)?;
                self.biases.get(i).map_or(Ok(product.clone()), |bias| product.add(bias))
            })?;
        }
        x.squeeze(Some(-1))
    }

    /// The one vector of `dim` weights that the whole model amounts to, but for biases: the product of its matrices.
    ///
    /// # Errors
    /// If the device fails.
    pub fn effective_weights(&self) -> Result<Tensor> {
        let mut product: Option<Tensor> = None;
        for w in self.weights.iter().rev() {
            product = Some(match product {
                Some(p) => w.matmul(&p)?,
                None => w.clone(),
            });
        }
        match product {
            Some(p) => p.squeeze(Some(-1)),
            None => Err(Error::Value { op: "DeepLinear", message: "a model has at least its head".into() }),
        }
    }

    /// The weight matrices, first layer first.
    #[must_use]
    pub fn weights(&self) -> &[Tensor] {
        &self.weights
    }
}
