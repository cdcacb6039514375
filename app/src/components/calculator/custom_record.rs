//! Devices and models that a reader describes.

use napkin_accounting::calc::{Field, Kind};
use napkin_accounting::catalogue::Figure;
use napkin_accounting::{hardware, models};
use serde_json::{Map, Value, json};

/// What the list calls "your own".
pub(super) const ID: &str = "own";

/// A record as it goes into a link, without spaces; `None` for what is no JSON.
pub(super) fn compact(text: &str) -> Option<String> {
    serde_json::from_str::<Map<String, Value>>(text).ok().map(|record| Value::Object(record).to_string())
}

/// A record on several lines, to be read and changed.
pub(super) fn spread(text: &str) -> String {
    let value = serde_json::from_str::<Value>(text);
    value.and_then(|value| serde_json::to_string_pretty(&value)).unwrap_or_else(|_| text.to_owned())
}

/// What was chosen before as a record that the reader can change, without spaces.
pub(super) fn example(field: &Field, text: &str) -> String {
    if text.starts_with('{') {
        return text.to_owned();
    }
    let value = match field.kind {
        Kind::Device => hardware::device(text).ok().map(|device| {
            let peaks = device.peaks.iter();
            let figure = |figure: &Option<Figure>| figure.as_ref().map(|figure| json!({"value": figure.value}));
            let mut record = json!({
                "id": "mine",
                "name": format!("my {}", device.name),
                "peaks": peaks.map(|peak| json!({"dtype": peak.dtype, "figure": {"value": peak.figure.value}}))
                    .collect::<Vec<_>>(),
                "memory_bytes": figure(&device.memory_bytes),
                "bandwidth_bytes_per_sec": figure(&device.bandwidth_bytes_per_sec),
                "power_watts": figure(&device.power_watts),
            });
            // What nobody has said is not there.
            if let Some(record) = record.as_object_mut() {
                record.retain(|_, value| !value.is_null());
            }
            record
        }),
        _ => models::preset(text).or_else(|_| models::preset("llama-3.1-8b")).ok().map(|model| {
            let mut config = model.config.clone();
            config.insert("name".to_owned(), json!(format!("my {}", model.name)));
            Value::Object(config)
        }),
    };
    value.map(|value| value.to_string()).unwrap_or_default()
}
