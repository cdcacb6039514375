//! Activations: what the forward pass keeps for the backward pass, by layer.
//!
//! As PyTorch's autograd keeps them when every operation runs by itself: what two operations share counts once, a
//! norm keeps its input and a few numbers per token, a softmax its result. Korthikanti et al. count the same for GPT:
//! s·b·h·(34 + 5·a·s/h) bytes with dropout in 16 bits.

use super::flops::{Recompute, Workload};
use super::transformer::Sizes;
use crate::models::Architecture;
use crate::models::architecture::{Attention, Mlp, QkNorm};
use crate::papers::{self, reason};
use crate::{Bytes, Derived, Expr, Result, Unit};

/// How activations are kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Keeping {
    /// Bytes of an element of an activation.
    pub element_bytes: f64,
    /// Whether scores are never in memory.
    pub is_flash: bool,
    /// Whether dropout keeps its masks, a byte per element.
    pub has_dropout: bool,
}

/// The activations of a step.
#[derive(Debug, Clone)]
pub struct Activations {
    /// What a block keeps, part by part; without what is computed again.
    pub parts: Vec<Derived<Bytes>>,
    /// Of a block.
    pub block: Derived<Bytes>,
    /// Of all blocks at the end of the forward pass.
    pub blocks: Derived<Bytes>,
    /// What a block needs for its own backward pass when it was computed again.
    pub working: Option<Derived<Bytes>>,
    /// Of the head: the last norm's input and the logits with their gradient, in float32.
    pub head: Derived<Bytes>,
    /// All of it at the peak.
    pub total: Derived<Bytes>,
    /// What the backward pass of a block needs beside what is kept: gradients that are on their way.
    pub temporary: Derived<Bytes>,
    /// Activations and temporary buffers at the peak.
    pub peak: Derived<Bytes>,
    /// What the backward pass of a block needs beside what all blocks keep.
    pub(super) busy: Expr,
}

impl Activations {
    /// The activations of a step.
    ///
    /// # Errors
    /// If they are too large.
    pub fn new(architecture: &Architecture, work: &Workload, keeping: Keeping) -> Result<Self> {
        let sizes = Sizes::new(architecture);
        let all = sizes.parts(work, keeping, Recompute::None)?;
        let kept = match work.recompute {
            Recompute::None => all.clone(),
            Recompute::Selective => sizes.parts(work, keeping, Recompute::Selective)?,
            Recompute::Full => vec![sizes.bytes(
                "block_input_bytes",
                "A_in",
                "input of a block",
                work.positions() * sizes.d_model() * keeping.element(),
                &[papers::CHEN],
            )?],
        };
        let sum = |parts: &[Derived<Bytes>]| {
            let sum = parts.iter().map(Derived::expr).reduce(|sum, part| sum + part);
            sum.unwrap_or_else(nothing)
        };
        let block = "activations of a block";
        let block = sizes.bytes("block_bytes", "A", block, sum(&kept), &[papers::KORTHIKANTI])?;
        let blocks =
            sizes.bytes("blocks_bytes", "A_L", "activations of all blocks", sizes.layers() * &block, &[])?;
        // Computed again, one block's activations are there at a time; its input is kept anyway.
        let working = (work.recompute == Recompute::Full).then(|| {
            let title = "activations of the block that is computed again, without its input";
            let more = sum(&all) - sum(&kept);
            sizes.bytes("working_bytes", "A_w", title, more, &[papers::KORTHIKANTI])
        });
        let working = working.transpose()?;
        let logits = work.positions() * sizes.vocab() * Expr::constant(4.0, Unit::BYTE);
        let head = sizes.bytes(
            "head_bytes",
            "A_h",
            "last norm, logits and their gradient in float32",
            work.positions() * sizes.d_model() * keeping.element() * 2.0 + 2.0 * logits,
            &[papers::KORTHIKANTI],
        )?;
        let peak = blocks.expr() + &head;
        let peak = match &working {
            None => peak,
            // The head's are gone when the first block is computed again.
            Some(working) => blocks.expr() + head.expr().max(working),
        };
        let total = sizes.bytes("activation_bytes", "M_a", "activations at the peak", peak, &[])?;
        let mlp = all.iter().find(|part| part.name == MLP);
        let temporary = sizes.temporary(work, keeping, mlp)?;
        // Scores that were left out come back for the backward pass of their block.
        let scores = all.iter().find(|part| part.name == SCORES).filter(|_| !keeping.is_flash);
        let busy = match (&working, work.recompute) {
            (Some(working), _) => working.expr() + &temporary,
            (None, Recompute::Selective) => scores.map_or_else(nothing, Derived::expr) + &temporary,
            (None, _) => temporary.expr(),
        };
        let peak = sizes.bytes(
            "activation_peak_bytes",
            "M_b",
            "activations and temporary buffers at the peak",
            blocks.expr() + head.expr().max(&busy),
            &[],
        )?;
        Ok(Self { parts: kept, block, blocks, working, head, total, temporary, peak, busy })
    }
}

impl Keeping {
    fn element(self) -> Expr {
        Expr::constant(self.element_bytes, Unit::BYTE)
    }

    fn mask(self) -> Expr {
        Expr::constant(1.0, Unit::BYTE)
    }
}

/// What scores of attention keep.
const SCORES: &str = "score_bytes";
/// What the feed-forward part keeps.
const MLP: &str = "mlp_bytes";

fn nothing() -> Expr {
    Expr::constant(0.0, Unit::BYTE)
}

