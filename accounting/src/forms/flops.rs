//! FLOPs of a Transformer's step, by component: what its matrix products cost.
//!
//! Counted as PyTorch's FlopCounterMode counts: products only, two FLOPs per multiplication and addition; of lookups,
//! norms, activations and softmax nothing.

use super::transformer::Sizes;
use crate::models::Architecture;
use crate::papers::{self, reason};
use crate::{Derived, Expr, Flop, ParamCount, Result, Unit};

/// What goes through a model at once.
#[derive(Debug, Clone)]
pub struct Workload {
    /// Sequences.
    pub batch: u64,
    /// Tokens of each.
    pub tokens: u64,
    /// Whether scores above the diagonal, which a mask throws away, are counted.
    pub counts_masked: bool,
    /// What the backward pass computes again.
    pub recompute: Recompute,
}

/// What the backward pass computes again instead of keeping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recompute {
    /// Nothing.
    None,
    /// Scores and what they weigh: what grows with the square of the sequence.
    Selective,
    /// Every block, from its input.
    Full,
}

/// A component's FLOPs.
#[derive(Debug, Clone)]
pub struct FlopPart {
    /// What it is.
    pub title: &'static str,
    /// Of the forward pass.
    pub forward: Derived<Flop>,
    /// Of the gradients: twice as much.
    pub backward: Derived<Flop>,
}

/// The FLOPs of a step.
#[derive(Debug, Clone)]
pub struct FlopCount {
    /// Component by component.
    pub parts: Vec<FlopPart>,
    /// Of the forward pass.
    pub forward: Derived<Flop>,
    /// Of the gradients of inputs and weights.
    pub backward: Derived<Flop>,
    /// Of what the backward pass computes again; nothing if it keeps everything.
    pub recomputed: Option<Derived<Flop>>,
    /// All of it.
    pub step: Derived<Flop>,
    /// 6·N·D of the same tokens.
    pub six_nd: Derived<Flop>,
    /// The step over 6·N·D.
    pub ratio: Derived<crate::Ratio>,
    /// Between the two.
    pub differences: Differences,
}

/// What 6·N·D has too much, and what it leaves out.
#[derive(Debug, Clone)]
pub struct Differences {
    /// Embeddings: a row is looked up, nothing is multiplied.
    pub lookups: Derived<Flop>,
    /// Norms and biases: parameters, but of no matrix.
    pub vectors: Derived<Flop>,
    /// Products of activations with each other, in which no parameter takes part.
    pub scores: Derived<Flop>,
}

impl Workload {
    pub(super) fn batch(&self) -> Expr {
        Expr::size("batch", "b", "sequences", self.batch)
    }

    pub(super) fn length(&self) -> Expr {
        Expr::size("sequence", "s", "tokens of a sequence", self.tokens)
    }

    pub(super) fn positions(&self) -> Expr {
        self.batch() * self.length()
    }
}

impl FlopCount {
    /// Counts the products of a training step.
    ///
    /// # Errors
    /// If a count exceeds 2^128.
    pub fn new(architecture: &Architecture, work: &Workload) -> Result<Self> {
        let sizes = Sizes::new(architecture);
        let parts = sizes.flop_parts(work)?;
        let sum = |of: &dyn Fn(&FlopPart) -> Expr, pick: &dyn Fn(&FlopPart) -> bool| {
            parts.iter().filter(|part| pick(part)).map(of).reduce(|sum, part| sum + part)
        };
        let forward = sum(&|part| part.forward.expr(), &|_| true);
        let forward = Derived::new("forward_flop", "C_f", "forward pass", or_nothing(forward), &[])?;
        let backward = sum(&|part| part.backward.expr(), &|_| true);
        let backward = Derived::new("backward_flop", "C_b", "backward pass", or_nothing(backward), &[])?;
        let again = match work.recompute {
            Recompute::None => None,
            Recompute::Selective => sum(&|part| part.forward.expr(), &|part| part.title == SCORES),
            Recompute::Full => {
                sum(&|part| part.forward.expr(), &|part| !matches!(part.title, HEAD | EMBEDDED))
            }
        };
        let recomputed = again
            .map(|again| {
                let papers = [papers::KORTHIKANTI, papers::CHEN];
                Derived::new("recomputed_flop", "C_r", "forward again, in the backward pass", again, &papers)
            })
            .transpose()?;
        let step = forward.expr() + &backward;
        let step = match &recomputed {
            None => step,
            Some(again) => step + again,
        };
        let step = Derived::new("step_flop", "C", "training step", step, &[])?;
        let params = ParamCount::new(architecture)?;
        let tokens: Derived<crate::Tokens> =
            Derived::new("step_tokens", "D", "tokens of the step", work.positions(), &[])?;
        let six = || Expr::constant(6.0, Unit::FLOP.per(Unit::PARAM).per(Unit::TOKEN));
        let six_nd = Derived::new(
            "six_nd_flop",
            "C_6",
            "6·N·D of the same tokens",
            six() * &params.active * &tokens,
            &[papers::KAPLAN],
        )?;
        let ratio =
            Derived::new("step_over_six_nd", "ρ", "training step over 6·N·D", step.expr() / &six_nd, &[])?;
        let scores = parts.iter().find(|part| part.title == SCORES).map(|part| part.forward.expr());
        let scores = or_nothing(scores);
        let differences = Differences {
            lookups: Derived::new(
                "lookup_flop",
                "C_look",
                "embeddings, of which a row is looked up",
                six() * (params.active.expr() - &params.multiplied) * &tokens,
                &[reason("6·N·D counts every parameter, also those that nothing is multiplied with")],
            )?,
            vectors: Derived::new(
                "vector_flop",
                "C_vec",
                "norms and biases, which are in no matrix",
                six() * &params.multiplied * &tokens - 3.0 * (forward.expr() - scores.clone()),
                &[reason("what is elementwise is not counted")],
            )?,
            scores: Derived::new(
                "all_score_flop",
                "C_att",
                "scores and values, forward and backward",
                3.0 * scores,
                &[papers::PALM],
            )?,
        };
        Ok(Self { parts, forward, backward, recomputed, step, six_nd, ratio, differences })
    }
}

