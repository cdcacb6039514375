//! A character-level GPT learns a text: AdamW with warm-up and cosine, clipped gradients, mixed precision if asked for,
//! and checkpoints from which a run goes on bit by bit.

mod checkpoint;
mod sample;

use super::refused;
use crate::amp::{GradScaler, GradScalerConfig, compute_copy};
use crate::autograd::no_grad;
use crate::backend::Pending;
use crate::data::{Batches, CharTokenizer, Tokens};
use crate::device::Device;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::nn::utils::clip_grad_norm_;
use crate::nn::{Gpt, GptConfig, Mode, Module};
use crate::optim::{Optimizer, ParamGroup, Rule, Schedule};
use crate::random::{Generator, Philox};
use crate::scalar::Scalar;

/// What to train, and how.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextConfig {
    /// Blocks of the Transformer.
    pub layers: usize,
    /// Heads of attention; they divide `dim`.
    pub heads: usize,
    /// Width of the residual stream.
    pub dim: usize,
    /// Tokens that the model sees at once.
    pub context: usize,
    /// Windows of `context` tokens per backward pass.
    pub batch: usize,
    /// Backward passes per step, whose gradients are averaged.
    pub accumulate: usize,
    /// Highest learning rate; a tenth of it is the last one.
    pub lr: f32,
    /// Steps until the highest learning rate.
    pub warmup: u64,
    /// Steps until the last one.
    pub steps: u64,
    /// Of the matrices; biases and norms do not decay.
    pub weight_decay: f32,
    /// Largest norm of all gradients together.
    pub max_norm: f64,
    /// Of embeddings, attention weights and what each block adds.
    pub dropout: f64,
    /// What forward and backward compute in; parameters stay float32. In float8_e4m3fn only the products of the blocks'
    /// linear layers are made, see [`crate::nn::functional::linear_fp8`].
    pub dtype: DType,
    /// Seed of weights, windows and dropout; the same seed gives the same run on the same device.
    pub seed: u64,
}

impl Default for TextConfig {
    /// The small Transformer of docs/performance.md.
    fn default() -> Self {
        Self {
            layers: 4,
            heads: 8,
            dim: 256,
            context: 128,
            batch: 16,
            accumulate: 1,
            lr: 1e-3,
            warmup: 100,
            steps: 1000,
            weight_decay: 0.1,
            max_norm: 1.0,
            dropout: 0.0,
            dtype: DType::F32,
            seed: 1,
        }
    }
}

impl TextConfig {
    /// Largest `layers`, `heads`, `dim`, `context`, `batch` and `accumulate` that are accepted.
    pub const MAX: [usize; 6] = [128, 1024, 16384, 65536, 65536, 65536];

    /// Each field by its name, for checkpoints and messages.
    fn fields(&self) -> [(&'static str, String); 14] {
        [
            ("layers", self.layers.to_string()),
            ("heads", self.heads.to_string()),
            ("dim", self.dim.to_string()),
            ("context", self.context.to_string()),
            ("batch", self.batch.to_string()),
            ("accumulate", self.accumulate.to_string()),
            ("lr", self.lr.to_string()),
            ("warmup", self.warmup.to_string()),
            ("steps", self.steps.to_string()),
            ("weight_decay", self.weight_decay.to_string()),
            ("max_norm", self.max_norm.to_string()),
            ("dropout", self.dropout.to_string()),
            ("dtype", self.dtype.name().to_owned()),
            ("seed", self.seed.to_string()),
        ]
    }

    fn check(&self) -> Result<()> {
        let [layers, heads, dim, context, batch, accumulate] = Self::MAX;
        let sizes = [
            ("layers", self.layers, layers),
            ("heads", self.heads, heads),
            ("dim", self.dim, dim),
            ("context", self.context, context),
            ("batch", self.batch, batch),
            ("accumulate", self.accumulate, accumulate),
        ];
        if let Some((name, got, most)) = sizes.into_iter().find(|&(_, got, most)| got == 0 || got > most) {
            return Err(refused(name, got, &format!("from 1 to {most}")));
        }
        if !self.dim.is_multiple_of(self.heads) {
            return Err(refused("dim", self.dim, &format!("a multiple of heads, which is {}", self.heads)));
        }
        for (name, got) in [("lr", f64::from(self.lr)), ("max_norm", self.max_norm)] {
            if !(got > 0.0 && (got.is_finite() || name == "max_norm")) {
                return Err(refused(name, got, "a number above 0"));
            }
        }
        if !(self.weight_decay >= 0.0 && self.weight_decay.is_finite()) {
            return Err(refused("weight_decay", self.weight_decay, "a number that is not negative"));
        }
        if !(0.0..1.0).contains(&self.dropout) {
            return Err(refused("dropout", self.dropout, "at least 0 and below 1"));
        }
        if !matches!(self.dtype, DType::F32 | DType::F16 | DType::BF16 | DType::F8E4M3FN) {
            return Err(refused("dtype", self.dtype, "float32, float16, bfloat16 or float8_e4m3fn"));
        }
        Ok(())
    }
}

/// Whether the loss of a step, counted from 1, is a finite number.
///
/// # Errors
/// If it is not.
pub fn check_loss(step: u64, loss: f64) -> Result<()> {
    if loss.is_finite() {
        return Ok(());
    }
    let message = format!("the loss of step {step} is {loss}; a smaller learning rate may keep it finite");
    Err(Error::Value { op: "train", message })
}

/// A model, its optimizer and its data, between two steps.
pub struct TextTask {
    config: TextConfig,
    tokenizer: CharTokenizer,
    model: Gpt,
    optimizer: Optimizer,
    schedule: Schedule,
    /// For float16, whose small gradients would be lost.
    scaler: Option<GradScaler>,
    data: Batches,
    /// The end of the text, which is never trained on.
    held_out: Tokens,
    dropout: Philox,
    steps: u64,
    device: Device,
}

/// What share of the text is held out.
const HELD_OUT: usize = 10;

impl TextTask {
    /// A task at step 0. The last tenth of the text is held out.
    ///
    /// # Errors
    /// If the configuration is out of range (the message names the field), the text is too short for it, or memory does
    /// not allow it.
    pub fn new(config: TextConfig, text: &str, device: &Device) -> Result<Self> {
        config.check()?;
        let tokenizer = CharTokenizer::new(text);
        let ids = tokenizer.encode(text)?;
        let (train, held_out) = ids.split_at(ids.len() - ids.len() / HELD_OUT);
        if held_out.len() <= config.context {
            let message = format!(
                "context is {}; the text has {} characters, of which a tenth must be more than that",
                config.context,
                ids.len()
            );
            return Err(Error::Value { op: "train", message });
        }
        let seed = |place: u64| config.seed.wrapping_add(place);
        let data =
            Batches::new(Tokens::from_ids(train), config.context, config.batch, Generator::new(seed(1)))?;
        let shape =
            GptConfig::new(tokenizer.vocab_size(), config.context, config.layers, config.heads, config.dim);
        let is_fp8 = config.dtype == DType::F8E4M3FN;
        let shape = GptConfig { dropout: config.dropout, is_fp8, ..shape };
        let mut model = Gpt::new(shape, &mut Generator::new(config.seed), device)?;
        model.pack()?;
        let rule = |weight_decay| Rule::AdamW { betas: [0.9, 0.95], eps: 1e-8, weight_decay };
        let (matrices, others) = model.parameters().into_iter().partition(|p| p.shape().len() > 1);
        let optimizer = Optimizer::with_groups(vec![
            ParamGroup { params: matrices, rule: rule(config.weight_decay.into()), lr: config.lr },
            ParamGroup { params: others, rule: rule(0.0), lr: config.lr },
        ])?;
        let scaler = (config.dtype == DType::F16).then(|| GradScaler::new(GradScalerConfig::default()));
        Ok(Self {
            schedule: Schedule::warmup_cosine(config.warmup, config.steps, f64::from(config.lr) / 10.0),
            scaler: scaler.transpose()?,
            dropout: Philox::new(seed(2)),
            held_out: Tokens::from_ids(held_out),
            steps: 0,
            device: device.clone(),
            config,
            tokenizer,
            model,
            optimizer,
            data,
        })
    }

