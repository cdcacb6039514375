//! Numbers as Python has them: whole ones exact, others double precision.
//!
//! A formula whose parts are whole is exact to the last digit, and its rendering in Python prints the same digits,
//! because both follow the same rules: sums, differences and products of whole numbers are whole, and a quotient
//! is the double nearest to the true one.

use std::cmp::Ordering;

use serde::{Serialize, Serializer};

use crate::decimal::Decimal;

/// A number that is not negative unless it is a double.
#[derive(Debug, Clone, Copy)]
pub enum Number {
    /// A whole number below 2¹²⁸.
    Whole(u128),
    /// A double.
    Double(f64),
}

/// 2⁵³
const NO_GAPS: f64 = 9_007_199_254_740_992.0;
/// 2¹²⁸
const WHOLE_END: f64 = 340_282_366_920_938_463_463_374_607_431_768_211_456.0;

impl Number {
    /// The nearest double.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        match self {
            Self::Whole(whole) => whole as f64,
            Self::Double(double) => double,
        }
    }

    /// The number if it is whole.
    #[must_use]
    pub fn to_whole(self) -> Option<u128> {
        match self {
            Self::Whole(whole) => Some(whole),
            Self::Double(_) => None,
        }
    }

    /// Neither infinite nor no number.
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.to_f64().is_finite()
    }

    /// Sum; `None` beyond 2¹²⁸.
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        self.with(other, u128::checked_add, |a, b| a + b)
    }

    /// Difference; `None` if it is a whole number below 0.
    #[must_use]
    pub fn minus(self, other: Self) -> Option<Self> {
        self.with(other, u128::checked_sub, |a, b| a - b)
    }

    /// Product; `None` beyond 2¹²⁸.
    #[must_use]
    pub fn times(self, other: Self) -> Option<Self> {
        self.with(other, u128::checked_mul, |a, b| a * b)
    }

    /// Quotient, always a double; `None` by zero.
    #[must_use]
    pub fn over(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Whole(a), Self::Whole(b)) => quotient(a, b).map(Self::Double),
            (a, b) => (b.to_f64() != 0.0).then(|| Self::Double(a.to_f64() / b.to_f64())),
        }
    }

    /// Quotient of whole numbers, rounded up; `None` by zero and of others.
    #[must_use]
    pub fn over_rounded_up(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Whole(a), Self::Whole(b)) if b != 0 => Some(Self::Whole(a.div_ceil(b))),
            _ => None,
        }
    }

    /// Rounded down to a whole number; `None` below 0 and from 2¹²⁸ on.
    #[must_use]
    pub fn floor(self) -> Option<Self> {
        match self {
            Self::Double(double) => {
                (0.0..WHOLE_END).contains(&double).then(|| Self::Whole(double.floor() as u128))
            }
            whole => Some(whole),
        }
    }

    /// Power: exact if both are whole.
    #[must_use]
    pub fn power(self, exponent: Self) -> Option<Self> {
        match (self, exponent) {
            (Self::Whole(a), Self::Whole(b)) => a.checked_pow(u32::try_from(b).ok()?).map(Self::Whole),
            (a, b) => Some(Self::Double(a.to_f64().powf(b.to_f64()))),
        }
    }

    /// Square root, always a double.
    #[must_use]
    pub fn root(self) -> Self {
        Self::Double(self.to_f64().sqrt())
    }

    /// The larger; the first of equals.
    #[must_use]
    pub fn larger(self, other: Self) -> Self {
        if other.to_f64() > self.to_f64() { other } else { self }
    }

    /// The smaller; the first of equals.
    #[must_use]
    pub fn smaller(self, other: Self) -> Self {
        if other.to_f64() < self.to_f64() { other } else { self }
    }

    /// Its decimal digits: all of a whole number, of a double the fewest that read back as the same.
    #[must_use]
    pub fn decimal(self) -> Decimal {
        match self {
            Self::Whole(whole) => Decimal::whole(whole),
            Self::Double(double) => Decimal::shortest(double),
        }
    }

    fn with(
        self,
        other: Self,
        whole: fn(u128, u128) -> Option<u128>,
        double: fn(f64, f64) -> f64,
    ) -> Option<Self> {
        match (self, other) {
            (Self::Whole(a), Self::Whole(b)) => whole(a, b).map(Self::Whole),
            (a, b) => Some(Self::Double(double(a.to_f64(), b.to_f64()))),
        }
    }
}

