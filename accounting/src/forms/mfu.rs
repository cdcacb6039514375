//! Model FLOPs utilization.

use crate::{Derived, Expr, FlopPerSec, Mfu, Peak, Result, papers};

/// Actual over promised FLOP/s.
///
/// # Errors
/// If the peak is 0, or either is negative or not finite.
pub fn mfu(actual: FlopPerSec, promised: &Peak) -> Result<Derived<Mfu>> {
    Derived::new(
        "mfu",
        "u",
        "MFU, the share of the promised FLOP/s that was reached",
        Expr::given("actual_flop_per_sec", "A", "actual FLOP/s", actual)? / &promised.value()?,
        &[papers::PALM],
    )
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
