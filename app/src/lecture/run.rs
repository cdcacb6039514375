//! Running the lecture's program in the page: when a reader has changed it, and what comes of it.

use std::sync::Arc;
use std::time::Duration;

use js_sys::Array;
use leptos::prelude::*;
use leptos::wasm_bindgen::{JsCast, JsValue};
use napkin_trace::python::{CellName, Command, Event, Left, Part, Run};
use napkin_trace::trace::{Map, StackElement, Step, Trace};
use napkin_trace::{DeviceKind, Message, Request, RequestId};

use super::model::{
    Fault, Lecture, changed_values, function_key, same_position, with_beginning, with_failed, with_part,
};
use super::state::LectureState;
use crate::components::save;
use crate::page::{Announcer, use_announcer};
use crate::workers::{ComputeWorker, ModuleWorker, gpu_tuning};

/// A program that runs longer is stopped.
const MOST_SECS: f64 = 20.0;
/// A worker that has not answered so long after the program's time was up is beyond stopping itself.
const GRACE_SECS: f64 = 3.0;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Activity {
    #[default]
    Idle,
    /// Python is on its way: bytes so far, and in all.
    Loading(u64, Option<u64>),
    /// The program runs: steps so far.
    Running(usize),
}

/// The runs of a lecture's program; a copy is the same.
#[derive(Clone, Copy)]
pub struct Runs {
    state: LectureState,
    /// Who says what runs have come to.
    pub announcer: Announcer,
    worker: StoredValue<Option<ModuleWorker>, LocalStorage>,
    /// It keeps what is known of the GPU.
    compute: ComputeWorker,
    pub activity: RwSignal<Activity>,
    pub is_idle: Memo<bool>,
    /// Why the last run ended before its time.
    pub fault: RwSignal<Option<Arc<Fault>>>,
    /// Files that programs have left.
    pub left: RwSignal<Vec<Left>>,
    /// The GPU's name, or why there is none; nothing before a worker has looked.
    pub gpu: RwSignal<Option<Result<String, String>>>,
    /// The variables that have other values than at first, by the key of their function; told when a run is over.
    pub changed: Memo<Map<Vec<String>>>,
    queue: StoredValue<Queue>,
    /// The sliders that were moved for what is shown, and whether it had the GPU.
    ran: StoredValue<(Map<Map<String>>, bool)>,
    /// How many requests there were.
    requests: StoredValue<RequestId>,
}

#[derive(Default)]
struct Queue {
    is_ready: bool,
    /// Whether the worker hears of a newer run while it runs one.
    is_listening: bool,
    running: Option<RequestId>,
    /// The lecture as it was shown when this run began; it stands for the parts that the run has not come to.
    before: Option<Arc<Lecture>>,
    files: Map<String>,
    steps: Vec<Step>,
    /// The run that has come furthest, and its steps: the next one names those that are the same.
    last: Option<(RequestId, Vec<Step>)>,
    /// The cell that is to run first.
    cell: Option<CellName>,
    /// The program is to run as soon as that can be.
    is_wanted: bool,
    waiting: Vec<Request<Command>>,
}

impl Queue {
    /// The run whose steps are here, and how many. One that is given up counts, if it has come further than others.
    fn known(&mut self) -> Option<(RequestId, usize)> {
        let known = self.last.as_ref().map_or(0, |(_, steps)| steps.len());
        if let Some(id) = self.running.filter(|_| self.steps.len() > known) {
            self.last = Some((id, std::mem::take(&mut self.steps)));
        }
        self.last.as_ref().map(|(id, steps)| (*id, steps.len()))
    }
}

impl Runs {
    /// Nothing has run, in the context of the page.
    pub fn provide(state: LectureState) {
        let activity = RwSignal::default();
        let is_idle = Memo::new(move |_| activity.get() == Activity::Idle);
        let changed = Memo::new(move |before: Option<&Map<Vec<String>>>| {
            let (original, lecture) = (state.original.get(), state.lecture.get());
            if Arc::ptr_eq(&original, &lecture) {
                return Map::default();
            }
            // While a slider moves, one run follows another, and each would be compared whole.
            if let Some(before) = before.filter(|_| !is_idle.get()) {
                return before.clone();
            }
            // The lecture was built on the CPU.
            changed_values(&original, &lecture, state.values.text("device").is_some())
        });
        let runs = Self {
            state,
            announcer: use_announcer(),
            worker: StoredValue::new_local(None),
            compute: expect_context(),
            activity,
            is_idle,
            fault: RwSignal::default(),
            left: RwSignal::default(),
            gpu: RwSignal::default(),
            changed,
            queue: StoredValue::default(),
            ran: StoredValue::default(),
            requests: StoredValue::new(0),
        };
        provide_context(runs);
    }

