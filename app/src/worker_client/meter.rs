//! What measures: a worker of its own, started when somebody asks, while the one for everything else stands still.

use std::rc::Rc;

use leptos::prelude::*;
use napkin_notebook::Command;

use super::{Answer, WorkerClient, WorkerStatus};
use crate::signals::{RwSignal, StoredValue};

/// One measurement at a time on the whole page; a copy is the same meter.
#[derive(Clone, Copy)]
pub struct Meter {
    /// Stands still meanwhile.
    worker: WorkerClient,
    meter: WorkerClient,
    is_started: StoredValue<bool>,
    /// Counts measurements, so that an answer to one that was cancelled is known.
    turn: StoredValue<u32>,
    /// The cell that measures.
    busy_for: RwSignal<Option<&'static str>>,
}

impl Meter {
    /// Puts it into the context of the whole page; no worker is started.
    pub fn provide(worker: WorkerClient) {
        provide_context(Self {
            worker,
            meter: WorkerClient::new("measure"),
            is_started: StoredValue::new(false),
            turn: StoredValue::new(0),
            busy_for: RwSignal::new(None),
        });
    }

    /// Whether nothing can be measured now: something is, or there is no engine yet; tracked.
    #[must_use]
    pub fn is_busy(self) -> bool {
        self.busy_for.get().is_some() || self.worker.devices().is_none()
    }

    /// Whether something is measured for that cell; tracked.
    #[must_use]
    pub fn is_busy_for(self, cell: &str) -> bool {
        self.busy_for.get() == Some(cell)
    }

    /// Asks the worker that measures, for a cell, as soon as the other stands still. `on_answer` hears every answer, but
    /// none after [`Meter::cancel`].
    pub fn ask(self, cell: &'static str, command: Command, on_answer: impl Fn(Answer) + 'static) {
        self.ask_shared(cell, command, Rc::new(on_answer));
    }

    fn ask_shared(self, cell: &'static str, command: Command, on_answer: Rc<dyn Fn(Answer)>) {
        let turn = self.next_turn(Some(cell));
        let is_current = move || self.turn.get_value() == turn;
        // A worker that cannot be held is none that could disturb.
        self.worker.ask(Command::Hold, move |_| {
            if !is_current() {
                return self.worker.tell(Command::Release);
            }
            if !self.is_started.get_value() || matches!(self.meter.status(), WorkerStatus::Broken(_)) {
                self.is_started.set_value(true);
                self.meter.start();
            }
            let on_answer = on_answer.clone();
            self.meter.ask(command.clone(), move |answer| {
                let is_last = answer.as_ref().map_or(true, |(news, _)| news.is_last());
                if is_last {
                    self.worker.tell(Command::Release);
                }
                if is_current() {
                    if is_last {
                        self.busy_for.set(None);
                    }
                    on_answer(answer);
                }
            });
        });
    }

    /// Ends what is being measured, at once: its worker has nothing else to do, and a new one takes its place.
    pub fn cancel(self) {
        self.next_turn(None);
        self.meter.restart("Cancelled.");
    }

    fn next_turn(self, cell: Option<&'static str>) -> u32 {
        self.busy_for.set(cell);
        self.turn.update_value(|turn| {
            *turn += 1;
            *turn
        })
    }
}

/// The page's meter.
#[must_use]
pub fn use_meter() -> Meter {
    expect_context()
}
