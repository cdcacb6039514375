//! Reading a text token by token: every weight and the whole cache move for one token of every sequence.

use super::kv::KvCache;
use super::operations::{Names, Operation, names};
use super::transformer::Sizes;
use crate::models::Architecture;
use crate::models::architecture::Attention;
use crate::papers;
use crate::{Expr, ParamCount, Result, Unit};

/// One step of decoding for `batch` sequences of `tokens` tokens, weights and cache with elements of so many bytes.
///
/// # Errors
/// If a count exceeds 2^128.
pub fn step(architecture: &Architecture, batch: u64, tokens: u64, element_bytes: f64) -> Result<Operation> {
    let sizes = Sizes::new(architecture);
    let b = Expr::size("batch", "b", "sequences", batch);
    let s = Expr::size("sequence", "s", "tokens of a sequence", tokens);
    let params = ParamCount::new(architecture)?.multiplied;
    let products = Expr::constant(2.0, Unit::FLOP.per(Unit::PARAM)) * &b * &params;
    let (width, paper) = match &architecture.attention {
        Attention::Grouped(_) => (sizes.score_width() + sizes.value_width(), papers::POPE),
        // With the matrices from the latent to keys and values multiplied into those beside them, every head meets the latent.
        Attention::Latent(latent) => {
            let keys = sizes.kv_rank(latent) + sizes.d_rope(latent);
            (sizes.heads() * keys + sizes.heads() * sizes.kv_rank(latent), papers::DEEPSEEK_V2)
        }
    };
    let cached = sizes.windowed(&s, tokens).unwrap_or_else(|| s * sizes.layers());
    let scores = Expr::constant(2.0, Unit::FLOP) * &b * cached * width;
    let mut weights = params.expr() * Expr::constant(element_bytes, Unit::BYTE.per(Unit::PARAM));
    if let Some(experts) = architecture.experts.as_ref().filter(|_| batch > 1) {
        // Experts that any of the tokens chooses, at most.
        let chosen = sizes.experts_per_token(experts);
        let met = (&b * &chosen).min(sizes.expert_count(experts));
        let one = sizes.mlp_weights(&experts.mlp, &sizes.d_expert(experts));
        let more = sizes.expert_layers(experts) * (met - chosen) * one;
        weights = weights + more * Expr::constant(element_bytes, Unit::BYTE);
    }
    let cache = KvCache::new(architecture, batch, tokens, element_bytes)?.total;
    Operation::with_units("a step of decoding", &names!("decode"), products + scores, weights + &cache, paper)
}
