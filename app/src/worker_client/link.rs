//! One worker after the other: the wire, and who waits for which answer.

use std::rc::Rc;

use js_sys::{Array, Uint8Array};
use leptos::wasm_bindgen::closure::Closure;
use leptos::wasm_bindgen::{JsCast, JsValue};
use leptos::web_sys::{ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};
use napkin_notebook::{
    Command, Devices, Event, News, Request, RequestId, TrainAction, VERSION, decode, encode,
};

use super::{Answer, probe};

/// Hears the answers of one request.
pub type OnAnswer = Rc<dyn Fn(Answer)>;

/// What came over the wire.
pub enum Words {
    /// A message: an event's bytes, those and what is too bulky for them, or a text that says what the worker died of.
    Message(JsValue),
    /// The browser's words on why the worker's script does not load or run.
    Error(String),
}

/// What came over the wire, sorted.
pub enum Heard {
    /// The worker takes requests now.
    Ready(Devices),
    /// An answer, and who is to hear it.
    Answer(OnAnswer, Answer),
    /// The worker, or the GPU under it, died of this.
    Lost(String),
    /// Worth keeping for the next visit.
    Tuned(String),
    /// It died of this, and a new one would fare no better.
    Hopeless(String),
}

/// The current worker, and those who wait for it.
#[derive(Default)]
pub struct Link {
    wire: Option<Wire>,
    is_ready: bool,
    /// Deaths since the last worker that got ready.
    stillborn: u32,
    last_id: RequestId,
    /// A few at most.
    waiting: Vec<(RequestId, OnAnswer)>,
    /// Requests from before the worker was ready, in order.
    queue: Vec<Request>,
}

struct Wire {
    worker: Worker,
    // The browser calls these as long as the worker lives.
    _on_message: Closure<dyn Fn(MessageEvent)>,
    _on_error: Closure<dyn Fn(ErrorEvent)>,
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

impl Link {
    /// Starts a worker in the place of the last one, if any, with that program; `hear` gets all its words.
    ///
    /// # Errors
    /// A sentence, where the browser has no module workers.
    pub fn start(&mut self, program: &str, hear: impl Fn(Words) + Clone + 'static) -> Result<(), String> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker =
            Worker::new_with_options(&probe::worker_address(program), &options).map_err(|error| {
                format!("This browser does not start the worker that computes: {}.", probe::text_of(&error))
            })?;
        let hear_error = hear.clone();
        let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
            hear(Words::Message(event.data()));
        });
        let on_error = Closure::<dyn Fn(ErrorEvent)>::new(move |event: ErrorEvent| {
            // A file that does not load gives a plain Event, which has no message.
            let message = JsValue::from(event).unchecked_into::<js_sys::Object>();
            let message = js_sys::Reflect::get(&message, &"message".into()).ok().and_then(|m| m.as_string());
            hear_error(Words::Error(message.unwrap_or_else(|| "its script does not load".to_owned())));
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        self.is_ready = false;
        self.wire = Some(Wire { worker, _on_message: on_message, _on_error: on_error });
        Ok(())
    }

    /// Ends the worker and gives back those who still wait for it.
    pub fn end(&mut self) -> Vec<OnAnswer> {
        self.wire = None;
        self.is_ready = false;
        self.queue.clear();
        self.waiting.drain(..).map(|(_, on_answer)| on_answer).collect()
    }

    /// Sends a request, or keeps it until the worker is ready.
    pub fn ask(&mut self, command: Command, on_answer: OnAnswer) -> RequestId {
        self.last_id += 1;
        self.waiting.push((self.last_id, on_answer));
        self.send(Request { id: self.last_id, command });
        self.last_id
    }

    /// Sends what gets no answer.
    pub fn tell(&mut self, command: Command) {
        self.last_id += 1;
        self.send(Request { id: self.last_id, command });
    }

    /// Sends an action to a session that is still listened to.
    pub fn steer(&mut self, session: RequestId, action: TrainAction) {
        if self.listener(session).is_some() {
            self.send(Request { id: session, command: Command::Train(action) });
        }
    }

    /// Stops listening to the answers of a request.
    pub fn forget(&mut self, id: RequestId) {
        self.waiting.retain(|(one, _)| *one != id);
    }

    fn listener(&self, id: RequestId) -> Option<OnAnswer> {
        self.waiting.iter().find(|(one, _)| *one == id).map(|(_, on_answer)| on_answer.clone())
    }

    fn send(&mut self, request: Request) {
        match &self.wire {
            Some(wire) if self.is_ready => {
                // Plain data can always be written, and bytes can always be posted.
                if let Ok(bytes) = encode(&request) {
                    drop(wire.worker.post_message(&Uint8Array::from(bytes.as_slice())));
                }
            }
            _ => self.queue.push(request),
        }
    }

    /// What the words mean for the page; nothing where nobody waits for them any more.
    pub fn sort(&mut self, words: &Words) -> Option<Heard> {
        let message = match words {
            Words::Error(message) => return Some(self.died(message)),
            Words::Message(message) => message,
        };
        if let Some(last_words) = message.as_string() {
            return Some(self.died(&last_words));
        }
        let (bytes, beside) = match message.dyn_ref::<Array>() {
            Some(pair) => (pair.get(0), pair.get(1)),
            None => (message.clone(), JsValue::UNDEFINED),
        };
        let bytes = bytes.dyn_into().map(|array: Uint8Array| array.to_vec()).unwrap_or_default();
        let event: Event = match decode(&bytes) {
            Ok(event) => event,
            Err(error) => return Some(Heard::Hopeless(format!("{STALE} ({error})"))),
        };
        match (event.id, event.news) {
            (_, News::Ready { version, .. }) if version != VERSION => Some(Heard::Hopeless(STALE.to_owned())),
            (_, News::Ready { devices, .. }) => {
                self.is_ready = true;
                self.stillborn = 0;
                for request in std::mem::take(&mut self.queue) {
                    self.send(request);
                }
                Some(Heard::Ready(devices))
            }
            (_, News::Tuned { text }) => Some(Heard::Tuned(text)),
            (_, News::Crashed { message }) => Some(self.died(&message)),
            (_, News::GpuLost { message }) => Some(Heard::Lost(sentence("The GPU was lost", &message))),
            (Some(id), news) => {
                let on_answer = self.listener(id)?;
                if news.is_last() {
                    self.forget(id);
                }
                let answer = match news {
                    News::Failed { message } => Err(message),
                    news => Ok((news, beside)),
                };
                Some(Heard::Answer(on_answer, answer))
            }
            (None, _) => None,
        }
    }

    fn died(&mut self, message: &str) -> Heard {
        if self.is_ready {
            return Heard::Lost(sentence("The worker that computes crashed", message));
        }
        self.stillborn += 1;
        if self.stillborn < 2 {
            Heard::Lost(sentence("The worker that computes did not start", message))
        } else {
            self.stillborn = 0;
            Heard::Hopeless(sentence("The worker that computes does not start", message))
        }
    }
}

fn sentence(what: &str, reason: &str) -> String {
    format!("{what}: {}.", reason.trim_end_matches('.'))
}

const STALE: &str = "The page and its worker come from different builds; reload the page to get both anew.";
