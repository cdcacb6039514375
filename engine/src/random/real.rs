//! From bits to real numbers: float32 as PyTorch draws it, and float64.

use std::fmt::{Display, LowerExp};

use super::Generator;
use super::cephes;
use super::mt19937::Mt19937;
use crate::{Error, Result};

/// Values that are transformed together from this many on.
const BLOCK: usize = 16;

/// A number that the generator draws: `f32` or `f64`.
pub trait Real: Copy + Default + PartialOrd + Into<f64> + Display + LowerExp + private::Draw {}

impl<T: Copy + Default + PartialOrd + Into<f64> + Display + LowerExp + private::Draw> Real for T {}

mod private {
    /// How one is drawn and computed with.
    pub trait Draw: Sized {
        /// The largest finite one.
        const MAX: Self;
        /// From [0, 1), all mantissa bits random.
        fn uniform(bits: impl FnMut() -> u32) -> Self;
        /// Rounded.
        fn rounded(x: f64) -> Self;
        /// `a · b + c`, rounded as PyTorch's kernel does.
        fn multiply_add(a: Self, b: Self, c: Self) -> Self;
        /// Two uniform numbers become two normal ones (Box and Muller 1958).
        fn polar(u1: Self, u2: Self) -> (Self, Self);
    }
}

impl private::Draw for f32 {
    const MAX: Self = Self::MAX;

    fn uniform(mut bits: impl FnMut() -> u32) -> Self {
        (bits() & 0xff_ffff) as Self / 16_777_216.0
    }

    fn rounded(x: f64) -> Self {
        x as Self
    }

    fn multiply_add(a: Self, b: Self, c: Self) -> Self {
        cephes::fused(a, b, c)
    }

    fn polar(u1: Self, u2: Self) -> (Self, Self) {
        let radius = (-2.0 * cephes::ln(1.0 - u1)).sqrt();
        let (sine, cosine) = cephes::sin_cos(2.0 * std::f32::consts::PI * u2);
        (radius * cosine, radius * sine)
    }
}

impl private::Draw for f64 {
    const MAX: Self = Self::MAX;

    fn uniform(mut bits: impl FnMut() -> u32) -> Self {
        let high = u64::from(bits());
        let bits = (high << 32) | u64::from(bits());
        (bits & ((1 << 53) - 1)) as Self / 9_007_199_254_740_992.0
    }

    fn rounded(x: f64) -> Self {
        x
    }

    fn multiply_add(a: Self, b: Self, c: Self) -> Self {
        a * b + c
    }

    fn polar(u1: Self, u2: Self) -> (Self, Self) {
        let radius = (-2.0 * (-u1).ln_1p()).sqrt();
        let theta = 2.0 * std::f64::consts::PI * u2;
        (radius * theta.cos(), radius * theta.sin())
    }
}

pub(super) fn uniform<T: Real>(engine: &mut Mt19937) -> T {
    T::uniform(|| engine.bits32())
}

impl Generator {
    /// `tensor.uniform_(low, high)` on contiguous float32 or float64.
    ///
    /// # Errors
    /// If `low > high`, or their distance is beyond the dtype.
    pub fn uniform_<T: Real>(&mut self, out: &mut [T], low: T, high: T) -> Result<()> {
        let fault = |message| Err(Error::Value { op: "uniform_", message });
        let (from, to): (f64, f64) = (low.into(), high.into());
        if from.is_nan() || to.is_nan() || from > to {
            return fault(format!("expects to return a [from, to) range, but found from={low} > to={high}"));
        }
        let range = T::rounded(to - from);
        if !range.into().is_finite() {
            return fault(format!("expects to-from <= {:e}, but found to={high} and from={low}", T::MAX));
        }
        for x in out {
            *x = T::multiply_add(uniform(&mut self.engine), range, low);
        }
        Ok(())
    }

    /// `tensor.normal_(mean, std)` on contiguous float32 or float64: below 16 values one by one in float64; from
    /// 16 on all uniform numbers first, which are then transformed in blocks of 16.
    ///
    /// # Errors
    /// If `std` is negative.
    pub fn normal_<T: Real>(&mut self, out: &mut [T], mean: f64, std: f64) -> Result<()> {
        check_std(std)?;
        self.fill_normal(out, mean, std);
        Ok(())
    }

    pub(super) fn fill_normal<T: Real>(&mut self, out: &mut [T], mean: f64, std: f64) {
        if out.len() < BLOCK {
            return self.normal_singly(out, mean, std);
        }
        self.fill_uniform(out);
        let (blocks, rest) = out.as_chunks_mut::<BLOCK>();
        blocks.iter_mut().for_each(|block| box_muller(block, mean, std));
        if !rest.is_empty() {
            self.last_block(out, mean, std);
        }
    }

    /// `tensor.normal_(mean, std)` on contiguous float16 or bfloat16, before the numbers are rounded to that: each
    /// block is drawn when its turn comes.
    ///
    /// # Errors
    /// As [`Generator::normal_`].
    pub fn normal_half_(&mut self, out: &mut [f32], mean: f64, std: f64) -> Result<()> {
        check_std(std)?;
        if out.len() < BLOCK {
            self.normal_singly(out, mean, std);
            return Ok(());
        }
        let (blocks, rest) = out.as_chunks_mut::<BLOCK>();
        for block in blocks {
            self.fill_uniform(block);
            box_muller(block, mean, std);
        }
        if !rest.is_empty() {
            self.last_block(out, mean, std);
        }
        Ok(())
    }

    /// Normal numbers as tensors that are not contiguous get them.
    pub(crate) fn normal_singly<T: Real>(&mut self, out: &mut [T], mean: f64, std: f64) {
        for x in out {
            *x = T::rounded(self.normal() * std + mean);
        }
    }

    /// The last block is drawn anew and overlaps the one before it.
    fn last_block<T: Real>(&mut self, out: &mut [T], mean: f64, std: f64) {
        let start = out.len() - BLOCK;
        let last = &mut out[start..];
        self.fill_uniform(last);
        box_muller(last, mean, std);
    }

    fn fill_uniform<T: Real>(&mut self, out: &mut [T]) {
        out.iter_mut().for_each(|x| *x = uniform(&mut self.engine));
    }

    /// One normal number; two come from one pair of uniform ones.
    fn normal(&mut self) -> f64 {
        use private::Draw;
        if let Some(spare) = self.spare_normal.take() {
            return spare;
        }
        let (u1, u2): (f64, f64) = (uniform(&mut self.engine), uniform(&mut self.engine));
        // The second one is the radius' argument here.
        let (first, second) = f64::polar(u2, u1);
        self.spare_normal = Some(second);
        first
    }
}

fn check_std(std: f64) -> Result<()> {
    if std.is_nan() || std < 0.0 {
        let message = format!("normal expects std >= 0.0, but found std {std}");
        return Err(Error::Value { op: "normal_", message });
    }
    Ok(())
}

/// Sixteen uniform numbers become normal ones: number j with number j + 8.
fn box_muller<T: Real>(block: &mut [T], mean: f64, std: f64) {
    let (mean, std) = (T::rounded(mean), T::rounded(std));
    let (left, right) = block.split_at_mut(BLOCK / 2);
    for (a, b) in left.iter_mut().zip(right) {
        let (x, y) = T::polar(*a, *b);
        (*a, *b) = (T::multiply_add(x, std, mean), T::multiply_add(y, std, mean));
    }
}
