//! Fractions, as RustPython divides integers and takes floats apart.

use std::cmp::Ordering;

use malachite_base::num::conversion::traits::RoundingInto;
use malachite_base::rounding_modes::RoundingMode;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::ToPrimitive;

/// A fraction in lowest terms.
pub struct Rational(BigRational);

impl Rational {
    /// `numerator / denominator`, which is not zero.
    #[must_use]
    pub fn from_integers_ref(numerator: &BigInt, denominator: &BigInt) -> Self {
        Self(BigRational::new(numerator.clone(), denominator.clone()))
    }

    /// Both without their sign.
    #[must_use]
    pub fn into_numerator_and_denominator(self) -> (BigUint, BigUint) {
        let (numerator, denominator) = self.0.into_raw();
        (numerator.into_parts().1, denominator.into_parts().1)
    }
}

impl RoundingInto<f64> for Rational {
    fn rounding_into(self, _: RoundingMode) -> (f64, Ordering) {
        // Beyond the largest float it is infinite, and then there is nothing left to tell.
        (self.0.to_f64().unwrap_or(f64::NAN), Ordering::Equal)
    }
}

impl TryFrom<f64> for Rational {
    type Error = ();

    fn try_from(value: f64) -> Result<Self, ()> {
        BigRational::from_float(value).map(Self).ok_or(())
    }
}
