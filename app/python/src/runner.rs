//! Carries out what the page asks for, one program at a time.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use napkin_engine::Device;
use napkin_engine::gpu::Gpu;
use napkin_export::{arguments, lecture, script};
use napkin_python::{
    Fetch, Files, InSight, Memory, Options, Recall, Recovery, Session, is_in_cell, with_sliders,
};
use napkin_trace::prepare::{prepare, tree};
use napkin_trace::python::{Command, Event, Left, Run};
use napkin_trace::trace::{Map, Step, Trace};
use napkin_trace::{DeviceKind, Fault, Message, Request, RequestId};
use web_time::Instant;

use crate::event_batch::{EventBatch, Post};

/// How long a program runs before the worker looks again whether the page has said something.
const LISTEN: Duration = Duration::from_millis(12);

/// Lets the event loop deliver what has come; the program is suspended meanwhile.
pub type Yield = Rc<dyn Fn()>;

/// The worker's state between two requests.
pub struct Runner {
    post: Post,
    /// Without it nothing is heard while a program runs.
    listen: Option<Yield>,
    fetch: Option<Fetch>,
    gpu: Option<Gpu>,
    /// The one called `cuda`, or the sentence that says why there is none.
    cuda: Result<Device, String>,
    /// What programs write; kept as long as the worker lives.
    files: Rc<Memory>,
    /// Those of them that the page gave last.
    given: RefCell<Vec<String>>,
    /// What need not run again, by device.
    recall: [Rc<RefCell<Recall>>; 2],
    /// An interpreter that is as new, and what ran in it before: an interpreter is for one program.
    ready: RefCell<Option<(Session, Option<Run>)>>,
    /// The steps of the last program, and of that before which the page still has; shared by the runs that are compared.
    last: RefCell<BTreeMap<RequestId, Vec<Rc<Step>>>>,
    is_running: Cell<bool>,
    /// Whether what runs is to end.
    is_cancelled: Rc<Cell<bool>>,
    /// Whether the cell that runs is to end.
    is_stopped: Rc<Cell<bool>>,
    /// What is to run next.
    next: RefCell<Option<(RequestId, Run)>>,
}

impl Runner {
    /// One that has run nothing.
    pub fn new(gpu: Result<Gpu, String>, post: Post, listen: Option<Yield>, fetch: Option<Fetch>) -> Self {
        if let Ok(gpu) = &gpu {
            // The page keeps what is found out about the GPU's kernels.
            let post = post.clone();
            gpu.keep_tuning(move |text| {
                post(&Message { id: None, event: Event::Tuned(text.to_owned()) }, None);
            });
        }
        Self {
            post,
            listen,
            fetch,
            gpu: gpu.clone().ok(),
            cuda: gpu.map(Device::new),
            files: Rc::default(),
            given: RefCell::default(),
            recall: Default::default(),
            ready: RefCell::default(),
            last: RefCell::default(),
            is_running: Cell::new(false),
            is_cancelled: Rc::default(),
            is_stopped: Rc::default(),
            next: RefCell::default(),
        }
    }

    /// Starts an interpreter before anybody asks for one.
    pub fn warm_up(&self) {
        if !self.is_running.get() && self.ready.borrow().is_none() {
            let session = Session::with_library(Options {
                files: self.files.clone(),
                fetch: self.fetch.clone(),
                ..Options::default()
            });
            self.ready.replace(Some((session, None)));
        }
    }

