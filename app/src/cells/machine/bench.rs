//! Surveys and expressions as the page sees them: what is asked for, how far it is, and where the answers go.

use leptos::prelude::*;
use napkin_notebook::{Command, DeviceKind, News, OperationSpec, SurveyProgress, SurveySpec};

use super::shelf::Shelf;
use crate::signals::RwSignal;
use crate::worker_client::{Meter, WorkerClient, query_value};

/// The cell's id.
pub const ID: &str = "machine";

/// Samples of each measurement of a survey, in milliseconds; `?samples=` overrides it.
const MEASUREMENT_MS: u32 = 60;

/// A copy is the same bench.
#[derive(Clone, Copy)]
pub struct Bench {
    pub worker: WorkerClient,
    pub meter: Meter,
    pub shelf: Shelf,
    /// How far the survey is that is under way.
    progress: RwSignal<Option<SurveyProgress>>,
    /// Sentences about the last survey and about the last expression.
    said: RwSignal<String>,
    refused: RwSignal<Option<String>>,
}

impl Bench {
    /// Nothing is measured yet.
    pub fn new(worker: WorkerClient, meter: Meter, shelf: Shelf) -> Self {
        Self {
            worker,
            meter,
            shelf,
            progress: RwSignal::new(None),
            said: RwSignal::new(String::new()),
            refused: RwSignal::new(None),
        }
    }

    /// How far the survey is that is under way, if it has begun; tracked.
    pub fn progress(self) -> Option<SurveyProgress> {
        self.progress.get()
    }

    /// How the last survey ended; tracked.
    pub fn said(self) -> String {
        self.said.get()
    }

    /// Why the last expression was not measured; tracked.
    pub fn refused(self) -> Option<String> {
        self.refused.get()
    }

    /// The expression is another one now.
    pub fn forgive(self) {
        if self.refused.with_untracked(Option::is_some) {
            self.refused.set(None);
        }
    }

    /// Measures all of a device.
    pub fn survey(self, device: DeviceKind) {
        let date = js_sys::Date::new_0().to_iso_string().as_string().unwrap_or_default();
        let wanted = query_value("samples").and_then(|text| text.parse().ok());
        let spec = SurveySpec {
            device,
            date: date.chars().take(10).collect(),
            measurement_ms: wanted.unwrap_or(MEASUREMENT_MS).clamp(1, 10_000),
        };
        let key = self.key(device);
        self.said.set(String::new());
        self.meter.ask(ID, Command::Survey(spec), move |answer| match answer {
            Ok((News::Survey(progress), _)) if progress.what.is_empty() => {
                self.end_survey();
                let is_kept = self.shelf.change(&key, |kept| kept.record = progress.record);
                let words = if is_kept {
                    "Measured. This browser keeps the result."
                } else {
                    "Measured. This browser keeps nothing beyond this visit: save the result if you need it."
                };
                self.said.set(words.to_owned());
            }
            Ok((News::Survey(progress), _)) => {
                self.shelf.show_partial((progress.done > 0).then(|| progress.record.clone()));
                self.progress.set(Some(progress));
            }
            Ok(_) => {}
            Err(reason) => {
                self.end_survey();
                self.said.set(reason);
            }
        });
    }

    /// Times an expression.
    pub fn expression(self, device: DeviceKind, expression: String, dtype: String) {
        self.refused.set(None);
        let key = self.key(device);
        let label = format!("{} {dtype}", expression.split_whitespace().collect::<Vec<_>>().join(" "));
        let spec = OperationSpec { device, expression, dtype };
        self.meter.ask(ID, Command::MeasureOperation(spec), move |answer| match answer {
            Ok((News::Operation { record }, _)) => {
                self.shelf.change(&key, |kept| kept.operations.push(format!("{label}\t{record}")));
            }
            Ok(_) => {}
            Err(reason) => self.refused.set(Some(reason)),
        });
    }

    /// Ends what is being measured; nothing of it is kept.
    pub fn cancel(self) {
        self.meter.cancel();
        self.end_survey();
        self.said.set("Cancelled: nothing of it is kept.".to_owned());
    }

    fn end_survey(self) {
        self.progress.set(None);
        self.shelf.show_partial(None);
    }

    /// What a device is called on the shelf: its kind and its name.
    fn key(self, device: DeviceKind) -> String {
        let devices = untrack(|| self.worker.devices());
        let name = devices.and_then(|devices| Some(devices.get(device).ok()?.name.clone()));
        format!("{}/{}", device.id(), name.unwrap_or_default())
    }
}
