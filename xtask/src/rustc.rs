//! Flags for single crates, which cargo cannot give: this program stands between cargo and rustc while the page is built.

use std::env;
use std::ffi::OsString;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

/// Where cargo looks for what compiles the members of the workspace.
const WRAPPER: &str = "RUSTC_WORKSPACE_WRAPPER";

/// What only the workers are made of: their programs, whose code is optimised once more where they are linked, and the
/// engine with its backends, by its feature.
const OF_WORKERS: [(&str, Option<&str>); 5] = [
    ("worker", None),
    ("worker_relaxed", None),
    ("measure", None),
    ("measure_relaxed", None),
    ("napkin_engine", Some("feature=\"gpu\"")),
];

/// A sixteenth smaller and as fast; docs/rejected.md has the figures. The page's own programs are optimised for size,
/// which brings a threshold of its own that this would take the place of.
const INLINE_LESS: &str = "-Cllvm-args=-inline-threshold=100";

/// Lets this program stand between `command`, which calls cargo, and rustc.
///
/// # Errors
/// When this program cannot say where it is.
pub fn wrap(command: &mut Command) -> Result<()> {
    let here = env::current_exe().context("cannot say where this program is")?;
    command.env(WRAPPER, here);
    Ok(())
}

/// Does rustc's work where cargo called this program in its place.
#[must_use]
pub fn stand_in() -> Option<ExitCode> {
    let mut args = env::args_os();
    if env::var_os(WRAPPER)? != args.next()? {
        return None;
    }
    let rustc = args.next()?;
    let args: Vec<OsString> = args.collect();
    let status = Command::new(&rustc).args(&args).args(extra(&args)).status();
    Some(match status {
        Ok(status) => status.code().map_or(ExitCode::FAILURE, |code| ExitCode::from(code as u8)),
        Err(error) => {
            eprintln!("error: cannot start {}: {error}", rustc.display());
            ExitCode::FAILURE
        }
    })
}

/// What cargo leaves out of the arguments.
fn extra(args: &[OsString]) -> Option<&'static str> {
    let has = |first: &str, second: &str| args.windows(2).any(|pair| pair[0] == first && pair[1] == second);
    let is_theirs = OF_WORKERS.iter().any(|(name, feature)| {
        has("--crate-name", name) && feature.is_none_or(|feature| has("--cfg", feature))
    });
    (is_theirs && has("--target", "wasm32-unknown-unknown")).then_some(INLINE_LESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_workers_are_made_of_gets_more() {
        let of = |line: &str| extra(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        let wasm = "--target wasm32-unknown-unknown";
        assert_eq!(of(&format!("--crate-name worker_relaxed --crate-type bin {wasm}")), Some(INLINE_LESS));
        let engine = format!("--crate-name napkin_engine --cfg feature=\"cpu\" {wasm}");
        assert_eq!(of(&format!("{engine} --cfg feature=\"gpu\"")), Some(INLINE_LESS));
        assert_eq!(of(&engine), None, "the page's own");
        assert_eq!(of(&format!("--crate-name sheets --crate-type bin {wasm}")), None);
        assert_eq!(of("--crate-name worker --crate-type bin"), None);
    }
}