    /// Carries a request out and answers it. While a program runs, another call comes to this one; it only leaves word.
    pub fn answer(&self, Request { id, command }: Request<Command>) {
        match command {
            Command::UseTuning(text) => {
                if let Some(gpu) = &self.gpu {
                    gpu.load_tuning(&text);
                }
            }
            Command::Run(run) => {
                // Neither what runs nor what waits is wanted any more.
                self.is_cancelled.set(true);
                if let Some((id, _)) = self.next.replace(Some((id, run))) {
                    self.say(id, Event::Cancelled);
                }
                self.go_on();
            }
            Command::Stop => self.is_stopped.set(self.is_running.get()),
            Command::Download(path) => match self.files.content(&path) {
                Ok(content) => {
                    (self.post)(&Message { id: Some(id), event: Event::File(path) }, Some(&content));
                }
                Err(error) => self.say(id, Event::Failed(format!("{path}: {error}."))),
            },
            Command::Script { files, path, function } => {
                self.export(id, format!("{function}.py"), self.script(&files, &path, &function));
            }
            Command::Lecture { files, main, form } => {
                let name = format!("{}.{}", main.trim_end_matches(".py"), form.ending());
                let trace = Trace { files, ..self.last_run() };
                self.export(id, name, lecture(form, &trace, &main));
            }
        }
    }

    fn export(&self, id: RequestId, name: String, text: Result<String, String>) {
        self.say(
            id,
            match text {
                Ok(text) => Event::Exported { name, text },
                Err(why) => Event::Failed(format!("{name} cannot be written: {why}.")),
            },
        );
    }

    fn say(&self, id: RequestId, event: Event) {
        (self.post)(&Message { id: Some(id), event }, None);
    }

    /// Runs what waits, unless something runs: that goes on here when it has ended.
    fn go_on(&self) {
        if self.is_running.replace(true) {
            return;
        }
        while let Some((id, run)) = self.next.take() {
            self.is_cancelled.set(false);
            self.is_stopped.set(false);
            if let Err(why) = self.run(id, run) {
                self.say(id, Event::Failed(why));
            }
        }
        self.is_running.set(false);
    }

    fn run(&self, id: RequestId, run: Run) -> Result<(), String> {
        let [on_cpu, on_gpu] = &self.recall;
        let (gpu, recall) = match run.device {
            DeviceKind::Cpu => (None, on_cpu),
            DeviceKind::Gpu => (Some(self.cuda.clone()?), on_gpu),
        };
        // What is on a slider is so in what the reader has written, too.
        let start = Rc::new(Cell::new(Instant::now()));
        let (post, restarted) = (self.post.clone(), start.clone());
        let tell = move |mut fault: Fault| {
            fault.prepared = fault.advice.as_deref().map(tree).unwrap_or_default();
            post(&Message { id: Some(id), event: Event::Fault(Box::new(fault)) }, None);
        };
        let was_stopped = self.is_stopped.clone();
        let restart = move || {
            restarted.set(Instant::now());
            was_stopped.set(false);
        };
        let (files, recovery) =
            Recovery::new(&run.files, &run.edits, &run.main, Rc::new(tell), Rc::new(restart));
        let source = self.put_files(&run, files)?;
        let most_secs = run.most_secs;
        let (earlier, count) = run.has_steps_of.unwrap_or_default();
        self.last.borrow_mut().retain(|id, _| *id == earlier);
        let known = self.last.borrow().get(&earlier).map(|steps| steps.iter().take(count).cloned().collect());
        let batch = EventBatch::new(self.post.clone(), id, known.unwrap_or_default());
        let batch = Rc::new(RefCell::new(batch));
        // Asked in the program's loops and calls.
        let interrupt = {
            let (batch, start) = (batch.clone(), start.clone());
            let (listen, heard) = (self.listen.clone(), Cell::new(start.get()));
            let (is_cancelled, is_stopped) = (self.is_cancelled.clone(), self.is_stopped.clone());
            move || {
                if let Some(listen) = &listen
                    && heard.get().elapsed() >= LISTEN
                {
                    listen();
                    heard.set(Instant::now());
                }
                // Whoever has moved on need not take in what is old.
                if !is_cancelled.get() {
                    batch.borrow_mut().send_if_due();
                }
                is_cancelled.get()
                    || is_stopped.get() && is_in_cell()
                    || start.get().elapsed().as_secs_f64() > most_secs
            }
        };
        let (taken, seen) = (batch.clone(), batch.clone());
        let in_sight = run.cell.clone().map(|cell| InSight {
            path: cell.path.clone(),
            function: cell.function.clone(),
            take: Rc::new(move |steps| {
                seen.borrow_mut().post(Event::CellSteps { cell: cell.clone(), steps });
            }),
        });
        let options = Options {
            gpu,
            files: self.files.clone(),
            fetch: self.fetch.clone(),
            interrupt: Some(Rc::new(interrupt)),
            take_step: Some(Rc::new(move |step| taken.borrow_mut().step(step))),
            prepare: Some(Rc::new(prepare)),
            in_sight,
            recall: Some(recall.clone()),
            recovery: Some(recovery),
            ..Options::default()
        };
        // The interpreter that is there, unless another program ran in it: one that differs in more than its sliders.
        let is_same = |before: &Run| {
            (&before.files, &before.edits) == (&run.files, &run.edits)
                && (&before.main, before.device) == (&run.main, run.device)
        };
        let session = match self.ready.take() {
            Some((session, before)) if before.as_ref().is_none_or(is_same) => {
                session.give(options);
                session
            }
            _ => Session::with_library(options),
        };
        let (trace, _) = session.trace(&source, &run.main);
        if !self.is_cancelled.get() {
            batch.borrow_mut().send();
        }
        self.last.borrow_mut().insert(id, std::mem::take(&mut batch.borrow_mut().steps));
        if self.is_cancelled.get() {
            self.say(id, Event::Cancelled);
        } else {
            let left = self.files.all().into_iter().filter(|(path, _)| !run.files.contains_key(path));
            let done = Event::Done {
                trace: Box::new(trace),
                files: left.map(|(path, bytes)| Left { path, bytes }).collect(),
            };
            self.say(id, done);
        }
        session.renew();
        self.ready.replace(Some((session, Some(run))));
        Ok(())
    }

