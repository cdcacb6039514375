//! What goes wrong, as one line.

use std::io;

use clap::error::ErrorKind;

/// Why the program ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line breaks a rule; the sentence names argument and rule.
    Usage(String),
    /// The work failed.
    Work(String),
    /// A program ended so, and has said why.
    Program(u8),
    /// Nobody reads on, as in `napkin … | head`.
    ClosedPipe,
}

impl Failure {
    /// What clap refuses, as one line.
    pub(crate) fn from_clap(error: &clap::Error) -> Self {
        if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
            return Self::Usage(format!("a command is missing; {HELP}"));
        }
        let text = error.render().to_string();
        let told = text.split("\n\nUsage:").next().unwrap_or_default();
        let told = told.split("\n\nFor more information").next().unwrap_or_default();
        let line = told.split_whitespace().collect::<Vec<_>>().join(" ");
        Self::Usage(line.trim_start_matches("error: ").to_owned())
    }
}

const HELP: &str = "`napkin --help` lists what there is";

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Work(format!("cannot write to standard output: {error}")),
        }
    }
}

/// What accounting refuses has been typed.
impl From<napkin_accounting::Error> for Failure {
    fn from(error: napkin_accounting::Error) -> Self {
        Self::Usage(error.to_string())
    }
}

/// What the engine refuses is work that this machine cannot do.
impl From<napkin_engine::Error> for Failure {
    fn from(error: napkin_engine::Error) -> Self {
        Self::Work(error.to_string().replace(['\n', '\r'], " "))
    }
}
