//! What bounds a computation: the device's arithmetic or its memory.

use crate::expr::Input;
use crate::{
    Bytes, BytesPerSec, Derived, Expr, Flop, FlopPerByte, FlopPerSec, Number, Quantity, Result, Seconds,
    Source, Unit, papers,
};

/// A promised or measured rate of arithmetic of one device.
#[derive(Debug, Clone)]
pub struct Peak {
    dense: FlopPerSec,
    sparse_factor: Option<f64>,
    title: String,
    sources: Vec<Source>,
}

impl Peak {
    /// A rate that is not in the catalogue, such as one measured here; the title says whose it is.
    #[must_use]
    pub fn new(dense: FlopPerSec, title: &str) -> Self {
        Self { dense, sparse_factor: None, title: title.to_owned(), sources: Vec::new() }
    }

    /// The same with sources.
    #[must_use]
    pub fn with_sources(self, sources: Vec<Source>) -> Self {
        Self { sources, ..self }
    }

    /// That rate times the factor of 2:4 sparsity.
    #[must_use]
    pub fn with_sparse_factor(self, factor: f64) -> Self {
        Self { sparse_factor: Some(factor), ..self }
    }

    /// The rate.
    #[must_use]
    pub fn flop_per_sec(&self) -> FlopPerSec {
        self.dense * self.sparse_factor.unwrap_or(1.0)
    }

    /// For use in a formula about one device.
    ///
    /// # Errors
    /// If the rate is negative or not finite.
    pub fn expr(&self) -> Result<Expr> {
        self.expr_in::<FlopPerSec>(FlopPerSec::UNIT)
    }

    /// For use in a formula about several: in FLOP/s per GPU.
    pub(crate) fn expr_per_gpu(&self) -> Result<Expr> {
        self.expr_in::<PerGpu>(PerGpu::UNIT)
    }

    fn expr_in<Q: Quantity>(&self, unit: Unit) -> Result<Expr> {
        let dense = Expr::input(Input {
            name: "peak_flop_per_sec",
            symbol: "P",
            title: self.title.clone(),
            value: self.dense.number(),
            unit,
            sources: self.sources.clone(),
        })?;
        let Some(factor) = self.sparse_factor else { return Ok(dense) };
        let sparse = Derived::<Q>::new(
            "sparse_peak_flop_per_sec",
            "P_2",
            "peak with 2:4 sparsity",
            Expr::constant(factor, Unit::NONE) * dense,
            &[papers::reason("two of every four weights are zero and skipped; training is dense")],
        )?;
        Ok(sparse.expr())
    }
}

#[derive(Clone, Copy)]
struct PerGpu(Number);

impl Quantity for PerGpu {
    const UNIT: Unit = FlopPerSec::UNIT.per(Unit::GPU);
    const RULE: crate::Rule = FlopPerSec::RULE;

    fn of(number: Number) -> Self {
        Self(number)
    }

    fn number(self) -> Number {
        self.0
    }
}

/// A promised or measured bandwidth of one device's memory.
#[derive(Debug, Clone)]
pub struct Bandwidth {
    bandwidth: BytesPerSec,
    title: String,
    sources: Vec<Source>,
}

impl Bandwidth {
    /// A bandwidth that is not in the catalogue; the title says whose it is.
    #[must_use]
    pub fn new(bandwidth: BytesPerSec, title: &str) -> Self {
        Self { bandwidth, title: title.to_owned(), sources: Vec::new() }
    }

    /// The same with sources.
    #[must_use]
    pub fn with_sources(self, sources: Vec<Source>) -> Self {
        Self { sources, ..self }
    }

    /// The bandwidth.
    #[must_use]
    pub fn bytes_per_sec(&self) -> BytesPerSec {
        self.bandwidth
    }

    /// For use in a formula.
    ///
    /// # Errors
    /// If the bandwidth is negative or not finite.
    pub fn expr(&self) -> Result<Expr> {
        Expr::input(Input {
            name: "bandwidth_bytes_per_sec",
            symbol: "W",
            title: self.title.clone(),
            value: self.bandwidth.number(),
            unit: BytesPerSec::UNIT,
            sources: self.sources.clone(),
        })
    }
}

/// The arithmetic intensity above which arithmetic and no longer memory is what a device waits for.
///
/// # Errors
/// If the bandwidth is 0.
pub fn ridge(peak: &Peak, bandwidth: &Bandwidth) -> Result<Derived<FlopPerByte>> {
    Derived::new(
        "ridge_flop_per_byte",
        "I_0",
        "ridge point",
        peak.expr()? / bandwidth.expr()?,
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
    bandwidth: &Bandwidth,
) -> Result<Bound> {
    let compute =
        Derived::new("compute_secs", "t_1", "time for the arithmetic", work.expr() / peak.expr()?, &[])?;
    let memory =
        Derived::new("memory_secs", "t_2", "time to move the bytes", data.expr() / bandwidth.expr()?, &[])?;
    let time = Derived::new(
        "bound_secs",
        "t",
        "least time, if both overlap fully",
        Expr::max(compute.expr(), memory.expr()),
        &[papers::ROOFLINE],
    )?;
    Ok(Bound { compute, memory, time })
}
