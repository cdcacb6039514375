//! Runs the real binary.

use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The binary with arguments and a cache folder of its own.
pub fn napkin(args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_napkin"));
    command.args(args.split_whitespace()).stdin(Stdio::null());
    command.env("XDG_CACHE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
    command
}

pub fn run(args: &str) -> Output {
    napkin(args).output().unwrap_or_else(|error| panic!("napkin {args} does not start: {error}"))
}

/// Standard output of a run that has to succeed.
pub fn stdout(args: &str) -> String {
    let output = run(args);
    assert!(output.status.success(), "napkin {args}: {}\n{}", output.status, stderr(&output));
    String::from_utf8(output.stdout).unwrap_or_else(|error| panic!("napkin {args}: {error}"))
}

pub fn json(args: &str) -> Value {
    let text = stdout(args);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("napkin {args}: {error}\n{text}"))
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
