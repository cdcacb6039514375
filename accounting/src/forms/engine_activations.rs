//! What the engine of this project keeps of a Transformer's step, difference by difference from the closed form, which
//! is PyTorch's.

use super::activations::{Activations, Keeping};
use super::flops::Workload;
use super::transformer::Sizes;
use crate::models::Architecture;
use crate::papers::reason;
use crate::{Bytes, Derived, Expr, Result, Unit};

/// The activations that the engine keeps at its peak, without flash attention and dropout.
#[derive(Debug, Clone)]
pub struct EngineActivations {
    /// What the closed form has and the engine not.
    pub less: Vec<Derived<Bytes>>,
    /// What the engine keeps besides.
    pub more: Vec<Derived<Bytes>>,
    /// The sum.
    pub total: Derived<Bytes>,
}

fn bytes(
    name: &'static str,
    symbol: &'static str,
    title: &'static str,
    expr: Expr,
) -> Result<Derived<Bytes>> {
    Derived::new(name, symbol, title, expr, &[])
}

impl EngineActivations {
    /// The engine's activations, from those of the closed form for the same step.
    ///
    /// # Errors
    /// If they are too large.
    pub fn new(
        of: &Activations,
        architecture: &Architecture,
        work: &Workload,
        keeping: Keeping,
    ) -> Result<Self> {
        let sizes = Sizes::new(architecture);
        let byte = |count: f64| Expr::constant(count, Unit::BYTE);
        let gradient = bytes(
            "logit_gradient_bytes",
            "A_dz",
            "gradient of the logits, which is temporary",
            work.positions() * sizes.vocab() * byte(4.0),
        )?;
        let statistics = bytes(
            "last_statistics_bytes",
            "A_stat'",
            "statistics of the last norm, in float32",
            2.0 * work.positions() * byte(4.0),
        )?;
        let loss = Derived::new(
            "loss_bytes",
            "A_loss",
            "largest logit and sum of each token, and the number of tokens",
            (2.0 * work.positions() + 1.0) * byte(4.0),
            &[reason(
                "with these the backward pass has the probabilities from the logits, which are kept anyway",
            )],
        )?;
        // Norms keep their statistics in float32, whatever goes through them.
        let wide = |layers: Expr| {
            let per_layer = 2.0 * architecture.norm.per_layer as f64 * work.positions();
            let rest = byte(4.0 - keeping.element_bytes);
            bytes("wide_statistics_bytes", "A_wide", "statistics in float32", per_layer * rest * layers)
        };
        let is_half = keeping.element_bytes < 4.0;
        let (mut less, mut more) = (Vec::new(), Vec::new());
        if let Some(working) = &of.working {
            let wide = is_half.then(|| wide(Expr::from(1.0))).transpose()?;
            let again = wide.iter().fold(working.expr(), |sum, wide| sum + wide);
            let head = of.head.expr() - &gradient + &statistics + &loss;
            let value = |expr: &Expr| expr.value().map_or(0.0, crate::Number::to_f64);
            let (by_form, by_engine) =
                (value(&working.expr()) >= value(&of.head.expr()), value(&again) >= value(&head));
            let (mine, other) = if by_engine { (working, &of.head) } else { (&of.head, working) };
            if by_form != by_engine {
                let more = other.expr() - mine;
                less.push(bytes("other_peak_bytes", "A_o", "the peak is at another time", more)?);
            }
            if by_engine {
                more.extend(wide);
            } else {
                less.push(gradient);
                more.extend([statistics, loss]);
            }
        } else {
            less.push(gradient);
            more.extend([statistics, loss]);
            more.extend(is_half.then(|| wide(sizes.layers())).transpose()?);
        }
        let total = less.iter().fold(of.total.expr(), |sum, part| sum - part);
        let total = more.iter().fold(total, |sum, part| sum + part);
        let total = bytes("kept_bytes", "M_a'", "activations of this engine", total)?;
        Ok(Self { less, more, total })
    }
}
