//! The compute worker as the components see it: started when one of them needs it, asked, and replaced when it dies.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use leptos::prelude::*;
use leptos::wasm_bindgen::JsValue;
use napkin_trace::{Choice, Command, DeviceKind, Devices, Event, Message, Request, RequestId, TrainAction};

use super::bench;
use super::module_worker::ModuleWorker;
use crate::state::{query, store, stored, use_hydrated};

/// A worker that is asked to end what it does and says nothing for so long is replaced.
const PATIENCE: Duration = Duration::from_secs(3);

/// Where the browser keeps which kernels are right and fast on this machine.
const TUNING_KEY: &str = "gpu-tuning";

/// What a worker has found out about the kernels, on this visit or an earlier one.
pub fn gpu_tuning() -> Option<String> {
    stored(TUNING_KEY)
}

const STALE: &str = "The page and its worker come from different builds; reload the page to get both anew.";

/// How the worker is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkerStatus {
    /// Nobody has needed it yet, its files are loading, or it looks for a GPU.
    Starting,
    /// It takes requests.
    Ready,
    /// It does not start; the sentence says why.
    Broken(String),
}

/// What a request gets: an event, or the sentence that says why not.
pub type Answer = Result<Event, String>;

type OnAnswer = Rc<dyn Fn(Answer)>;

/// The compute worker of the page; a copy is the same worker.
///
/// Whatever happens to it, every request gets an answer, and nothing that the reader typed lives in it.
#[derive(Clone, Copy)]
pub struct ComputeWorker {
    status: RwSignal<WorkerStatus>,
    /// As the last worker that was ready has said them.
    devices: RwSignal<Option<Devices>>,
    /// False while the page is hydrated: until then it is as the build has written it.
    hydrated: Signal<bool>,
    /// What happened to the worker behind the reader's back, if anything did.
    pub notice: RwSignal<Option<String>>,
    connection: StoredValue<Connection, LocalStorage>,
}

impl ComputeWorker {
    /// Puts a worker that is not started into the context of the page. With `?bench` in the address it answers from
    /// outside, too.
    pub fn provide() {
        let worker = Self {
            status: RwSignal::new(WorkerStatus::Starting),
            devices: RwSignal::new(None),
            hydrated: Signal::stored(true),
            notice: RwSignal::new(None),
            connection: StoredValue::new_local(Connection::default()),
        };
        provide_context(worker);
        Effect::new(move || {
            if query::value_of("bench").is_some() {
                bench::offer(worker);
            }
        });
    }

    /// How the worker is; tracked.
    pub fn status(self) -> WorkerStatus {
        if self.hydrated.get() { self.status.get() } else { WorkerStatus::Starting }
    }

    /// The devices, once the worker has said them; tracked.
    pub fn devices(self) -> Option<Devices> {
        if self.hydrated.get() { self.devices.get() } else { None }
    }

    /// Why there is no GPU, once that is known; tracked.
    pub fn gpu_fault(self) -> Option<String> {
        self.devices().and_then(|devices| devices.gpu.err())
    }

    /// The device to use unless the reader chooses another, and why; tracked.
    pub fn choice(self) -> Option<Choice> {
        self.devices().map(|devices| devices.choose(device_in_address()))
    }

    /// Starts the worker unless it has been.
    pub fn start(self) {
        let is_there = self.connection.with_value(|connection| connection.worker.is_some());
        if !is_there && self.status.get_untracked() == WorkerStatus::Starting {
            self.launch();
        }
    }

    /// Asks for something. `on_answer` hears every event of the request: one, but for training sessions and surveys.
    /// Nothing where there is no worker: then `on_answer` has heard why.
    pub fn ask(self, command: Command, on_answer: impl Fn(Answer) + 'static) -> Option<RequestId> {
        self.start();
        if let WorkerStatus::Broken(reason) = self.status.get_untracked() {
            on_answer(Err(reason));
            return None;
        }
        self.connection.try_update_value(|connection| connection.ask(command, Rc::new(on_answer)))
    }

    /// Takes what the worker of Python has found out about the GPU's kernels. Where this one knows more, it says so.
    pub fn learn(self, tuning: String) {
        store(TUNING_KEY, &tuning);
        self.connection.update_value(|connection| {
            if connection.is_ready {
                connection.use_tuning(tuning);
            }
        });
    }

