//! `napkin run`: a Python program with torch over the engine.

use std::cell::RefCell;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::exit;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use napkin_accounting::calc::start_texts;
use napkin_python::{Files, Folder, Interrupter, Options, Session, Stream, with_sliders};
use napkin_trace::prepare::prepare;
use napkin_trace::trace::Rendering;

use crate::args::RunArgs;
use crate::device::{self, DeviceKind};
use crate::failure::Failure;
use crate::output;

/// What a process ends with that Ctrl-C has ended.
const INTERRUPTED: i32 = 130;

pub(crate) fn run(args: &RunArgs) -> Result<(), Failure> {
    let path = args.file.display().to_string();
    let source = fs::read_to_string(&args.file).map_err(|error| Failure::Work(format!("{path}: {error}")))?;
    let folder = std::env::current_dir()
        .map_err(|error| Failure::Work(format!("there is no working folder: {error}")))?;
    let files: Rc<dyn Files> = Rc::new(Folder(folder));
    let (source, modules) = with_sliders(&source, &path, &*files, &args.set)
        .map_err(|rule| Failure::Usage(format!("--set: {rule}")))?;
    if let Some(to) = &args.trace {
        check_trace(&args.file, to)?;
    }
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
        ..Options::default()
    });
    stop_on_interrupt(session.interrupter())?;
    let (result, kept) = match &args.trace {
        None => (session.run(&source, &path), Ok(())),
        Some(to) => {
            let (mut trace, result) = session.trace(&source, &path);
            for rendering in trace.steps.iter_mut().flat_map(|step| &mut step.renderings) {
                prepare(rendering);
                trace.warnings.extend(refusal(rendering));
            }
            trace.warnings.iter().for_each(|warning| output::note(&format!("note: {warning}")));
            let failed = |why: String| Failure::Work(format!("--trace {}: {why}", to.display()));
            let text = serde_json::to_string(&trace).map_err(|error| failed(error.to_string()))?;
            (result, output::replace(to, &text).map_err(|error| failed(error.to_string())))
        }
    };
    if let Err(failure) = &result {
        // If standard error is closed there is nobody to tell.
        let _ = write(Stream::Error, &failure.traceback);
    }
    kept?;
    result.map_err(|failure| Failure::Program(failure.code))?;
    unwritten.take().map_or(Ok(()), |error| Err(error.into()))
}

/// Refuses a trace that could not be written, or would take the place of its program.
fn check_trace(program: &Path, to: &Path) -> Result<(), Failure> {
    output::check_folder("--trace", to)?;
    match (fs::canonicalize(program), fs::canonicalize(to)) {
        (Ok(program), Ok(trace)) if program == trace => {
            Err(Failure::Usage(format!("--trace: {} is the program itself", to.display())))
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
