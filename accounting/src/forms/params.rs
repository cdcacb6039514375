//! Parameters of a Transformer, by component.

use super::transformer::{Sizes, matrices};
use crate::models::architecture::{Architecture, Attention, Experts, Grouped, Latent, Mlp, QkNorm};
use crate::papers::{self, Paper};
use crate::{Derived, Expr, Params, Result};

/// The title of what is chosen among for each token.
const EXPERTS: &str = "experts";

/// A part of a model with its parameters.
#[derive(Debug, Clone)]
pub struct Component {
    /// What it is.
    pub title: &'static str,
    /// All of its parameters.
    pub total: Derived<Params>,
    /// Those that take part in one token; all but experts that are not chosen.
    pub active: Derived<Params>,
}

/// The parameters of a model.
#[derive(Debug, Clone)]
pub struct ParamCount {
    /// Part by part.
    pub components: Vec<Component>,
    /// All of them; a matrix that is shared counts once.
    pub total: Derived<Params>,
    /// Those that take part in one token; the same without experts.
    pub active: Derived<Params>,
    /// Those of matrices that every token is multiplied with: without embeddings, with the head, also a shared one.
    pub multiplied: Derived<Params>,
}

impl ParamCount {
    /// Counts the parameters of a model.
    ///
    /// # Errors
    /// If a count exceeds 2^128.
    pub fn new(architecture: &Architecture) -> Result<Self> {
        let sizes = Sizes::new(architecture);
        let mut components = sizes.components()?;
        let head = sizes.head()?;
        let sum = |name, symbol, title: &'static str, of: &dyn Fn(&Component) -> Expr, with_head: bool| {
            let parts =
                components.iter().chain(with_head.then_some(&head).filter(|head| head.total.value != 0.0));
            let sum = parts.map(of).reduce(|sum, part| sum + part).unwrap_or_else(|| 0.0.into());
            Derived::new(name, symbol, title, sum, &[])
        };
        let total = sum("params", "N", "parameters", &|part| part.total.expr(), true)?;
        let active = match architecture.experts {
            None => total.clone(),
            Some(_) => sum(
                "active_params",
                "N_a",
                "parameters that take part in a token",
                &|part| part.active.expr(),
                true,
            )?,
        };
        let multiplied = sizes.multiplied(&active, &components)?;
        components.push(head);
        Ok(Self { components, total, active, multiplied })
    }

    /// The parameters of experts, if there are any.
    pub(super) fn experts(&self) -> Option<&Derived<Params>> {
        experts(&self.components)
    }
}

fn experts(components: &[Component]) -> Option<&Derived<Params>> {
    components.iter().find(|part| part.title == EXPERTS).map(|part| &part.total)
}

fn derived(
    name: &'static str,
    symbol: &'static str,
    title: &'static str,
    expr: Expr,
    papers: &[Paper],
) -> Result<Derived<Params>> {
    Derived::new(name, symbol, title, expr, papers)
}

fn whole(title: &'static str, total: Derived<Params>) -> Component {
    Component { title, active: total.clone(), total }
}