    /// One step: batches, forward, backward, update. The loss, before its update and averaged over the batches, is on
    /// its way when this returns; only float16 waits, for the one number that says whether its scale was too large.
    ///
    /// # Errors
    /// If the device fails. A loss that is no finite number is none here: parameters and optimizer state are then as
    /// they were before, and whoever reads the loss asks [`check_loss`].
    pub async fn step(&mut self) -> Result<Pending<'static, Scalar>> {
        let Self { config, model, optimizer, scaler, data, dropout, device, .. } = self;
        optimizer.schedule(&self.schedule, self.steps)?;
        optimizer.zero_grad();
        let mut total = None;
        for _ in 0..config.accumulate {
            let (tokens, targets) = data.next(device).await?;
            let copy = match config.dtype {
                DType::F16 | DType::BF16 => compute_copy(model, config.dtype)?,
                _ => model.clone(),
            };
            let loss = copy.loss(&tokens, &targets, &mut Mode::Train(dropout))?;
            let loss = if config.accumulate == 1 { loss } else { loss.mul(1.0 / config.accumulate as f64)? };
            match scaler {
                Some(scaler) => scaler.scale(&loss)?.backward()?,
                None => loss.backward()?,
            }
            let loss = loss.detach();
            total = Some(match total {
                None => loss,
                Some(total) => loss.add(&total)?,
            });
        }
        if let Some(scaler) = scaler {
            scaler.unscale_(optimizer)?;
            clip_grad_norm_(optimizer.params(), config.max_norm)?;
            scaler.step(optimizer).await?;
            scaler.update()?;
        } else {
            optimizer.step_clipped(config.max_norm)?;
        }
        self.steps += 1;
        match total {
            Some(total) => Ok(total.item_later()),
            None => Err(Error::Value { op: "train", message: "a step has at least one batch".into() }),
        }
    }

    /// The mean loss over `batches` batches of the held-out text, always the same ones.
    ///
    /// # Errors
    /// If the device fails.
    pub async fn held_out_loss(&self, batches: usize) -> Result<f32> {
        let (context, batch) = (self.config.context, self.config.batch);
        let mut data = Batches::new(self.held_out.clone(), context, batch, Generator::new(0))?;
        let mut sum = 0.0;
        for _ in 0..batches {
            let (tokens, targets) = data.next(&self.device).await?;
            let loss = no_grad(|| self.model.loss(&tokens, &targets, &mut Mode::Eval))?;
            sum += loss.item().await?.as_f64();
        }
        Ok((sum / batches.max(1) as f64) as f32)
    }

    /// Steps taken so far.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Tokens that one step is trained on.
    #[must_use]
    pub fn tokens_per_step(&self) -> usize {
        self.config.accumulate * self.config.batch * self.config.context
    }

    /// Number of parameters; the tied head counts once.
    pub fn num_params(&mut self) -> usize {
        self.model.num_params()
    }

    /// Characters that the text is made of.
    #[must_use]
    pub fn vocab_size(&self) -> usize {
        self.tokenizer.vocab_size()
    }
}
