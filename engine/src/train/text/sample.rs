//! Text that a model writes.

use super::TextTask;
use crate::autograd::no_grad;
use crate::dtype::DType;
use crate::error::Result;
use crate::nn::Mode;
use crate::random::Generator;
use crate::tensor::Tensor;

impl TextTask {
    /// `count` characters that follow `prompt`, each drawn with the probability that the model gives it; logits are
    /// divided by `temperature` first.
    ///
    /// # Errors
    /// If the prompt has a character that the text has not, or the device fails.
    pub async fn sample(
        &self,
        prompt: &str,
        count: usize,
        temperature: f64,
        generator: &mut Generator,
    ) -> Result<String> {
        let mut ids = self.tokenizer.encode(prompt)?;
        let start = ids.len();
        if ids.is_empty() {
            ids.push(0);
        }
        let first = ids.len();
        for _ in 0..count {
            let seen = &ids[ids.len().saturating_sub(self.config.context)..];
            let tokens =
                Tensor::from_bytes(bytemuck::cast_slice(seen), &[1, seen.len()], DType::I64, &self.device)?;
            let logits = no_grad(|| self.model.forward(&tokens, &mut Mode::Eval)?.select(1, -1))?;
            ids.push(draw(&logits.to_vec().await?, temperature, generator));
        }
        self.tokenizer.decode(&ids[if start == 0 { first } else { 0 }..])
    }
}

/// The place of a logit, by its probability under softmax.
fn draw(logits: &[f32], temperature: f64, generator: &mut Generator) -> i64 {
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weights: Vec<f64> =
        logits.iter().map(|&logit| (f64::from(logit - largest) / temperature).exp()).collect();
    let mut left = f64::from(generator.rand(1)[0]) * weights.iter().sum::<f64>();
    let found = weights.iter().position(|weight| {
        left -= weight;
        left < 0.0
    });
    found.unwrap_or(weights.len().saturating_sub(1)) as i64
}
