//! Writing, without a panic when nobody reads.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use crate::failure::Failure;

/// Writes to standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Writes a value to standard output as indented JSON.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(|error| Failure::Work(error.to_string()))?;
    print(&(text + "\n"))
}

/// Writes a file whole, or leaves the one that is there. What is no file, such as a terminal, is written to.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return fs::write(path, text);
    }
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut aside = path.clone().into_os_string();
    aside.push(format!(".{}", std::process::id()));
    let written = fs::write(&aside, text).and_then(|()| fs::rename(&aside, &path));
    if written.is_err() {
        drop(fs::remove_file(&aside));
    }
    written
}

/// Refuses a file to be written whose folder is not there, before anything is computed for it.
pub(crate) fn check_folder(argument: &str, path: &Path) -> Result<(), Failure> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            let (path, folder) = (path.display(), folder.display());
            Err(Failure::Work(format!("{argument} {path}: there is no folder {folder}")))
        }
        _ => Ok(()),
    }
}

/// A line for the person at the terminal, on standard error. If that is closed there is nobody to tell.
pub(crate) fn note(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Says on standard error why the program ends early; what it should exit with.
pub(crate) fn report(failure: &Failure) -> ExitCode {
    // It may repeat what was typed, which may be anything.
    let say = |line: &str| note(&format!("error: {}", line.replace(char::is_control, " ")));
    match failure {
        Failure::Usage(line) => {
            say(line);
            ExitCode::from(2)
        }
        Failure::Work(line) => {
            say(line);
            ExitCode::FAILURE
        }
        Failure::Program(code) => ExitCode::from(*code),
        Failure::ClosedPipe => ExitCode::SUCCESS,
    }
}

/// A row of a table: what it is, and its value.
pub(crate) fn fact(name: &str, value: String) -> Vec<String> {
    vec![name.to_owned(), value]
}

/// Columns of text, aligned; those whose heading begins with `>` to the right.
pub(crate) fn table(headings: &[&str], rows: &[Vec<String>]) -> String {
    let cells = |row: usize, column: usize| rows[row].get(column).map_or("", String::as_str);
    let width = |column: usize, heading: &str| {
        let widest = (0..rows.len()).map(|row| cells(row, column).chars().count()).max();
        widest.unwrap_or(0).max(heading.trim_start_matches('>').chars().count())
    };
    let widths: Vec<usize> =
        headings.iter().enumerate().map(|(column, heading)| width(column, heading)).collect();
    let line = |cell: &dyn Fn(usize) -> String| {
        let padded = headings.iter().zip(&widths).enumerate().map(|(column, (heading, &width))| {
            let text = cell(column);
            if heading.starts_with('>') { format!("{text:>width$}") } else { format!("{text:<width$}") }
        });
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    let mut out = String::new();
    if headings.iter().any(|heading| !heading.trim_start_matches('>').is_empty()) {
        out += &line(&|column| headings[column].trim_start_matches('>').to_owned());
    }
    for row in 0..rows.len() {
        out += &line(&|column| cells(row, column).to_owned());
    }
    out
}
