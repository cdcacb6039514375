//! The worker that runs Python: started when somebody wants it, one program at a time, the newest wins.

use napkin_notebook::RequestId;
use napkin_notebook::python::{Event as Said, Request};
use napkin_notebook::trace::Step;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{ErrorEvent, Event, MessageEvent, Worker, WorkerOptions, WorkerType};

use super::{Desk, download, find, later, listen, look_at_step, say, window, with_desk};
use crate::json;
use crate::live::{Activity, MOST_SECS};
use crate::request::written;
use crate::traceback::Fault;

/// How long the reader's hand rests before the program runs.
const QUIET_MS: i32 = 250;
/// A worker that has not answered so long after the program's time was up is beyond stopping itself.
const GRACE_SECS: f64 = 3.0;

/// The worker and what was asked of it.
#[derive(Default)]
pub(super) struct Runs {
    worker: Option<Worker>,
    /// Each worker has a number: what an earlier one says comes too late.
    generation: u32,
    is_ready: bool,
    next: RequestId,
    running: Option<RequestId>,
    steps: Vec<Step>,
    timer: Option<i32>,
    /// The program is to run as soon as that can be.
    is_wanted: bool,
    waiting: Vec<Request>,
}

impl Runs {
    fn forget_timer(&mut self) {
        if let (Some(timer), Some(window)) = (self.timer.take(), window()) {
            window.clear_timeout_with_handle(timer);
        }
    }

    fn post(&self, request: &Request) {
        // A worker that is there takes every text.
        if let Some(worker) = &self.worker {
            drop(worker.post_message(&JsValue::from_str(&written(request))));
        }
    }

    /// Ends the worker, whatever it does.
    fn end(&mut self) {
        if let Some(worker) = self.worker.take() {
            worker.terminate();
        }
        self.forget_timer();
        self.generation += 1;
        (self.is_ready, self.running, self.is_wanted) = (false, None, false);
        self.steps.clear();
        self.waiting.clear();
    }

    /// A number for a request.
    pub(super) fn number(&mut self) -> RequestId {
        self.next += 1;
        self.next
    }
}

/// Runs the program when the reader's hand rests.
pub(super) fn run_soon() {
    with_desk(|desk| {
        desk.runs.forget_timer();
        desk.runs.timer = later(QUIET_MS, || with_desk(run));
    });
}

/// Runs the program now, or as soon as the worker is free.
pub(super) fn run(desk: &mut Desk) {
    desk.runs.forget_timer();
    desk.runs.is_wanted = true;
    go_on(desk);
    desk.draw();
}

/// Sends what waits, if the worker can take it.
fn go_on(desk: &mut Desk) {
    if desk.runs.worker.is_none() && !start(desk) {
        return;
    }
    if !desk.runs.is_ready || desk.runs.running.is_some() {
        return;
    }
    // What is asked beside may be about what the program does.
    if !std::mem::take(&mut desk.runs.is_wanted) {
        for request in std::mem::take(&mut desk.runs.waiting) {
            desk.runs.post(&request);
        }
        return;
    }
    let id = desk.runs.number();
    let Some(program) = desk.reader.program(id) else {
        desk.reader.live.fault = Some(Fault::new("The trace does not hold the text of its program."));
        return;
    };
    desk.runs.running = Some(id);
    desk.runs.steps.clear();
    desk.runs.post(&Request::Run(program));
    desk.reader.live.activity = Activity::Running(0);
    desk.reader.live.fault = None;
    later(((MOST_SECS + GRACE_SECS) * 1000.0) as i32, move || {
        with_desk(|desk| {
            if desk.runs.running == Some(id) {
                fail(desk, Fault::new("The program was stopped: it did not end when its time was up."));
            }
        });
    });
}

fn start(desk: &mut Desk) -> bool {
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    let Ok(worker) = Worker::new_with_options("python-start.js", &options) else {
        desk.reader.live.fault = Some(Fault::new("This browser starts no worker, so no program can run."));
        return false;
    };
    desk.runs.generation += 1;
    let generation = desk.runs.generation;
    listen(&worker, "message", move |event| hear(event, generation));
    let heard = Closure::<dyn Fn(Event)>::new(move |event: Event| {
        event.prevent_default();
        let why = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message).filter(|why| !why.is_empty());
        let why = why.unwrap_or_else(|| "its files could not be fetched".to_owned());
        crashed(generation, format!("Python could not be started: {why}."));
    });
    worker.set_onerror(Some(heard.into_js_value().unchecked_ref()));
    desk.runs.worker = Some(worker);
    desk.reader.live.activity = Activity::Loading(0, None);
    true
}

