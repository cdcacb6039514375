//! Whether what stands in the page is what it should be.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// All that each variable of a lecture was, by its function and name; of tensors and lists the numbers.
pub(crate) type Shown = BTreeMap<String, Vec<Vec<String>>>;

/// Of a figure, `[function, name, value]` and perhaps a relative tolerance, what the page shows in its place.
pub(crate) fn miss(values: &Shown, figure: &Value) -> Option<Value> {
    let key = format!("{} {}", figure[0].as_str().unwrap_or(""), figure[1].as_str().unwrap_or(""));
    let shown = values.get(&key).map_or(&[][..], Vec::as_slice);
    let tolerance = figure[3].as_f64().unwrap_or(1e-6);
    let is_missed = !shown.iter().any(|shown| is_reached(shown, &figure[2], tolerance));
    is_missed.then(|| json!({"variable": key, "shown": shown, "figure": figure[2]}))
}

/// The numbers, texts and truths in a figure, in order.
fn flat(figure: &Value, to: &mut Vec<Value>) {
    match figure {
        Value::Array(items) => items.iter().for_each(|item| flat(item, to)),
        Value::Object(named) => named.values().for_each(|item| flat(item, to)),
        one => to.push(one.clone()),
    }
}

/// Whether what the page shows is the figure.
fn is_reached(shown: &[String], figure: &Value, tolerance: f64) -> bool {
    let mut wanted = Vec::new();
    flat(figure, &mut wanted);
    let mut shown = shown.to_vec();
    if figure.is_object() {
        // In the order of their names here, and there in that in which they were given.
        let number = |text: &String| text.parse::<f64>().unwrap_or(f64::NAN);
        shown.sort_by(|one, other| number(one).total_cmp(&number(other)));
        let number = |one: &Value| one.as_f64().unwrap_or(f64::NAN);
        wanted.sort_by(|one, other| number(one).total_cmp(&number(other)));
    }
    // Of a tensor with more than two dimensions a table has the first matrix.
    if figure[0][0].is_array() && !shown.is_empty() {
        wanted.truncate(shown.len());
    }
    // What a sum leaves of large numbers is as near as they are.
    let largest = wanted.iter().filter_map(Value::as_f64).map(f64::abs).fold(0.0, f64::max);
    let is_one = |(shown, wanted): (&String, &Value)| match wanted {
        Value::Number(wanted) => match (shown.replace([',', '_'], "").parse::<f64>(), wanted.as_f64()) {
            (Ok(shown), Some(wanted)) => (shown - wanted).abs() <= tolerance * largest,
            _ => false,
        },
        Value::Bool(wanted) => shown.to_lowercase() == wanted.to_string(),
        Value::String(wanted) => shown.contains(wanted.as_str()),
        _ => shown == "None",
    };
    // Of numbers among texts only the numbers were read.
    wanted.retain(|one| one.is_number() || shown.len() == 1);
    // Of a tensor of NaN all is one text.
    wanted.dedup_by(|one, before| one.is_string() && one == before);
    shown.len() == wanted.len() && shown.iter().zip(&wanted).all(is_one)
}
