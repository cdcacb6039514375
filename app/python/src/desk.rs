//! Answers requests, one at a time.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use napkin_drawings::prepare;
use napkin_engine::Device;
use napkin_notebook::python::{Event, Left, Request, Run, Stream};
use napkin_notebook::trace::{Map, Trace};
use napkin_notebook::{DeviceKind, RequestId};
use napkin_python::{Entry, Files, Memory, Options, Recall, Session, arguments, script, with_sliders};
use web_time::Instant;

use crate::outbox::{Outbox, Post};

/// No program runs longer, whatever the page allows.
const MOST_SECS: f64 = 3600.0;

/// The worker's state between two requests.
pub struct Desk {
    post: Post,
    /// The one called `cuda`, or the sentence that says why there is none.
    gpu: Result<Device, String>,
    /// What programs write; kept as long as the worker lives.
    files: Rc<Memory>,
    /// Those of them that the page gave last.
    given: RefCell<Vec<String>>,
    /// What need not run again, by device.
    recall: [Rc<RefCell<Recall>>; 2],
    /// The steps of the last program that was traced.
    last: RefCell<Trace>,
    is_busy: Cell<bool>,
}

impl Desk {
    /// A desk with nothing on it.
    pub fn new(gpu: Result<Device, String>, post: Post) -> Self {
        Self {
            post,
            gpu,
            files: Rc::default(),
            given: RefCell::default(),
            recall: Default::default(),
            last: RefCell::default(),
            is_busy: Cell::new(false),
        }
    }

    /// Carries a request out and answers it.
    pub fn answer(&self, request: Request) {
        let id = request.id();
        // While Python waits for a GPU, others are heard.
        if self.is_busy.replace(true) {
            return self.fail(id, "A program runs already.".to_owned());
        }
        let done = match request {
            Request::Run(run) => self.run(run),
            Request::Download { path, .. } => self.download(id, path),
            Request::Script { files, path, function, .. } => self.script(id, &files, &path, &function),
        };
        self.is_busy.set(false);
        if let Err(message) = done {
            self.fail(id, message);
        }
    }

    fn fail(&self, id: RequestId, message: String) {
        (self.post)(&Event::Failed { id: Some(id), message }, None);
    }

