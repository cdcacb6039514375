//! Random windows of a token stream, batch after batch.

use super::Tokens;
use crate::backend::Pending;
use crate::error::{Error, Result};
use crate::random::Generator;
use crate::{DType, Device, Tensor};

/// Most tokens of a batch: 2 GiB of inputs.
const MAX_NUMEL: usize = 1 << 28;

/// Batches of windows, each with the window one token later as its targets. The windows begin where
/// `torch.randint(len(tokens) - context, (batch,))` says, and the next batch is read while the last one
/// is in use; what comes does not depend on how long that takes.
pub struct Batches {
    tokens: Tokens,
    context: usize,
    batch: usize,
    /// As it was before the next batch that has not been delivered.
    generator: Generator,
    ahead: Option<Ahead>,
}

/// A batch that is being read.
struct Ahead {
    windows: Vec<Pending<'static, Vec<i64>>>,
    /// The generator after its draws.
    generator: Generator,
}

impl Batches {
    /// Windows of `context` tokens, `batch` at a time.
    ///
    /// # Errors
    /// If there is no window of `context + 1` tokens, or one of the numbers is 0.
    pub fn new(tokens: Tokens, context: usize, batch: usize, generator: Generator) -> Result<Self> {
        if context == 0 || batch == 0 {
            let message = format!("context is {context} and batch is {batch}; both must be at least 1");
            return Err(Error::Value { op: "Batches", message });
        }
        if tokens.len() <= context as u64 {
            return Err(Error::file(
                tokens.name(),
                format!(
                    "has {} tokens, too few for a context of {context}: an input and its targets take {} tokens",
                    tokens.len(),
                    context as u128 + 1
                ),
            ));
        }
        if batch.checked_mul(context).is_none_or(|numel| numel > MAX_NUMEL) {
            let message =
                format!("{batch} windows of {context} tokens; a batch has at most {MAX_NUMEL} tokens");
            return Err(Error::Value { op: "Batches", message });
        }
        Ok(Self { tokens, context, batch, generator, ahead: None })
    }

    /// Inputs and targets, `(batch, context)` int64 each. The reading of the batch after this one has begun when
    /// it returns. After an error, or if its future is dropped, the next call tries the same batch again.
    ///
    /// # Errors
    /// If reading fails, or memory does not allow the tensors.
    pub async fn next(&mut self, device: &Device) -> Result<(Tensor, Tensor)> {
        let Ahead { windows, generator } = match self.ahead.take() {
            Some(ahead) => ahead,
            None => self.begin(&self.generator)?,
        };
        let numel = self.batch * self.context;
        let (mut inputs, mut targets) = (Vec::with_capacity(numel), Vec::with_capacity(numel));
        for window in windows {
            let window = window.await?;
            inputs.extend_from_slice(&window[..self.context]);
            targets.extend_from_slice(&window[1..]);
        }
        let tensor = |ids: &[i64]| {
            Tensor::from_bytes(bytemuck::cast_slice(ids), &[self.batch, self.context], DType::I64, device)
        };
        let pair = (tensor(&inputs)?, tensor(&targets)?);
        self.ahead = Some(self.begin(&generator)?);
        self.generator = generator;
        Ok(pair)
    }

    /// Draws the windows that follow `generator` and begins to read them.
    fn begin(&self, generator: &Generator) -> Result<Ahead> {
        let mut generator = generator.clone();
        let starts = self.tokens.len() - self.context as u64;
        let starts = generator.randint(0, starts.cast_signed(), self.batch)?;
        let window = |start: i64| {
            let start = start.cast_unsigned();
            self.tokens.read(start..start + self.context as u64 + 1)
        };
        Ok(Ahead { windows: starts.into_iter().map(window).collect(), generator })
    }

    /// The state of the generator before the next batch: with it, [`Batches::set_state`] goes on from here.
    #[must_use]
    pub fn state(&self) -> Vec<u8> {
        self.generator.state()
    }

    /// Goes on where [`Batches::state`] was taken.
    ///
    /// # Errors
    /// If the bytes are no such state; the batches that follow are then as before.
    pub fn set_state(&mut self, state: &[u8]) -> Result<()> {
        self.generator.set_state(state)?;
        self.ahead = None;
        Ok(())
    }
}
