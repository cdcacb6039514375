//! The sizes of a model as parts of formulas.

use crate::models::architecture::{Architecture, Attention, Experts, Grouped, Latent, Mlp};
use crate::papers;
use crate::{Count, Derived, Expr, Result};

/// Symbols of an architecture, each a whole number.
#[derive(Debug, Clone)]
pub(super) struct Sizes<'a> {
    pub(super) of: &'a Architecture,
    /// Of which stage, where not of all.
    pub(super) stage: Option<Stage>,
}

/// The first or the last stage of a pipeline, which have more than those between.
#[derive(Debug, Clone)]
pub(super) struct Stage {
    pub(super) is_first: bool,
    layers: Derived<Count>,
    /// Of a model that has blocks of both kinds.
    expert_layers: Option<Derived<Count>>,
}

impl<'a> Sizes<'a> {
    pub(super) const fn new(of: &'a Architecture) -> Self {
        Self { of, stage: None }
    }

    /// The sizes of a stage out of so many, with the most blocks that one has, and with experts in the most of them.
    pub(super) fn of_stage(of: &'a Architecture, stages: &Expr, is_first: bool) -> Result<Self> {
        let all = Self::new(of);
        let layers = all.layers().div_ceil(stages);
        let layers: Derived<Count> =
            Derived::new("stage_layers", "L_p", "blocks of a stage, at most", layers, &[papers::NARAYANAN])?;
        let mixed = of.experts.as_ref().filter(|experts| experts.layers < of.layers);
        let expert_layers = mixed.map(|experts| {
            let most = all.expert_layers(experts).min(&layers);
            Derived::new("stage_expert_layers", "L_pm", "blocks with experts of a stage, at most", most, &[])
        });
        Ok(Self { of, stage: Some(Stage { is_first, layers, expert_layers: expert_layers.transpose()? }) })
    }
}