    /// Puts the files of a program where it finds them, with the numbers of its sliders; the answer is the main one.
    fn put_files(&self, run: &Run, files: Map<String>) -> Result<String, String> {
        // A module that is no longer there must not be found.
        for path in self.given.replace(run.files.keys().cloned().collect()) {
            // It may have removed itself.
            let _ = self.files.remove(&path, false);
        }
        if let Some(path) = run.settings.keys().find(|path| !run.files.contains_key(*path)) {
            return Err(format!("There is no text of {path}, which has sliders."));
        }
        let mut source = None;
        for (path, text) in files {
            let mut text = text;
            let is_edited = run.edits.iter().any(|edit| edit.cell.path == path);
            for setting in run.settings.get(&path).into_iter().flatten() {
                let setting = [(setting.0.clone(), setting.1.clone())];
                // Each file's settings are its own: what it imports is looked for among no files.
                match with_sliders(&text, &path, &Memory::default(), &setting) {
                    Ok((with_number, _)) => text = with_number,
                    // The reader may have written over a slider.
                    Err(_) if is_edited => {}
                    Err(rule) => return Err(format!("The sliders of {path}: {rule}.")),
                }
            }
            self.files.put(&path, text.as_bytes()).map_err(|error| format!("{path}: {error}."))?;
            if path == run.main {
                source = Some(text);
            }
        }
        source.ok_or_else(|| format!("There is no text of {}.", run.main))
    }

    fn script(&self, files: &Map<String>, path: &str, function: &str) -> Result<String, String> {
        let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let given = arguments(&self.last_run(), path, function)?;
        script(&files, path, function, &given)
    }

    /// The steps of the last program.
    fn last_run(&self) -> Trace {
        let last = self.last.borrow();
        let steps = last.values().last().into_iter().flatten().map(|step| Step::clone(step)).collect();
        Trace { steps, ..Trace::default() }
    }
}

#[cfg(test)]
mod tests;
