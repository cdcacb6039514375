//! Commands of the machine: natively they run, in a page there are none.

use std::io::{Error, ErrorKind, Result, Write};
use std::process::{Command, Output, Stdio};

/// Runs a command to its end with something to read. `variables` are those of its environment, as `name=value`; without
/// them it has those of this program.
pub(crate) fn ended(
    command: &[String],
    input: &[u8],
    folder: Option<&str>,
    variables: Option<&[String]>,
) -> Result<Output> {
    if cfg!(target_arch = "wasm32") {
        return Err(Error::new(ErrorKind::Unsupported, "a page starts no processes"));
    }
    let (program, arguments) = command.split_first().ok_or(ErrorKind::InvalidInput)?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(folder) = folder {
        command.current_dir(folder);
    }
    if let Some(variables) = variables {
        command.env_clear().envs(variables.iter().filter_map(|it| it.split_once('=')));
    }
    let mut child = command.spawn()?;
    let to = child.stdin.take();
    // What it says is read while it is still given something.
    std::thread::scope(|scope| {
        scope.spawn(move || to.map(|mut to| to.write_all(input)));
        child.wait_with_output()
    })
}