pub(crate) const PROJECTIONS: &str = "attention's projections";
pub(crate) const SCORES: &str = "scores and values";
pub(crate) const FEED_FORWARD: &str = "feed-forward";
pub(crate) const HEAD: &str = "head";
/// The title of the products between the embedding and the blocks, which are in no block either.
const EMBEDDED: &str = "projections of the embedding";

fn or_nothing(sum: Option<Expr>) -> Expr {
    sum.unwrap_or_else(|| Expr::constant(0.0, Unit::FLOP))
}

/// Two FLOPs per token and element of a matrix.
fn products(work: &Workload, elements: impl Into<Expr>) -> Expr {
    Expr::constant(2.0, Unit::FLOP) * work.batch() * work.length() * elements
}

impl Sizes<'_> {
    fn flop_parts(&self, work: &Workload) -> Result<Vec<FlopPart>> {
        let part = |title, names: [&'static str; 2], symbols: [&'static str; 2], forward| {
            let forward: Derived<Flop> =
                Derived::new(names[0], symbols[0], title, forward, &[papers::KAPLAN])?;
            let backward = Derived::new(
                names[1],
                symbols[1],
                format!("{title}, gradients"),
                2.0 * forward.expr(),
                &[reason("the gradient of each of two factors costs as much as their product")],
            )?;
            Ok(FlopPart { title, forward, backward })
        };
        let mut parts = vec![
            part(
                PROJECTIONS,
                ["projection_flop", "projection_backward_flop"],
                ["C_proj", "C_proj'"],
                products(work, self.layers() * self.attention_weights()),
            )?,
            part(SCORES, ["score_flop", "score_backward_flop"], ["C_score", "C_score'"], self.scores(work))?,
        ];
        if self.of.d_embedding != self.of.d_model {
            parts.push(part(
                EMBEDDED,
                ["embedding_flop", "embedding_backward_flop"],
                ["C_emb", "C_emb'"],
                products(work, 2.0 * self.d_embedding() * self.d_model()),
            )?);
        }
        if self.of.dense_layers() > 0 {
            parts.push(part(
                FEED_FORWARD,
                ["mlp_flop", "mlp_backward_flop"],
                ["C_mlp", "C_mlp'"],
                products(work, self.dense_layers() * self.mlp_weights(&self.of.mlp, &self.d_ff())),
            )?);
        }
        if let Some(experts) = &self.of.experts {
            let layers = self.expert_layers(experts);
            let one = self.mlp_weights(&experts.mlp, &self.d_expert(experts));
            parts.push(part(
                "experts",
                ["expert_flop", "expert_backward_flop"],
                ["C_exp", "C_exp'"],
                products(work, &layers * self.experts_per_token(experts) * one),
            )?);
            parts.push(part(
                "routers",
                ["router_flop", "router_backward_flop"],
                ["C_router", "C_router'"],
                products(work, &layers * self.expert_count(experts) * self.d_model()),
            )?);
            if experts.shared_d_ff > 0 {
                let shared = self.mlp_weights(&experts.mlp, &self.d_shared(experts));
                let shared = if experts.has_shared_gate { shared + self.d_model() } else { shared };
                parts.push(part(
                    "shared experts",
                    ["shared_flop", "shared_backward_flop"],
                    ["C_shared", "C_shared'"],
                    products(work, layers * shared),
                )?);
            }
        }
        parts.push(part(
            HEAD,
            ["head_flop", "head_backward_flop"],
            ["C_head", "C_head'"],
            products(work, self.vocab() * self.d_embedding()),
        )?);
        Ok(parts)
    }

    /// Every query with every key, and the weights with every value.
    fn scores(&self, work: &Workload) -> Expr {
        let width = self.score_width() + self.value_width();
        let length = work.length();
        // Token i sees min(i, window) tokens.
        let seen = |tokens: Expr| {
            let rows = (tokens.clone() * (&tokens + 1.0)).div_ceil(2.0);
            rows + (work.length() - &tokens) * tokens
        };
        let pairs = match &self.of.window {
            // A window is a mask, too.
            _ if work.counts_masked => self.layers() * (&length * &length),
            Some(window) if window.tokens < work.tokens => {
                let within =
                    Expr::size("window", "w", "tokens that a block with a window sees", window.tokens);
                let few = Expr::size("window_layers", "L_w", "blocks with a window", window.layers);
                let full = self.layers() - &few;
                let in_window = if window.is_chunked {
                    // Every chunk is a sequence of its own; the last may be shorter.
                    let chunks =
                        Expr::size("chunks", "c", "whole chunks of a sequence", work.tokens / window.tokens);
                    let rest = Expr::size("rest", "r", "tokens after them", work.tokens % window.tokens);
                    let triangle = |tokens: &Expr| (tokens * (tokens + 1.0)).div_ceil(2.0);
                    chunks * triangle(&within) + triangle(&rest)
                } else {
                    seen(within)
                };
                few * in_window + full * seen(length)
            }
            _ => self.layers() * seen(length),
        };
        Expr::constant(2.0, Unit::FLOP) * work.batch() * pairs * width
    }
}
