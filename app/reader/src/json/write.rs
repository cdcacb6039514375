//! Data as a JSON text.

use napkin_accounting::decimal;
use napkin_notebook::trace::Json;

/// Writes data; numbers that JSON has not become null.
#[must_use]
pub fn write(json: &Json) -> String {
    let mut out = String::new();
    value(json, &mut out);
    out
}

fn value(json: &Json, out: &mut String) {
    match json {
        Json::Null => out.push_str("null"),
        Json::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Json::Int(value) => out.push_str(&value.to_string()),
        Json::Float(value) if value.is_finite() => out.push_str(&number(*value)),
        Json::Float(_) => out.push_str("null"),
        Json::Text(value) => text(value, out),
        Json::List(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                value(item, out);
            }
            out.push(']');
        }
        Json::Object(map) => {
            out.push('{');
            for (at, (name, item)) in map.0.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                text(name, out);
                out.push(':');
                value(item, out);
            }
            out.push('}');
        }
    }
}

/// With a point or a power of ten, so that it is read back as what it was.
fn number(value: f64) -> String {
    if value != 0.0 && !(1e-4..1e16).contains(&value.abs()) {
        return decimal::shortest_scientific(value);
    }
    let text = decimal::shortest(value);
    if text.contains('.') { text } else { text + ".0" }
}

fn text(value: &str, out: &mut String) {
    out.push('"');
    for c in value.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}
