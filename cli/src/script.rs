//! `napkin run` and `napkin trace`: a Python program with torch over the engine.

use std::cell::RefCell;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::exit;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use napkin_accounting::calc::start_texts;
use napkin_python::{Files, Folder, Interrupter, Options, Session, Stream, with_sliders};
use napkin_trace::notebook::{self, is_notebook};
use napkin_trace::prepare::prepare;
use napkin_trace::trace::{Rendering, Trace};

use crate::args::{ProgramArgs, RunArgs, TraceArgs};
use crate::device::{self, DeviceKind};
use crate::failure::Failure;
use crate::{edtrace, output};

/// What a process ends with that Ctrl-C has ended.
const INTERRUPTED: i32 = 130;

/// `napkin run`
pub(crate) fn run(args: &RunArgs) -> Result<(), Failure> {
    let Some(to) = &args.trace else {
        return run_program(&args.program, false, |session, source, path| {
            (session.run(source, path), Ok(()))
        });
    };
    check_trace("--trace", &args.program.file, to)?;
    run_program(&args.program, false, |session, source, path| {
        let (mut trace, result) = session.trace(source, path);
        for rendering in trace.steps.iter_mut().flat_map(|step| &mut step.renderings) {
            prepare(rendering);
            trace.warnings.extend(refusal(rendering));
        }
        warn(&trace);
        (result, write_json("--trace", to, &trace))
    })
}

/// `napkin trace`
pub(crate) fn trace(args: &TraceArgs) -> Result<(), Failure> {
    let program = &args.program.file;
    let stem = program.file_stem().unwrap_or_default();
    let to = match &args.output {
        Some(to) => to.clone(),
        None => {
            let folder = Path::new("var/traces");
            let failed = |error| Failure::Work(format!("{}: {error}", folder.display()));
            fs::create_dir_all(folder).map_err(failed)?;
            folder.join(stem).with_extension("json")
        }
    };
    check_trace("--output", program, &to)?;
    run_program(&args.program, true, |session, source, path| {
        let (trace, result) = session.trace(source, path);
        warn(&trace);
        // What a program that fails has done is no lecture.
        if result.is_err() {
            return (result, Ok(()));
        }
        let name = Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let kept = edtrace::written(&trace, &name, &stem.to_string_lossy())
            .map_err(Failure::Work)
            .and_then(|written| write_json("--output", &to, &written));
        (result, kept)
    })
}

fn warn(trace: &Trace) {
    trace.warnings.iter().for_each(|warning| output::note(&format!("note: {warning}")));
}

fn write_json(option: &str, to: &Path, value: &impl serde::Serialize) -> Result<(), Failure> {
    let failed = |why: String| Failure::Work(format!("{option} {}: {why}", to.display()));
    let text = serde_json::to_string(value).map_err(|error| failed(error.to_string()))?;
    output::replace(to, &text).map_err(|error| failed(error.to_string()))
}

/// How a program ended, and whether what was written down of it is kept.
type Ended = (Result<(), napkin_python::Failure>, Result<(), Failure>);

/// Runs a program as `work` does, in a session of its own.
fn run_program(
    args: &ProgramArgs,
    keeps_whole: bool,
    work: impl FnOnce(&Session, &str, &str) -> Ended,
) -> Result<(), Failure> {
    let path = args.file.display().to_string();
    let source = source(&args.file)?;
    let folder = std::env::current_dir()
        .map_err(|error| Failure::Work(format!("there is no working folder: {error}")))?;
    let files: Rc<dyn Files> = Rc::new(Folder(folder));
    let (source, modules) = with_sliders(&source, &path, &*files, &args.set)
        .map_err(|rule| Failure::Usage(format!("--set: {rule}")))?;
    let chosen = device::find(&args.device)?;
    let unwritten = Rc::new(RefCell::new(None));
    let first = unwritten.clone();
    let session = Session::new(Options {
        gpu: (chosen.kind == DeviceKind::Gpu).then_some(chosen.device),
        write: Rc::new(move |stream, text| {
            // Where nobody reads on, the program goes on for what else it does.
            if let Err(error) = write(stream, text) {
                first.borrow_mut().get_or_insert(error);
            }
        }),
        arguments: args.arguments.clone(),
        files,
        modules,
        keeps_whole,
        ..Options::default()
    });
    stop_on_interrupt(session.interrupter())?;
    let (result, kept) = work(&session, &source, &path);
    if let Err(failure) = &result {
        // If standard error is closed there is nobody to tell.
        let _ = write(Stream::Error, &failure.traceback);
    }
    kept?;
    result.map_err(|failure| Failure::Program(failure.code))?;
    unwritten.take().map_or(Ok(()), |error| Err(error.into()))
}

/// The text of a program, or that which stands for a notebook.
fn source(file: &Path) -> Result<String, Failure> {
    let failed = |why: String| Failure::Work(format!("{}: {why}", file.display()));
    let text = fs::read_to_string(file).map_err(|error| failed(error.to_string()))?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    if !is_notebook(&name) {
        return Ok(text);
    }
    notebook::source(&text, &name).map_err(failed)
}

/// Refuses a trace that could not be written, or would take the place of its program.
fn check_trace(option: &str, program: &Path, to: &Path) -> Result<(), Failure> {
    output::check_folder(option, to)?;
    match (fs::canonicalize(program), fs::canonicalize(to)) {
        (Ok(program), Ok(trace)) if program == trace => {
            Err(Failure::Usage(format!("{option}: {} is the program itself", to.display())))
        }
        _ => Ok(()),
    }
}

/// Why a calculator that is drawn cannot answer.
fn refusal(rendering: &Rendering) -> Option<String> {
    let drawing = rendering.drawing()?;
    let (id, question) = drawing.question()?;
    start_texts(&id, &question.options).err().map(|error| error.to_string())
}

/// Ctrl-C ends the program as Python does, within an operation too; a second one waits for nothing.
fn stop_on_interrupt(interrupter: Interrupter) -> Result<(), Failure> {
    let is_asked = AtomicBool::new(false);
    let stop = move || match is_asked.swap(true, Ordering::Relaxed) {
        false => {
            interrupter.interrupt();
            napkin_engine::interrupt::interrupt();
        }
        true => exit(INTERRUPTED),
    };
    ctrlc::set_handler(stop).map_err(|error| Failure::Work(format!("Ctrl-C cannot be watched: {error}")))
}

fn write(stream: Stream, text: &str) -> io::Result<()> {
    match stream {
        Stream::Output => {
            let mut out = io::stdout().lock();
            out.write_all(text.as_bytes())?;
            out.flush()
        }
        Stream::Error => io::stderr().lock().write_all(text.as_bytes()),
    }
}
