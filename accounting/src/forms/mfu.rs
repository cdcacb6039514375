//! Model FLOPs utilization.

use super::flops::Workload;
use crate::{
    Derived, Expr, Flop, FlopPerSec, Gpus, Mfu, Peak, Result, Seconds, Tokens, TokensPerSec, Value, papers,
};

/// Actual over promised FLOP/s.
///
/// # Errors
/// If the peak is 0.
pub fn mfu(actual: &Value<FlopPerSec>, promised: &Peak) -> Result<Derived<Mfu>> {
    share(actual.expr() / &promised.value()?)
}

/// That share as a figure.
fn share(of_promised: Expr) -> Result<Derived<Mfu>> {
    let title = "MFU, the share of the promised FLOP/s that was reached";
    Derived::new("mfu", "u", title, of_promised, &[papers::PALM])
}

/// The rate of work that took so long, and its MFU.
///
/// # Errors
/// If the time or the peak is 0.
pub fn reached(
    work: &Derived<Flop>,
    time: &Value<Seconds>,
    promised: &Peak,
) -> Result<(Derived<FlopPerSec>, Derived<Mfu>)> {
    let actual = Derived::new("actual_flop_per_sec", "A", "actual FLOP/s", work.expr() / time, &[])?;
    let mfu = mfu(&(&actual).into(), promised)?;
    Ok((actual, mfu))
}

/// The rate of FLOPs of a run whose step costs `step` for the tokens of `work`, where all devices together train on `speed`
/// tokens a second; and its MFU beside the peaks of all of them.
///
/// # Errors
/// If the devices or the peak are 0, or a result is too large for a double.
pub fn trained(
    step: &Derived<Flop>,
    work: &Workload,
    speed: &Value<TokensPerSec>,
    gpus: &Value<Gpus>,
    promised: &Peak,
) -> Result<(Derived<FlopPerSec>, Derived<Mfu>)> {
    let tokens = tokens(work)?;
    let actual: Derived<FlopPerSec> = Derived::new(
        "actual_flop_per_sec",
        "A",
        "FLOP/s of all devices",
        step.expr() / &tokens * speed,
        &[],
    )?;
    let mfu = share(actual.expr() / (promised.value_per_gpu()?.expr() * gpus))?;
    Ok((actual, mfu))
}

/// The tokens a second on which all devices together train at that MFU: the same, solved for the speed.
///
/// # Errors
/// If the step costs nothing, or the result is too large for a double.
pub fn speed(
    step: &Derived<Flop>,
    work: &Workload,
    mfu: &Value<Mfu>,
    gpus: &Value<Gpus>,
    promised: &Peak,
) -> Result<Derived<TokensPerSec>> {
    let rate = mfu.expr() * gpus * &promised.value_per_gpu()?;
    let title = "tokens per second at that MFU";
    Derived::new("speed_tokens_per_sec", "v", title, rate * &tokens(work)? / step, &[papers::PALM])
}

fn tokens(work: &Workload) -> Result<Derived<Tokens>> {
    Derived::new("step_tokens", "D", "tokens of the step", work.positions(), &[])
}

impl Mfu {
    /// Why a utilization above 1 is not a mistake in the arithmetic; `None` up to 1.
    #[must_use]
    pub fn remark(self) -> Option<&'static str> {
        (self.value() > 1.0).then_some(
            "An MFU above 1 says that the work ran faster than the peak it is compared with. The peak may be \
             that of another dtype or unit (vector fp32 beside tensor cores), the chip may run above its rated \
             clock (an RTX 5090 was measured at 236 TFLOP/s against a derived 209.5), or FLOPs were counted \
             that never ran. As a plan for training it cannot be kept.",
        )
    }
}
