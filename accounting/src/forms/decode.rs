//! Reading a text token by token: every weight and the whole cache move for one token of every sequence.

use super::kv::KvCache;
use super::operations::{Names, Operation, names};
use super::transformer::Sizes;
use crate::models::Architecture;
use crate::models::architecture::Attention;
use crate::papers::{self, reason};
use crate::{
    Bytes, Count, Derived, Expr, FlopPerByte, ParamCount, Params, Result, Seconds, TokensPerSec, Unit,
};

/// Bytes of the elements that move.
#[derive(Debug, Clone, Copy)]
pub struct Moved {
    /// Of weights.
    pub weight_bytes: f64,
    /// Of keys and values.
    pub cache_bytes: f64,
}

/// One step of decoding.
#[derive(Debug, Clone)]
pub struct Step {
    /// Its FLOPs and bytes.
    pub operation: Operation,
    /// The cache that it reads.
    pub cache: KvCache,
    batch: Expr,
    /// Bytes of the weights that so many sequences meet.
    weights: Expr,
    /// The same of as many sequences as meet all.
    all_weights: Expr,
    /// FLOPs of the products of one sequence with weights.
    products_of_one: Expr,
}

impl Step {
    /// The step for `batch` sequences of `tokens` tokens.
    ///
    /// # Errors
    /// If a count exceeds 2^128.
    pub fn new(architecture: &Architecture, batch: u64, tokens: u64, moved: Moved) -> Result<Self> {
        let sizes = Sizes::new(architecture);
        let b = Expr::size("batch", "b", "sequences", batch);
        let s = Expr::size("sequence", "s", "tokens of a sequence", tokens);
        let params = ParamCount::new(architecture)?.multiplied;
        let products = |b: Expr| Expr::constant(2.0, Unit::FLOP.per(Unit::PARAM)) * b * &params;
        let (width, paper) = match &architecture.attention {
            Attention::Grouped(_) => (sizes.score_width() + sizes.value_width(), papers::POPE),
            // With the matrices from the latent to keys and values multiplied into those beside them, every head meets the
            // latent.
            Attention::Latent(latent) => {
                let keys = sizes.kv_rank(latent) + sizes.d_rope(latent);
                (sizes.heads() * keys + sizes.heads() * sizes.kv_rank(latent), papers::DEEPSEEK_V2)
            }
        };
        let cached = sizes.windowed(&s, tokens).unwrap_or_else(|| s * sizes.layers());
        let scores = Expr::constant(2.0, Unit::FLOP) * &b * cached * width;
        let one = params.expr() * Expr::constant(moved.weight_bytes, Unit::BYTE.per(Unit::PARAM));
        // Experts beyond those of one token that any of the tokens chooses, at most.
        let more = |met: Expr| {
            architecture.experts.as_ref().map(|experts| {
                let chosen = sizes.experts_per_token(experts);
                let weights = sizes.mlp_weights(&experts.mlp, &sizes.d_expert(experts));
                let met = (met * &chosen).min(sizes.expert_count(experts)) - chosen;
                sizes.expert_layers(experts) * met * weights * Expr::constant(moved.weight_bytes, Unit::BYTE)
            })
        };
        let with = |more: Option<Expr>| more.into_iter().fold(one.clone(), |one, more| one + more);
        let weights = with(if batch > 1 { more(b.clone()) } else { None });
        let all = architecture.experts.as_ref().map(|experts| sizes.expert_count(experts));
        let all_weights = with(all.and_then(more));
        let cache = KvCache::new(architecture, batch, tokens, moved.cache_bytes)?;
        let operation = Operation::with_units(
            "a step of decoding",
            &names!("decode"),
            products(b.clone()) + scores,
            weights.clone() + &cache.total,
            paper,
        )?;
        Ok(Self { operation, cache, batch: b, weights, all_weights, products_of_one: products(1.0.into()) })
    }

    /// What one of so many devices reads that share every matrix, and heads of keys and values as far as there are any.
    ///
    /// # Errors
    /// If it is too large.
    pub fn bytes_of_device(&self, cache: &Derived<Bytes>, tensor: &Expr) -> Result<Derived<Bytes>> {
        let bytes = self.weights.clone() / tensor + cache;
        Derived::new(
            "decode_bytes_per_gpu",
            "q_d",
            "bytes that a device reads in a step",
            bytes,
            &[papers::POPE],
        )
    }

    /// How many tokens all sequences get in a second if a step takes no longer than that.
    ///
    /// # Errors
    /// If it takes no time.
    pub fn tokens_per_sec(&self, least: &Derived<Seconds>) -> Result<Derived<TokensPerSec>> {
        let tokens = &self.batch * Expr::constant(1.0, Unit::TOKEN);
        let title = "tokens per second of all sequences, at most";
        Derived::new("decode_tokens_per_sec", "v_d", title, tokens / least, &[])
    }

    /// How many sequences it takes before arithmetic and no longer memory is what products with the weights wait for.
    ///
    /// # Errors
    /// If the ridge point is too high.
    pub fn critical_batch(&self, ridge: &Derived<FlopPerByte>) -> Result<Derived<Count>> {
        let batch = ridge.expr() * self.all_weights.clone() / self.products_of_one.clone();
        let why =
            reason("weights are read once for all sequences, experts too where every one is chosen by some");
        let title = "sequences from which arithmetic bounds the products with weights";
        Derived::new("critical_batch", "b_c", title, batch, &[papers::POPE, why])
    }

    /// Whether memory bounds the step however many sequences there are: each has a cache of its own to read, which takes
    /// longer than all of its arithmetic.
    #[must_use]
    pub fn is_bound_by_cache(&self, ridge: &Derived<FlopPerByte>) -> bool {
        let (flop, cache) = (self.operation.flop.value.to_f64(), self.cache.total.value.to_f64());
        flop <= ridge.value.to_f64() * cache
    }
}

/// The weights that one of so many devices holds which share every matrix.
///
/// # Errors
/// If it is too large.
pub fn weights_of_device(
    architecture: &Architecture,
    params: &Derived<Params>,
    weight_bytes: f64,
    tensor: &Expr,
) -> Result<Derived<Bytes>> {
    let bytes = Expr::constant(weight_bytes, Unit::BYTE.per(Unit::PARAM));
    if tensor.value().is_some_and(|ways| ways == 1.0) {
        return Derived::new("weight_bytes", "M_w", "weights", params.expr() * bytes, &[]);
    }
    let held = match Sizes::new(architecture).whole_params()? {
        None => params.expr() / tensor,
        Some(whole) => (params.expr() - &whole) / tensor + &whole,
    };
    Derived::new("weight_bytes_per_gpu", "m_w", "weights", held * bytes, &[papers::SHOEYBI])
}
