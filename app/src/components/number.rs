//! Numbers as Python has them: four digits to read, all of them on hovering and for whoever copies.

use leptos::prelude::*;
use napkin_accounting::{Number, Unit, format};
use napkin_trace::trace::Json;
use serde_json::Number as JsonNumber;

/// A number with four digits and its unit, and with all of them.
pub fn number_view(all_digits: String, short: String) -> AnyView {
    view! { <data class="number" value=all_digits.clone() title=all_digits>{short}</data> }.into_any()
}

/// A number of a trace: floats that are not finite and whole numbers beyond 2^53 travel as text.
pub fn number_of(json: &Json) -> Option<f64> {
    match json {
        Json::Bool(is_true) => Some(f64::from(u8::from(*is_true))),
        Json::String(text) => text.parse().ok(),
        other => other.as_f64(),
    }
}

/// `repr(number)` in Python.
pub fn exact(number: &JsonNumber) -> String {
    match number.as_f64() {
        Some(value) if number.is_f64() => repr(value),
        _ => number.to_string(),
    }
}

/// `repr(value)` in Python, of a float.
pub fn repr(value: f64) -> String {
    // Rust writes an exponent where Python does, but not with two digits and a sign.
    let text = format!("{value:?}").to_lowercase();
    match text.split_once('e').and_then(|(digits, power)| Some((digits, power.parse::<i32>().ok()?))) {
        Some((digits, power)) => format!("{digits}e{power:+03}"),
        None => text,
    }
}

/// Four digits and the unit.
pub fn short(number: &JsonNumber, unit: Unit) -> String {
    match (number.as_i64(), number.as_f64()) {
        // A whole number stays one while it is short.
        (Some(whole), _) if unit == Unit::NONE && whole.unsigned_abs() < 1_000_000 => whole.to_string(),
        (Some(whole), _) => match u128::try_from(whole) {
            Ok(whole) => format::short(Number::Whole(whole), unit),
            Err(_) => format::short(whole as f64, unit),
        },
        (None, Some(value)) => format::short(value, unit),
        (None, None) => number.to_string(),
    }
}

/// Four digits of a number without a unit, as axes have them.
pub fn tick(value: f64) -> String {
    format::short(value, Unit::NONE)
}

/// `1, 2`
pub fn join(numbers: &[usize]) -> String {
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}

/// Sizes or strides as Python prints them: `(4, 1)`, `(4,)`, `()`.
pub fn tuple(numbers: &[usize]) -> String {
    match numbers {
        [one] => format!("({one},)"),
        _ => format!("({})", join(numbers)),
    }
}

/// The unit that a name ends with: `step_secs`, `read_bytes_per_sec`.
pub fn unit_of(name: &str) -> Unit {
    let last = |name: &str| {
        let word = name.rsplit(['_', '.', ' ']).next().unwrap_or(name).to_ascii_lowercase();
        Some(match word.as_str() {
            "bytes" | "byte" => Unit::BYTE,
            "bits" | "bit" => Unit::BIT,
            "secs" | "sec" | "seconds" | "second" => Unit::SECOND,
            "days" | "day" => Unit::DAY,
            "hours" | "hour" => Unit::HOUR,
            "flops" | "flop" => Unit::FLOP,
            "params" | "param" => Unit::PARAM,
            "tokens" | "token" => Unit::TOKEN,
            "dollars" | "dollar" => Unit::DOLLAR,
            _ => return None,
        })
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
