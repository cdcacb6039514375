//! What has been measured, by device: kept by the browser, and shown by the calculators. The records are the engine's
//! own as JSON.

use leptos::prelude::*;
use napkin_trace::DeviceInfo;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::state::{store, stored, use_hydrated};

/// Where the browser keeps it.
const KEY: &str = "machine";

/// What a device is called in the records: `gpu/Apple M2`.
pub fn key_of(device: &DeviceInfo) -> String {
    format!("{}/{}", device.kind.id(), device.name)
}

/// A device that has been measured, or on which an expression has been.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DeviceRecord {
    /// As [`key_of`] says.
    pub key: String,
    /// Its record; empty before it has been surveyed.
    pub record: String,
    /// Expressions on it: what they are called, and their records.
    pub operations: Vec<(String, String)>,
}

impl DeviceRecord {
    /// The records of the expressions as a JSON list.
    pub fn operations_list(&self) -> String {
        let records: Vec<&str> = self.operations.iter().map(|(_, record)| record.as_str()).collect();
        format!("[{}]", records.join(","))
    }

    /// The device with its expressions among its operations, for people; nothing before it has been surveyed.
    pub fn export(&self) -> Option<String> {
        let mut record: Value = serde_json::from_str(&self.record).ok()?;
        let operations = record.get_mut("operations")?.as_array_mut()?;
        for (_, operation) in &self.operations {
            operations.push(serde_json::from_str(operation).ok()?);
        }
        serde_json::to_string_pretty(&record).ok()
    }
}

/// What the browser keeps.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    pub devices: Vec<DeviceRecord>,
    /// The key of the device that is shown.
    pub shown: String,
}

impl Kept {
    /// A device, which is then the one that is shown.
    pub fn device(&mut self, key: &str) -> &mut DeviceRecord {
        key.clone_into(&mut self.shown);
        let at = self.devices.iter().position(|device| device.key == key).unwrap_or_else(|| {
            self.devices.push(DeviceRecord { key: key.to_owned(), ..DeviceRecord::default() });
            self.devices.len() - 1
        });
        &mut self.devices[at]
    }
}

/// The measured devices of this machine; a copy is the same records.
#[derive(Clone, Copy)]
pub struct Records {
    kept: RwSignal<Kept>,
    /// False while the page is hydrated: until then it is as the build has written it, without any record.
    hydrated: Signal<bool>,
}

impl Records {
    /// What the browser has kept, in the context of the page.
    pub fn provide() {
        let records = Self { kept: RwSignal::default(), hydrated: Signal::stored(true) };
        provide_context(records);
        Effect::new(move || {
            if let Some(kept) = stored(KEY).and_then(|text| serde_json::from_str(&text).ok()) {
                records.kept.set(kept);
            }
        });
    }

    /// All devices; tracked.
    pub fn devices(self) -> Vec<DeviceRecord> {
        if self.hydrated.get() { self.kept.get().devices } else { Vec::new() }
    }

    /// The record of a device, if it has been surveyed; tracked.
    pub fn of_device(self, device: &DeviceInfo) -> Option<String> {
        let known = self.devices().into_iter().find(|known| known.key == key_of(device))?;
        Some(known.record).filter(|record| !record.is_empty())
    }

    /// The device that is shown: the chosen one, else the first; tracked.
    pub fn shown(self) -> Option<DeviceRecord> {
        let shown = self.kept.with(|kept| kept.shown.clone());
        let devices = self.devices();
        devices.iter().find(|device| device.key == shown).or_else(|| devices.first()).cloned()
    }

    /// Changes what is kept. Whether the browser keeps it beyond this visit.
    pub fn update(self, change: impl FnOnce(&mut Kept)) -> bool {
        self.kept.update(change);
        let text = self.kept.with_untracked(serde_json::to_string);
        text.is_ok_and(|text| store(KEY, &text))
    }
}

/// The records of this browser, from the context.
pub fn use_records() -> Records {
    Records { hydrated: use_hydrated(), ..expect_context::<Records>() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_among_the_operations_that_are_exported() {
        let mut kept = Kept::default();
        let device = kept.device("cpu/y");
        device.operations = vec![("x".to_owned(), "2".to_owned()), ("y".to_owned(), "[3]".to_owned())];
        assert_eq!((device.operations_list().as_str(), device.export()), ("[2,[3]]", None));
        "{\"operations\":[1]}".clone_into(&mut kept.device("cpu/y").record);
        let exported: Value = serde_json::from_str(&kept.devices[0].export().unwrap()).unwrap();
        assert_eq!(
            (&exported["operations"], kept.shown.as_str()),
            (&serde_json::json!([1, 2, [3]]), "cpu/y")
        );
    }
}
