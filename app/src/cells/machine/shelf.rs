//! What has been measured, by device: kept by the browser, and shown by the calculators' module. The records are the
//! engine's own as JSON; nothing here reads them.

use js_sys::{Array, JSON, Reflect};
use leptos::wasm_bindgen::JsValue;

use crate::cells::calculator::Sheets;
use crate::signals::{RwSignal, effect};
use crate::worker_client::storage;

/// What the browser's keys of measured devices begin with.
const PREFIX: &str = "machine/";
/// Where the browser keeps which of them is shown.
const SHOWN: &str = "machine-shown";

/// A device that has been measured, or on which an expression has been.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Kind and name: `gpu/Apple M2`.
    pub key: String,
    /// Its record; empty before it has been surveyed.
    pub record: String,
    /// Expressions on it with their records, each as `label`, tab, JSON.
    pub operations: Vec<String>,
}

impl Kept {
    /// As the browser keeps it: a line each.
    fn to_text(&self) -> String {
        std::iter::once(&self.record).chain(&self.operations).cloned().collect::<Vec<_>>().join("\n")
    }

    fn of_text(key: String, text: &str) -> Self {
        let mut lines = text.split('\n').map(str::to_owned);
        Self { key, record: lines.next().unwrap_or_default(), operations: lines.collect() }
    }

    /// The records of the expressions as a list.
    fn list(&self) -> String {
        let records: Vec<&str> = self.operations.iter().map(|line| json_of(line)).collect();
        format!("[{}]", records.join(","))
    }

    /// The device with its expressions among its operations, for people; nothing before it has been surveyed.
    pub fn export(&self) -> Option<String> {
        let record = JSON::parse(&self.record).ok()?;
        let operations: Array = Reflect::get(&record, &"operations".into()).ok()?.into();
        for line in &self.operations {
            operations.push(&JSON::parse(json_of(line)).ok()?);
        }
        let text = JSON::stringify_with_replacer_and_space(&record, &JsValue::NULL, &2.into()).ok()?;
        text.as_string()
    }
}

/// What an expression is called in the list of them.
pub fn label_of(line: &str) -> &str {
    line.split('\t').next().unwrap_or_default()
}

fn json_of(line: &str) -> &str {
    line.split_once('\t').map_or("", |(_, json)| json)
}

/// All of them; a copy is the same shelf.
#[derive(Clone, Copy)]
pub struct Shelf {
    devices: RwSignal<Vec<Kept>>,
    shown: RwSignal<String>,
    /// What a survey that is under way has measured.
    partial: RwSignal<Option<String>>,
}

impl Shelf {
    /// What the browser has kept; `sheets` shows it.
    pub fn new(sheets: Sheets) -> Self {
        let shelf = Self {
            devices: RwSignal::new(Vec::new()),
            shown: RwSignal::new(String::new()),
            partial: RwSignal::new(None),
        };
        effect(move |_| shelf.recall());
        effect(move |_| {
            let kept = shelf.kept();
            let operations = kept.as_ref().map_or_else(|| "[]".to_owned(), Kept::list);
            sheets.give(
                "machine",
                "machine",
                shelf.partial.get().or(kept.map(|kept| kept.record)).unwrap_or_default(),
            );
            sheets.give("machine", "operations", operations);
        });
        shelf
    }

    fn recall(self) {
        let Some(storage) = storage() else { return };
        let keys = (0..storage.length().unwrap_or(0)).filter_map(|at| storage.key(at).ok().flatten());
        let devices = keys
            .filter_map(|full| {
                let text = storage.get_item(&full).ok().flatten()?;
                Some(Kept::of_text(full.strip_prefix(PREFIX)?.to_owned(), &text))
            })
            .collect();
        self.shown.set(storage.get_item(SHOWN).ok().flatten().unwrap_or_default());
        self.devices.set(devices);
    }

    /// The keys of all devices; tracked.
    pub fn keys(self) -> Vec<String> {
        self.devices.with(|devices| devices.iter().map(|kept| kept.key.clone()).collect())
    }

    /// The device that is shown: the chosen one, else the first; tracked.
    pub fn kept(self) -> Option<Kept> {
        let shown = self.shown.get();
        self.devices.with(|devices| {
            devices.iter().find(|kept| kept.key == shown).or_else(|| devices.first()).cloned()
        })
    }

    /// Shows a device.
    pub fn show(self, key: String) {
        if let Some(storage) = storage() {
            // A browser that keeps nothing shows the first on the next visit.
            drop(storage.set_item(SHOWN, &key));
        }
        self.shown.set(key);
    }

    /// Shows what a survey has measured so far; `None` shows what is kept.
    pub fn show_partial(self, partial: Option<String>) {
        self.partial.set(partial);
    }

    /// Changes what is known of a device, which is then the one that is shown. Whether the browser keeps it.
    pub fn change(self, key: &str, change: impl FnOnce(&mut Kept)) -> bool {
        let mut devices = self.devices.get_untracked();
        let at = devices.iter().position(|kept| kept.key == key).unwrap_or_else(|| {
            devices.push(Kept::of_text(key.to_owned(), ""));
            devices.len() - 1
        });
        change(&mut devices[at]);
        let text = devices[at].to_text();
        self.devices.set(devices);
        self.show(key.to_owned());
        storage().is_some_and(|storage| storage.set_item(&format!("{PREFIX}{key}"), &text).is_ok())
    }

    /// Forgets a device.
    pub fn forget(self, key: &str) {
        if let Some(storage) = storage() {
            // Removing what is there does not fail.
            drop(storage.remove_item(&format!("{PREFIX}{key}")));
        }
        self.devices.update(|devices| devices.retain(|kept| kept.key != key));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_reads_back() {
        for operations in [vec![], vec!["relu(8) float32\t{\"a\":1}".to_owned(), "x\t{}".to_owned()]] {
            let kept = Kept { key: "gpu/x".into(), record: "{\"b\":[]}".into(), operations };
            assert_eq!(Kept::of_text("gpu/x".into(), &kept.to_text()), kept);
        }
        let line = "relu(8) float32\t{\"a\":1}";
        assert_eq!((label_of(line), json_of(line)), ("relu(8) float32", "{\"a\":1}"));
        let kept = Kept::of_text("cpu/y".into(), "\nx\t{}\ny\t[1]");
        assert_eq!((kept.record.as_str(), kept.list().as_str()), ("", "[{},[1]]"));
    }
}
