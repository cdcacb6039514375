//! Decimal numbers as doubles, correctly rounded.

use std::cmp::Ordering;

use super::whole::Whole;

/// A double halfway between two others has 767 digits at most; what follows can only break a tie.
const SIGNIFICANT_DIGITS: usize = 770;
/// From this power of ten on every number is beyond the largest double, 1.8e308.
const BEYOND: i64 = 310;
/// Below this power of ten every number is nearer to 0 than to the smallest double, 4.9e-324.
const BELOW: i64 = -325;
/// The exponent of the last bit of the smallest double.
pub(super) const LAST_BIT: i64 = 1074;
pub(super) const FRACTION_BITS: i64 = 52;

/// Reads a decimal number as `str::parse::<f64>` does: `-12`, `1.5`, `.5`, `1e-8`, `inf`, `NaN`; `None` where
/// the text is no number. A number beyond the largest double is infinite.
#[must_use]
pub fn read(text: &str) -> Option<f64> {
    let (is_negative, unsigned) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let value = match unsigned {
        word if word.eq_ignore_ascii_case("inf") || word.eq_ignore_ascii_case("infinity") => f64::INFINITY,
        word if word.eq_ignore_ascii_case("nan") => f64::NAN,
        number => magnitude(number)?,
    };
    Some(if is_negative { -value } else { value })
}

fn magnitude(text: &str) -> Option<f64> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, power(exponent)?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let has_digits = !(whole.is_empty() && fraction.is_empty());
    if !has_digits || !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let length = |text: &str| i64::try_from(text.len()).unwrap_or(i64::MAX);
    let mut digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).map(|byte| byte - b'0').collect();
    let leading = digits.iter().take_while(|digit| **digit == 0).count();
    digits.drain(..leading);
    let mut exponent = exponent.saturating_sub(length(fraction));
    if digits.len() > SIGNIFICANT_DIGITS {
        let cut = digits.split_off(SIGNIFICANT_DIGITS);
        digits.push(u8::from(cut.iter().any(|digit| *digit != 0)));
        exponent = exponent.saturating_add(i64::try_from(cut.len()).unwrap_or(i64::MAX) - 1);
    }
    let point = exponent.saturating_add(i64::try_from(digits.len()).unwrap_or(i64::MAX));
    Some(match point {
        _ if digits.is_empty() => 0.0,
        BEYOND.. => f64::INFINITY,
        ..BELOW => 0.0,
        _ => nearest(&digits, exponent),
    })
}

/// A power of ten; what does not fit is as good as the largest.
fn power(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let add = |sum: i64, byte: u8| sum.saturating_mul(10).saturating_add(i64::from(byte - b'0'));
    let size = digits.bytes().fold(0, add);
    Some(if text.starts_with('-') { -size } else { size })
}

/// The double nearest to the digits times the power of ten; of two equally near the even one.
pub(super) fn nearest(digits: &[u8], exponent: i64) -> f64 {
    let (mut above, mut below) = (Whole::from(0), Whole::from(1));
    digits.iter().for_each(|digit| above.multiply_add(10, u32::from(*digit)));
    let scaled = if exponent < 0 { &mut below } else { &mut above };
    (0..exponent.unsigned_abs()).for_each(|_| scaled.multiply_add(10, 0));
    // The quotient gets 53 bits, or fewer where the smallest double's last bit comes first.
    let mut shift = (FRACTION_BITS + 1 + below.bits() - above.bits()).min(LAST_BIT);
    let mut trial = divide(above.clone(), below.clone(), shift);
    if trial.0 >> (FRACTION_BITS + 1) != 0 {
        shift -= 1;
        trial = divide(above, below, shift);
    }
    let (quotient, rest) = trial;
    let rounds_up = match rest {
        Ordering::Less => false,
        Ordering::Equal => quotient & 1 == 1,
        Ordering::Greater => true,
    };
    let mantissa = quotient + u64::from(rounds_up);
    // The implicit leading bit adds one to the exponent, and so does a carry; without it there is none to add.
    let bits = ((LAST_BIT - shift).unsigned_abs() << FRACTION_BITS) + mantissa;
    f64::from_bits(bits.min(f64::INFINITY.to_bits()))
}

/// `above · 2^shift / below`, rounded down, and how the rest compares with half of `below`.
fn divide(mut above: Whole, mut below: Whole, shift: i64) -> (u64, Ordering) {
    // The quotient has 54 bits at most.
    let steps = FRACTION_BITS + 2;
    let moved = if shift < 0 { &mut below } else { &mut above };
    moved.shift_left(shift.unsigned_abs());
    below.shift_left(steps.unsigned_abs());
    let mut quotient = 0;
    for _ in 0..=steps {
        quotient <<= 1;
        if above.compare(&below) != Ordering::Less {
            above.subtract(&below);
            quotient |= 1;
        }
        above.multiply_add(2, 0);
    }
    // The rest has been doubled once more than the quotient.
    (quotient, above.compare(&below))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agrees(text: &str) {
        let expected = text.parse::<f64>().ok().map(f64::to_bits);
        assert_eq!(read(text).map(f64::to_bits), expected, "{text}");
    }

    #[test]
    fn agrees_with_the_standard_library_at_the_edges() {
        for text in [
            "0",
            "-0",
            "+1",
            "1.",
            ".5",
            "0.1",
            "-3",
            "1e-8",
            "1e22",
            "1e23",
            "9007199254740993",
            "9007199254740992.5",
            "9007199254740993.00000000000000000000000000000001",
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "2e308",
            "1e309",
            "1e310",
            "-1e400",
            "2.2250738585072014e-308",
            "2.2250738585072011e-308",
            "2.225073858507201e-308",
            "5e-324",
            "4.9e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "2.5e-324",
            "1e-324",
            "1e-330",
            "1e-99999999999999999999",
            "0e99999999999999999999",
            "1e99999999999999999999",
            "0.000000000000000000000000000000000000000001e42",
            "inf",
            "-Infinity",
            "INF",
        ] {
            agrees(text);
        }
        assert!(read("nan").is_some_and(f64::is_nan));
    }

    #[test]
    fn agrees_with_the_standard_library_on_many_numbers() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..4000 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let value = f64::from_bits(state);
            if !value.is_finite() {
                continue;
            }
            agrees(&format!("{value:e}"));
            agrees(&format!("{value:.3e}"));
            agrees(&format!("{}.{}", state >> 32, state as u32));
            // Exactly between this double and the next, and just beside.
            let next = f64::from_bits(value.abs().to_bits() + 1);
            if next.is_finite() && value.abs() < 1e15 && value.abs() > 1e-15 {
                let (low, high) = (format!("{:.120}", value.abs()), format!("{next:.120}"));
                agrees(&low);
                agrees(&high);
            }
        }
        for last in 0..200u64 {
            // Odd numbers beyond 2⁵³ lie exactly between two doubles.
            let tie = (1u64 << 53) + last;
            agrees(&tie.to_string());
            agrees(&format!("{tie}.{}1", "0".repeat(900)));
            agrees(&format!("{tie}.{}", "0".repeat(900)));
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in [
            "", "+", "-", ".", "e5", "1e", "1e+", "1e5.0", "1 ", " 1", "0x10", "1_000", "--1", "1.2.3", "é",
            "+é",
        ] {
            assert_eq!(read(text), None, "{text}");
            agrees(text);
        }
    }
}
