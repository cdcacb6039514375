//! The training loop of the lecture: a deep linear model learns the weights 0, 1, …, D−1 from
//! random points. The page and the terminal run the same one.

use super::refused;
use crate::DType;
use crate::autograd::no_grad;
use crate::device::Device;
use crate::error::Result;
use crate::nn::DeepLinear;
use crate::nn::functional::{LossReduction, mse_loss};
use crate::optim::{Optimizer, Rule};
use crate::random::Generator;
use crate::tensor::Tensor;

/// What to train, and how.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearConfig {
    /// Width D: inputs per point and size of each hidden layer.
    pub dim: usize,
    /// Hidden layers.
    pub layers: usize,
    /// Points per step.
    pub batch: usize,
    /// Learning rate.
    pub lr: f32,
    /// What moves the weights.
    pub rule: Rule,
    /// Seed of the initial weights; the data use the next one.
    pub seed: u64,
}

impl LinearConfig {
    /// Largest width, number of layers and batch that are accepted.
    pub const MAX: (usize, usize, usize) = (4096, 64, 65536);

    fn check(&self) -> Result<()> {
        let (dim, layers, batch) = Self::MAX;
        for (name, got, range) in [
            ("dim", self.dim, 1..=dim),
            ("layers", self.layers, 0..=layers),
            ("batch", self.batch, 1..=batch),
        ] {
            if !range.contains(&got) {
                return Err(refused(name, got, &format!("from {} to {}", range.start(), range.end())));
            }
        }
        if !(self.lr.is_finite() && self.lr > 0.0) {
            return Err(refused("lr", self.lr, "a number above 0"));
        }
        Ok(())
    }
}

/// A model, its optimizer and its data, between two steps.
pub struct LinearTask {
    config: LinearConfig,
    model: DeepLinear,
    optimizer: Optimizer,
    data: Generator,
    true_weights: Vec<f32>,
    last_loss: Option<Tensor>,
    steps: u64,
    device: Device,
}

impl LinearTask {
    /// A task at step 0.
    ///
    /// # Errors
    /// If the configuration is out of range (the message names the field) or memory does not allow it.
    pub fn new(config: LinearConfig, device: &Device) -> Result<Self> {
        config.check()?;
        let model = DeepLinear::new(config.dim, config.layers, &mut Generator::new(config.seed), device)?;
        let optimizer = Optimizer::new(model.weights().to_vec(), config.rule, config.lr)?;
        Ok(Self {
            config,
            model,
            optimizer,
            data: Generator::new(config.seed.wrapping_add(1)),
            true_weights: (0..config.dim).map(|i| i as f32).collect(),
            last_loss: None,
            steps: 0,
            device: device.clone(),
        })
    }

    /// One step: a batch, forward, backward, update. Waits for nothing: the loss stays on the device.
    ///
    /// # Errors
    /// If the device fails; the weights are then as before or after the step.
    pub fn step(&mut self) -> Result<()> {
        let (batch, dim) = (self.config.batch, self.config.dim);
        let points = self.data.randn(batch * dim);
        let dot = |x: &[f32]| x.iter().zip(&self.true_weights).map(|(x, w)| x * w).sum();
        let targets: Vec<f32> = points.chunks_exact(dim).map(dot).collect();
        let x = Tensor::from_slice(&points, &[batch, dim], DType::F32, &self.device)?;
        let y = Tensor::from_slice(&targets, &[batch], DType::F32, &self.device)?;
        let loss = mse_loss(&self.model.forward(&x)?, &y, LossReduction::Mean)?;
        self.optimizer.zero_grad();
        loss.backward()?;
        self.optimizer.step()?;
        self.last_loss = Some(loss.detach());
        self.steps += 1;
        Ok(())
    }

    /// Steps taken so far.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Number of parameters.
    #[must_use]
    pub fn num_params(&self) -> usize {
        self.model.weights().iter().map(Tensor::numel).sum()
    }

    /// The loss of the last step, before its update; `None` at step 0.
    ///
    /// # Errors
    /// If the device fails.
    pub async fn loss(&self) -> Result<Option<f32>> {
        match self.last_loss.clone() {
            Some(loss) => Ok(Some(loss.item().await?.as_f64() as f32)),
            None => Ok(None),
        }
    }

    /// The weights that the model amounts to now, one per input.
    ///
    /// # Errors
    /// If the device fails.
    pub async fn weights(&self) -> Result<Vec<f32>> {
        let product = no_grad(|| self.model.effective_weights())?;
        product.to_vec().await
    }

    /// The weights that the data were made with: 0, 1, …, D−1.
    #[must_use]
    pub fn true_weights(&self) -> &[f32] {
        &self.true_weights
    }
}
