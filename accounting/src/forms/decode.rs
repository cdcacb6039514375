//! Reading a text token by token: every weight and the whole cache move for one token of every sequence.

use super::kv::KvCache;
use super::operations::{Names, Operation, names};
use super::transformer::Sizes;
use crate::models::Architecture;
use crate::papers;
use crate::{Expr, ParamCount, Result, Unit};

/// One step of decoding for `batch` sequences of `tokens` tokens, weights and cache with elements of so many bytes.
///
/// # Errors
/// If a count exceeds 2^128.
pub fn step(architecture: &Architecture, batch: u64, tokens: u64, element_bytes: f64) -> Result<Operation> {
    let sizes = Sizes { of: architecture };
    let b = Expr::size("batch", "b", "sequences", batch);
    let s = Expr::size("sequence", "s", "tokens of a sequence", tokens);
    let params = ParamCount::new(architecture)?.multiplied;
    let products = Expr::constant(2.0, Unit::FLOP.per(Unit::PARAM)) * &b * &params;
    let scores = Expr::constant(2.0, Unit::FLOP)
        * &b
        * s
        * sizes.layers()
        * (sizes.score_width() + sizes.value_width());
    let weights = params.expr() * Expr::constant(element_bytes, Unit::BYTE.per(Unit::PARAM));
    let cache = KvCache::new(architecture, batch, tokens, element_bytes)?.total;
    Operation::with_units(
        "a step of decoding",
        &names!("decode"),
        products + scores,
        weights + &cache,
        papers::POPE,
    )
}
