//! `napkin export`: a cell of a lecture as a script for PyTorch, or all of it in another form.

use std::fs;
use std::path::Path;
use std::rc::Rc;

use napkin_export::{arguments, cells, lecture, script};
use napkin_python::{Folder, Options, Session};
use napkin_trace::prepare::prepare;
use napkin_trace::trace::Trace;

use crate::args::ExportArgs;
use crate::failure::Failure;
use crate::output;

/// What a lecture does, with its prose read.
pub(crate) fn traced(file: &Path) -> Result<Trace, Failure> {
    let path = file.display().to_string();
    let source = fs::read_to_string(file).map_err(|error| Failure::Work(format!("{path}: {error}")))?;
    let here = std::env::current_dir().map_err(|error| Failure::Work(format!("working folder: {error}")))?;
    let session = Session::new(Options {
        files: Rc::new(Folder(here)),
        prepare: Some(Rc::new(prepare)),
        ..Options::default()
    });
    let (trace, result) = session.trace(&source, &path);
    result.map_err(|failure| match failure.traceback.as_str() {
        "" => Failure::Work(format!("{path} ends with exit code {} before it can be exported", failure.code)),
        traceback => Failure::Work(traceback.to_owned()),
    })?;
    Ok(trace)
}

pub(crate) fn export(args: &ExportArgs) -> Result<(), Failure> {
    let Some(file) = &args.file else { return Ok(()) };
    let (path, trace) = (file.display().to_string(), traced(file)?);
    let files: Vec<(&str, &str)> =
        trace.files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let main = Path::new(&path).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if let Some(form) = args.form {
        let text = lecture(form.into(), &trace, main);
        return output::print(&text.map_err(|rule| Failure::Work(format!("{path}: {rule}")))?);
    }
    let cells = cells(&files, main);
    let Some(wanted) = &args.cell else {
        return output::print(&cells.iter().map(|(_, name)| format!("{name}\n")).collect::<String>());
    };
    let Some((path, name)) = cells.iter().find(|(_, name)| name == wanted) else {
        return Err(Failure::Usage(format!(
            "{wanted} is no cell of {path}; `napkin export {path}` lists them"
        )));
    };
    let text = arguments(&trace, path, name).and_then(|arguments| script(&files, path, name, &arguments));
    output::print(&text.map_err(Failure::Work)?)
}
