//! Numbers for people: SI prefixes, four significant digits, units.

use crate::Unit;
use crate::decimal::{self, Decimal};

const SI: [&str; 7] = ["", "k", "M", "G", "T", "P", "E"];
/// The short scale, in which models and data sets are told: 70 B parameters, 15 T tokens.
const SHORT_SCALE: [&str; 5] = ["", "K", "M", "B", "T"];

/// Four significant digits: "989.5 TFLOP/s", "143.9 days", "6.3e24 FLOP", "70 B params". Zeros at
/// the end of a fraction are left out; whole numbers below a million stay whole. What is not finite
/// is said in words.
#[must_use]
pub fn short(value: f64, unit: Unit) -> String {
    display(value, unit, four_digits)
}

fn four_digits(value: f64) -> Decimal {
    Decimal::significant(value, 4).trimmed()
}

/// As [`short`] with every digit: what reads back to the same double.
#[must_use]
pub fn full(value: f64, unit: Unit) -> String {
    display(value, unit, Decimal::shortest)
}

/// All digits in plain notation with thousands separated, for a tooltip: "33,554,432 FLOP".
#[must_use]
pub fn exact(value: f64, unit: Unit) -> String {
    if !value.is_finite() {
        return not_finite(value);
    }
    let plain = decimal::shortest(value);
    let (sign, digits) = plain.strip_prefix('-').map_or(("", plain.as_str()), |rest| ("-", rest));
    let (whole, fraction) =
        digits.split_once('.').map_or((digits, String::new()), |(w, f)| (w, format!(".{f}")));
    let mut grouped = String::new();
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    with_unit(&format!("{sign}{grouped}{fraction}"), "", unit)
}

/// Powers of 1024: "74.51 GiB".
#[must_use]
pub fn binary_bytes(value: f64) -> String {
    const PREFIXES: [&str; 7] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
    if !value.is_finite() {
        return not_finite(value);
    }
    let mut scaled = value;
    let mut prefix = 0;
    // What would round to 1024 of a prefix is 1 of the next.
    while scaled.abs() >= 1023.95 && prefix + 1 < PREFIXES.len() {
        scaled /= 1024.0;
        prefix += 1;
    }
    let number = four_digits(scaled).plain();
    format!("{number} {}B", PREFIXES[prefix])
}

/// A Python literal of exactly this double, with an exponent that is a multiple of 3: `70e9`,
/// `989.5e12`, `0.5`, `1024.0`.
#[must_use]
pub fn python(value: f64) -> String {
    if !value.is_finite() {
        return format!("float(\"{}\")", decimal::shortest(value));
    }
    let digits = Decimal::shortest(value);
    if value != 0.0 && !(-4..6).contains(&digits.exponent()) {
        let power = 3 * digits.exponent().div_euclid(3);
        return format!("{}e{power}", digits.shifted(power).plain());
    }
    let plain = digits.plain();
    if plain.contains('.') { plain } else { plain + ".0" }
}

fn display(value: f64, unit: Unit, digits_of: fn(f64) -> Decimal) -> String {
    if !value.is_finite() {
        return not_finite(value);
    }
    if unit == Unit::SECOND {
        return duration(value, digits_of);
    }
    let digits = digits_of(value);
    let prefixes: &[&str] = match unit {
        Unit::PARAM | Unit::TOKEN | Unit::GPU_HOUR => &SHORT_SCALE,
        _ if takes_si_prefix(unit) => &SI,
        _ => &[""],
    };
    let thousands = digits.exponent().div_euclid(3);
    if let Ok(index @ 1..) = usize::try_from(thousands)
        && index < prefixes.len()
    {
        return with_unit(&digits.shifted(3 * thousands).plain(), prefixes[index], unit);
    }
    with_unit(&unprefixed(value, digits), "", unit)
}

/// Work, memory and their speeds; not what is told per byte or per parameter.
fn takes_si_prefix(unit: Unit) -> bool {
    const SPEEDS: [Unit; 4] = [Unit::NONE, Unit::SECOND, Unit::DAY, Unit::SECOND.times(Unit::GPU)];
    SPEEDS.iter().any(|&per| unit == Unit::FLOP.per(per) || unit == Unit::BYTE.per(per))
}

fn duration(seconds: f64, digits_of: fn(f64) -> Decimal) -> String {
    const MINUTE: f64 = 60.0;
    const HOUR: f64 = 3600.0;
    const DAY: f64 = 86_400.0;
    const YEAR: f64 = 365.25 * DAY;
    let (size, digits) = (seconds.abs(), digits_of(seconds));
    if size == 0.0 || (1.0..MINUTE).contains(&size) || digits.exponent() < -9 {
        return format!("{} s", unprefixed(seconds, digits));
    }
    if size < 1.0 {
        let (shift, label) = match digits.exponent() {
            0.. => (0, "s"),
            -3..0 => (-3, "ms"),
            -6..-3 => (-6, "µs"),
            _ => (-9, "ns"),
        };
        return format!("{} {label}", digits.shifted(shift).plain());
    }
    let (length, one, many) = match size {
        _ if size < HOUR => (MINUTE, "min", "min"),
        _ if size < DAY => (HOUR, "h", "h"),
        _ if size < YEAR => (DAY, "day", "days"),
        _ => (YEAR, "year", "years"),
    };
    let scaled = seconds / length;
    let number = unprefixed(scaled, digits_of(scaled));
    let label = if number == "1" { one } else { many };
    format!("{number} {label}")
}

fn with_unit(number: &str, prefix: &str, unit: Unit) -> String {
    let many = number != "1" || !prefix.is_empty();
    let label = unit.label(many);
    match (label.is_empty(), prefix.is_empty()) {
        (true, _) => format!("{number}{prefix}"),
        (false, true) => format!("{number} {label}"),
        // "989.5 TFLOP/s", but "70 B params".
        (false, false) if takes_si_prefix(unit) => format!("{number} {prefix}{label}"),
        (false, false) => format!("{number} {prefix} {label}"),
    }
}

fn not_finite(value: f64) -> String {
    if value.is_nan() { "undefined" } else { "too large for a double (above 1.8e308)" }.to_owned()
}

/// Plain where that is readable: whole numbers below a million keep their last digit.
fn unprefixed(value: f64, digits: Decimal) -> String {
    match digits.exponent() {
        3..6 if digits.count() <= 4 => decimal::fixed(value, 0),
        -4..6 => digits.plain(),
        exponent => format!("{}e{exponent}", digits.shifted(exponent).plain()),
    }
}
