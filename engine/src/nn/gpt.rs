//! A decoder-only Transformer as GPT-2 has it (Radford et al. 2019), with the names of its weights.

use super::attention::Heads;
use super::functional::{self, Gelu, LossReduction};
use super::init;
use super::linear::{Embedding, Linear};
use super::mlp::{Activation, Dropout, Mlp};
use super::module::{Mode, Module, Visitor, join, module};
use super::norm::{Norm, NormKind};
use crate::autograd::checkpoint;
use crate::device::Device;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::ledger::within;
use crate::random::Generator;
use crate::tensor::Tensor;

/// What a [`Gpt`] looks like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GptConfig {
    /// Tokens that there are.
    pub vocab_size: usize,
    /// Positions that there are: the longest sequence.
    pub context: usize,
    /// Blocks.
    pub layers: usize,
    /// Heads of queries.
    pub heads: usize,
    /// Heads of keys and values, see [`Heads`].
    pub kv_heads: usize,
    /// Width of the residual stream.
    pub dim: usize,
    /// Width within an MLP.
    pub d_ff: usize,
    /// Before attention, before the MLP, and at the end.
    pub norm: NormKind,
    /// Within an MLP.
    pub activation: Activation,
    /// Whether the activation is a gate, see [`Mlp`].
    pub is_gated: bool,
    /// In training: of the embeddings, the attention weights and what each block adds.
    pub dropout: f64,
    /// Whether linear layers and norms have biases; the head has none.
    pub bias: bool,
    /// Whether the head is the tokens' embedding (Press and Wolf 2017).
    pub is_tied: bool,
    /// Whether the linear layers of the blocks make their products in 8 bits.
    pub is_fp8: bool,
    /// Whether a block keeps nothing but its input and runs again in the backward pass, see [`checkpoint`]; without
    /// dropout only.
    pub is_checkpointed: bool,
}

impl GptConfig {
    /// GPT-2's proportions: an MLP of 4 · dim with the tanh form of gelu, biases, a tied head, no dropout.
    #[must_use]
    pub fn new(vocab_size: usize, context: usize, layers: usize, heads: usize, dim: usize) -> Self {
        Self {
            vocab_size,
            context,
            layers,
            heads,
            kv_heads: heads,
            dim,
            d_ff: dim.saturating_mul(4),
            norm: NormKind::Layer,
            activation: Activation::Gelu(Gelu::Tanh),
            is_gated: false,
            dropout: 0.0,
            bias: true,
            is_tied: true,
            is_fp8: false,
            is_checkpointed: false,
        }
    }

    fn attention(&self) -> Heads {
        let (heads, kv_heads) = (self.heads, self.kv_heads);
        Heads { heads, kv_heads, is_causal: true, dropout: Dropout { p: self.dropout } }
    }
}

/// Causal self-attention with one layer for queries, keys and values.
#[derive(Clone)]
pub struct CausalSelfAttention {
    /// (rows, dim): queries', keys' and values' weights on top of each other.
    pub c_attn: Linear,
    /// (dim, dim)
    pub c_proj: Linear,
    /// How they are divided.
    pub heads: Heads,
}

module!(CausalSelfAttention { c_attn, c_proj });

impl CausalSelfAttention {
    fn new(config: &GptConfig, generator: &mut Generator, device: &Device) -> Result<Self> {
        let heads = config.attention();
        let rows = heads.rows(config.dim)?;
        Ok(Self {
            c_attn: Linear::new(config.dim, rows, config.bias, generator, device)?,
            c_proj: Linear::new(config.dim, config.dim, config.bias, generator, device)?,
            heads,
        })
    }

    /// From (batch, time, dim) to the same.
    ///
    /// # Errors
    /// With PyTorch's message if the shapes do not fit.
    pub fn forward(&self, x: &Tensor, mode: &mut Mode<'_>) -> Result<Tensor> {
        within("attn", || {
            let seen = self.heads.attend(&self.c_attn.forward(x)?, mode)?;
            self.heads.dropout.forward(&self.c_proj.forward(&seen)?, mode)
        })
    }
}

