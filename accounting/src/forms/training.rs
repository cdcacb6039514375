//! How long training takes.

use serde::Serialize;

use crate::{
    Days, Derived, Expr, Flop, FlopPerDay, GpuHours, Gpus, Mfu, Params, Peak, Result, Tokens, Unit, Value,
    papers,
};

/// The napkin calculation of a training run.
#[derive(Debug, Clone, Serialize)]
pub struct TrainingTime {
    /// Work of the whole run: 6·N·D.
    pub total: Derived<Flop>,
    /// Work that the machines do in a day.
    pub per_day: Derived<FlopPerDay>,
    /// Duration.
    pub days: Derived<Days>,
    /// What is paid for.
    pub gpu_hours: Derived<GpuHours>,
}

impl TrainingTime {
    /// Training of `params` on `tokens` by `gpus` devices, each at `mfu` of its `peak`.
    ///
    /// # Errors
    /// If an input is negative or not finite, or peak, MFU or GPUs are 0.
    pub fn new(
        params: &Value<Params>,
        tokens: &Value<Tokens>,
        peak: &Peak,
        mfu: &Value<Mfu>,
        gpus: &Value<Gpus>,
    ) -> Result<Self> {
        let total = total_flop(params, tokens)?;
        let per_day = Derived::new(
            "flop_per_day",
            "F",
            "FLOPs of all devices in a day",
            peak.value_per_gpu()?.expr() * mfu * gpus * Expr::constant(86_400.0, Unit::SECOND.per(Unit::DAY)),
            &[papers::PALM],
        )?;
        let days = Derived::new("days", "T", "training time", total.expr() / per_day.expr(), &[])?;
        let gpu_hours = Derived::new(
            "gpu_hours",
            "H",
            "GPU-hours",
            days.expr() * Expr::constant(24.0, Unit::HOUR.per(Unit::DAY)) * gpus,
            &[],
        )?;
        Ok(Self { total, per_day, days, gpu_hours })
    }
}

/// 6·N·D: per parameter and token 2 FLOPs forward, 2 for the gradient of the input and 2 for that
/// of the weight. Attention's products of activations with each other are left out.
///
/// # Errors
/// If an input is negative or not finite, or the result is too large for a double.
pub fn total_flop(params: &Value<Params>, tokens: &Value<Tokens>) -> Result<Derived<Flop>> {
    Derived::new(
        "total_flop",
        "C",
        "FLOPs of the whole training",
        Expr::constant(6.0, Unit::FLOP.per(Unit::PARAM).per(Unit::TOKEN)) * params * tokens,
        &[papers::KAPLAN],
    )
}
