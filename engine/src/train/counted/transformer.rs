//! A step of a small Transformer.

use super::{Cost, Counted, Task, Training, check_sizes, count, refused};
use crate::device::Device;
use crate::dtype::DType;
use crate::error::Result;
use crate::nn::{Gpt, GptConfig, Mode};
use crate::random::Generator;
use crate::scalar::Scalar;
use crate::tensor::Tensor;

/// A GPT-2 of small sizes on random tokens, and its training.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TransformerStep {
    /// Blocks.
    pub layers: usize,
    /// Heads of attention; they divide `dim`.
    pub heads: usize,
    /// Width of the residual stream.
    pub dim: usize,
    /// Tokens that there are.
    pub vocab: usize,
    /// Tokens of a sequence.
    pub context: usize,
    /// Sequences of a micro-batch.
    pub batch: usize,
    /// Whether a block keeps only its input and runs again in the backward pass.
    pub checkpointing: bool,
    /// How it is trained.
    pub training: Training,
}

impl TransformerStep {
    /// Largest `layers`, `heads`, `dim`, `vocab`, `context`, `batch` and `accumulate` that are accepted.
    pub const MAX: [usize; 7] = [32, 256, 4096, 65536, 8192, 4096, 32];

    /// The model.
    #[must_use]
    pub fn config(&self) -> GptConfig {
        let &Self { layers, heads, dim, vocab, context, checkpointing, .. } = self;
        GptConfig { is_checkpointed: checkpointing, ..GptConfig::new(vocab, context, layers, heads, dim) }
    }

    /// Whether it can be counted.
    ///
    /// # Errors
    /// If a size is out of range, or all together take too long: the message names the field and the rule.
    pub fn check(&self) -> Result<()> {
        let &Self { layers, heads, dim, vocab, context, batch, training, .. } = self;
        let sizes = [layers, heads, dim, vocab, context, batch, training.accumulate];
        let names = ["layers", "heads", "dim", "vocab", "context", "batch", "accumulate"];
        let all: Vec<_> =
            names.into_iter().zip(sizes).zip(Self::MAX).map(|((n, got), most)| (n, got, most)).collect();
        check_sizes(&all)?;
        if !dim.is_multiple_of(heads) {
            return Err(refused("dim", dim, &format!("a multiple of heads, which is {heads}")));
        }
        let [l, h, d, v, t] = [layers, heads, dim, vocab, context].map(|size| size as u128);
        let (block, scores) = (12 * d * d, h * t * t);
        let cost = Cost {
            parameters: l * (block + 13 * d) + (v + t + 2) * d,
            products: t * (l * (block + 2 * t * d) + v * d),
            activations: l * (t * 16 * d + 2 * scores) + 2 * t * v,
        };
        let widest = if context > dim { ("context", context) } else { ("dim", dim) };
        training.check(widest, batch, &cost)
    }

    /// Runs steps on a device and says what one of them did.
    ///
    /// # Errors
    /// As [`TransformerStep::check`], or if the device fails.
    pub async fn count(&self, device: &Device) -> Result<Counted> {
        self.check()?;
        count(self, self.training, device).await
    }
}

impl Task for TransformerStep {
    type Model = Gpt;

    fn model(&self, generator: &mut Generator, device: &Device) -> Result<Gpt> {
        Gpt::new(self.config(), generator, device)
    }

    fn is_inner_matrix(&self, name: &str, parameter: &Tensor) -> bool {
        name.starts_with("transformer.h.") && parameter.shape().len() == 2
    }

    fn data(&self, generator: &mut Generator, _: DType, device: &Device) -> Result<[Tensor; 2]> {
        let &Self { vocab, context, batch, .. } = self;
        let mut tokens = || {
            let draw = generator.rand(batch * context);
            let token = |x: f32| Scalar::Int(((f64::from(x) * vocab as f64) as i64).min(vocab as i64 - 1));
            let tokens: Vec<Scalar> = draw.into_iter().map(token).collect();
            Tensor::from_scalars(&tokens, &[batch, context], DType::I64, device)
        };
        Ok([tokens()?, tokens()?])
    }

    fn loss(&self, model: &Gpt, [tokens, targets]: &[Tensor; 2]) -> Result<Tensor> {
        model.loss(tokens, targets, &mut Mode::Eval)
    }
}