    /// Steers the training session that the request `session` loaded.
    pub fn steer(self, session: RequestId, action: TrainAction) {
        self.connection.update_value(|connection| connection.steer(session, action));
    }

    /// Ends what a request began; it gets no more answers. Where the worker is in the middle of something long and does
    /// not hear of it, it is replaced.
    pub fn cancel(self, id: RequestId) {
        let asked = self.connection.try_update_value(|connection| connection.cancel(id)).flatten();
        let Some(cancel) = asked else { return };
        let look = move || {
            if self.connection.with_value(|connection| connection.cancelling == Some(cancel)) {
                self.replace(
                    "The worker was in the middle of something long and was started again.".to_owned(),
                );
            }
        };
        set_timeout(look, PATIENCE);
    }

    /// Ends the worker, whatever it is doing, and starts a new one. What it was doing is answered with `reason`.
    fn replace(self, reason: String) {
        let orphans = self.connection.try_update_value(Connection::end).unwrap_or_default();
        if !orphans.is_empty() {
            self.notice.set(Some(reason.clone()));
        }
        self.launch();
        orphans.values().for_each(|on_answer| on_answer(Err(reason.clone())));
    }

    fn give_up(self, reason: String) {
        let orphans = self.connection.try_update_value(|connection| std::mem::take(connection).waiting);
        self.status.set(WorkerStatus::Broken(reason.clone()));
        orphans.unwrap_or_default().values().for_each(|on_answer| on_answer(Err(reason.clone())));
    }

    fn launch(self) {
        self.status.set(WorkerStatus::Starting);
        // It has to know before the page can say anything.
        let address = format!("worker-start.js?device={}", device_in_address().map_or("any", DeviceKind::id));
        let worker = ModuleWorker::start(&address, move |heard| self.hear(heard));
        let refusal =
            |why: String| format!("This browser does not start the worker that computes: {}.", bare(&why));
        match worker.map_err(refusal) {
            Ok(worker) => self.connection.update_value(|connection| connection.worker = Some(worker)),
            Err(reason) => self.give_up(reason),
        }
    }

    fn hear(self, heard: Result<JsValue, String>) {
        let message = match heard.map(serde_wasm_bindgen::from_value::<Message<_>>) {
            Ok(Ok(message)) => message,
            Ok(Err(error)) => return self.give_up(format!("{STALE} ({error})")),
            Err(why) => return self.died(&why),
        };
        match message.event {
            Event::Ready(devices) => {
                self.connection.update_value(|connection| connection.ready(gpu_tuning()));
                self.devices.set(Some(devices));
                self.status.set(WorkerStatus::Ready);
            }
            Event::Tuned(text) => drop(store(TUNING_KEY, &text)),
            Event::Crashed(why) => self.died(&why),
            Event::GpuLost(why) => self.lost("The GPU was lost", &why),
            Event::Cancelled => self.connection.update_value(|connection| connection.cancelled(message.id)),
            event => {
                let hears = |Connection { waiting, .. }: &mut Connection| match event.is_last() {
                    true => waiting.remove(&message.id?),
                    false => waiting.get(&message.id?).cloned(),
                };
                // It may ask for more.
                if let Some(on_answer) = self.connection.try_update_value(hears).flatten() {
                    on_answer(if let Event::Failed(why) = event { Err(why) } else { Ok(event) });
                }
            }
        }
    }

    /// The worker has died; one that does not even start is not tried again.
    fn died(self, why: &str) {
        match self.status.get_untracked() {
            WorkerStatus::Ready => self.lost("The worker that computes crashed", why),
            _ => self.give_up(format!("The worker that computes does not start: {}.", bare(why))),
        }
    }

    fn lost(self, what: &str, why: &str) {
        self.replace(format!("{what}: {}. The worker was started again; what ran in it is gone.", bare(why)));
    }
}

/// The device that the address asks for.
fn device_in_address() -> Option<DeviceKind> {
    query::value_of("device").as_deref().and_then(DeviceKind::from_id)
}

/// A reason without the point at its end.
fn bare(why: &str) -> &str {
    why.trim_end_matches('.')
}

