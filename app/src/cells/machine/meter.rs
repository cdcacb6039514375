//! Measuring as the page sees it: a worker of its own measures, while the one that everything else uses stands still.

use leptos::prelude::*;
use napkin_notebook::{Command, CountSpec, DeviceKind, News, OperationSpec, SurveySpec};

use super::shelf::Shelf;
use crate::signals::{RwSignal, StoredValue};
use crate::worker_client::{Answer, WorkerClient, WorkerStatus, query_value};

/// Samples of each measurement of a survey, in milliseconds; `?samples=` overrides it.
const MEASUREMENT_MS: u32 = 60;

/// What is being measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Running {
    /// For the reader.
    pub what: String,
    /// Measurements done, and in all; 0 and 0 where nobody knows.
    pub done: u32,
    /// In all.
    pub of: u32,
}

/// One measurement at a time; a copy is the same meter.
#[derive(Clone, Copy)]
pub struct Meter {
    /// Stands still meanwhile.
    worker: WorkerClient,
    meter: WorkerClient,
    is_started: StoredValue<bool>,
    /// Counts measurements, so that an answer to one that was cancelled is known.
    turn: StoredValue<u32>,
    shelf: Shelf,
    running: RwSignal<Option<Running>>,
    /// Sentences about the last survey and about the last expression.
    said: RwSignal<String>,
    refused: RwSignal<Option<String>>,
}

impl Meter {
    /// Nothing is measured yet, and no worker started for it.
    pub fn new(worker: WorkerClient, shelf: Shelf) -> Self {
        Self {
            worker,
            meter: WorkerClient::new("measure"),
            is_started: StoredValue::new(false),
            turn: StoredValue::new(0),
            shelf,
            running: RwSignal::new(None),
            said: RwSignal::new(String::new()),
            refused: RwSignal::new(None),
        }
    }

    /// What is being measured; tracked.
    pub fn running(self) -> Option<Running> {
        self.running.get()
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
        self.said.set(String::new());
        self.begin(device, Command::Survey(spec), move |key, answer| match answer {
            Ok((News::Survey(progress), _)) if progress.what.is_empty() => {
                let is_kept = self.shelf.change(key, |kept| kept.record = progress.record);
                self.said.set(if is_kept {
                    "Measured. This browser keeps the result.".to_owned()
                } else {
                    "Measured. This browser keeps nothing beyond this visit: save the result if you need it."
                        .to_owned()
                });
            }
            Ok((News::Survey(progress), _)) => {
                self.shelf.show_partial((progress.done > 0).then(|| (key.to_owned(), progress.record)));
                let running = Running { what: progress.what, done: progress.done, of: progress.of };
                self.running.set(Some(running));
            }
            Ok(_) => {}
            Err(reason) => self.said.set(reason),
        });
    }

    /// Times an expression.
    pub fn expression(self, device: DeviceKind, expression: String, dtype: String) {
        self.refused.set(None);
        let label = format!("{} {dtype}", expression.split_whitespace().collect::<Vec<_>>().join(" "));
        let spec = OperationSpec { device, expression, dtype };
        self.begin(device, Command::MeasureOperation(spec), move |key, answer| match answer {
            Ok((News::Operation { record }, _)) => {
                let line = format!("{label}\t{record}");
                self.shelf.change(key, |kept| kept.operations.push(line));
            }
            Ok(_) => {}
            Err(reason) => self.refused.set(Some(reason)),
        });
    }

    /// Counts a training step; `take` gets its record.
    pub fn count(self, device: DeviceKind, step: String, take: impl Fn(String) + Clone + 'static) {
        self.said.set(String::new());
        self.begin(device, Command::CountStep(CountSpec { device, step }), move |_, answer| match answer {
            Ok((News::Counted { record }, _)) => take(record),
            Ok(_) => {}
            Err(reason) => self.said.set(reason),
        });
    }

    /// Ends what is being measured, at once; nothing of it is kept.
    pub fn cancel(self) {
        self.turn.update_value(|turn| *turn += 1);
        self.finish();
        self.said.set("Cancelled: nothing of it is kept.".to_owned());
        self.meter.restart("Cancelled.");
    }

    fn finish(self) {
        self.running.set(None);
        self.shelf.show_partial(None);
    }

    /// Asks the worker that measures as soon as the other stands still. `on_answer` gets the key of the device too.
    fn begin(self, device: DeviceKind, command: Command, on_answer: impl Fn(&str, Answer) + Clone + 'static) {
        let devices = untrack(|| self.worker.devices());
        let name = devices.and_then(|devices| Some(devices.get(device).ok()?.name.clone()));
        let key = format!("{}/{}", device.id(), name.unwrap_or_default());
        let turn = self.turn.update_value(|turn| {
            *turn += 1;
            *turn
        });
        let is_current = move || self.turn.get_value() == turn;
        self.running.set(Some(Running { what: "waiting for the engine".to_owned(), done: 0, of: 0 }));
        // A worker that cannot hold still is none that could disturb.
        self.worker.ask(Command::Hold, move |_| {
            if !is_current() {
                return self.worker.tell(Command::Release);
            }
            if !self.is_started.get_value() || matches!(self.meter.status(), WorkerStatus::Broken(_)) {
                self.is_started.set_value(true);
                self.meter.start();
            }
            let (key, on_answer) = (key.clone(), on_answer.clone());
            self.meter.ask(command.clone(), move |answer| {
                let is_last = answer.as_ref().map_or(true, |(news, _)| news.is_last());
                if is_last {
                    self.worker.tell(Command::Release);
                }
                if is_current() {
                    if is_last {
                        self.finish();
                    }
                    on_answer(&key, answer);
                }
            });
        });
    }
}
