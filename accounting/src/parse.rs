//! Reading what people type: "70B", "15T", "1.979 PFLOP/s", "80 GiB", "70e9", "1_000".

use crate::{Error, Number, Quantity, Result, Unit, decimal};

/// What an input has to be, apart from being a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Finite and above 0.
    Positive,
    /// A whole number from 1 to 2⁵³, up to which doubles count without gaps.
    Whole,
}

/// 2⁵³
const LARGEST_WHOLE: u128 = 1 << 53;

impl Rule {
    /// Whether the number keeps to the rule.
    ///
    /// # Errors
    /// A sentence with the field's name and the rule; `got` is what was typed.
    pub fn check(self, field: &str, number: impl Into<Number>, got: &str) -> Result<Number> {
        let number = number.into();
        let value = number.to_f64();
        let rule = match self {
            Self::Positive if value.is_infinite() => "finite and at most 1.8e308, the largest double",
            Self::Positive if value > 0.0 => return Ok(number),
            Self::Positive => "greater than 0",
            Self::Whole if matches!(number, Number::Whole(1..=LARGEST_WHOLE)) => return Ok(number),
            Self::Whole => "a whole number from 1 to 2^53",
        };
        Err(Error::input(field, rule, got))
    }
}

/// Reads a quantity: a number in decimal or scientific notation, `_` or `,` between thousands, an
/// optional prefix (k M G T P E; B for billions of parameters, tokens or counts; Ki Mi Gi Ti for
/// bytes; % for ratios) and an optional unit.
///
/// # Errors
/// A sentence that names `field` and the rule that `text` breaks.
pub fn parse<Q: Quantity>(field: &str, text: &str) -> Result<Q> {
    Ok(Q::of(number(field, text, Q::UNIT, Q::RULE)?))
}

/// As [`parse`], for a unit that is known only when the program runs.
pub(crate) fn number(field: &str, text: &str, unit: Unit, rule: Rule) -> Result<Number> {
    rule.check(field, read(field, text, unit)?, text.trim())
}

fn read(field: &str, text: &str, unit: Unit) -> Result<Number> {
    let text = text.trim();
    let (number, rest) = text.split_at(number_end(text));
    let not_a_number = || Error::input(field, "a number such as 512, 70e9 or 1_000", text);
    let plain = without_separators(number).ok_or_else(not_a_number)?;
    let (mantissa, exponent) = plain.split_once(['e', 'E']).unwrap_or((&plain, "0"));
    let suffix = Suffix::read(rest.trim(), unit).ok_or_else(|| {
        if rest.trim_start().starts_with(|c: char| c.is_ascii_digit() || "+-._,".contains(c)) {
            return not_a_number();
        }
        Error::input(field, format!("a number{}", Suffix::allowed(unit)), text)
    })?;
    // The prefix goes into the exponent and not into a product, so that there is one rounding only.
    let exponent = exponent.parse::<i64>().map_err(|_| not_a_number())?.saturating_add(suffix.power_of_ten);
    if let Some(whole) = whole(mantissa, exponent) {
        return Number::Whole(whole)
            .times(suffix.factor.into())
            .ok_or_else(|| Error::input(field, "below 2^128", text));
    }
    let value = decimal::read(&format!("{mantissa}e{exponent}")).ok_or_else(not_a_number)?;
    Ok(Number::from(value * suffix.factor))
}

/// The number if it is whole and below 2¹²⁸.
fn whole(mantissa: &str, exponent: i64) -> Option<u128> {
    let (before, behind) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let behind = behind.trim_end_matches('0');
    let zeros = exponent.checked_sub(i64::try_from(behind.len()).ok()?)?;
    let digits: u128 = format!("{before}{behind}").parse().ok()?;
    10_u128.checked_pow(u32::try_from(zeros).ok()?)?.checked_mul(digits)
}

/// Where the number ends: an `e` belongs to it only before digits, so that "1E" is one exa.
fn number_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut end = 0;
    while let Some(&byte) = bytes.get(end) {
        let sign_allowed = end == 0 || matches!(bytes[end - 1], b'e' | b'E');
        let exponent_follows = || match bytes.get(end + 1) {
            Some(b'+' | b'-') => bytes.get(end + 2).is_some_and(u8::is_ascii_digit),
            next => next.is_some_and(u8::is_ascii_digit),
        };
        match byte {
            b'0'..=b'9' | b'.' | b'_' | b',' => {}
            b'+' | b'-' if sign_allowed => {}
            b'e' | b'E' if end > 0 && exponent_follows() => {}
            _ => break,
        }
        end += 1;
    }
    end
}

