//! Numbers: four digits to read, all of them on hovering and for whoever copies.

use maud::{Markup, html};
use napkin_accounting::decimal::Decimal;
use napkin_accounting::{Number, Unit, format};

/// A number as Python has it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Python {
    Int(i64),
    Float(f64),
}

impl Python {
    /// `repr(number)`
    pub(crate) fn exact(self) -> String {
        let value = match self {
            Self::Int(value) => return value.to_string(),
            Self::Float(value) => value,
        };
        if !value.is_finite() {
            return if value.is_nan() {
                "nan"
            } else if value > 0.0 {
                "inf"
            } else {
                "-inf"
            }
            .to_owned();
        }
        let digits = Decimal::shortest(value);
        let exponent = digits.exponent();
        if value == 0.0 || (-4..16).contains(&exponent) {
            let plain = digits.plain();
            return if plain.contains('.') { plain } else { plain + ".0" };
        }
        let (sign, size) = (if exponent < 0 { '-' } else { '+' }, exponent.unsigned_abs());
        format!("{}e{sign}{size:02}", digits.shifted(exponent).plain())
    }

    /// Four digits and the unit.
    pub(crate) fn short(self, unit: Unit) -> String {
        match self {
            // A whole number stays one while it is short.
            Self::Int(value) if unit == Unit::NONE && value.unsigned_abs() < 1_000_000 => value.to_string(),
            Self::Int(value) => match u128::try_from(value) {
                Ok(whole) => format::short(Number::Whole(whole), unit),
                Err(_) => format::short(value as f64, unit),
            },
            Self::Float(value) if value.is_finite() => format::short(value, unit),
            Self::Float(_) => self.exact(),
        }
    }

    pub(crate) fn draw(self, unit: Unit) -> Markup {
        let exact = self.exact();
        html! { data.number value=(exact) title=(exact) { (self.short(unit)) } }
    }
}

/// Words that end names of numbers, and their units.
const UNITS: [(&[&str], Unit); 9] = [
    (&["bytes", "byte"], Unit::BYTE),
    (&["bits", "bit"], Unit::BIT),
    (&["secs", "sec", "seconds", "second"], Unit::SECOND),
    (&["days", "day"], Unit::DAY),
    (&["hours", "hour"], Unit::HOUR),
    (&["flops", "flop"], Unit::FLOP),
    (&["params", "param"], Unit::PARAM),
    (&["tokens", "token"], Unit::TOKEN),
    (&["dollars", "dollar"], Unit::DOLLAR),
];

/// The unit that a name ends with: `step_secs`, `read_bytes_per_sec`.
pub(crate) fn unit_of(name: &str) -> Unit {
    let last = |name: &str| {
        let word = name.rsplit(['_', '.', ' ']).next().unwrap_or(name).to_ascii_lowercase();
        UNITS.iter().find(|(words, _)| words.contains(&word.as_str())).map(|(_, unit)| *unit)
    };
    let named = match name.split_once("_per_") {
        Some((above, below)) => last(above).zip(last(below)).map(|(above, below)| above.per(below)),
        None if name.ends_with("gpu_hours") => Some(Unit::GPU_HOUR),
        // Kilowatt-hours are none of hours.
        None if name.ends_with("watt_hours") => None,
        None => last(name),
    };
    named.unwrap_or(Unit::NONE)
}
