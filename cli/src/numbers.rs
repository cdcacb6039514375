//! Numbers on the command line whose rules are not accounting's.

use std::ops::RangeInclusive;

use napkin_accounting::{Error, Rule};

use crate::failure::Failure;

/// A whole number in a range; `_` may separate digits.
pub(crate) fn whole(argument: &str, text: &str, range: RangeInclusive<u64>) -> Result<u64, Failure> {
    let rule = || format!("a whole number from {} to {}", range.start(), range.end());
    let number: Option<u64> = text.trim().replace('_', "").parse().ok();
    let number = number.filter(|number| range.contains(number));
    number.ok_or_else(|| Error::input(argument, rule(), text).into())
}

/// A finite number above 0 that single precision can hold.
pub(crate) fn positive(argument: &str, text: &str) -> Result<f32, Failure> {
    let number: f64 =
        text.trim().parse().map_err(|_| Error::input(argument, "a number such as 0.01", text))?;
    let single = Rule::Positive.check(argument, number, text)?.to_f64() as f32;
    if single.is_finite() && single > 0.0 {
        return Ok(single);
    }
    Err(Error::input(argument, "within single precision, 1e-45 to 3.4e38", text).into())
}

/// The parts of a list separated by commas; an empty list has one empty part, which no rule allows.
pub(crate) fn list(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim)
}