/// The double nearest to a/b.
fn quotient(a: u128, b: u128) -> Option<f64> {
    const ENOUGH_BITS: u32 = 66;
    let mut whole = a.checked_div(b)?;
    let mut rest = a % b;
    let mut shift = 0;
    // More bits than a double has, and the last of them tells whether anything follows: one rounding then is right.
    while whole.leading_zeros() > u128::BITS - ENOUGH_BITS && rest != 0 {
        let carries = rest.leading_zeros() == 0;
        rest <<= 1;
        whole <<= 1;
        if carries || rest >= b {
            rest = rest.wrapping_sub(b);
            whole |= 1;
        }
        shift += 1;
    }
    whole |= u128::from(rest != 0);
    Some(whole as f64 * 2f64.powi(-shift))
}

/// A double that is whole and not negative counts exactly from then on, where doubles count without gaps.
impl From<f64> for Number {
    fn from(double: f64) -> Self {
        if double.fract() == 0.0 && (0.0..=NO_GAPS).contains(&double) {
            Self::Whole(double as u128)
        } else {
            Self::Double(double)
        }
    }
}

impl From<u128> for Number {
    fn from(whole: u128) -> Self {
        Self::Whole(whole)
    }
}

impl From<u64> for Number {
    fn from(whole: u64) -> Self {
        Self::Whole(whole.into())
    }
}

/// By value: 2 is 2.0.
impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Whole(a), Self::Whole(b)) => a == b,
            (a, b) => a.to_f64() == b.to_f64(),
        }
    }
}

impl PartialEq<f64> for Number {
    fn eq(&self, other: &f64) -> bool {
        self.to_f64() == *other
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Whole(a), Self::Whole(b)) => Some(a.cmp(b)),
            (a, b) => a.to_f64().partial_cmp(&b.to_f64()),
        }
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Whole(whole) => match u64::try_from(whole) {
                Ok(small) => serializer.serialize_u64(small),
                Err(_) => serializer.serialize_u128(whole),
            },
            Self::Double(double) => serializer.serialize_f64(double),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_the_nearest_doubles() {
        // Python's int / int.
        for (a, b, expected) in [
            (1, 3, 1.0 / 3.0),
            (0, 7, 0.0),
            (6_300_000_000_000_000_000_000_000, 7, 9e23),
            (u128::MAX, 3, 1.134_274_556_403_128_1e38),
            (1, u128::MAX, 2.938_735_877_055_719e-39),
            ((1 << 53) + 1, 1, 9_007_199_254_740_992.0),
            ((1 << 54) + 3, 1, 18_014_398_509_481_988.0),
            ((1 << 53) + 1, 2, 4_503_599_627_370_496.0),
        ] {
            assert_eq!(quotient(a, b).map(f64::to_bits), Some(f64::to_bits(expected)), "{a} / {b}");
        }
        assert_eq!(quotient(1, 0), None);
    }

    #[test]
    fn whole_numbers_stay_exact() {
        let big = Number::from((1_u128 << 100) + 1);
        assert_eq!(big.plus(Number::from(1_u64)), Some(Number::Whole((1 << 100) + 2)));
        assert_eq!(big.times(Number::from(1_u128 << 30)), None);
        assert_eq!(Number::from(3_u64).minus(Number::from(4_u64)), None);
        assert!(matches!(Number::from(70e9), Number::Whole(70_000_000_000)));
        assert!(matches!(Number::from(0.5), Number::Double(_)));
        assert!(matches!(Number::from(1e39), Number::Double(_)));
        assert!(matches!(Number::from(-1.0), Number::Double(_)));
    }
}
