//! Whether tensors are equal, or nearly so.

use super::Tensor;
use crate::error::{Error, Result};

/// How far apart numbers may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// Of the second one's size.
    pub rtol: f64,
    /// Beside that.
    pub atol: f64,
    /// Whether NaN is like NaN.
    pub equal_nan: bool,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { rtol: 1e-5, atol: 1e-8, equal_nan: false }
    }
}

impl Tensor {
    /// `torch.isclose(self, other, rtol, atol, equal_nan)`: |self − other| ≤ atol + rtol |other|.
    ///
    /// # Errors
    /// If the dtypes differ, a tolerance is negative, or the shapes do not broadcast.
    pub fn isclose(&self, other: &Self, tolerance: Tolerance) -> Result<Self> {
        let Tolerance { rtol, atol, equal_nan } = tolerance;
        if self.dtype() != other.dtype() {
            let (a, b) = (self.dtype().scalar_type(), other.dtype().scalar_type());
            return Err(Error::DType { op: "isclose", message: format!("{a} did not match {b}") });
        }
        for (name, value) in [("rtol", rtol), ("atol", atol)] {
            if value.is_nan() || value < 0.0 {
                let message = format!("{name} must be greater than or equal to zero, but got {value}");
                return Err(Error::Value { op: "isclose", message });
            }
        }
        let (a, b) = (self.detach(), other.detach());
        let mut close = a.eq(&b)?;
        if equal_nan && self.dtype().is_floating_point() {
            close = close.logical_or(&a.isnan()?.logical_and(&b.isnan()?)?)?;
        }
        if rtol == 0.0 && atol == 0.0 {
            return Ok(close);
        }
        // Whole numbers are compared as real ones of the default dtype.
        let real = |t: &Self| t.to_dtype(t.real());
        let (a, b) = (real(&a)?, real(&b)?);
        let distance = a.sub(&b)?.abs()?;
        let within = distance.le(&b.abs()?.mul(rtol)?.add(atol)?)?;
        close.logical_or(&distance.isfinite()?.logical_and(&within)?)
    }

    /// `torch.allclose(self, other, rtol, atol, equal_nan)`: whether [`Tensor::isclose`] holds everywhere. Waits for
    /// the device.
    ///
    /// # Errors
    /// As [`Tensor::isclose`].
    pub async fn allclose(&self, other: &Self, tolerance: Tolerance) -> Result<bool> {
        Ok(self.isclose(other, tolerance)?.all(&[], false)?.item().await?.as_f64() != 0.0)
    }

    /// `torch.equal(self, other)`: whether both have the same shape and elements. Waits for the device.
    ///
    /// # Errors
    /// If the tensors are on different devices.
    pub async fn equal(&self, other: &Self) -> Result<bool> {
        self.same_device("equal", other)?;
        if self.shape() != other.shape() {
            return Ok(false);
        }
        Ok(self.detach().eq(&other.detach())?.all(&[], false)?.item().await?.as_f64() != 0.0)
    }
}
