//! How to split a budget of compute between parameters and tokens.

use crate::papers;
use crate::{Derived, Expr, Flop, Params, Ratio, Result, Tokens, Unit, Value};

/// The split of a budget.
#[derive(Debug, Clone)]
pub struct Split {
    /// Parameters.
    pub params: Derived<Params>,
    /// Tokens.
    pub tokens: Derived<Tokens>,
}

/// So many tokens for every parameter: N = √(C / (6·r)), D = r·N.
///
/// # Errors
/// If the ratio is 0.
pub fn by_ratio(budget: &Value<Flop>, tokens_per_param: &Value<Ratio>) -> Result<Split> {
    let six = Expr::constant(6.0, Unit::FLOP);
    let params = (budget.expr() / (six * tokens_per_param)).root();
    let params =
        Derived::new("optimal_params", "N", "parameters", params, &[papers::HOFFMANN, papers::KAPLAN])?;
    let tokens = params.expr() / Expr::constant(1.0, Unit::PARAM) * tokens_per_param;
    let tokens = Derived::new("optimal_tokens", "D", "training tokens", tokens, &[papers::HOFFMANN])?;
    Ok(Split { params, tokens })
}

/// A fit of the loss, L = E + A/N^α + B/D^β.
#[derive(Debug, Clone, Copy)]
pub struct LossFit {
    /// The loss that nothing beats.
    pub e: f64,
    /// Of parameters.
    pub a: f64,
    /// Of tokens.
    pub b: f64,
    /// Exponent of parameters.
    pub alpha: f64,
    /// Exponent of tokens.
    pub beta: f64,
    /// Where it is from.
    pub paper: papers::Paper,
}

/// The third approach of Hoffmann et al., as fitted again by Besiroglu et al.
pub const FIT: LossFit =
    LossFit { e: 1.8172, a: 482.01, b: 2085.43, alpha: 0.3478, beta: 0.3658, paper: papers::BESIROGLU };

/// The split with the least loss under the fit: N = G·(C/6)^(β/(α+β)), G = (αA/(βB))^(1/(α+β)).
///
/// # Errors
/// If the result is too large.
pub fn by_fit(budget: &Value<Flop>, fit: &LossFit) -> Result<(Split, Derived<Ratio>)> {
    let one = || Expr::constant(1.0, Unit::FLOP);
    let plain = || budget.expr() / (6.0 * one());
    let (alpha, beta) = (|| Expr::from(fit.alpha), || Expr::from(fit.beta));
    let g = (alpha() * fit.a / (beta() * fit.b)).pow(1.0 / (alpha() + beta()));
    let g: Derived<Ratio> = Derived::new("fit_scale", "γ", "scale of the fit", g, &[fit.paper])?;
    let params = g.expr() * plain().pow(beta() / (alpha() + beta()));
    let params = Derived::new(
        "fitted_params",
        "N_fit",
        "parameters by the fitted loss",
        params,
        &[fit.paper, papers::HOFFMANN],
    )?;
    let tokens = plain().pow(alpha() / (alpha() + beta())) / &g;
    let tokens = Derived::new(
        "fitted_tokens",
        "D_fit",
        "training tokens by the fitted loss",
        tokens,
        &[fit.paper, papers::HOFFMANN],
    )?;
    let n = params.expr() / Expr::constant(1.0, Unit::PARAM);
    let d = tokens.expr() / Expr::constant(1.0, Unit::TOKEN);
    let loss = fit.e + Expr::from(fit.a) / n.pow(alpha()) + Expr::from(fit.b) / d.pow(beta());
    let loss = Derived::new("fitted_loss", "ℓ", "loss in nats per token by the fit", loss, &[fit.paper])?;
    Ok((Split { params, tokens }, loss))
}
