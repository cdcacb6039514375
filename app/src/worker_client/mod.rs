//! The page's side of the worker: starts it, asks it, and replaces it when it dies.
//!
//! Whatever happens to the worker, every request gets an answer or a sentence that says why not, and
//! nothing that the reader typed lives in it.

mod bench;
mod link;
mod probe;

use std::rc::Rc;

use crate::signals::{RwSignal, StoredValue, effect};
use leptos::prelude::*;
use leptos::wasm_bindgen::JsValue;
use napkin_notebook::{Choice, Command, DeviceKind, Devices, News, RequestId, TrainAction};

use link::{Heard, Link, Words};
pub use probe::query_value;

/// How the worker is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkerStatus {
    /// Its files are loading, or it looks for a GPU.
    Starting,
    /// It takes requests.
    Ready(Devices),
    /// It does not start; the sentence says why.
    Broken(String),
}

/// What a request gets: news, and what came beside them, undefined where nothing did.
pub type Answer = Result<(News, JsValue), String>;

/// The handle that cells use; a copy is the same worker.
#[derive(Clone, Copy)]
pub struct WorkerClient {
    program: &'static str,
    status: RwSignal<WorkerStatus>,
    notice: RwSignal<Option<String>>,
    lives: RwSignal<u32>,
    wanted: StoredValue<Option<DeviceKind>>,
    link: StoredValue<Link>,
}

impl WorkerClient {
    /// Puts a client into the context of the whole page. Its worker starts once the page is drawn, and
    /// never while the page is rendered at build time.
    pub fn provide() -> Self {
        let client = Self::new("worker");
        provide_context(client);
        effect(move |_| {
            client.wanted.set_value(probe::wanted_device());
            client.start();
            if query_value("bench").is_some() {
                bench::offer_hook(client);
            }
        });
        client
    }

    /// A client whose worker has not been started; `program` is one that `worker-start.js` knows.
    #[must_use]
    pub fn new(program: &'static str) -> Self {
        Self {
            program,
            status: RwSignal::new(WorkerStatus::Starting),
            notice: RwSignal::new(None),
            lives: RwSignal::new(0),
            wanted: StoredValue::new(None),
            link: StoredValue::new(Link::default()),
        }
    }

    /// How the worker is; tracked.
    #[must_use]
    pub fn status(self) -> WorkerStatus {
        self.status.get()
    }

    /// The devices, once the worker has said them; tracked.
    #[must_use]
    pub fn devices(self) -> Option<Devices> {
        self.status.with(|status| match status {
            WorkerStatus::Ready(devices) => Some(devices.clone()),
            WorkerStatus::Starting | WorkerStatus::Broken(_) => None,
        })
    }

    /// The device to use unless the reader chooses another, and why; tracked.
    #[must_use]
    pub fn choice(self) -> Option<Choice> {
        self.devices().map(|devices| devices.choose(self.wanted.get_value()))
    }

    /// What happened to the worker behind the reader's back, if anything did; tracked.
    #[must_use]
    pub fn notice(self) -> Option<String> {
        self.notice.get()
    }

    /// How many workers came before this one; tracked. A change means that what ran in it is gone.
    #[must_use]
    pub fn lives(self) -> u32 {
        self.lives.get()
    }

    /// Asks for something. `on_answer` hears every event of the request; of those, only training news can
    /// be followed by more. `None` where there is no worker: then `on_answer` has heard why.
    pub fn ask(self, command: Command, on_answer: impl Fn(Answer) + 'static) -> Option<RequestId> {
        if let WorkerStatus::Broken(reason) = self.status.get_untracked() {
            on_answer(Err(reason));
            return None;
        }
        Some(self.link.update_value(|link| link.ask(command, Rc::new(on_answer))))
    }

    /// Asks for something that gets no answer.
    pub fn tell(self, command: Command) {
        self.link.update_value(|link| link.tell(command));
    }

    /// Steers the training session that the request `session` loaded.
    pub fn steer(self, session: RequestId, action: TrainAction) {
        self.link.update_value(|link| link.steer(session, action));
    }

    /// No more events of this request.
    pub fn forget(self, id: RequestId) {
        self.link.update_value(|link| link.forget(id));
    }

    /// Ends the worker, whatever it is doing, and starts a new one. Its open requests are answered with
    /// `reason`.
    pub fn restart(self, reason: &str) {
        let orphans = self.link.update_value(Link::end);
        self.lives.update(|lives| *lives += 1);
        self.start();
        for on_answer in orphans {
            on_answer(Err(reason.to_owned()));
        }
    }

    /// Starts the worker; what has been asked before waits for it.
    pub fn start(self) {
        self.status.set(WorkerStatus::Starting);
        let started = self.link.update_value(|link| link.start(self.program, move |words| self.hear(&words)));
        if let Err(reason) = started {
            self.give_up(&reason);
        }
    }

    fn hear(self, words: &Words) {
        match self.link.update_value(|link| link.sort(words)) {
            None => {}
            Some(Heard::Ready(devices)) => {
                if let Some(text) = storage().and_then(|storage| storage.get_item(TUNING_KEY).ok().flatten())
                {
                    self.link.update_value(|link| link.tell(Command::UseTuning { text }));
                }
                self.status.set(WorkerStatus::Ready(devices));
            }
            Some(Heard::Tuned(text)) => {
                if let Some(storage) = storage() {
                    // A browser that keeps nothing lets the next visit tune again.
                    drop(storage.set_item(TUNING_KEY, &text));
                }
            }
            Some(Heard::Answer(on_answer, answer)) => on_answer(answer),
            Some(Heard::Lost(message)) => {
                let sentence = format!("{message} The worker was started again; what ran in it is gone.");
                self.notice.set(Some(sentence.clone()));
                self.restart(&sentence);
            }
            Some(Heard::Hopeless(message)) => self.give_up(&message),
        }
    }

    fn give_up(self, reason: &str) {
        let orphans = self.link.update_value(Link::end);
        self.status.set(WorkerStatus::Broken(reason.to_owned()));
        for on_answer in orphans {
            on_answer(Err(reason.to_owned()));
        }
    }
}

/// Where the page keeps which kernels are fastest on this machine.
const TUNING_KEY: &str = "gpu-tuning";

/// What the browser keeps for the page, if it keeps anything.
pub fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok().flatten()
}

/// The page's worker.
#[must_use]
pub fn use_worker() -> WorkerClient {
    expect_context()
}