/// `x += attn(ln_1(x)); x += mlp(ln_2(x))`
#[derive(Clone)]
pub struct Block {
    /// Before attention.
    pub ln_1: Norm,
    /// Attention.
    pub attn: CausalSelfAttention,
    /// Before the MLP.
    pub ln_2: Norm,
    /// The MLP.
    pub mlp: Mlp,
}

module!(Block { ln_1, attn, ln_2, mlp });

impl Block {
    fn new(config: &GptConfig, generator: &mut Generator, device: &Device) -> Result<Self> {
        let &GptConfig { dim, d_ff, norm, activation, is_gated, bias, .. } = config;
        let attn = CausalSelfAttention::new(config, generator, device)?;
        let mlp = Mlp::new(dim, d_ff, activation, is_gated, bias, generator, device)?;
        let mut block = Self {
            ln_1: Norm::new(norm, dim, bias, device)?,
            attn,
            ln_2: Norm::new(norm, dim, bias, device)?,
            mlp: Mlp { dropout: Dropout { p: config.dropout }, ..mlp },
        };
        let Self { attn, mlp, .. } = &mut block;
        let gate = mlp.c_gate.iter_mut();
        for layer in
            [&mut attn.c_attn, &mut attn.c_proj, &mut mlp.c_fc, &mut mlp.c_proj].into_iter().chain(gate)
        {
            layer.is_fp8 = config.is_fp8;
        }
        Ok(block)
    }

    /// From (batch, time, dim) to the same.
    ///
    /// # Errors
    /// With PyTorch's message if the shapes do not fit.
    pub fn forward(&self, x: &Tensor, mode: &mut Mode<'_>) -> Result<Tensor> {
        within("block", || {
            let normal = within("norm", || self.ln_1.forward(x))?;
            let x = x.add(&self.attn.forward(&normal, mode)?)?;
            let normal = within("norm", || self.ln_2.forward(&x))?;
            x.add(&within("mlp", || self.mlp.forward(&normal, mode))?)
        })
    }

    /// As [`Block::forward`], again in the backward pass.
    fn checkpointed(&self, x: &Tensor) -> Result<Tensor> {
        let block = self.clone();
        checkpoint(move |inputs| block.forward(&inputs[0], &mut Mode::Eval), std::slice::from_ref(x))
    }
}

#[derive(Clone)]
struct Transformer {
    wte: Embedding,
    wpe: Embedding,
    h: Vec<Block>,
    ln_f: Norm,
}

module!(Transformer { wte, wpe, h, ln_f });

/// A decoder-only Transformer with learned positions.
#[derive(Clone)]
pub struct Gpt {
    transformer: Transformer,
    /// `None` where it is the tokens' embedding.
    lm_head: Option<Linear>,
    config: GptConfig,
}

impl Module for Gpt {
    fn visit(&mut self, prefix: &str, visit: &mut Visitor<'_>) {
        self.transformer.visit(&join(prefix, "transformer"), visit);
        match &mut self.lm_head {
            Some(head) => head.visit(&join(prefix, "lm_head"), visit),
            None => visit(&join(prefix, "lm_head.weight"), &mut self.transformer.wte.weight),
        }
    }
}