/// Ends what runs, and says why.
fn fail(desk: &mut Desk, fault: Fault) {
    desk.runs.end();
    desk.reader.live.activity = Activity::Idle;
    desk.reader.live.left.clear();
    desk.reader.live.fault = Some(fault);
    desk.draw();
}

fn crashed(generation: u32, why: String) {
    with_desk(|desk| {
        if desk.runs.generation == generation {
            fail(desk, Fault::new(why));
        }
    });
}

/// Stops the program: Python holds the worker's only thread, so that has to go.
pub(super) fn stop() {
    with_desk(|desk| {
        let words = match desk.reader.live.activity {
            Activity::Idle => return,
            Activity::Loading(..) => "You stopped it before Python had come.".to_owned(),
            Activity::Running(steps) => format!("You stopped it after {steps} steps."),
        };
        fail(desk, Fault::new(words));
    });
}

/// Forgets the program that runs: another lecture is shown.
pub(super) fn abandon(desk: &mut Desk) {
    if desk.runs.running.is_some() || desk.runs.is_wanted {
        desk.runs.end();
    }
    desk.runs.forget_timer();
}

/// Asks the worker for something beside programs.
pub(super) fn ask(desk: &mut Desk, request: Request) {
    desk.runs.waiting.push(request);
    go_on(desk);
    desk.draw();
}

fn hear(event: &Event, generation: u32) {
    let Some(data) = event.dyn_ref::<MessageEvent>().map(MessageEvent::data) else { return };
    let (text, bytes) = match data.dyn_ref::<js_sys::Array>() {
        Some(both) => (both.get(0).as_string(), Some(both.get(1))),
        None => (data.as_string(), None),
    };
    let said = text.and_then(|text| json::read::<Said>(&text).ok());
    let Some(said) = said else { return };
    let has_come = with_desk(|desk| desk.runs.generation == generation && answer(desk, said, bytes));
    if has_come {
        look_at_step();
    }
}

/// Whether another run is shown now.
fn answer(desk: &mut Desk, said: Said, bytes: Option<JsValue>) -> bool {
    let live = &mut desk.reader.live;
    match said {
        Said::Loading { bytes, total } => {
            live.activity = Activity::Loading(bytes, total);
            show_progress(desk);
            return false;
        }
        Said::Ready { gpu, .. } => {
            live.gpu = Some(gpu);
            if let (true, Some(Err(_))) = (live.wants_gpu, &live.gpu) {
                desk.reader.choose_device(false);
            }
            desk.reader.live.activity = Activity::Idle;
            desk.runs.is_ready = true;
        }
        Said::Steps { id, mut steps, .. } => {
            if desk.runs.running == Some(id) {
                desk.runs.steps.append(&mut steps);
                live.activity = Activity::Running(desk.runs.steps.len());
                show_progress(desk);
            }
            return false;
        }
        // What is traced has it with its steps.
        Said::Output { .. } => return false,
        Said::Done { id, mut trace, is_out_of_time, files, .. } => {
            if desk.runs.running != Some(id) {
                return false;
            }
            desk.runs.running = None;
            trace.steps = std::mem::take(&mut desk.runs.steps);
            live.activity = Activity::Idle;
            live.left = files;
            desk.reader.take(*trace, is_out_of_time);
            go_on(desk);
            desk.draw();
            let words = desk.reader.live.fault.as_ref().map(|fault| fault.message.clone());
            say(&words.unwrap_or_else(|| "It has run.".to_owned()));
            return true;
        }
        Said::File { path, .. } => {
            let name = path.rsplit('/').next().unwrap_or(&path);
            if let Some(bytes) = bytes {
                download::save(name, &bytes);
            }
            return false;
        }
        Said::Script { text, .. } => {
            download::save("cell.py", &JsValue::from_str(&text));
            return false;
        }
        Said::Failed { id, message } => {
            live.fault = Some(Fault::new(message));
            if id.is_none() || desk.runs.running == id {
                desk.runs.running = None;
                live.activity = Activity::Idle;
            }
        }
        Said::Crashed { message } => {
            fail(desk, Fault::new(message));
            return false;
        }
    }
    go_on(desk);
    desk.draw();
    false
}

/// The words alone: the page stays as it is while a program runs.
fn show_progress(desk: &Desk) {
    if let Some(place) = find("progress") {
        place.set_text_content(Some(&desk.reader.progress()));
    }
}
