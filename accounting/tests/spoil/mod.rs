//! How records are spoilt to see that it is noticed, and what is said then.

use serde_json::{Value, json};

/// The pointers to all that is inside a value.
pub fn places(value: &Value) -> Vec<String> {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(map) => {
            map.iter().map(|(key, value)| (key.replace('~', "~0").replace('/', "~1"), value)).collect()
        }
        Value::Array(list) => list.iter().enumerate().map(|(i, value)| (i.to_string(), value)).collect(),
        _ => Vec::new(),
    };
    let mut all = Vec::new();
    for (key, value) in inner {
        all.push(format!("/{key}"));
        all.extend(places(value).into_iter().map(|rest| format!("/{key}{rest}")));
    }
    all
}

/// What to put in place of a value: nothing that fits a number, a text and a list at once.
pub fn spoilt() -> Vec<Value> {
    let text = |c: &str, n| Value::from(c.repeat(n));
    vec![
        json!(-1.0),
        json!(0),
        json!(-0.0),
        json!(1e300),
        json!(5e-324),
        json!(u64::MAX),
        json!(0.5),
        Value::Null,
        json!(true),
        json!([]),
        json!({}),
        json!(""),
        text("x", 100_000),
        text("\u{0}\n", 3),
        json!([[[-1]]]),
        json!("NaN"),
    ]
}

/// What a reader is told: one sentence, short enough to show even where it lists all families, on one line.
pub fn sentence(error: &napkin_accounting::Error) {
    let text = error.to_string();
    let start: String = text.chars().take(1200).collect();
    assert!((10..1200).contains(&text.chars().count()), "{start}");
    assert!(!text.contains(char::is_control), "{start:?}");
}