impl Sizes<'_> {
    fn bytes(
        &self,
        name: &'static str,
        symbol: &'static str,
        title: &'static str,
        expr: Expr,
        papers: &[papers::Paper],
    ) -> Result<Derived<Bytes>> {
        Derived::new(name, symbol, title, expr, papers)
    }

    /// What the last block's backward pass holds at its widest beyond all that was kept. In the feed-forward part that
    /// is the gradient of what comes out of the activation, with a gate also of its other factor; in attention those of
    /// its weights before and after softmax, when what the feed-forward part kept is gone already.
    fn temporary(
        &self,
        work: &Workload,
        keeping: Keeping,
        mlp: Option<&Derived<Bytes>>,
    ) -> Result<Derived<Bytes>> {
        let per_token = |width: Expr| work.positions() * width * keeping.element();
        let inner = |mlp: &Mlp| if mlp.is_gated { 2.0 } else { 1.0 };
        let width = match &self.of.experts {
            None => inner(&self.of.mlp) * self.d_ff(),
            Some(experts) => inner(&experts.mlp) * self.experts_per_token(experts) * self.d_expert(experts),
        };
        let mut widest = per_token(width);
        if let Some(mlp) = mlp.filter(|_| !keeping.is_flash) {
            let scores = 2.0 * (work.positions() * work.length() * self.heads()) * keeping.element();
            widest = (widest + mlp).max(scores) - mlp;
        }
        self.bytes(
            "temporary_bytes",
            "A_t",
            "temporary buffers: gradients on their way through a block",
            per_token(self.d_model()) + widest,
            &[reason(
                "what the widest operation of a block reads and writes while the residual's gradient waits",
            )],
        )
    }

    fn parts(&self, work: &Workload, keeping: Keeping, recompute: Recompute) -> Result<Vec<Derived<Bytes>>> {
        let positions = work.positions();
        let per_token = |width: Expr| &positions * width * keeping.element();
        let norms = self.bytes(
            "norm_bytes",
            "A_norm",
            "inputs of the normalisations",
            per_token(self.of.norm.per_layer as f64 * self.d_model()),
            &[papers::KORTHIKANTI],
        )?;
        let each = if self.of.norm.params_per_element == 1 { 1.0 } else { 2.0 };
        let statistics = self.bytes(
            "norm_statistics_bytes",
            "A_stat",
            "statistics of the normalisations",
            per_token(Expr::from(each * self.of.norm.per_layer as f64)),
            &[reason("mean and inverse deviation of every token; RMS norms have no mean")],
        )?;
        // The projections share their input; scores keep queries and keys, the product with them keeps values, the
        // output projection what it is given.
        let around = match &self.of.attention {
            Attention::Grouped(grouped) => {
                self.d_model() + 2.0 * self.q_width(grouped) + 2.0 * self.kv_width(grouped)
            }
            Attention::Latent(latent) => {
                let latents = 2.0 * self.latents(latent);
                self.d_model() + latents + 2.0 * self.score_width() + 2.0 * self.value_width()
            }
        };
        let mut parts = vec![
            norms,
            statistics,
            self.bytes(
                "attention_bytes",
                "A_attn",
                "attention: its input, queries, keys, values and result",
                per_token(around),
                &[papers::KORTHIKANTI],
            )?,
        ];
        if let Attention::Grouped(grouped) = &self.of.attention
            && grouped.qk_norm != QkNorm::Absent
        {
            let width = self.q_width(grouped) + self.kv_width(grouped);
            // Queries are one vector and keys another, or every head is one.
            let vectors = match grouped.qk_norm {
                QkNorm::Whole => Expr::from(2.0),
                _ => self.heads() + self.kv_heads(grouped),
            };
            parts.push(self.bytes(
                "qk_norm_bytes",
                "A_qk",
                "inputs and statistics of the normalisations of queries and keys",
                per_token(width + each * vectors),
                &[reason("a norm keeps its input and a few numbers per vector")],
            )?);
        }
        if keeping.is_flash {
            let statistics = &positions * self.heads() * Expr::constant(4.0, Unit::BYTE);
            parts.push(self.bytes(
                SCORES,
                "A_score",
                "one statistic per token and head of attention without its matrix",
                statistics,
                &[papers::FLASH],
            )?);
        } else if recompute != Recompute::Selective {
            let pairs = &positions * work.length() * self.heads();
            let kept = if keeping.has_dropout {
                &pairs * (2.0 * keeping.element() + keeping.mask())
            } else {
                &pairs * keeping.element()
            };
            parts.push(self.bytes(
                SCORES,
                "A_score",
                "weights of attention, per pair of tokens",
                kept,
                &[papers::KORTHIKANTI],
            )?);
        }
        parts.push(self.bytes(
            MLP,
            "A_mlp",
            "feed-forward part",
            per_token(self.mlp_width()),
            &[reason(
                "its input, what goes into the activation and comes out of it, with a gate also the product",
            )],
        )?);
        if keeping.has_dropout {
            parts.push(self.bytes(
                "dropout_bytes",
                "A_drop",
                "masks of dropout after attention and feed-forward part",
                &positions * self.d_model() * 2.0 * keeping.mask(),
                &[papers::KORTHIKANTI],
            )?);
        }
        Ok(parts)
    }

    /// Elements per token that a feed-forward part keeps; of a model with both kinds, that of the experts.
    fn mlp_width(&self) -> Expr {
        // Before and after the activation; with a gate also the other factor and the product.
        let inner = |mlp: &Mlp| if mlp.is_gated { 4.0 } else { 2.0 };
        match &self.of.experts {
            None => self.d_model() + inner(&self.of.mlp) * self.d_ff(),
            Some(experts) => {
                let chosen = self.experts_per_token(experts)
                    * (self.d_model() + inner(&experts.mlp) * self.d_expert(experts));
                let width = self.d_model() + self.expert_count(experts) + chosen;
                if experts.shared_d_ff == 0 {
                    return width;
                }
                width + inner(&experts.mlp) * self.d_shared(experts)
            }
        }
    }
}
