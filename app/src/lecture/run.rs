//! Running the lecture's program in the page: when a reader has changed it, and what comes of it.

mod hearing;
mod stopping;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use leptos::prelude::*;
use napkin_trace::python::{CellName, Command, Edit, Left, Run};
use napkin_trace::trace::{Map, StackElement, Step};
use napkin_trace::{DeviceKind, Fault, Request, RequestId};

use super::model::{Lecture, Source, changed_values, function_key, same_position};
use super::progress::{EDITED, withdraw};
use super::state::{LectureState, named};
use crate::page::{Announcer, use_announcer};
use crate::workers::{ComputeWorker, ModuleWorker};

/// A cell that runs longer is stopped.
pub const MOST_SECS: f64 = 20.0;
/// A worker that has said nothing for so long after a cell's time was up is beyond stopping itself.
const GRACE_SECS: f64 = 3.0;
/// What chooses the device, in addresses.
const DEVICE: &str = "device";

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
    /// What went wrong in the last run, and which cells wait for what.
    pub faults: RwSignal<Arc<Vec<Fault>>>,
    /// What the reader had written when what is shown ran, by the keys of the functions.
    pub ran_edits: RwSignal<BTreeMap<String, String>>,
    /// What was shown before the last change, and what that was: the keys of sliders and functions, or `device`.
    pub since: RwSignal<(Arc<Lecture>, BTreeSet<String>)>,
    /// Files that programs have left.
    pub left: RwSignal<Vec<Left>>,
    /// The GPU's name, or why there is none; nothing before a worker has looked.
    pub gpu: RwSignal<Option<Result<String, String>>>,
    /// The variables that have other values than before the last change, by the key of their function; told when a run is
    /// over.
    pub changed: Memo<Map<Vec<String>>>,
    queue: StoredValue<Queue>,
    /// The sliders that were moved for what is shown, and whether it had the GPU.
    ran: StoredValue<(Map<Map<String>>, bool)>,
    /// What could be read of what the reader has written in place of functions, by their keys.
    good: StoredValue<BTreeMap<String, String>>,
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
    /// The same with the cell in sight, once that has run; and the steps of that cell.
    meanwhile: Option<Arc<Lecture>>,
    in_sight: Option<(CellName, Vec<Step>)>,
    /// The cell that was to run first.
    ahead: Option<CellName>,
    files: Map<String>,
    edits: Vec<Edit>,
    /// What of that cannot be read.
    unread: BTreeSet<CellName>,
    /// What has gone wrong in this run.
    faults: Vec<Fault>,
    /// The reader has asked the worker to end the cell that runs.
    is_stopping: bool,
    /// When the worker has said something of it last, in milliseconds.
    heard_ms: f64,
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
        let since = RwSignal::new((state.original.get_untracked(), BTreeSet::new()));
        let changed = Memo::new(move |known: Option<&Map<Vec<String>>>| {
            let ((before, cause), lecture) = (since.get(), state.lecture.get());
            if cause.is_empty() || Arc::ptr_eq(&before, &lecture) {
                return Map::default();
            }
            // While a slider moves, one run follows another, and each would be compared whole.
            if let Some(known) = known.filter(|_| !is_idle.get()) {
                return known.clone();
            }
            changed_values(&before, &lecture, cause.contains(DEVICE))
        });
        let runs = Self {
            state,
            announcer: use_announcer(),
            worker: StoredValue::new_local(None),
            compute: expect_context(),
            activity,
            is_idle,
            faults: RwSignal::default(),
            ran_edits: RwSignal::default(),
            since,
            left: RwSignal::default(),
            gpu: RwSignal::default(),
            changed,
            queue: StoredValue::default(),
            ran: StoredValue::default(),
            good: StoredValue::default(),
            requests: StoredValue::new(0),
        };
        provide_context(runs);
    }

    /// Whether the reader wants a device called cuda; tracked.
    pub fn wants_gpu(self) -> bool {
        self.state.values.text(DEVICE).as_deref() == Some("gpu")
    }

    /// What went wrong in a cell or in what a reader completes there, or what it waits for; tracked.
    pub fn fault_of(self, path: &str, function: &str) -> Option<Fault> {
        let is_it = |fault: &&Fault| {
            fault.cell.as_ref().is_some_and(|cell| cell.path == path && cell.function == function)
        };
        self.faults.with(|faults| faults.iter().find(is_it).cloned())
    }

    /// The files that a fault is in, as they were when it ran.
    pub fn files_of(self, fault: &Fault) -> BTreeMap<String, Source> {
        let paths: BTreeSet<&String> = fault.frames.iter().map(|frame| &frame.path).collect();
        let read = |path: &String| {
            let ran = self.queue.with_value(|queue| queue.files.get(path).cloned());
            let shown = || self.state.lecture.with_untracked(|it| it.trace.files.get(path).cloned());
            Some((path.clone(), Source::new(&ran.or_else(shown)?)))
        };
        paths.into_iter().filter_map(read).collect()
    }

    /// Whether what stands in place of a function is something else than what ran; tracked.
    pub fn is_behind_of(self, path: &str, function: &str) -> bool {
        let key = function_key(path, function);
        self.ran_edits.with(|ran| self.state.edits.with(|now| ran.get(&key) != now.get(&key)))
    }

    /// Whether sliders or the device are others than those of what is shown; tracked.
    pub fn is_behind(self) -> bool {
        let now = (self.state.settings().0, self.wants_gpu());
        self.ran.with_value(|ran| *ran != now)
    }

    /// Chooses the device that programs have, and runs.
    pub fn choose_device(self, wants_gpu: bool) {
        self.state.values.push();
        self.state.values.set(DEVICE, wants_gpu.then(|| "gpu".to_owned()));
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
            Err(_) => self.fail("This browser starts no worker, so no program can run."),
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

    /// Puts a text, or else the original, in place of what the reader has written, and runs.
    pub fn put_back(self, path: &str, function: &str, text: Option<String>) {
        self.state.put_back(path, function, text);
        self.run_cell(path.to_owned(), function.to_owned());
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
        withdraw(self.state, |told| told == EDITED);
        let shown = self.state.lecture.get_untracked();
        let Some(program) = untrack(|| self.program(&shown)) else {
            return self.tell(vec![sentence("The trace does not hold the text of its program.")]);
        };
        let id = self.number();
        self.queue.update_value(|queue| {
            // A run in place of one that is not over goes on from what that one went on from, which is whole.
            if queue.running.replace(id).is_none() {
                queue.before = Some(shown);
            }
            queue.edits.clone_from(&program.edits);
            queue.unread.clear();
            queue.faults.clear();
            queue.is_stopping = false;
            (queue.meanwhile, queue.in_sight) = (None, None);
            queue.ahead.clone_from(&program.cell);
            queue.files = self.state.files_with(&program.edits, &queue.unread);
            queue.steps.clear();
            queue.heard_ms = now_ms();
        });
        self.post(&Request { id, command: Command::Run(program) });
        self.activity.set(Activity::Running(0));
        // What was said of the last one is not true of this one.
        self.announcer.say("");
        self.watch(id);
    }

    /// The program as the reader has changed it; nothing if the trace holds no text of it.
    fn program(self, shown: &Arc<Lecture>) -> Option<Run> {
        let original = self.state.original.get();
        let main = original.main()?.to_owned();
        let files = original.trace.files.clone();
        files.get(&main)?;
        let (settings, _) = self.state.settings();
        let wants_gpu = self.wants_gpu();
        let edits = self.state.edits.get();
        self.note_cause(shown, &settings, wants_gpu, &edits);
        self.ran.set_value((settings.clone(), wants_gpu));
        let edits = self.good.with_value(|good| self.state.edits_of_program(good));
        let device = if wants_gpu { DeviceKind::Gpu } else { DeviceKind::Cpu };
        let (cell, has_steps_of) =
            self.queue.try_update_value(|queue| (queue.cell.take(), queue.known())).unwrap_or_default();
        Some(Run { files, edits, main, settings, device, most_secs: MOST_SECS, cell, has_steps_of })
    }

    /// Takes down what has changed since the last run, if anything has: what it changes is told against what is shown now.
    fn note_cause(
        self,
        shown: &Arc<Lecture>,
        settings: &Map<Map<String>>,
        wants_gpu: bool,
        edits: &BTreeMap<String, String>,
    ) {
        let of = |settings: &Map<Map<String>>| -> BTreeMap<String, String> {
            let all = settings.iter().flat_map(|(path, all)| all.iter().map(move |it| (path, it)));
            all.map(|(path, (id, value))| (format!("{path}:{id} "), value.clone())).collect()
        };
        let differing = |old: &BTreeMap<String, String>, new: &BTreeMap<String, String>| {
            let keys = old.keys().chain(new.keys()).filter(|key| old.get(*key) != new.get(*key));
            keys.cloned().collect::<BTreeSet<String>>()
        };
        let mut cause = self.ran_edits.with_untracked(|ran| differing(ran, edits));
        self.ran.with_value(|(ran, had_gpu)| {
            cause.extend(differing(&of(ran), &of(settings)));
            if *had_gpu != wants_gpu {
                cause.insert(DEVICE.to_owned());
            }
        });
        self.ran_edits.set(edits.clone());
        // What went wrong in another text says nothing of this one.
        let is_of_cause = |fault: &Fault| {
            fault.cell.as_ref().is_some_and(|it| cause.contains(&function_key(&it.path, &it.function)))
        };
        let mut faults = (*self.faults.get_untracked()).clone();
        faults.retain(|it| !is_of_cause(it));
        self.tell(faults);
        if !cause.is_empty() && self.since.with_untracked(|(_, known)| *known != cause) {
            self.since.set((shown.clone(), cause));
        }
    }

    /// What the last change was, for a reader: tracked.
    pub fn cause_in_words(self) -> Option<String> {
        let cause = self.since.with(|(_, cause)| cause.clone());
        let lecture = self.state.original.get();
        let name = |key: &String| {
            if key == DEVICE {
                return "the device".to_owned();
            }
            match key.strip_suffix(' ') {
                Some(slider) => format!("the slider {}", slider.rsplit(['.', ':']).next().unwrap_or(slider)),
                None => {
                    let CellName { path, function } = named(key);
                    let part = lecture.parts.iter().find(|part| part.is_of(&path, &function));
                    part.map_or_else(
                        || format!("your edit of {function}"),
                        |part| format!("your edit of “{}”", part.title),
                    )
                }
            }
        };
        match cause.iter().map(name).collect::<Vec<_>>().as_slice() {
            [] => None,
            [one] => Some(one.clone()),
            [one, other] => Some(format!("{one} and {other}")),
            all => Some(format!("{} changes", all.len())),
        }
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

    /// Tells what went wrong, in place of what was told before.
    fn tell(self, faults: Vec<Fault>) {
        if self.faults.with_untracked(|known| **known != faults) {
            self.faults.set(Arc::new(faults));
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

/// What the page itself has to say of a run.
fn sentence(words: &str) -> Fault {
    Fault { message: words.to_owned(), ..Fault::default() }
}

fn now_ms() -> f64 {
    web_time::SystemTime::now().duration_since(web_time::UNIX_EPOCH).map_or(0.0, |it| it.as_secs_f64() * 1e3)
}

pub fn use_run() -> Runs {
    expect_context()
}
