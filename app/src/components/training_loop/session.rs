//! The training session as the page sees it: what the worker said last, and how to steer it.

use leptos::prelude::*;
use napkin_trace::{Command, Event, LossPoint, TrainAction, TrainProgress, TrainSpec, TrainState};

use crate::workers::{Answer, ComputeWorker, Job};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Nothing is loaded; the next "run" or "step" loads what the fields say.
    Empty,
    Loading,
    Loaded(TrainState),
}

/// One session at a time; a copy is the same session.
#[derive(Clone, Copy)]
pub struct Session {
    job: Job,
    pub phase: RwSignal<Phase>,
    /// The last report; its own list of losses is empty.
    pub progress: RwSignal<TrainProgress>,
    pub losses: RwSignal<Vec<LossPoint>>,
    /// Why the last session ended, if it did not end well.
    pub fault: RwSignal<Option<String>>,
    until_step: StoredValue<u64>,
}

impl Session {
    pub fn new(worker: ComputeWorker) -> Self {
        Self {
            job: Job::new(worker),
            phase: RwSignal::new(Phase::Empty),
            progress: RwSignal::default(),
            losses: RwSignal::default(),
            fault: RwSignal::default(),
            until_step: StoredValue::new(0),
        }
    }

    pub fn is_running(self) -> bool {
        self.phase.get() == Phase::Loaded(TrainState::Running)
    }

    /// Takes `steps` steps unless told otherwise; loads `spec` first if nothing is loaded.
    pub fn run(self, spec: &TrainSpec, steps: u64) {
        self.load_if_empty(spec);
        self.until_step.set_value(self.progress.with_untracked(|progress| progress.step) + steps);
        self.resume();
    }

    pub fn resume(self) {
        self.job.steer(TrainAction::Run { until_step: self.until_step.get_value() });
    }

    /// Takes one step; loads `spec` first if nothing is loaded.
    pub fn step(self, spec: &TrainSpec) {
        self.load_if_empty(spec);
        self.job.steer(TrainAction::Step);
    }

    /// Stops after the chunk of steps that is under way.
    pub fn pause(self) {
        self.job.steer(TrainAction::Pause);
    }

    pub fn reset(self) {
        self.job.cancel();
        self.phase.set(Phase::Empty);
        self.progress.set(TrainProgress::default());
        self.losses.set(Vec::new());
        self.fault.set(None);
    }

    fn load_if_empty(self, spec: &TrainSpec) {
        if self.phase.get_untracked() == Phase::Empty {
            self.reset();
            self.phase.set(Phase::Loading);
            self.job.start(Command::Train(TrainAction::Load(spec.clone())), move |answer| self.hear(answer));
        }
    }

    fn hear(self, answer: Answer) {
        match answer {
            Ok(Event::Training(mut report)) => {
                if !report.losses.is_empty() {
                    self.losses.update(|losses| losses.append(&mut report.losses));
                }
                self.phase.set(Phase::Loaded(report.state));
                // Weights that are no longer finite leave the last ones that were.
                if report.weights.is_empty() {
                    report.weights = self.progress.with_untracked(|progress| progress.weights.clone());
                }
                self.progress.set(report);
            }
            Ok(_) => {}
            // What has been drawn stays when a session dies: only the reader clears it.
            Err(reason) => {
                self.phase.set(Phase::Empty);
                self.fault.set(Some(reason));
            }
        }
    }
}
