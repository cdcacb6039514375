//! What the page and the worker that runs Python say to each other. It travels as JSON, as traces do.
//!
//! One program runs at a time. There is no message that stops one: Python holds the worker's only thread, so the page
//! ends the worker and starts another. It should do so as well where no [`Event::Done`] has come some seconds after a
//! program's time was up, since what runs within one line of Python is not interrupted.

use serde::{Deserialize, Serialize};

use crate::trace::{Map, Step, Trace};
use crate::{DeviceKind, RequestId};

/// Page to worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Run a program; answered by [`Event::Steps`] and [`Event::Output`] as it goes, and by [`Event::Done`] in the end.
    Run(Run),
    /// What a program has written; answered by [`Event::File`].
    Download {
        /// Repeated in the answer.
        id: RequestId,
        /// The file.
        path: String,
    },
    /// A function as a script that runs by itself under PyTorch, called as in the worker's last run; answered by
    /// [`Event::Script`].
    Script {
        /// Repeated in the answer.
        id: RequestId,
        /// The text of each file by its path.
        files: Map<String>,
        /// The file of the function.
        path: String,
        /// Its name.
        function: String,
    },
}

impl Request {
    /// Repeated in every answer.
    #[must_use]
    pub fn id(&self) -> RequestId {
        match self {
            Self::Run(run) => run.id,
            Self::Download { id, .. } | Self::Script { id, .. } => *id,
        }
    }
}

/// A program and how to run it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Repeated in every answer.
    pub id: RequestId,
    /// The text of each file by its path; modules are found beside the main one.
    pub files: Map<String>,
    /// The path of the one to run.
    pub main: String,
    /// Other numbers for sliders, by the path of their file: `name` or `function.name`, and what is assigned.
    #[serde(default)]
    pub settings: Map<Map<String>>,
    /// With [`DeviceKind::Gpu`], there is a device called `cuda`.
    pub device: DeviceKind,
    /// Whether its steps are written down.
    pub is_traced: bool,
    /// Seconds after which it is stopped.
    pub most_secs: f64,
}

/// Where a program writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stream {
    /// `sys.stdout`
    Output,
    /// `sys.stderr`
    Error,
}

/// A file that a program has left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Left {
    /// From the working folder.
    pub path: String,
    /// How long it is.
    pub bytes: u64,
}

/// Worker to page.
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
        /// The worker's [`crate::VERSION`].
        version: u32,
        /// The name of the GPU, or the sentence that says why Python has none.
        gpu: Result<String, String>,
        /// Whether Python can wait for what the browser only promises; a GPU takes that.
        has_suspension: bool,
    },
    /// What a program has done since the last such event.
    Steps {
        /// That of the run.
        id: RequestId,
        /// The number of the first of them.
        from: usize,
        /// One after the other.
        steps: Vec<Step>,
    },
    /// What a program has written, traced or not.
    Output {
        /// That of the run.
        id: RequestId,
        /// Where it was written.
        stream: Stream,
        /// What was written.
        text: String,
    },
    /// A program has ended.
    Done {
        /// That of the run.
        id: RequestId,
        /// Without its steps, which have been sent; of what was not traced, the failure alone.
        trace: Box<Trace>,
        /// Whether it was stopped because its time was up.
        is_out_of_time: bool,
        /// How long it took.
        duration_secs: f64,
        /// All files that programs have left so far, without those that were given.
        files: Vec<Left>,
    },
    /// Answer to [`Request::Download`]. The bytes travel beside it, as a transferred `Uint8Array`: the message is a list
    /// of the two.
    File {
        /// That of the request.
        id: RequestId,
        /// The file.
        path: String,
    },
    /// Answer to [`Request::Script`].
    Script {
        /// That of the request.
        id: RequestId,
        /// The whole script.
        text: String,
    },
    /// The request could not be carried out; the worker lives on.
    Failed {
        /// That of the request; none if it could not be read.
        id: Option<RequestId>,
        /// A sentence for the reader.
        message: String,
    },
    /// The worker is in no state to go on and must be replaced.
    Crashed {
        /// What it died of, as a sentence.
        message: String,
    },
}
