//! What the page and the worker that runs Python say to each other, as JSON.
//!
//! A cell that fails leaves the rest standing: the program goes on with what does not need that cell, and of each failure
//! there is an [`Event::Fault`], with what waits for it.
//!
//! [`Command::Run`] is answered by [`Event::CellSteps`] (at most once: what the cell in sight does, as soon as that is
//! known), by [`Event::Steps`] as the program goes, and in the end by one of [`Event::Done`],
//! [`Event::Cancelled`] and [`Event::Failed`].
//!
//! The interpreter lives on from run to run: one that differs from the last in the numbers on its sliders alone takes
//! some milliseconds beside what depends on them. Of what does not, the page gets word that it is as before
//! ([`Part::Same`]), if it has the steps of an earlier run ([`Run::has_steps_of`]).
//!
//! The last value wins: a [`Command::Run`] takes the place of the program that runs. Python holds the worker's only
//! thread, so the worker hears of that only where the browser can suspend WebAssembly
//! ([`Event::Ready::has_suspension`]). Elsewhere the page keeps the newest values until the program is done. It ends the
//! worker where no answer has come some seconds after a program's time was up: one line of Python is not interrupted.

use serde::{Deserialize, Serialize};

use crate::trace::{Map, Step, Trace};
use crate::{DeviceKind, Fault, RequestId};

/// What the page can ask for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Command {
    /// What is known of the GPU's kernels. No answer; a text of another GPU is ignored.
    UseTuning(String),
    /// Run a program, in place of any that runs.
    Run(Run),
    /// End the cell that runs, as if its time were up; the program goes on with the next one. No answer.
    Stop,
    /// A file that a program has written; answered by [`Event::File`].
    Download(String),
    /// A function as a script that runs by itself under PyTorch, called as in the worker's last run; answered by
    /// [`Event::Exported`].
    Script {
        /// The text of each file by its path.
        files: Map<String>,
        /// The file of the function.
        path: String,
        /// Its name.
        function: String,
    },
    /// A whole lecture as it was in the worker's last run; answered by [`Event::Exported`].
    Lecture {
        /// The text of each file by its path.
        files: Map<String>,
        /// The path of the main one.
        main: String,
        /// As what.
        form: Form,
    },
}

/// What a whole lecture can be written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Form {
    /// A Jupyter notebook that runs under PyTorch.
    Notebook,
    /// One file to read.
    Markdown,
    /// Its questions and answers, for *File → Import* of Anki.
    Anki,
}

impl Form {
    /// What its files end with.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Notebook => "ipynb",
            Self::Markdown => "md",
            Self::Anki => "txt",
        }
    }
}

/// A program and how to run it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The text of each file by its path; modules are found beside the main one.
    pub files: Map<String>,
    /// What stands in place of some of their functions.
    #[serde(default)]
    pub edits: Vec<Edit>,
    /// The path of the one to run.
    pub main: String,
    /// Other numbers for sliders, by the path of their file: `name` or `function.name`, and what is assigned.
    #[serde(default)]
    pub settings: Map<Map<String>>,
    /// With [`DeviceKind::Gpu`], there is a device called `cuda`.
    pub device: DeviceKind,
    /// Seconds after which a cell is stopped; those that follow have as long again.
    pub most_secs: f64,
    /// The cell that the reader looks at: what it does is wanted first.
    #[serde(default)]
    pub cell: Option<CellName>,
    /// The run of which the page has steps, the first so many. Of a run that it no longer waits for it drops what comes.
    #[serde(default)]
    pub has_steps_of: Option<(RequestId, usize)>,
}

/// What a reader has written in place of a function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// The function and its file; `<module>` is the whole file.
    pub cell: CellName,
    /// Whether it is a cell, be it without a docstring now, and not what a cell calls.
    pub is_cell: bool,
    /// The lines that it replaces, counted from 1, the last one among them.
    pub lines: (u32, u32),
    /// What was written.
    pub text: String,
    /// What stands there while that cannot be read: what was written before, unless it is what the file has.
    #[serde(default)]
    pub good: Option<String>,
}

/// Puts edits into files: of each what `written` says, or nothing.
pub fn put<'a>(
    files: &mut Map<String>,
    edits: &'a [Edit],
    mut written: impl FnMut(&'a Edit) -> Option<&'a str>,
) {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    // From the last line to the first, so that one does not move another.
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.lines.0));
    for edit in edits {
        let (Some(file), Some(text)) = (files.get_mut(&edit.cell.path), written(edit)) else { continue };
        let at = |line: u32| file.split_inclusive('\n').take(line as usize).map(str::len).sum::<usize>();
        let (from, to) = (at(edit.lines.0.saturating_sub(1)), at(edit.lines.1));
        // The line break behind the function is not part of what is edited.
        let end = if file[..to].ends_with('\n') && !text.ends_with('\n') { "\n" } else { "" };
        file.replace_range(from..to.max(from), &[text, end].concat());
    }
}

/// A function with a title that `main` calls, or one that such a function calls.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CellName {
    /// Its file.
    pub path: String,
    /// The function.
    pub function: String,
}

/// Steps, one after the other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Part {
    /// Some that the page has not seen.
    New(Vec<Step>),
    /// Some of the run that the page has the steps of: those are these.
    Same {
        /// The number of the first of them there.
        from: usize,
        /// How many.
        count: usize,
    },
}

/// A file that a program has left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Left {
    /// From the working folder.
    pub path: String,
    /// How long it is.
    pub bytes: u64,
}

/// What the worker can say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// How much of Python has arrived, in bytes as they are used; the start script says so before the worker speaks.
    Loading {
        /// So many so far.
        bytes: u64,
        /// So many in all, where the host says it.
        total: Option<u64>,
    },
    /// The first words of a worker itself; nothing may be sent to it before them.
    Ready {
        /// The name of the GPU, or the sentence that says why Python has none.
        gpu: Result<String, String>,
        /// Whether Python can wait for what the browser only promises; a GPU takes that.
        has_suspension: bool,
    },
    /// What the cell in sight has done ([`Run::cell`]), unless it would do the same as before. The same steps, or where
    /// the cell depends on others those that are true, follow among [`Event::Steps`].
    CellSteps {
        /// That of the run.
        cell: CellName,
        /// Beginning at the cell on the stack.
        steps: Vec<Step>,
    },
    /// What a program has done since the last such event.
    Steps(Vec<Part>),
    /// A cell has failed, or waits for one that has. What cannot be read comes before all steps.
    Fault(Box<Fault>),
    /// A program has ended.
    Done {
        /// Without its steps, which have been sent.
        trace: Box<Trace>,
        /// All files that programs have left so far, without those that were given.
        files: Vec<Left>,
    },
    /// A program was ended for another one; what it has done so far counts for nothing.
    Cancelled,
    /// What is known of the GPU's kernels, now that a program has used it: worth keeping for [`Command::UseTuning`] and for
    /// the compute worker.
    Tuned(String),
    /// The file of that path. The bytes travel beside it, as a transferred `Uint8Array`: the message is a list of the two.
    File(String),
    /// What was asked for as a file.
    Exported {
        /// What to call it.
        name: String,
        /// All of it.
        text: String,
    },
    /// The request could not be carried out, or read; the sentence is for the reader, and the worker lives on.
    Failed(String),
    /// The worker's memory is half used up: it may be replaced before it is needed again.
    Full,
    /// The worker has died of this and must be replaced.
    Crashed(String),
}
