//! What bounds a computation: the device's arithmetic or its memory.

use crate::{
    Bytes, BytesPerSec, Derived, Expr, Flop, FlopPerByte, FlopPerSec, FlopPerSecPerGpu, Quantity, Result,
    Seconds, Sourced, Value, papers,
};

/// A promised or measured rate of arithmetic of one device.
#[derive(Debug, Clone)]
pub struct Peak {
    dense: Sourced<FlopPerSec>,
    sparse_factor: Option<f64>,
}

impl Peak {
    /// A rate.
    #[must_use]
    pub fn new(dense: Sourced<FlopPerSec>) -> Self {
        Self { dense, sparse_factor: None }
    }

    /// That rate times the factor of 2:4 sparsity.
    #[must_use]
    pub fn with_sparse_factor(self, factor: f64) -> Self {
        Self { sparse_factor: Some(factor), ..self }
    }

    /// The factor of 2:4 sparsity, if that is in the rate.
    #[must_use]
    pub const fn sparse_factor(&self) -> Option<f64> {
        self.sparse_factor
    }

    /// The rate.
    #[must_use]
    pub fn flop_per_sec(&self) -> FlopPerSec {
        self.dense.quantity * self.sparse_factor.unwrap_or(1.0)
    }

    /// For use in a formula about one device.
    ///
    /// # Errors
    /// If the rate is negative or not finite.
    pub fn value(&self) -> Result<Value<FlopPerSec>> {
        self.value_of(&self.dense)
    }

    /// For use in a formula about several.
    ///
    /// # Errors
    /// If the rate is negative or not finite.
    pub fn value_per_gpu(&self) -> Result<Value<FlopPerSecPerGpu>> {
        let Sourced { quantity, title, sources, mark, provenance } = self.dense.clone();
        let quantity = FlopPerSecPerGpu::of(quantity.number());
        self.value_of(&Sourced { quantity, title, sources, mark, provenance })
    }

    fn value_of<Q: Quantity>(&self, dense: &Sourced<Q>) -> Result<Value<Q>> {
        let dense = dense.value("peak_flop_per_sec", "P")?;
        let Some(factor) = self.sparse_factor else { return Ok(dense) };
        let sparse = Derived::new(
            "sparse_peak_flop_per_sec",
            "P_2",
            "peak with 2:4 sparsity",
            factor * dense.expr(),
            &[papers::reason("two of every four weights are zero and skipped; training is dense")],
        )?;
        Ok((&sparse).into())
    }
}

/// The arithmetic intensity above which arithmetic and no longer memory is what a device waits for.
///
/// # Errors
/// If the bandwidth is 0.
pub fn ridge(peak: &Peak, bandwidth: &Value<BytesPerSec>) -> Result<Derived<FlopPerByte>> {
    Derived::new(
        "ridge_flop_per_byte",
        "I_0",
        "ridge point",
        peak.value()?.expr() / bandwidth,
        &[papers::ROOFLINE],
    )
}

/// The rate that a computation of that intensity can reach: the lower of the two roofs.
///
/// # Errors
/// If a rate is negative or not finite.
pub fn attainable(
    title: &str,
    intensity: &Derived<FlopPerByte>,
    peak: &Peak,
    bandwidth: &Value<BytesPerSec>,
) -> Result<Derived<FlopPerSec>> {
    Derived::new(
        "attainable_flop_per_sec",
        "R",
        format!("rate at best, {title}"),
        peak.value()?.expr().min(intensity.expr() * bandwidth),
        &[papers::ROOFLINE],
    )
}

/// The least time that a computation can take.
#[derive(Debug, Clone)]
pub struct Bound {
    /// For the arithmetic alone.
    pub compute: Derived<Seconds>,
    /// For moving the bytes alone.
    pub memory: Derived<Seconds>,
    /// The longer of the two.
    pub time: Derived<Seconds>,
}

impl Bound {
    /// Whether arithmetic is what takes longer.
    #[must_use]
    pub fn is_compute_bound(&self) -> bool {
        self.compute.value >= self.memory.value
    }
}

/// The roofline's bound on the time of that much work on that much data.
///
/// # Errors
/// If peak or bandwidth is 0.
pub fn time_bound(
    work: &Derived<Flop>,
    data: &Derived<Bytes>,
    peak: &Peak,
    bandwidth: &Value<BytesPerSec>,
) -> Result<Bound> {
    let compute =
        Derived::new("compute_secs", "t_1", "time for the arithmetic", work.expr() / &peak.value()?, &[])?;
    let memory = Derived::new("memory_secs", "t_2", "time to move the bytes", data.expr() / bandwidth, &[])?;
    let time = Derived::new(
        "bound_secs",
        "t",
        "least time, if both overlap fully",
        Expr::max(compute.expr(), memory.expr()),
        &[papers::ROOFLINE],
    )?;
    Ok(Bound { compute, memory, time })
}
