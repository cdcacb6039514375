//! What can be wrong with an input, in sentences for the person who typed it.

use std::borrow::Cow;

use crate::DType;

/// `Result` with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why there is no number. Displays as one sentence that names the input and the rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An input that breaks a rule.
    #[error("{field} must be {rule}; got {got}")]
    Input {
        /// The name by which the reader knows the input.
        field: String,
        /// What it has to be.
        rule: String,
        /// What it was, quoted and shortened.
        got: String,
    },
    /// An input that is not there and has no default.
    #[error("{field} is missing: {what}")]
    Missing {
        /// The name by which the reader knows the input.
        field: String,
        /// What it is.
        what: Cow<'static, str>,
    },
    /// An error about what was typed into a field.
    #[error("{field}: {error}")]
    Named {
        /// The name by which the reader knows the input.
        field: String,
        /// What is wrong.
        error: Box<Error>,
    },
    /// A result that is too large or does not exist.
    #[error(
        "{what} has no finite value: it divides by zero or exceeds what can be counted (2^128, or 1.8e308 for fractions); use smaller numbers and no zeros"
    )]
    NotFinite {
        /// Title of the result.
        what: String,
    },
    /// A name that a catalogue does not have.
    #[error("no {kind} is called {got}; {known}")]
    Unknown {
        /// What was looked for: "GPU", "model".
        kind: &'static str,
        /// What was asked for, quoted and shortened.
        got: String,
        /// What there is: "near it:" and some ids, or "known are" and all.
        known: String,
    },
    /// A name with which several of a catalogue begin.
    #[error("no {kind} is called just {got}; it may be one of {candidates}")]
    Ambiguous {
        /// What was looked for.
        kind: &'static str,
        /// What was asked for, quoted and shortened.
        got: String,
        /// The ids of those that begin so.
        candidates: String,
    },
    /// A record written by a reader that has not the form of one.
    #[error("this {kind} cannot be read: {problem}")]
    Record {
        /// What it should be: "device".
        kind: &'static str,
        /// The field, and the rule that it breaks.
        problem: String,
    },
    /// A rate that the device does not have, or the catalogue.
    #[error("no {sparsity}{dtype} peak of {device} is known: {why}; its dense peaks: {known}")]
    NoPeak {
        /// Name of the device.
        device: String,
        /// "sparse " or nothing.
        sparsity: &'static str,
        /// The dtype asked for.
        dtype: DType,
        /// Whether hardware or catalogue is what lacks.
        why: &'static str,
        /// The dtypes with a peak.
        known: String,
    },
    /// A figure that the catalogue does not have.
    #[error("the catalogue has no sourced figure for the {what} of {device}")]
    Unpublished {
        /// The figure asked for.
        what: String,
        /// Name of the device.
        device: String,
    },
}

impl Error {
    /// An [`Error::Input`] with `got` quoted, and cut where it is too long to repeat.
    #[must_use]
    pub fn input(field: &str, rule: impl Into<String>, got: &str) -> Self {
        Self::Input { field: field.to_owned(), rule: rule.into(), got: quoted(got) }
    }
}

/// What somebody typed, or a sentence that repeats it, on one line and without its middle if it is long.
pub(crate) fn line(text: &str) -> String {
    const START: usize = 160;
    const END: usize = 120;
    // Also where a line ends for some readers of text and not for others.
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    let line: Vec<char> = text.chars().map(|c| if breaks(c) { ' ' } else { c }).collect();
    if line.len() <= START + END {
        return line.into_iter().collect();
    }
    let (start, end) = (&line[..START], &line[line.len() - END..]);
    start.iter().chain(['…'].iter()).chain(end).collect()
}

pub(crate) fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("\"{}…\"", text[..end].escape_debug()),
        None => format!("\"{}\"", text.escape_debug()),
    }
}
