//! Numbers for people: SI prefixes, four significant digits, units.

use crate::decimal::{self, Decimal};
use crate::{Number, Unit};

const SI: [&str; 7] = ["", "k", "M", "G", "T", "P", "E"];
/// In seconds.
const DAY: f64 = 86_400.0;
/// The short scale, in which models and data sets are told: 70 B parameters, 15 T tokens.
const SHORT_SCALE: [&str; 5] = ["", "K", "M", "B", "T"];

/// Four significant digits: "989.5 TFLOP/s", "143.9 days", "6.3e24 FLOP", "70 B params". Zeros at
/// the end of a fraction are left out; whole numbers below a million stay whole. What is not finite
/// is said in words. Hardly any days and very many are told as other durations are: "181.9 ms", "42.22 years".
#[must_use]
pub fn short(value: impl Into<Number>, unit: Unit) -> String {
    let value = value.into().to_f64();
    match unit {
        Unit::DAY if value != 0.0 && !(1.0..9999.5).contains(&value.abs()) => {
            display(value * DAY, Unit::SECOND, four_digits)
        }
        _ => display(value, unit, four_digits),
    }
}

fn four_digits(value: f64) -> Decimal {
    Decimal::significant(value, 4).trimmed()
}

/// As [`short`] with every digit: what reads back to the same double.
#[must_use]
pub fn full(value: impl Into<Number>, unit: Unit) -> String {
    match value.into() {
        whole @ Number::Whole(_) if unit != Unit::SECOND => {
            display(whole.to_f64(), unit, |_| whole.decimal())
        }
        number => display(number.to_f64(), unit, Decimal::shortest),
    }
}

/// All digits in plain notation with thousands separated, for a tooltip: "33,554,432 FLOP".
#[must_use]
pub fn exact(value: impl Into<Number>, unit: Unit) -> String {
    let value = value.into();
    if !value.is_finite() {
        return not_finite(value.to_f64());
    }
    let plain = value.decimal().plain();
    let (sign, digits) = plain.strip_prefix('-').map_or(("", plain.as_str()), |rest| ("-", rest));
    let (whole, fraction) =
        digits.split_once('.').map_or((digits, String::new()), |(w, f)| (w, format!(".{f}")));
    with_unit(&format!("{sign}{}{fraction}", grouped(whole, ',')), "", unit)
}

fn grouped(digits: &str, separator: char) -> String {
    let mut grouped = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push(separator);
        }
        grouped.push(digit);
    }
    grouped
}

/// Powers of 1024: "74.51 GiB".
#[must_use]
pub fn binary_bytes(value: impl Into<Number>) -> String {
    let value = value.into().to_f64();
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

/// A Python literal of exactly this number: `70_000_000_000`, `0.5`, `1e-05`.
#[must_use]
pub fn python(value: impl Into<Number>) -> String {
    let value = match value.into() {
        Number::Whole(whole) => return grouped(&whole.to_string(), '_'),
        Number::Double(double) => double,
    };
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

/// A number as a person would type it: `1024`, `70B`, `0.5`, `1e-8`; reads back as the same double.
#[must_use]
pub fn typed(value: f64) -> String {
    for (suffix, scale) in [("T", 1e12), ("B", 1e9), ("M", 1e6)] {
        let scaled = value / scale;
        if (1.0..1e3).contains(&scaled.abs()) && scaled * scale == value {
            let text = decimal::shortest(scaled);
            if text.len() <= 5 {
                return text + suffix;
            }
        }
    }
    let is_plain = value == 0.0 || (1e-4..1e9).contains(&value.abs());
    if is_plain { decimal::shortest(value) } else { decimal::shortest_scientific(value) }
}

fn display(value: f64, unit: Unit, digits_of: impl Fn(f64) -> Decimal) -> String {
    if !value.is_finite() {
        return not_finite(value);
    }
    if unit == Unit::SECOND {
        return duration(value, digits_of);
    }
    let digits = digits_of(value);
    let prefixes: &[&str] = match unit {
        Unit::PARAM | Unit::TOKEN | Unit::GPU_HOUR | Unit::DOLLAR => &SHORT_SCALE,
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
    if unit == Unit::WATT || unit == Unit::WATT_HOUR {
        return true;
    }
    const SPEEDS: [Unit; 4] = [Unit::NONE, Unit::SECOND, Unit::DAY, Unit::SECOND.times(Unit::GPU)];
    SPEEDS.iter().any(|&per| unit == Unit::FLOP.per(per) || unit == Unit::BYTE.per(per))
}

fn duration(seconds: f64, digits_of: impl Fn(f64) -> Decimal) -> String {
    const MINUTE: f64 = 60.0;
    const HOUR: f64 = 3600.0;
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
    if unit == Unit::DOLLAR {
        return if prefix.is_empty() { format!("${number}") } else { format!("${number} {prefix}") };
    }
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