impl Sizes<'_> {
    /// Whether the embedding is there.
    pub(super) fn has_start(&self) -> bool {
        self.stage.as_ref().is_none_or(|stage| stage.is_first)
    }

    /// Whether the head is there.
    pub(super) fn has_end(&self) -> bool {
        self.stage.as_ref().is_none_or(|stage| !stage.is_first)
    }

    pub(super) fn vocab(&self) -> Expr {
        Expr::size("vocab_size", "V", "tokens of the vocabulary", self.of.vocab_size)
    }

    pub(super) fn d_model(&self) -> Expr {
        Expr::size("d_model", "d", "width of the model", self.of.d_model)
    }

    /// Width of the token embedding.
    pub(super) fn d_embedding(&self) -> Expr {
        if self.of.d_embedding == self.of.d_model {
            return self.d_model();
        }
        Expr::size("d_embedding", "e", "width of the token embedding", self.of.d_embedding)
    }

    pub(super) fn layers(&self) -> Expr {
        match &self.stage {
            None => Expr::size("layers", "L", "blocks", self.of.layers),
            Some(stage) => stage.layers.expr(),
        }
    }

    /// Keys, or values, that all blocks keep of a sequence of that length where a window keeps some from seeing it whole.
    pub(super) fn windowed(&self, length: &Expr, tokens: u64) -> Option<Expr> {
        let window = self.of.window.as_ref().filter(|window| window.tokens < tokens)?;
        let within = Expr::size("window", "w", "tokens that a block with a window sees", window.tokens);
        let few = Expr::size("window_layers", "L_w", "blocks with a window", window.layers);
        let full = self.layers() - &few;
        Some(few * within + full * length)
    }

    pub(super) fn dense_layers(&self) -> Expr {
        match (&self.of.experts, &self.stage) {
            (None, _) => self.layers(),
            (Some(experts), Some(_)) => self.layers() - self.expert_layers(experts),
            (Some(_), None) => {
                Expr::size("dense_layers", "L_dense", "blocks without experts", self.of.dense_layers())
            }
        }
    }

    pub(super) fn expert_layers(&self, experts: &Experts) -> Expr {
        if experts.layers == self.of.layers {
            return self.layers();
        }
        if let Some(most) = self.stage.as_ref().and_then(|stage| stage.expert_layers.as_ref()) {
            return most.expr();
        }
        Expr::size("expert_layers", "L_moe", "blocks with experts", experts.layers)
    }

    pub(super) fn heads(&self) -> Expr {
        Expr::size("heads", "h", "query heads", self.of.heads())
    }

    pub(super) fn d_ff(&self) -> Expr {
        Expr::size("d_ff", "f", "hidden width of the feed-forward part", self.of.mlp.d_ff)
    }

    pub(super) fn kv_heads(&self, grouped: &Grouped) -> Expr {
        Expr::size("kv_heads", "h_kv", "heads of keys and values", grouped.kv_heads)
    }

    pub(super) fn d_head(&self, grouped: &Grouped) -> Expr {
        Expr::size("d_head", "d_h", "width of a head", grouped.d_head)
    }

    /// What all query heads are wide together.
    pub(super) fn q_width(&self, grouped: &Grouped) -> Expr {
        self.heads() * self.d_head(grouped)
    }

    /// What all heads of keys, or of values, are wide together.
    pub(super) fn kv_width(&self, grouped: &Grouped) -> Expr {
        self.kv_heads(grouped) * self.d_head(grouped)
    }

    pub(super) fn kv_rank(&self, latent: &Latent) -> Expr {
        Expr::size("kv_rank", "r_kv", "width of the latent of keys and values", latent.kv_rank)
    }

    pub(super) fn d_nope(&self, latent: &Latent) -> Expr {
        Expr::size("d_nope", "d_n", "width of a head's part without positions", latent.d_nope)
    }

    pub(super) fn d_rope(&self, latent: &Latent) -> Expr {
        Expr::size("d_rope", "d_r", "width of the part with rotary positions", latent.d_rope)
    }

    pub(super) fn d_v(&self, latent: &Latent) -> Expr {
        Expr::size("d_v", "d_v", "width of a head's values", latent.d_v)
    }

    /// Width of queries and keys, summed over heads: what scores cost per pair of tokens.
    pub(super) fn score_width(&self) -> Expr {
        match &self.of.attention {
            Attention::Grouped(grouped) => self.q_width(grouped),
            Attention::Latent(latent) => self.heads() * (self.d_nope(latent) + self.d_rope(latent)),
        }
    }

    /// Width of values, summed over heads.
    pub(super) fn value_width(&self) -> Expr {
        match &self.of.attention {
            Attention::Grouped(grouped) => self.q_width(grouped),
            Attention::Latent(latent) => self.heads() * self.d_v(latent),
        }
    }

    /// Width of the latents together, with the keys' part that has positions.
    pub(super) fn latents(&self, latent: &Latent) -> Expr {
        let keys = self.kv_rank(latent) + self.d_rope(latent);
        match latent.q_rank {
            None => keys,
            Some(rank) => keys + self.q_rank(rank),
        }
    }

    pub(super) fn q_rank(&self, rank: u64) -> Expr {
        Expr::size("q_rank", "r_q", "width of the latent of queries", rank)
    }

    /// Elements of the matrices of a block's attention: what every token is multiplied with.
    pub(super) fn attention_weights(&self) -> Expr {
        let (d, h) = (self.d_model(), self.heads());
        match &self.of.attention {
            // Queries and output, keys and values.
            Attention::Grouped(grouped) => {
                2.0 * &d * self.q_width(grouped) + 2.0 * &d * self.kv_width(grouped)
            }
            Attention::Latent(latent) => {
                let (r, nope, v) = (self.kv_rank(latent), self.d_nope(latent), self.d_v(latent));
                let rope = self.d_rope(latent);
                let queries = match latent.q_rank {
                    None => &d * self.score_width(),
                    Some(rank) => {
                        let rank = self.q_rank(rank);
                        &d * &rank + rank * self.score_width()
                    }
                };
                queries + &d * (&r + rope) + r * (&h * (nope + &v)) + h * v * d
            }
        }
    }

    /// Elements of the matrices of a feed-forward part.
    pub(super) fn mlp_weights(&self, mlp: &Mlp, width: &Expr) -> Expr {
        matrices(mlp.is_gated) * self.d_model() * width
    }

    pub(super) fn expert_count(&self, experts: &Experts) -> Expr {
        Expr::size("experts", "E", "experts of a block", experts.count)
    }

    pub(super) fn experts_per_token(&self, experts: &Experts) -> Expr {
        Expr::size("experts_per_token", "k", "experts that a token passes", experts.per_token)
    }

    pub(super) fn d_expert(&self, experts: &Experts) -> Expr {
        Expr::size("d_expert", "f_e", "hidden width of an expert", experts.mlp.d_ff)
    }

    pub(super) fn d_shared(&self, experts: &Experts) -> Expr {
        Expr::size("d_shared", "f_s", "hidden width of the shared experts together", experts.shared_d_ff)
    }
}

/// Matrices of a feed-forward part.
pub(super) const fn matrices(is_gated: bool) -> f64 {
    if is_gated { 3.0 } else { 2.0 }
}