    /// Whether the reader wants a device called cuda; tracked.
    pub fn wants_gpu(self) -> bool {
        self.state.values.text("device").as_deref() == Some("gpu")
    }

    /// Whether sliders or the device are others than those of what is shown; tracked.
    pub fn is_behind(self) -> bool {
        let now = (self.state.settings().0, self.wants_gpu());
        self.ran.with_value(|ran| *ran != now)
    }

    /// Chooses the device that programs have, and runs.
    pub fn choose_device(self, wants_gpu: bool) {
        self.state.values.push();
        self.state.values.set("device", wants_gpu.then(|| "gpu".to_owned()));
        self.run();
    }

    /// Whether a variable of a function has another value than at first; tracked.
    pub fn has_changed(self, place: &StackElement, name: &String) -> bool {
        let key = function_key(&place.path, &place.function_name);
        self.changed.with(|changed| changed.get(&key).is_some_and(|names| names.contains(name)))
    }

    /// Fetches Python, since the reader's hand is near something that needs it.
    pub fn prepare(self) {
        if self.worker.with_value(Option::is_some) {
            return;
        }
        self.activity.set(Activity::Loading(0, None));
        match ModuleWorker::start("python-start.js", move |heard| self.hear(heard)) {
            Ok(worker) => self.worker.set_value(Some(worker)),
            Err(_) => self.fail(Fault::new("This browser starts no worker, so no program can run.")),
        }
    }

    fn post(self, request: &Request<Command>) {
        self.worker.with_value(|worker| {
            if let (Some(worker), Ok(text)) = (worker, serde_json::to_string(request)) {
                worker.post(&text.into());
            }
        });
    }

    /// Runs the program now, the cell that is `function` of the file `path` first.
    pub fn run_cell(self, path: String, function: String) {
        self.queue.update_value(|queue| queue.cell = Some(CellName { path, function }));
        self.run();
    }

    /// Runs the program now, or as soon as the worker is free.
    pub fn run(self) {
        self.queue.update_value(|queue| queue.is_wanted = true);
        self.go_on();
    }

    /// Sends what waits, if the worker can take it.
    fn go_on(self) {
        self.prepare();
        let is_busy = |queue: &Queue| queue.running.is_some() && !(queue.is_listening && queue.is_wanted);
        if self.queue.with_value(|queue| !queue.is_ready || is_busy(queue)) {
            return;
        }
        // What is asked beside may be about what the program does.
        if !self.queue.with_value(|queue| queue.is_wanted) {
            let waiting = self.queue.try_update_value(|queue| std::mem::take(&mut queue.waiting));
            waiting.unwrap_or_default().iter().for_each(|request| self.post(request));
            return;
        }
        self.queue.update_value(|queue| queue.is_wanted = false);
        let Some(program) = untrack(|| self.program()) else {
            let fault = Fault::new("The trace does not hold the text of its program.");
            return self.fault.set(Some(Arc::new(fault)));
        };
        let id = self.number();
        self.queue.update_value(|queue| {
            // A run in place of one that is not over goes on from what that one went on from, which is whole.
            if queue.running.replace(id).is_none() {
                queue.before = Some(self.state.lecture.get_untracked());
            }
            queue.files = program.files.clone();
            queue.steps.clear();
        });
        self.post(&Request { id, command: Command::Run(program) });
        self.activity.set(Activity::Running(0));
        self.fault.set(None);
        let limit = Duration::from_secs_f64(MOST_SECS + GRACE_SECS);
        set_timeout(
            move || {
                if self.queue.try_with_value(|queue| queue.running == Some(id)) == Some(true) {
                    self.fail(Fault::new("The program was stopped: it did not end when its time was up."));
                }
            },
            limit,
        );
    }

    /// The program as the reader has changed it; nothing if the trace holds no text of it.
    fn program(self) -> Option<Run> {
        let original = self.state.original.get();
        let main = original.main()?.to_owned();
        let mut files = original.trace.files.clone();
        files.extend(self.state.edits.get());
        files.get(&main)?;
        let (settings, _) = self.state.settings();
        let wants_gpu = self.wants_gpu();
        self.ran.set_value((settings.clone(), wants_gpu));
        let device = if wants_gpu { DeviceKind::Gpu } else { DeviceKind::Cpu };
        let (cell, has_steps_of) =
            self.queue.try_update_value(|queue| (queue.cell.take(), queue.known())).unwrap_or_default();
        Some(Run { files, main, settings, device, most_secs: MOST_SECS, cell, has_steps_of })
    }

