//! Why a part of a program did not run to its end.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::python::CellName;

/// What went wrong in a cell, or what it waits for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    /// The cell, or the function that a reader completes; none if it is the program around all cells.
    pub cell: Option<CellName>,
    /// The cell that has not given what this one needs, which has not run for that reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits_for: Option<CellName>,
    /// The class of the exception.
    #[serde(default)]
    pub kind: String,
    /// What the exception says.
    #[serde(default)]
    pub message: String,
    /// What it means and what helps, in Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
    /// The same as a tree, if whoever passes it on has read it.
    #[serde(default, skip_serializing_if = "Json::is_null")]
    pub prepared: Json,
    /// Where it was raised, outermost first; only places in the program's own files.
    #[serde(default)]
    pub frames: Vec<Frame>,
    /// All that Python prints of it.
    #[serde(default)]
    pub text: String,
}

/// A place in a program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// The file.
    pub path: String,
    /// The function as Python calls it, `<module>` outside all.
    pub function: String,
    /// Counted from 1: in the file, or in the text of [`Fault::cell`] if [`Self::is_of_text`].
    pub line: u32,
    /// The last line.
    #[serde(default)]
    pub end_line: Option<u32>,
    /// Characters before the expression that raised.
    #[serde(default)]
    pub column: Option<u32>,
    /// Characters before what follows it.
    #[serde(default)]
    pub end_column: Option<u32>,
    /// Whether the lines are those of what the reader wrote: it could not be read, so it is in no file.
    #[serde(default)]
    pub is_of_text: bool,
}

impl Fault {
    /// `NameError: name 'x' is not defined`
    #[must_use]
    pub fn line(&self) -> String {
        match (self.kind.as_str(), self.message.as_str()) {
            (kind, "") => kind.to_owned(),
            ("", message) => message.to_owned(),
            (kind, message) => format!("{kind}: {message}"),
        }
    }
}
