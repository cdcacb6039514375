//! The training session as the page sees it: what the worker said last, and how to steer it.

use leptos::prelude::*;
use napkin_trace::{Command, Event, LossPoint, TrainAction, TrainProgress, TrainSpec, TrainState};

use crate::workers::{ComputeWorker, Job};

/// One session at a time; a copy is the same session.
#[derive(Clone, Copy)]
pub struct Session {
    /// Runs while there is a session; the next "run" or "step" after it loads what the fields say.
    pub job: Job,
    /// Nothing before the session is loaded.
    pub state: RwSignal<Option<TrainState>>,
    /// The last report; its own list of losses is empty.
    pub progress: RwSignal<TrainProgress>,
    pub losses: RwSignal<Vec<LossPoint>>,
}

impl Session {
    pub fn new(worker: ComputeWorker) -> Self {
        Self {
            job: Job::new(worker),
            state: RwSignal::default(),
            progress: RwSignal::default(),
            losses: RwSignal::default(),
        }
    }

    pub fn is_running(self) -> bool {
        self.job.is_running() && self.state.get() == Some(TrainState::Running)
    }

    /// Takes so many steps unless told otherwise, or else a single one; loads `spec` first if nothing is loaded.
    pub fn go_on(self, spec: TrainSpec, steps: Option<u64>) {
        if !untrack(|| self.job.is_running()) {
            self.reset();
            self.job.start(Command::Train(TrainAction::Load(spec)), move |event| self.hear(event));
        }
        let step = self.progress.with_untracked(|progress| progress.step);
        let run = |steps| TrainAction::Run { until_step: step + steps };
        self.job.steer(steps.map_or(TrainAction::Step, run));
    }

    pub fn reset(self) {
        self.job.cancel();
        self.job.fault.set(None);
        self.state.set(None);
        self.progress.set(TrainProgress::default());
        self.losses.set(Vec::new());
    }

    fn hear(self, event: Event) {
        let Event::Training(mut report) = event else { return };
        if !report.losses.is_empty() {
            self.losses.update(|losses| losses.append(&mut report.losses));
        }
        // Weights that are no longer finite leave the last ones that were.
        if report.weights.is_empty() {
            report.weights = self.progress.with_untracked(|progress| progress.weights.clone());
        }
        self.state.set(Some(report.state));
        self.progress.set(report);
    }
}
