//! A step of the lecture's deep linear model.

use super::{Cost, Counted, Task, Training, check_sizes, count};
use crate::device::Device;
use crate::dtype::DType;
use crate::error::Result;
use crate::ledger::within;
use crate::nn::DeepLinear;
use crate::nn::functional::{LossReduction, mse_loss};
use crate::random::Generator;
use crate::tensor::Tensor;

/// A deep linear model that learns the weights 0, 1, …, D−1, and its training.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearStep {
    /// Width D: inputs of a point and size of each hidden layer.
    pub dim: usize,
    /// Hidden layers.
    pub layers: usize,
    /// Points of a micro-batch.
    pub batch: usize,
    /// Whether layers add biases, which the lecture's do not.
    pub bias: bool,
    /// How it is trained.
    pub training: Training,
}

impl LinearStep {
    /// Largest `dim`, `layers`, `batch` and `accumulate` that are accepted.
    pub const MAX: [usize; 4] = [4096, 64, 65536, 64];

    /// Whether it can be counted.
    ///
    /// # Errors
    /// If a size is out of range, or all together take too long: the message names the field and the rule.
    pub fn check(&self) -> Result<()> {
        let &Self { dim, layers, batch, training, .. } = self;
        let [most_dim, most_layers, most_batch, most_accumulate] = Self::MAX;
        check_sizes(&[
            ("dim", dim, most_dim),
            ("layers", layers, most_layers),
            ("batch", batch, most_batch),
            ("accumulate", training.accumulate, most_accumulate),
        ])?;
        let (d, l) = (dim as u128, layers as u128);
        let weights = d * d * l + d;
        let cost = Cost { parameters: weights, products: weights, activations: d * (l + 1) };
        training.check(("dim", dim), batch, &cost)
    }

    /// Runs steps on a device and says what one of them did.
    ///
    /// # Errors
    /// As [`LinearStep::check`], or if the device fails.
    pub async fn count(&self, device: &Device) -> Result<Counted> {
        self.check()?;
        count(self, self.training, device).await
    }
}

impl Task for LinearStep {
    type Model = DeepLinear;

    fn model(&self, generator: &mut Generator, device: &Device) -> Result<DeepLinear> {
        let model = DeepLinear::new(self.dim, self.layers, generator, device)?;
        if self.bias { model.with_biases() } else { Ok(model) }
    }

    fn is_inner_matrix(&self, name: &str, _: &Tensor) -> bool {
        name.starts_with("layers.") && name.ends_with(".weight")
    }

    fn data(&self, generator: &mut Generator, dtype: DType, device: &Device) -> Result<[Tensor; 2]> {
        let &Self { dim, batch, .. } = self;
        let points = generator.randn(batch * dim);
        let dot = |x: &[f32]| x.iter().zip(0u16..).map(|(x, w)| x * f32::from(w)).sum();
        let targets: Vec<f32> = points.chunks_exact(dim).map(dot).collect();
        let wide = if dtype == DType::F64 { dtype } else { DType::F32 };
        let x = Tensor::from_slice(&points, &[batch, dim], dtype, device)?;
        Ok([x, Tensor::from_slice(&targets, &[batch], wide, device)?])
    }

    fn loss(&self, model: &DeepLinear, [x, y]: &[Tensor; 2]) -> Result<Tensor> {
        let predicted = model.forward(x)?;
        within("loss", || mse_loss(&predicted.to_dtype(y.dtype())?, y, LossReduction::Mean))
    }
}