    fn number(self) -> RequestId {
        self.requests.update_value(|requests| *requests += 1);
        self.requests.get_value()
    }

    /// Asks the worker for something beside programs.
    pub fn ask(self, command: Command) {
        let request = Request { id: self.number(), command };
        self.queue.update_value(|queue| queue.waiting.push(request));
        self.go_on();
    }

    /// Asks for the lecture or a cell of it as a file, by its files and the path of the main one; what is shown and what
    /// functions are called with is told by a run of the program.
    pub fn ask_export(self, command: impl FnOnce(Map<String>, String) -> Command) {
        let (files, main) = self
            .state
            .lecture
            .with_untracked(|it| (it.trace.files.clone(), it.main().unwrap_or_default().to_owned()));
        let has_run = self.queue.with_value(|queue| queue.is_ready && queue.before.is_some());
        if !has_run {
            self.run();
        }
        self.ask(command(files, main));
    }

    /// Ends what runs, and says why.
    fn fail(self, fault: Fault) {
        self.end();
        self.left.set(Vec::new());
        self.announcer.say(fault.message.clone());
        self.fault.set(Some(Arc::new(fault)));
    }

    fn end(self) {
        self.worker.set_value(None);
        self.queue.set_value(Queue::default());
        self.activity.set(Activity::Idle);
    }

    /// Stops the program: Python holds the worker's only thread, so that has to go.
    pub fn stop(self) {
        let words = match self.activity.get_untracked() {
            Activity::Idle => return,
            Activity::Loading(..) => "You stopped it before Python had come.".to_owned(),
            Activity::Running(steps) => format!("You stopped it after {steps} steps."),
        };
        self.fail(Fault::new(words));
    }

    /// Takes back all that the reader has changed.
    pub fn reset(self) {
        self.abandon();
        self.state.take_back();
        self.show(self.state.original.get_untracked());
        self.announcer.say("The lecture is as it was.");
    }

    /// Forgets the program that runs or has run: it is not wanted any more.
    pub fn abandon(self) {
        self.fault.set(None);
        self.left.set(Vec::new());
        self.ran.set_value((Map::default(), false));
        self.queue.update_value(|queue| queue.before = None);
        if self.queue.with_value(|queue| queue.running.is_some() || queue.is_wanted) {
            self.end();
        }
    }

    /// Takes what the worker says: a text, or a text and bytes.
    fn hear(self, heard: Result<JsValue, String>) {
        let data = match heard {
            Ok(data) => data,
            Err(why) => return self.fail(Fault::new(format!("Python could not be started: {why}."))),
        };
        let (text, bytes) = match data.dyn_ref::<Array>() {
            Some(both) => (both.get(0).as_string(), Some(both.get(1))),
            None => (data.as_string(), None),
        };
        let message = text.and_then(|text| serde_json::from_str::<Message<Event>>(&text).ok());
        let Some(Message { id, event }) = message else { return };
        let is_running = id.is_some() && self.queue.with_value(|queue| queue.running == id);
        match event {
            Event::Loading { bytes, total } => self.activity.set(Activity::Loading(bytes, total)),
            Event::Ready { gpu, has_suspension, .. } => {
                if gpu.is_err() {
                    self.state.values.set("device", None);
                }
                self.gpu.set(Some(gpu));
                if let Some(text) = gpu_tuning() {
                    self.post(&Request { id: self.number(), command: Command::UseTuning(text) });
                }
                self.activity.set(Activity::Idle);
                self.queue.update_value(|queue| {
                    queue.is_ready = true;
                    queue.is_listening = has_suspension;
                });
                self.go_on();
            }
            Event::CellSteps { cell, steps } if is_running => self.take_cell(&cell, steps),
            Event::Steps(parts) if is_running => self.take_steps(parts),
            Event::Cancelled if is_running => self.set_idle(),
            Event::Done { trace, is_out_of_time, files } if is_running => {
                self.left.set(files);
                self.take_trace(id, *trace, is_out_of_time);
            }
            // Of a run that is not wanted any more.
            Event::CellSteps { .. } | Event::Steps(_) | Event::Cancelled | Event::Done { .. } => {}
            Event::Tuned(text) => self.compute.learn(text),
            Event::File(path) => {
                if let Some(bytes) = bytes {
                    save(self.announcer, path.rsplit('/').next().unwrap_or(&path), bytes);
                }
            }
            Event::Exported { name, text } => save(self.announcer, &name, &text),
            Event::Failed(message) => {
                self.fault.set(Some(Arc::new(Fault::new(message))));
                if id.is_none() || is_running {
                    self.set_idle();
                }
                self.go_on();
            }
            Event::Crashed(message) => self.fail(Fault::new(message)),
        }
    }

