//! What one component asks of the compute worker.

use leptos::prelude::*;
use napkin_trace::{Command, Event, RequestId, TrainAction};

use super::{Answer, ComputeWorker};

/// One request at a time; a copy is the same job. It ends with the component that made it.
#[derive(Clone, Copy)]
pub struct Job {
    worker: ComputeWorker,
    request: RwSignal<Option<RequestId>>,
}

impl Job {
    /// Nothing is asked for yet.
    pub fn new(worker: ComputeWorker) -> Self {
        let job = Self { worker, request: RwSignal::new(None) };
        on_cleanup(move || job.cancel());
        job
    }

    /// Whether an answer is still to come; tracked.
    pub fn is_running(self) -> bool {
        self.request.get().is_some()
    }

    /// Asks the worker in place of what was asked before. `on_answer` hears every answer, but none after
    /// [`Job::cancel`].
    pub fn start(self, command: Command, on_answer: impl Fn(Answer) + 'static) {
        self.cancel();
        let request = self.worker.ask(command, move |answer| {
            if answer.as_ref().map_or(true, Event::is_last) {
                self.request.set(None);
            }
            on_answer(answer);
        });
        self.request.set(request);
    }

    /// Steers the training session that was loaded, if one was.
    pub fn steer(self, action: TrainAction) {
        if let Some(request) = self.request.get_untracked() {
            self.worker.steer(request, action);
        }
    }

    /// Ends what is under way.
    pub fn cancel(self) {
        if let Some(request) = self.request.get_untracked() {
            self.request.set(None);
            self.worker.cancel(request);
        }
    }
}