impl Gpt {
    /// With GPT-2's initial weights: normal with standard deviation 0.02, that of the layers whose output is added to
    /// the residual stream divided by √(2 · layers); biases 0, norms 1. As in a PyTorch script, the generator first
    /// draws the default weights of every layer; a tied weight is drawn under both of its names.
    ///
    /// # Errors
    /// If the configuration contradicts itself, or memory does not allow it.
    pub fn new(config: GptConfig, generator: &mut Generator, device: &Device) -> Result<Self> {
        if !(0.0..=1.0).contains(&config.dropout) {
            let message =
                format!("dropout probability has to be between 0 and 1, but got {}", config.dropout);
            return Err(Error::Value { op: "Gpt", message });
        }
        if config.is_checkpointed && config.dropout > 0.0 {
            let message = "a block with dropout cannot be computed again: it would draw other numbers".into();
            return Err(Error::Value { op: "Gpt", message });
        }
        let &GptConfig { vocab_size, context, dim, .. } = &config;
        let transformer = Transformer {
            wte: Embedding::new(vocab_size, dim, generator, device)?,
            wpe: Embedding::new(context, dim, generator, device)?,
            h: (0..config.layers).map(|_| Block::new(&config, generator, device)).collect::<Result<_>>()?,
            ln_f: Norm::new(config.norm, dim, config.bias, device)?,
        };
        let head = Linear::new(dim, vocab_size, false, generator, device)?;
        let mut gpt = Self { transformer, lm_head: (!config.is_tied).then_some(head), config };
        gpt.init(generator)?;
        Ok(gpt)
    }

    fn init(&mut self, generator: &mut Generator) -> Result<()> {
        let mut done = Ok(());
        let mut draw = |parameter: &Tensor, std: f64| {
            if done.is_ok() {
                done = init::normal_(parameter, 0.0, std, generator);
            }
        };
        let mut biases = Vec::new();
        self.visit("", &mut |name, parameter| {
            if name.ends_with("bias") {
                biases.push(parameter.clone());
            } else if parameter.shape().len() > 1 {
                draw(parameter, 0.02);
            }
        });
        let residual = 0.02 / (2.0 * self.config.layers as f64).sqrt();
        self.visit("", &mut |name, parameter| {
            if name.ends_with("c_proj.weight") {
                draw(parameter, residual);
            }
        });
        biases.iter().try_for_each(init::zeros_)?;
        done
    }

    /// What it looks like.
    #[must_use]
    pub fn config(&self) -> &GptConfig {
        &self.config
    }

    /// From tokens (batch, time) in int64 to logits (batch, time, `vocab_size`).
    ///
    /// # Errors
    /// If there are more positions than the context has, or a token is out of range.
    pub fn forward(&self, tokens: &Tensor, mode: &mut Mode<'_>) -> Result<Tensor> {
        let context = self.config.context;
        let &[_, time] = tokens.shape() else {
            let message = format!("tokens have the shape (batch, time), not {:?}", tokens.shape());
            return Err(Error::Shape { op: "Gpt", message });
        };
        if time > context {
            let message = format!("Cannot forward sequence of length {time}, block size is only {context}");
            return Err(Error::Shape { op: "Gpt", message });
        }
        let Transformer { wte, wpe, h, ln_f } = &self.transformer;
        let mut x = within("embedding", || {
            let positions = wpe.weight.narrow(0, 0, time.cast_signed())?;
            mode.dropout(&wte.forward(tokens)?.add(&positions)?, self.config.dropout)
        })?;
        for block in h {
            x = if self.config.is_checkpointed {
                block.checkpointed(&x)?
            } else {
                block.forward(&x, mode)?
            };
        }
        let head = self.lm_head.as_ref().map_or(&wte.weight, |head| &head.weight);
        let x = within("norm", || ln_f.forward(&x))?;
        within("head", || functional::linear(&x, head, None))
    }

    /// The mean of the cross-entropies of `targets` (batch, time), the tokens that follow, in nats. Below float32 the
    /// logits are widened first.
    ///
    /// # Errors
    /// As [`Gpt::forward`]; or if a target is out of range.
    pub fn loss(&self, tokens: &Tensor, targets: &Tensor, mode: &mut Mode<'_>) -> Result<Tensor> {
        let logits = self.forward(tokens, mode)?;
        let classes = self.config.vocab_size.cast_signed();
        within("loss", || {
            let logits = match logits.dtype() {
                DType::F64 => logits,
                _ => logits.to_dtype(DType::F32)?,
            };
            functional::cross_entropy(
                &logits.reshape(&[-1, classes])?,
                &targets.reshape(&[-1])?,
                LossReduction::Mean,
            )
        })
    }
}