    /// No program runs any more.
    fn set_idle(self) {
        self.queue.update_value(|queue| queue.running = None);
        self.activity.set(Activity::Idle);
    }

    /// Shows the cell in sight, which has run before all others.
    fn take_cell(self, cell: &CellName, steps: Vec<Step>) {
        let lecture = self.state.lecture.get_untracked();
        let part = lecture.parts.iter().position(|part| part.is_of(&cell.path, &cell.function));
        let joined = self.queue.with_value(|queue| with_part(&lecture, &queue.files, part?, steps));
        if let Some(trace) = joined {
            let shown = Arc::new(Lecture::after(&lecture, trace));
            self.show(shown.clone());
            // What is shown of the rest of the run has the cell as it is now.
            self.queue.update_value(|queue| queue.before = Some(shown));
        }
    }

    /// Shows the parts that are over while the rest still runs.
    fn take_steps(self, parts: Vec<Part>) {
        let joined = self.queue.try_update_value(|queue| {
            let known = queue.steps.len();
            for part in parts {
                match part {
                    Part::New(steps) => queue.steps.extend(steps),
                    Part::Same { from, count } => {
                        let same = queue.last.as_ref().and_then(|(_, steps)| steps.get(from..from + count));
                        queue.steps.extend_from_slice(same.unwrap_or_default());
                    }
                }
            }
            self.activity.set(Activity::Running(queue.steps.len()));
            let before = queue.before.as_ref()?;
            let trace = with_beginning(before, &queue.files, &queue.steps, known)?;
            Some(Lecture::after(before, trace))
        });
        if let Some(lecture) = joined.flatten() {
            self.show(Arc::new(lecture));
        }
    }

    /// Takes what a program has done.
    fn take_trace(self, id: Option<RequestId>, mut trace: Trace, is_out_of_time: bool) {
        self.set_idle();
        let queued = self.queue.try_update_value(|queue| {
            trace.steps.clone_from(&queue.steps);
            queue.last = id.map(|id| (id, std::mem::take(&mut queue.steps)));
            queue.before.clone()
        });
        let Some(before) = queued.flatten() else { return };
        let has_text = |path: &str| before.trace.files.contains_key(path) || trace.files.contains_key(path);
        let mut fault = trace.failure.as_deref().map(|failure| Fault::read(failure, has_text));
        if is_out_of_time {
            let message = format!("The program was stopped after {} seconds.", MOST_SECS as u32);
            fault = Some(Fault { message, ..fault.unwrap_or_default() });
        }
        let words = fault.as_ref().map_or_else(|| "It has run.".to_owned(), |fault| fault.message.clone());
        if trace.steps.iter().all(|step| step.stack.is_empty()) {
            // It has come to no line.
        } else if before.is_unrun {
            // Files that it has not come to may be needed when it is changed.
            for (path, text) in &before.trace.files {
                trace.files.entry(path.clone()).or_insert_with(|| text.clone());
            }
            self.state.open(Arc::new(Lecture::new(trace)), self.state.origin.get_untracked());
        } else {
            let trace = if fault.is_some() { with_failed(&before, trace) } else { trace };
            self.show(Arc::new(Lecture::after(&before, trace)));
        }
        self.fault.set(fault.map(Arc::new));
        if self.queue.with_value(|queue| queue.is_wanted || !queue.waiting.is_empty()) {
            self.go_on();
        } else {
            self.announcer.say(words);
        }
    }

    /// Shows another run; a reader who steps stays where they are.
    fn show(self, lecture: Arc<Lecture>) {
        let before = self.state.lecture.get_untracked();
        let step = self.state.step.get_untracked();
        let position = same_position(&before, step, &lecture).unwrap_or(step).min(lecture.last());
        self.state.lecture.set(lecture);
        self.state.step.set(position);
    }
}

pub fn use_run() -> Runs {
    expect_context()
}