impl Sizes<'_> {
    /// All but the head.
    fn components(&self) -> Result<Vec<Component>> {
        let mut all = Vec::new();
        if self.has_start() {
            all.push(self.embedding()?);
            all.extend(self.positions()?);
        }
        all.extend(self.projections()?);
        all.push(self.attention()?);
        all.extend(self.dense()?);
        if let Some(experts) = &self.of.experts {
            all.extend(self.experts(experts)?);
        }
        all.extend(self.norms()?);
        Ok(all)
    }

    /// The parameters of a stage, and those of experts among them.
    pub(super) fn stage_params(&self) -> Result<(Derived<Params>, Option<Derived<Params>>)> {
        let mut components = self.components()?;
        if self.has_end() {
            components.push(self.head()?);
        }
        let sum = components.iter().map(|part| part.total.expr()).reduce(|sum, part| sum + part);
        let sum = sum.unwrap_or_else(|| 0.0.into());
        let title =
            if self.has_start() { "parameters of the first stage" } else { "parameters of the last stage" };
        let total = derived("stage_params", "N_p", title, sum, &[])?;
        Ok((total, experts(&components).cloned()))
    }

    /// A row per token of the vocabulary.
    pub(super) fn embedding_params(&self) -> Result<Derived<Params>> {
        derived("embedding_params", "N_emb", "token embedding", self.vocab() * self.d_embedding(), &[])
    }

    fn embedding(&self) -> Result<Component> {
        Ok(whole("token embedding", self.embedding_params()?))
    }

    /// Between a narrower embedding and the stream.
    fn projections(&self) -> Result<Option<Component>> {
        if self.of.d_embedding == self.of.d_model {
            return Ok(None);
        }
        // One at each end.
        let here = if self.stage.is_none() { 2.0 } else { 1.0 };
        let both = here * self.d_embedding() * self.d_model();
        let total = derived("projection_params", "N_proj", "projections of the embedding", both, &[])?;
        Ok(Some(whole("projections", total)))
    }

    fn positions(&self) -> Result<Option<Component>> {
        if self.of.position_rows == 0 {
            return Ok(None);
        }
        let rows =
            Expr::size("position_rows", "n_pos", "rows of the position embedding", self.of.position_rows);
        let total = derived("position_params", "N_pos", "position embedding", rows * self.d_model(), &[])?;
        Ok(Some(whole("position embedding", total)))
    }

    /// Attention of a block.
    fn attention_of_block(&self) -> (Expr, [Paper; 2]) {
        match &self.of.attention {
            Attention::Grouped(grouped) => (self.grouped(grouped), [papers::VASWANI, papers::GQA]),
            Attention::Latent(latent) => (self.latent(latent), [papers::VASWANI, papers::DEEPSEEK_V2]),
        }
    }

    fn attention(&self) -> Result<Component> {
        let (block, papers) = self.attention_of_block();
        let block = derived("attention_params_per_block", "n_attn", "attention of a block", block, &papers)?;
        let total = derived("attention_params", "N_attn", "attention", self.layers() * &block, &[])?;
        Ok(whole("attention", total))
    }

    fn grouped(&self, grouped: &Grouped) -> Expr {
        let (d, q, kv) = (self.d_model(), self.q_width(grouped), self.kv_width(grouped));
        let mut block = self.attention_weights();
        if grouped.has_qkv_bias {
            block = block + q.clone() + 2.0 * kv.clone();
        }
        if grouped.has_out_bias {
            block = block + d;
        }
        block = match grouped.qk_norm {
            QkNorm::Absent => block,
            QkNorm::Shared => block + 2.0 * self.d_head(grouped),
            QkNorm::SharedWithBias => block + 4.0 * self.d_head(grouped),
            QkNorm::PerHead | QkNorm::Whole => block + q + kv,
        };
        if grouped.has_sinks { block + self.heads() } else { block }
    }

    /// The matrices, the norms of the latents, and the biases of what leads to them and out.
    fn latent(&self, latent: &Latent) -> Expr {
        let (d, r, rope) = (self.d_model(), self.kv_rank(latent), self.d_rope(latent));
        let mut block = self.attention_weights() + &r;
        let rank = latent.q_rank.map(|rank| self.q_rank(rank));
        if let Some(rank) = &rank {
            block = block + rank;
        }
        if latent.has_bias {
            block = block + (r + rope) + d;
            if let Some(rank) = rank {
                block = block + rank;
            }
        }
        block
    }

    fn mlp(&self, mlp: &Mlp, width: &Expr) -> Expr {
        let d = self.d_model();
        let weights = self.mlp_weights(mlp, width);
        let weights = match mlp.activation_params {
            0 => weights,
            learned => weights + learned as f64,
        };
        if !mlp.has_bias {
            return weights;
        }
        weights + (matrices(mlp.is_gated) - 1.0) * width + d
    }

    fn dense(&self) -> Result<Option<Component>> {
        if self.of.dense_layers() == 0 {
            return Ok(None);
        }
        let gate: &[Paper] = if self.of.mlp.is_gated { &[papers::SWIGLU] } else { &[papers::VASWANI] };
        let block = self.mlp(&self.of.mlp, &self.d_ff());
        let block = derived("mlp_params_per_block", "n_mlp", "feed-forward part of a block", block, gate)?;
        let total = derived("mlp_params", "N_mlp", "feed-forward parts", self.dense_layers() * &block, &[])?;
        Ok(Some(whole("feed-forward", total)))
    }

    fn experts(&self, experts: &Experts) -> Result<Vec<Component>> {
        let (layers, count) = (self.expert_layers(experts), self.expert_count(experts));
        let one = self.mlp(&experts.mlp, &self.d_expert(experts));
        let one = derived("expert_params", "n_exp", "one expert", one, &[papers::SWIGLU])?;
        let routed = Component {
            title: EXPERTS,
            total: derived("experts_params", "N_exp", "experts", &layers * &count * &one, &[papers::GSHARD])?,
            active: derived(
                "active_experts_params",
                "N_exp_a",
                "experts that a token passes",
                &layers * self.experts_per_token(experts) * &one,
                &[papers::GSHARD],
            )?,
        };
        let router = &layers * self.router(experts);
        let mut parts =
            vec![routed, whole("routers", derived("router_params", "N_router", "routers", router, &[])?)];
        if let Some(shared) = self.shared(experts) {
            let total = derived("shared_params", "N_shared", "shared experts", layers * shared, &[])?;
            parts.push(whole("shared experts", total));
        }
        Ok(parts)
    }

    fn router(&self, experts: &Experts) -> Expr {
        let count = self.expert_count(experts);
        let router = &count * self.d_model();
        if experts.has_router_bias { router + count } else { router }
    }

    /// Of a block.
    fn shared(&self, experts: &Experts) -> Option<Expr> {
        (experts.shared_d_ff > 0).then(|| {
            let mlp = Mlp { has_bias: experts.has_shared_bias, ..experts.mlp.clone() };
            let shared = self.mlp(&mlp, &self.d_shared(experts));
            if experts.has_shared_gate { shared + self.d_model() } else { shared }
        })
    }

    /// The parameters of the largest block, with one device's part of experts that are spread over so many.
    pub(super) fn block_params(&self, spread: &Expr) -> Result<Derived<Params>> {
        let norm = &self.of.norm;
        let norms = self.d_model() * (norm.per_layer * norm.params_per_element) as f64;
        let dense = (self.of.dense_layers() > 0).then(|| self.mlp(&self.of.mlp, &self.d_ff()));
        let mixed = self.of.experts.as_ref().map(|experts| {
            let one = self.mlp(&experts.mlp, &self.d_expert(experts));
            let all = self.expert_count(experts) / spread * one + self.router(experts);
            self.shared(experts).into_iter().fold(all, |all, shared| all + shared)
        });
        let widest = dense.into_iter().chain(mixed).reduce(Expr::max);
        let rest = self.attention_of_block().0 + norms;
        let block = widest.into_iter().fold(rest, |rest, widest| rest + widest);
        derived("block_params", "n_b", "parameters of a block", block, &[])
    }

    /// What every device of a tensor-parallel group has whole, if anything: the matrices that lead to latents. Norms and
    /// routers are, too, but next to nothing.
    pub(super) fn whole_params(&self) -> Result<Option<Derived<Params>>> {
        let Attention::Latent(latent) = &self.of.attention else { return Ok(None) };
        let all = self.layers() * self.d_model() * self.latents(latent);
        let title = "parameters of the matrices that lead to latents";
        derived("latent_params", "N_lat", title, all, &[papers::MEGATRON, papers::VLLM]).map(Some)
    }

    fn norms(&self) -> Result<Option<Component>> {
        let norm = &self.of.norm;
        if norm.params_per_element == 0 {
            return Ok(None);
        }
        let per_layer = Expr::size("norms_per_block", "n", "normalisations of a block", norm.per_layer);
        // The last one, and after the embedding the other if there is one.
        let outside = match &self.stage {
            None => norm.outside,
            Some(stage) if stage.is_first => norm.outside.saturating_sub(1),
            Some(_) => norm.outside.min(1),
        };
        let count = self.layers() * per_layer + outside as f64;
        let each = self.d_model() * norm.params_per_element as f64;
        let total = derived("norm_params", "N_norm", "normalisations", count * each, &[])?;
        Ok(Some(whole("normalisations", total)))
    }

    fn head(&self) -> Result<Component> {
        // The last stage has a copy of a matrix that the first has, too.
        let is_there = self.of.is_tied && self.stage.is_none();
        let weights = if is_there { Expr::from(0.0) } else { self.vocab() * self.d_embedding() };
        let expr = if self.of.has_head_bias { weights + self.vocab() } else { weights };
        let title = if is_there { "head, shared with the embedding" } else { "head" };
        Ok(whole(title, derived("head_params", "N_head", title, expr, &[])?))
    }

    /// Of an embedding a token reads a row; a shared head multiplies by all of it.
    fn multiplied(&self, active: &Derived<Params>, components: &[Component]) -> Result<Derived<Params>> {
        let positions = components.iter().find(|part| part.title == "position embedding");
        let mut expr = active.expr();
        if let Some(positions) = positions {
            expr = expr - &positions.total;
        }
        if !self.of.is_tied {
            expr = expr - &components[0].total;
        }
        derived(
            "multiplied_params",
            "N_mul",
            "parameters that every token is multiplied with",
            expr,
            &[papers::KAPLAN],
        )
    }
}
