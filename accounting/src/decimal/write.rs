//! Doubles as decimal numbers: exactly, rounded, or with as many digits as it takes to read them back.

use super::read::{FRACTION_BITS, LAST_BIT, nearest};
use super::whole::Whole;

/// More digits than these no double needs to be told from all others.
const MOST_DIGITS: usize = 17;

/// As `format!("{value}")`: the fewest digits that read back as the same double, without an exponent. Of two
/// that are equally near it takes the even one, as Python's `repr`; the standard library takes either.
#[must_use]
pub fn shortest(value: f64) -> String {
    not_finite(value).unwrap_or_else(|| Decimal::shortest(value).plain())
}

/// As `format!("{value}")` of a float32.
#[must_use]
pub fn shortest_f32(value: f32) -> String {
    let double = value.into();
    not_finite(double).unwrap_or_else(|| Decimal::fewest(double, |read| read as f32 == value.abs()).plain())
}

/// As `format!("{value:e}")`: the fewest digits that read back as the same double, and a power of ten.
#[must_use]
pub fn shortest_scientific(value: f64) -> String {
    not_finite(value).unwrap_or_else(|| Decimal::shortest(value).scientific())
}

/// As `format!("{value:.places$}")`: so many digits behind the point, ties to even.
#[must_use]
pub fn fixed(value: f64, places: usize) -> String {
    not_finite(value).unwrap_or_else(|| {
        let mut decimal = Decimal::exact(value);
        let point = i64::from(decimal.exponent) + 1;
        match usize::try_from(point + i64::try_from(places).unwrap_or(i64::MAX)) {
            Ok(count) => decimal.round(count),
            Err(_) => decimal.digits.clear(),
        }
        if decimal.digits.is_empty() {
            decimal = Decimal { digits: vec![0; places + 1], exponent: 0, ..decimal };
        }
        decimal.plain()
    })
}

/// As `format!("{value:.places$e}")`: so many digits behind the point, ties to even, and a power of ten.
#[must_use]
pub fn scientific(value: f64, places: usize) -> String {
    not_finite(value).unwrap_or_else(|| Decimal::significant(value, places + 1).scientific())
}

fn not_finite(value: f64) -> Option<String> {
    let name = match value {
        _ if value.is_nan() => "NaN",
        f64::INFINITY => "inf",
        f64::NEG_INFINITY => "-inf",
        _ => return None,
    };
    Some(name.to_owned())
}

/// A finite number in decimal digits: d₀.d₁d₂… times a power of ten.
#[derive(Debug, Clone)]
pub struct Decimal {
    is_negative: bool,
    digits: Vec<u8>,
    exponent: i32,
}

impl Decimal {
    /// All digits of a finite double; a single one for 0.
    fn exact(value: f64) -> Self {
        let is_negative = value.is_sign_negative();
        let bits = value.abs().to_bits();
        let fraction = bits & ((1 << FRACTION_BITS) - 1);
        // A subnormal has the exponent of the smallest normal number, without the implicit bit.
        let (mantissa, power) = match (bits >> FRACTION_BITS).cast_signed() {
            0 => (fraction, -LAST_BIT),
            biased => (fraction | 1 << FRACTION_BITS, biased - 1 - LAST_BIT),
        };
        if mantissa == 0 {
            return Self { is_negative, digits: vec![0], exponent: 0 };
        }
        let mut whole = Whole::from(mantissa);
        // m / 2ᵖ = m · 5ᵖ / 10ᵖ
        match u64::try_from(power) {
            Ok(power) => whole.shift_left(power),
            Err(_) => (power..0).for_each(|_| whole.multiply_add(5, 0)),
        }
        let digits = whole.into_digits();
        let exponent = digits.len() as i32 - 1 + power.min(0) as i32;
        Self { is_negative, digits, exponent }
    }

    /// The fewest digits that read back as this finite double.
    #[must_use]
    pub fn shortest(value: f64) -> Self {
        Self::fewest(value, |read| read == value.abs())
    }

    /// All digits of a whole number but the zeros at its end.
    #[must_use]
    pub fn whole(value: u128) -> Self {
        let digits: Vec<u8> = value.to_string().bytes().map(|byte| byte - b'0').collect();
        Self { is_negative: false, exponent: digits.len() as i32 - 1, digits }.trimmed()
    }

    /// So many digits of a finite double, ties to even.
    #[must_use]
    pub fn significant(value: f64, count: usize) -> Self {
        let mut decimal = Self::exact(value);
        decimal.round(count);
        decimal.digits.truncate(count);
        decimal
    }

    /// The power of ten that the first digit counts.
    #[must_use]
    pub fn exponent(&self) -> i32 {
        self.exponent
    }

