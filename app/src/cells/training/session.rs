//! The training session as the page sees it: what the worker said last, and how to steer it.

use crate::signals::{RwSignal, StoredValue};
use napkin_notebook::{
    Command, LossPoint, News, RequestId, TrainAction, TrainProgress, TrainSpec, TrainState,
};

use crate::worker_client::{Answer, WorkerClient};

/// A worker that says nothing for so long while it should is replaced when the reader wants something else.
const SILENCE_MS: f64 = 1_500.0;

/// What the session is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Nothing is loaded; the next "run" or "step" loads what the fields say.
    Empty,
    /// The worker builds the model.
    Loading,
    /// As the worker says.
    Loaded(TrainState),
}

/// One session at a time.
#[derive(Clone, Copy)]
pub struct Session {
    worker: WorkerClient,
    request: StoredValue<Option<RequestId>>,
    phase: RwSignal<Phase>,
    progress: RwSignal<TrainProgress>,
    losses: RwSignal<Vec<LossPoint>>,
    fault: RwSignal<Option<String>>,
    heard_ms: StoredValue<f64>,
    until_step: StoredValue<u64>,
}

impl Session {
    /// Nothing loaded yet.
    pub fn new(worker: WorkerClient) -> Self {
        Self {
            worker,
            request: StoredValue::new(None),
            phase: RwSignal::new(Phase::Empty),
            progress: RwSignal::new(blank()),
            losses: RwSignal::new(Vec::new()),
            fault: RwSignal::new(None),
            heard_ms: StoredValue::new(0.0),
            until_step: StoredValue::new(0),
        }
    }

    /// Tracked.
    pub fn phase(self) -> Phase {
        self.phase.get()
    }

    /// Whether steps are being taken; tracked.
    pub fn is_running(self) -> bool {
        self.phase.get() == Phase::Loaded(TrainState::Running)
    }

    /// The last news, with all true weights; its own list of losses is empty. Tracked.
    pub fn progress(self) -> RwSignal<TrainProgress> {
        self.progress
    }

    /// The whole curve. Tracked where it is read.
    pub fn losses(self) -> RwSignal<Vec<LossPoint>> {
        self.losses
    }

    /// Why the last session ended, if it did not end well; tracked.
    pub fn fault(self) -> Option<String> {
        self.fault.get()
    }

    /// Takes `steps` steps unless told otherwise; loads `spec` first if nothing is loaded.
    pub fn run(self, spec: &TrainSpec, steps: u64) {
        self.load_if_empty(spec);
        self.until_step.set_value(self.progress.with_untracked(|progress| progress.step) + steps);
        self.resume();
    }

    /// Goes on to where the last run was to end.
    pub fn resume(self) {
        self.steer(TrainAction::Run { until_step: self.until_step.get_value() });
    }

    /// Takes one step; loads `spec` first if nothing is loaded.
    pub fn step(self, spec: &TrainSpec) {
        self.load_if_empty(spec);
        self.steer(TrainAction::Step);
    }

    /// Stops after the chunk of steps that is under way.
    pub fn pause(self) {
        self.steer(TrainAction::Pause);
    }

    /// Forgets everything; true if there was something to forget.
    pub fn reset(self) -> bool {
        let Some(request) = self.request.get_value() else {
            self.fault.set(None);
            return false;
        };
        let is_busy =
            matches!(self.phase.get_untracked(), Phase::Loading | Phase::Loaded(TrainState::Running));
        self.worker.steer(request, TrainAction::Pause);
        self.worker.forget(request);
        self.empty(None);
        if is_busy && js_sys::Date::now() - self.heard_ms.get_value() > SILENCE_MS {
            self.worker.restart("The worker was in the middle of a long step and was started again.");
        }
        true
    }

    fn load_if_empty(self, spec: &TrainSpec) {
        if self.request.get_value().is_some() {
            return;
        }
        self.empty(None);
        self.phase.set(Phase::Loading);
        self.heard_ms.set_value(js_sys::Date::now());
        let load = Command::Train(TrainAction::Load(spec.clone()));
        self.request.set_value(self.worker.ask(load, move |answer| self.hear(answer)));
    }

    fn steer(self, action: TrainAction) {
        if let Some(request) = self.request.get_value() {
            self.worker.steer(request, action);
        }
    }

    fn hear(self, answer: Answer) {
        self.heard_ms.set_value(js_sys::Date::now());
        match answer {
            Ok((News::Training(mut news), _)) => {
                let points = std::mem::take(&mut news.losses);
                if !points.is_empty() {
                    self.losses.update(|losses| losses.extend(points));
                }
                self.phase.set(Phase::Loaded(news.state));
                self.progress.update(|progress| {
                    if news.true_weights.is_empty() {
                        news.true_weights = std::mem::take(&mut progress.true_weights);
                    }
                    if news.weights.is_empty() {
                        news.weights = std::mem::take(&mut progress.weights);
                    }
                    *progress = news;
                });
            }
            Ok(_) => {}
            Err(reason) => self.empty(Some(reason)),
        }
    }

    fn empty(self, fault: Option<String>) {
        self.request.set_value(None);
        self.phase.set(Phase::Empty);
        // What has been drawn stays when a session dies: only the reader clears it.
        if fault.is_none() {
            self.progress.set(blank());
            self.losses.set(Vec::new());
        }
        self.fault.set(fault);
    }
}

fn blank() -> TrainProgress {
    TrainProgress {
        step: 0,
        losses: Vec::new(),
        weights: Vec::new(),
        true_weights: Vec::new(),
        steps_per_sec: 0.0,
        state: TrainState::Paused,
    }
}
