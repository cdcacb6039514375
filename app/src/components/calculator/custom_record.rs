//! Devices and models that a reader describes.

use napkin_accounting::calc::{Field, Kind};
use napkin_accounting::catalogue::Figure;
use napkin_accounting::hardware::{self, DensePeak};
use napkin_accounting::models;
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
            let figure = |figure: &Figure| json!({"value": figure.value});
            let peak = |peak: &DensePeak| json!({"dtype": peak.dtype, "figure": figure(&peak.figure)});
            let peaks: Vec<Value> = device.peaks.iter().map(peak).collect();
            let mut record = json!({"id": "mine", "name": format!("my {}", device.name), "peaks": peaks});
            // What nobody has said is not there.
            for (name, said) in [
                ("memory_bytes", &device.memory_bytes),
                ("bandwidth_bytes_per_sec", &device.bandwidth_bytes_per_sec),
                ("power_watts", &device.power_watts),
            ] {
                said.iter().for_each(|said| record[name] = figure(said));
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