    /// How many digits there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.digits.len()
    }

    /// The number divided by 10^`by`.
    #[must_use]
    pub fn shifted(mut self, by: i32) -> Self {
        self.exponent -= by;
        self
    }

    /// The fewest digits whose size `is_it` takes for the number's.
    fn fewest(value: f64, is_it: impl Fn(f64) -> bool) -> Self {
        let exact = Self::exact(value);
        let mut decimal = exact.clone();
        for count in 1..=MOST_DIGITS {
            decimal = exact.clone();
            decimal.round(count);
            let last = i64::from(decimal.exponent) + 1 - decimal.digits.len() as i64;
            if is_it(nearest(&decimal.digits, last)) {
                break;
            }
        }
        decimal.trimmed()
    }

    /// Rounds to so many digits, ties to even, or adds zeros. A carry beyond the first digit adds one digit;
    /// none are left of what is less than half of the digit before the first.
    fn round(&mut self, count: usize) {
        if count >= self.digits.len() {
            self.digits.resize(count, 0);
            return;
        }
        let rest = self.digits.split_off(count);
        let is_odd = self.digits.last().is_some_and(|digit| digit % 2 == 1);
        let is_tie = rest[0] == 5 && rest[1..].iter().all(|digit| *digit == 0);
        if if is_tie { is_odd } else { rest[0] >= 5 } {
            self.carry();
        }
    }

    /// One more in the last place.
    fn carry(&mut self) {
        for digit in self.digits.iter_mut().rev() {
            *digit += 1;
            if *digit < 10 {
                return;
            }
            *digit = 0;
        }
        self.digits.insert(0, 1);
        self.exponent += 1;
    }

    /// Without zeros at the end.
    #[must_use]
    pub fn trimmed(mut self) -> Self {
        while self.digits.len() > 1 && self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        self
    }

    /// The sign and the digits.
    fn written(&self) -> (&'static str, String) {
        let sign = if self.is_negative { "-" } else { "" };
        (sign, self.digits.iter().map(|digit| char::from(b'0' + digit)).collect())
    }

    /// Without an exponent.
    #[must_use]
    pub fn plain(&self) -> String {
        let (sign, digits) = self.written();
        let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
        let point = self.exponent + 1;
        let mut text = zeros(1 - point) + &digits;
        match usize::try_from(point.max(1)) {
            Ok(point) if point < text.len() => text.insert(point, '.'),
            _ => text += &zeros(point - digits.len() as i32),
        }
        text.insert_str(0, sign);
        text
    }

    /// With the exponent behind an `e`.
    #[must_use]
    pub fn scientific(&self) -> String {
        let (sign, mut digits) = self.written();
        if digits.len() > 1 {
            digits.insert(1, '.');
        }
        format!("{sign}{digits}e{}", self.exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agrees(value: f64) {
        // Of two numbers that are equally near the standard library may take the odd one.
        fn matches<T: std::str::FromStr + PartialEq>(text: &str, expected: &str, value: &T) -> bool {
            let is_as_good = || text.parse().is_ok_and(|read: T| read == *value);
            text == expected || (text.len() == expected.len() && is_as_good())
        }
        assert!(matches(&shortest(value), &format!("{value}"), &value), "{value}");
        assert!(matches(&shortest_scientific(value), &format!("{value:e}"), &value), "{value}");
        let single = value as f32;
        assert!(matches(&shortest_f32(single), &format!("{single}"), &single), "{single}");
        for places in [0, 1, 2, 3, 5, 20] {
            assert_eq!(fixed(value, places), format!("{value:.places$}"), "{value:e} {places}");
            assert_eq!(scientific(value, places), format!("{value:.places$e}"), "{value:e} {places}");
        }
    }

    #[test]
    fn agrees_with_the_standard_library() {
        let edges = [
            0.0,
            0.1,
            0.5,
            1.0,
            1.5,
            2.5,
            0.25,
            0.05,
            0.045,
            0.95,
            9.5,
            9.95,
            99.95,
            0.004,
            0.006,
            1e-8,
            1e15,
            1e16,
            1e21,
            1e22,
            1e23,
            123_456_789.0,
            5e-324,
            2.225_073_858_507_201_4e-308,
            f64::MAX,
            f64::EPSILON,
            65504.0,
            9_007_199_254_740_993.0,
            f64::INFINITY,
            f64::NAN,
            3.4e38,
            1e-45,
            0.000_976_562_5,
        ];
        for value in edges {
            agrees(value);
            agrees(-value);
        }
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..1500 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            agrees(f64::from_bits(state));
            agrees(f32::from_bits(state as u32).into());
            // Ties and short numbers.
            agrees((state >> 50) as f64 / 8.0);
            agrees((state >> 54) as f64 / 100.0);
        }
    }
}
