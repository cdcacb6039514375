//! Models, and the functions that they are made of.

pub mod functional;
pub mod utils;

use crate::device::Device;
use crate::error::Result;
use crate::random::Generator;
use crate::tensor::Tensor;

/// The lecture's deep linear model: `layers` matrices of `dim × dim` and a head of `dim × 1`,
/// without biases: `dim² · layers + dim` parameters.
pub struct DeepLinear {
    weights: Vec<Tensor>,
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
            let w = Tensor::from_slice(&values, &[dim, out], crate::DType::F32, device)?;
            w.set_requires_grad(true)?;
            Ok(w)
        };
        let mut weights = (0..layers).map(|_| weight(dim)).collect::<Result<Vec<_>>>()?;
        weights.push(weight(1)?);
        Ok(Self { weights })
    }

    /// From `(batch, dim)` to `(batch,)`.
    ///
    /// # Errors
    /// If the shape does not fit or the device fails.
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let mut x = x.clone();
        for w in &self.weights {
            x = x.matmul(w)?;
        }
        x.squeeze(Some(-1))
    }

    /// The one vector of `dim` weights that the whole model amounts to: the product of its matrices.
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
            None => {
                Err(crate::Error::Value { op: "DeepLinear", message: "a model has at least its head".into() })
            }
        }
    }

    /// The weight matrices, first layer first.
    #[must_use]
    pub fn parameters(&self) -> &[Tensor] {
        &self.weights
    }
}
