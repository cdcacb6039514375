//! A lecture, or a cell of it, as a file for other programs.

mod deck;
mod document;
mod file;
mod markdown;
mod notebook;
mod script;

use napkin_trace::python::Form;
use napkin_trace::trace::Trace;

use script::check_names;
pub use script::{arguments, cells, script};

/// A whole lecture in another form, without the answers to its questions; a deck has them on the backs. Of `trace` the
/// files and the steps are read, of a deck also what was prepared of prose; `main` is the path of the main file.
///
/// # Errors
/// With a sentence if the lecture cannot be written so.
pub fn lecture(form: Form, trace: &Trace, main: &str) -> Result<String, String> {
    if trace.truncated {
        return Err(format!("{main} takes more steps than a trace holds, so that its end is not known"));
    }
    check_names(trace.files.iter().map(|(path, text)| (path.as_str(), text.as_str())))?;
    match form {
        Form::Notebook => notebook::notebook(&document::document(trace, main)?),
        Form::Markdown => Ok(markdown::markdown(&document::document(trace, main)?)),
        Form::Anki => Ok(deck::deck(trace, main)),
    }
}
