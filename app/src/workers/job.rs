//! What one component asks of the compute worker.

use leptos::prelude::*;
use napkin_trace::{Command, Event, RequestId, TrainAction};

use super::ComputeWorker;

/// One request at a time; a copy is the same job. It ends with the component that made it.
#[derive(Clone, Copy)]
pub struct Job {
    worker: ComputeWorker,
    request: RwSignal<Option<RequestId>>,
    /// Why the last request led to nothing, if it did.
    pub fault: RwSignal<Option<String>>,
}

impl Job {
    /// Nothing is asked for yet.
    pub fn new(worker: ComputeWorker) -> Self {
        let job = Self { worker, request: RwSignal::new(None), fault: RwSignal::new(None) };
        on_cleanup(move || job.cancel());
        job
    }

    /// Whether an answer is still to come; tracked.
    pub fn is_running(self) -> bool {
        self.request.get().is_some()
    }

    /// Asks the worker in place of what was asked before. `on_event` hears what comes of it, but nothing after
    /// [`Job::cancel`].
    pub fn start(self, command: Command, on_event: impl Fn(Event) + 'static) {
        self.cancel();
        self.fault.set(None);
        let request = self.worker.ask(command, move |answer| {
            if answer.as_ref().map_or(true, Event::is_last) {
                self.request.set(None);
            }
            match answer {
                Ok(event) => on_event(event),
                Err(reason) => self.fault.set(Some(reason)),
            }
        });
        // One that cannot be asked has been answered already.
        self.request.set(request);
    }

    /// Ends what is under way, and says why nothing comes of it.
    pub fn refuse(self, reason: String) {
        self.cancel();
        self.fault.set(Some(reason));
    }

    /// The same where something is under way: a button that has ended it keeps the focus, and may be pressed again.
    pub fn stop(self, reason: &str) {
        if self.request.get_untracked().is_some() {
            self.refuse(reason.to_owned());
        }
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
