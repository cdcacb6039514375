//! Devices and models that a reader describes.

use napkin_accounting::calc::{Field, Kind};
use napkin_accounting::catalogue::Figure;
use napkin_accounting::hardware::{self, Device};
use napkin_accounting::models::{self, Architecture, Model};
use serde_json::{Map, Value, json};

use crate::state::query;

/// What the list calls "your own".
pub(super) const ID: &str = "own";

/// Characters that everything passes on that passes on links at all.
pub(super) const SHORT_LINK: usize = 2_000;
/// Characters that servers and browsers take.
pub(super) const LONG_LINK: usize = 8_000;

/// A record as it goes into a link: without spaces, and without keys that no formula needs. `None` for what is no
/// record that can be read.
pub(super) fn compact(field: &Field, text: &str) -> Option<String> {
    let text = text.trim();
    if !text.starts_with('{') {
        return None;
    }
    match field.kind {
        Kind::Device => {
            Device::from_json(text).ok()?;
            Some(serde_json::from_str::<Value>(text).ok()?.to_string())
        }
        Kind::Model => {
            let Value::Object(mut config) = serde_json::from_str(text).ok()? else { return None };
            match config.remove("config") {
                Some(Value::Object(inner)) => {
                    Model::from_json(text).ok()?;
                    let inner = needed(inner)?;
                    if let Some(Value::Object(marks)) = config.get_mut("marks") {
                        marks.retain(|key, _| key == "*" || inner.contains_key(key));
                    }
                    config.insert("config".to_owned(), Value::Object(inner));
                }
                _ => {
                    let names =
                        ["name", "_name_or_path"].into_iter().filter_map(|key| config.get(key).cloned());
                    let name = { names }.find(|name| name.as_str().is_some_and(|name| !name.is_empty()));
                    config = needed(config)?;
                    config.extend(name.map(|name| ("name".to_owned(), name)));
                }
            }
            Some(Value::Object(config).to_string())
        }
        _ => None,
    }
}

/// The keys of a config.json without which it would describe another architecture.
fn needed(config: Map<String, Value>) -> Option<Map<String, Value>> {
    let config = match config.get("text_config") {
        Some(Value::Object(text)) => text.clone(),
        _ => config,
    };
    let wanted = Architecture::from_config(&config).ok()?;
    let mut kept = config.clone();
    for key in config.keys() {
        let Some(value) = kept.remove(key) else { continue };
        if Architecture::from_config(&kept).is_ok_and(|without| without == wanted) {
            continue;
        }
        kept.insert(key.clone(), value);
    }
    Some(kept)
}

/// A record on several lines, to be read and changed.
pub(super) fn spread(text: &str) -> String {
    let value = serde_json::from_str::<Value>(text);
    value.and_then(|value| serde_json::to_string_pretty(&value)).unwrap_or_else(|_| text.to_owned())
}

/// What is in the field at first: what was chosen before, as a record that the reader can change.
pub(super) fn example(field: &Field, text: &str) -> String {
    if text.starts_with('{') {
        return spread(text);
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
    value.and_then(|value| serde_json::to_string_pretty(&value).ok()).unwrap_or_default()
}

pub(super) fn link_characters(text: &str) -> usize {
    query::write([("", text)]).trim_start_matches("?=").len()
}
