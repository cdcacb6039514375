//! What GPU-hours cost in money and energy.

use crate::papers::reason;
use crate::{Derived, Dollars, DollarsPerGpuHour, GpuHours, Ratio, Result, Value, WattHours, WattsPerGpu};

/// GPU-hours times the price of one.
///
/// # Errors
/// If the result is too large for a double.
pub fn cost(gpu_hours: &Derived<GpuHours>, price: &Value<DollarsPerGpuHour>) -> Result<Derived<Dollars>> {
    Derived::new("cost_dollars", "M", "cost", gpu_hours.expr() * price, &[])
}

/// GPU-hours times the power of a device, times what the building needs besides.
///
/// # Errors
/// If the result is too large for a double.
pub fn energy(
    gpu_hours: &Derived<GpuHours>,
    power: &Value<WattsPerGpu>,
    pue: &Value<Ratio>,
) -> Result<Derived<WattHours>> {
    Derived::new(
        "energy_watt_hours",
        "W",
        "energy, at most",
        gpu_hours.expr() * power * pue,
        &[reason("power is what a device is cooled for; a product of matrices comes near, waiting does not")],
    )
}