/// The current worker, and those who wait for it.
#[derive(Default)]
struct Connection {
    worker: Option<ModuleWorker>,
    is_ready: bool,
    last_id: RequestId,
    /// Requests that have not got their last answer; a few at most.
    waiting: BTreeMap<RequestId, OnAnswer>,
    /// What the worker is still to get, in order: requests, and how to steer what they began.
    unsent: Vec<(RequestId, Command)>,
    /// The last request that a worker has got.
    sent: RequestId,
    /// The last [`Command::Cancel`] that has not been answered. What is asked for meanwhile is kept, since the worker
    /// may have to be replaced.
    cancelling: Option<RequestId>,
}

impl Connection {
    fn ask(&mut self, command: Command, on_answer: OnAnswer) -> RequestId {
        self.last_id += 1;
        self.waiting.insert(self.last_id, on_answer);
        self.unsent.push((self.last_id, command));
        self.send();
        self.last_id
    }

    fn steer(&mut self, session: RequestId, action: TrainAction) {
        if self.waiting.contains_key(&session) {
            self.unsent.push((session, Command::Train(action)));
        }
        self.send();
    }

    /// Forgets a request and has the worker end what it began. Gives the id under which the worker has to say so;
    /// nothing where there is nothing to end.
    fn cancel(&mut self, id: RequestId) -> Option<RequestId> {
        self.waiting.remove(&id)?;
        self.unsent.retain(|(of, _)| *of != id);
        if id > self.sent {
            return None;
        }
        self.last_id += 1;
        self.cancelling = Some(self.last_id);
        self.post(self.last_id, Command::Cancel(id));
        self.cancelling
    }

    fn cancelled(&mut self, id: Option<RequestId>) {
        if id == self.cancelling {
            self.cancelling = None;
            self.send();
        }
    }

    /// The worker takes requests now, first of all what an earlier one has found out about the GPU.
    fn ready(&mut self, tuning: Option<String>) {
        self.is_ready = true;
        if let Some(text) = tuning {
            self.use_tuning(text);
        }
        self.send();
    }

    fn use_tuning(&mut self, text: String) {
        self.last_id += 1;
        self.post(self.last_id, Command::UseTuning(text));
    }

    /// Ends the worker and gives back those who wait for what it was doing. Requests that it has not got stay for the
    /// next one.
    fn end(&mut self) -> BTreeMap<RequestId, OnAnswer> {
        (self.worker, self.is_ready, self.cancelling) = (None, false, None);
        let kept = self.waiting.split_off(&(self.sent + 1));
        self.unsent.retain(|(id, _)| kept.contains_key(id));
        std::mem::replace(&mut self.waiting, kept)
    }

    fn send(&mut self) {
        if self.is_ready && self.cancelling.is_none() {
            for (id, command) in std::mem::take(&mut self.unsent) {
                self.sent = self.sent.max(id);
                self.post(id, command);
            }
        }
    }

    fn post(&self, id: RequestId, command: Command) {
        if let Some(worker) = &self.worker
            && let Ok(request) = serde_wasm_bindgen::to_value(&Request { id, command })
        {
            worker.post(&request);
        }
    }
}

/// The page's compute worker, which starts as soon as what asks for it is alive in the browser.
pub fn use_compute_worker() -> ComputeWorker {
    let worker: ComputeWorker = expect_context();
    Effect::new(move || worker.start());
    ComputeWorker { hydrated: use_hydrated(), ..worker }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_worker_has_got_waits_for_the_next_one_or_is_not_sent_at_all() {
        let mut connection = Connection { is_ready: true, ..Connection::default() };
        let first = connection.ask(Command::Cancel(0), Rc::new(|_| {}));
        assert!(connection.cancel(first).is_some(), "the worker has it");
        let second = connection.ask(Command::Cancel(0), Rc::new(|_| {}));
        assert_eq!(connection.cancel(second), None, "meanwhile nothing is sent");
        connection.cancelled(connection.cancelling);
        let third = connection.ask(Command::Cancel(0), Rc::new(|_| {}));
        connection.is_ready = false;
        connection.steer(third, TrainAction::Pause);
        let fourth = connection.ask(Command::Cancel(0), Rc::new(|_| {}));
        assert_eq!(connection.end().len(), 1, "the third was sent, and is lost");
        assert!(
            connection.waiting.keys().eq([&fourth]) && connection.unsent.len() == 1,
            "nobody steers what is gone"
        );
    }
}