    fn run(&self, run: Run) -> Result<(), String> {
        let [on_cpu, on_gpu] = &self.recall;
        let (gpu, recall) = match run.device {
            DeviceKind::Cpu => (None, on_cpu),
            DeviceKind::Gpu => (Some(self.gpu.clone()?), on_gpu),
        };
        let Run { id, files, main, mut settings, is_traced, most_secs, .. } = run;
        // A module that is no longer there must not be found.
        for path in self.given.replace(files.0.iter().map(|(path, _)| path.clone()).collect()) {
            // It may have removed itself.
            let _ = self.files.remove(&path, false);
        }
        let mut source = None;
        for (path, text) in &files.0 {
            let text = match settings.0.iter().position(|(known, _)| known == path) {
                // Each file's settings are its own: what it imports is looked for among no files.
                Some(place) => with_sliders(text, path, &Memory::default(), &settings.0.remove(place).1.0)
                    .map(|(text, _)| text)
                    .map_err(|rule| format!("The sliders of {path}: {rule}."))?,
                None => text.clone(),
            };
            put(&*self.files, path, text.as_bytes()).map_err(|error| format!("{path}: {error}."))?;
            if *path == main {
                source = Some(text);
            }
        }
        let source = source.ok_or_else(|| format!("There is no text of {main}."))?;
        if let Some((path, _)) = settings.0.first() {
            return Err(format!("There is no text of {path}, which has sliders."));
        }
        // No number is no limit of the page's making.
        let secs = if most_secs.is_nan() { MOST_SECS } else { most_secs.clamp(0.0, MOST_SECS) };
        let budget = Duration::from_secs_f64(secs);

        let outbox = Rc::new(RefCell::new(Outbox::new(self.post.clone(), id)));
        let start = Instant::now();
        let is_out_of_time = Rc::new(Cell::new(false));
        let (written, polled, taken) = (outbox.clone(), outbox.clone(), outbox.clone());
        let is_over = is_out_of_time.clone();
        let session = Session::new(Options {
            gpu,
            write: Rc::new(move |stream, text| {
                let stream = match stream {
                    napkin_python::Stream::Output => Stream::Output,
                    napkin_python::Stream::Error => Stream::Error,
                };
                written.borrow_mut().write(stream, text);
            }),
            files: self.files.clone(),
            interrupt: Some(Rc::new(move || {
                polled.borrow_mut().send_if_due();
                is_over.set(start.elapsed() > budget);
                is_over.get()
            })),
            take_step: Some(Rc::new(move |step| {
                let mut step = step.clone();
                for rendering in &mut step.renderings {
                    // What is wrong with one is written in it.
                    drop(prepare(rendering));
                }
                taken.borrow_mut().step(step);
            })),
            recall: Some(recall.clone()),
            ..Options::default()
        });
        let trace = if is_traced {
            let mut trace = session.trace(&source, &main).0;
            let steps = std::mem::take(&mut trace.steps);
            *self.last.borrow_mut() = Trace { steps, ..Trace::default() };
            trace
        } else {
            let failure = session.run(&source, &main).err().map(|failure| failure.traceback);
            Trace { failure, ..Trace::default() }
        };
        outbox.borrow_mut().send();
        let mut left = Vec::new();
        list(&*self.files, "", &mut left);
        left.retain(|file| files.get(&file.path).is_none());
        let done = Event::Done {
            id,
            trace: Box::new(trace),
            is_out_of_time: is_out_of_time.get(),
            duration_secs: start.elapsed().as_secs_f64(),
            files: left,
        };
        (self.post)(&done, None);
        Ok(())
    }

    fn script(&self, id: RequestId, files: &Map<String>, path: &str, function: &str) -> Result<(), String> {
        let files: Vec<(&str, &str)> =
            files.0.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let text = arguments(&self.last.borrow(), path, function)
            .and_then(|given| script(&files, path, function, &given))
            .map_err(|why| format!("There is no script of this: {why}."))?;
        (self.post)(&Event::Script { id, text }, None);
        Ok(())
    }

    fn download(&self, id: RequestId, path: String) -> Result<(), String> {
        let read = || {
            let Entry::File(bytes) = self.files.entry(&path)? else {
                return Err(std::io::ErrorKind::IsADirectory.into());
            };
            let mut content = Vec::new();
            let size = usize::try_from(bytes).map_err(|_| std::io::ErrorKind::OutOfMemory)?;
            content.try_reserve_exact(size).map_err(|_| std::io::ErrorKind::OutOfMemory)?;
            content.resize(size, 0);
            self.files.read(&path, 0, &mut content)?;
            Ok::<_, std::io::Error>(content)
        };
        let content = read().map_err(|error| format!("{path}: {error}."))?;
        (self.post)(&Event::File { id, path }, Some(&content));
        Ok(())
    }
}

/// Writes a whole file, and makes the folders that it is in.
fn put(files: &dyn Files, path: &str, bytes: &[u8]) -> std::io::Result<()> {
    for (at, _) in path.match_indices('/') {
        let folder = &path[..at];
        if files.entry(folder).is_err() {
            files.make_folder(folder)?;
        }
    }
    files.create(path, false)?;
    files.resize(path, 0)?;
    files.write(path, 0, bytes)
}

/// All files in a folder and in those within.
fn list(files: &dyn Files, folder: &str, to: &mut Vec<Left>) {
    for name in files.list(folder).unwrap_or_default() {
        let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        match files.entry(&path) {
            Ok(Entry::File(bytes)) => to.push(Left { path, bytes }),
            Ok(Entry::Folder) => list(files, &path, to),
            Err(_) => {}
        }
    }
}

#[cfg(test)]
mod tests;