/// Takes out `_` between digits and `,` before groups of three; `None` where they stand elsewhere.
pub(crate) fn without_separators(number: &str) -> Option<String> {
    let digit_at =
        |i: Option<usize>| i.and_then(|i| number.as_bytes().get(i)).is_some_and(u8::is_ascii_digit);
    for (i, _) in number.match_indices('_') {
        if !digit_at(i.checked_sub(1)) || !digit_at(Some(i + 1)) {
            return None;
        }
    }
    let whole = number.split(['.', 'e', 'E']).next().unwrap_or_default();
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default().len();
    let commas = number.matches(',').count();
    if commas != whole.matches(',').count()
        || commas > 0 && first == 0
        || groups.any(|group| group.len() != 3)
    {
        return None;
    }
    Some(number.replace(['_', ','], ""))
}

struct Suffix {
    power_of_ten: i64,
    factor: f64,
}

impl Suffix {
    fn read(text: &str, unit: Unit) -> Option<Self> {
        let lower = text.to_ascii_lowercase();
        // The empty name comes last: "GB" is G and B in bytes, and no prefix of anything in seconds.
        unit_names(unit).iter().chain(&[""]).find_map(|name| {
            let prefix = lower.strip_suffix(name)?.len();
            Self::prefix(text[..prefix].trim_end(), unit)
        })
    }

    fn prefix(prefix: &str, unit: Unit) -> Option<Self> {
        let decimal = |power_of_ten| Some(Self { power_of_ten, factor: 1.0 });
        let binary = |power: i32| Some(Self { power_of_ten: 0, factor: 1024f64.powi(power) });
        let counted = matches!(unit, Unit::PARAM | Unit::TOKEN | Unit::GPU | Unit::NONE);
        match prefix {
            "" => decimal(0),
            "ns" | "n" if unit == Unit::SECOND => decimal(-9),
            "us" | "u" | "µ" if unit == Unit::SECOND => decimal(-6),
            "ms" | "m" if unit == Unit::SECOND => decimal(-3),
            _ if matches!(unit, Unit::SECOND | Unit::DAY) => None,
            "%" if unit == Unit::NONE => decimal(-2),
            "k" | "K" => decimal(3),
            "m" | "b" | "g" | "t" if counted => Self::prefix(&prefix.to_ascii_uppercase(), unit),
            "M" => decimal(6),
            "G" => decimal(9),
            "B" if counted => decimal(9),
            "T" => decimal(12),
            "P" => decimal(15),
            "E" => decimal(18),
            "Ki" | "ki" if unit == Unit::BYTE => binary(1),
            "Mi" if unit == Unit::BYTE => binary(2),
            "Gi" if unit == Unit::BYTE => binary(3),
            "Ti" if unit == Unit::BYTE => binary(4),
            _ => None,
        }
    }

    /// The sentence's end after "must be a number".
    fn allowed(unit: Unit) -> &'static str {
        match unit {
            Unit::SECOND => " of seconds, optionally with ns, us, ms or s",
            Unit::DAY => " of days",
            Unit::BYTE => {
                ", optionally with k, M, G, T (10^3 to 10^12) or Ki, Mi, Gi, Ti (2^10 to 2^40) and B"
            }
            Unit::NONE | Unit::PARAM | Unit::TOKEN | Unit::GPU => {
                ", optionally with K, M, B or T (10^3 to 10^12)"
            }
            _ => ", optionally with k, M, G, T, P or E (10^3 to 10^18) and the unit",
        }
    }
}

/// What may follow the prefix, in lower case, longest first.
fn unit_names(unit: Unit) -> &'static [&'static str] {
    const FLOP_PER_SEC: Unit = Unit::FLOP.per(Unit::SECOND);
    const BYTES_PER_SEC: Unit = Unit::BYTE.per(Unit::SECOND);
    match unit {
        Unit::FLOP => &["flops", "flop"],
        FLOP_PER_SEC => &["flops/s", "flop/s", "flops"],
        Unit::BYTE => &["bytes", "byte", "b"],
        BYTES_PER_SEC => &["bytes/s", "byte/s", "b/s"],
        Unit::SECOND => &["seconds", "second", "secs", "sec", "s"],
        Unit::DAY => &["days", "day", "d"],
        Unit::PARAM => &["parameters", "params", "param"],
        Unit::TOKEN => &["tokens", "token"],
        Unit::GPU => &["gpus", "gpu"],
        _ => &[],
    }
}
