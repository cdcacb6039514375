//! Running stages and counting what passed.

use std::io::{BufRead, BufReader};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::process;

/// Counts of one stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Outcome {
    pub passed: usize,
    pub failed: usize,
    pub ignored: usize,
}

/// The stages so far.
#[derive(Debug, Default)]
pub(super) struct Report {
    stages: Vec<(String, Outcome, Duration)>,
}

impl Report {
    /// Runs a stage whose value the later ones need: without it nothing else can run.
    pub(super) fn stage_with<T>(&mut self, title: &str, body: impl FnOnce() -> Result<T>) -> Result<T> {
        let start = Instant::now();
        println!("\n== {title}");
        let value = body()?;
        self.done(title, Outcome::default(), start);
        Ok(value)
    }

    /// Runs a stage; an error counts as one failure, and the stages after it run.
    pub(super) fn stage(&mut self, title: &str, body: impl FnOnce() -> Result<Outcome>) {
        let start = Instant::now();
        println!("\n== {title}");
        let outcome = body().unwrap_or_else(|error| {
            println!("FAILED: {error:#}");
            Outcome { failed: 1, ..Outcome::default() }
        });
        self.done(title, outcome, start);
    }

    /// Runs a command that passes or fails as a whole.
    pub(super) fn check(&mut self, title: &str, command: &mut Command) {
        self.stage(title, || {
            process::run(command)?;
            Ok(Outcome { passed: 1, ..Outcome::default() })
        });
    }

    /// Runs a `cargo test` and adds up its result lines.
    pub(super) fn tests(&mut self, title: &str, command: &mut Command) {
        self.stage(title, || {
            let what = process::line(command);
            let mut child =
                command.stdout(Stdio::piped()).spawn().with_context(|| format!("cannot start `{what}`"))?;
            let mut outcome = Outcome::default();
            for line in BufReader::new(child.stdout.take().context("no pipe")?).split(b'\n') {
                let line = line.with_context(|| format!("cannot read the output of `{what}`"))?;
                let line = String::from_utf8_lossy(&line);
                println!("{line}");
                if let Some(result) = result_line(&line) {
                    outcome.passed += result.passed;
                    outcome.failed += result.failed;
                    outcome.ignored += result.ignored;
                }
            }
            let status = child.wait().with_context(|| format!("cannot wait for `{what}`"))?;
            judged(outcome, status.success()).with_context(|| format!("`{what}` ({status})"))
        });
    }

    fn done(&mut self, title: &str, outcome: Outcome, start: Instant) {
        let took = start.elapsed();
        println!("-- {title}: {} in {}", outcome.words(), process::words(took));
        self.stages.push((title.to_owned(), outcome, took));
    }

    /// Prints what each stage took and, last, the counts of all.
    pub(super) fn finish(&self) -> ExitCode {
        println!("\n== summary");
        for (title, outcome, took) in &self.stages {
            println!("{:>12}  {title}: {}", process::words(*took), outcome.words());
        }
        let total =
            |count: fn(&Outcome) -> usize| self.stages.iter().map(|stage| count(&stage.1)).sum::<usize>();
        let (passed, failed) = (total(|outcome| outcome.passed), total(|outcome| outcome.failed));
        println!("{passed} passed, {failed} failed");
        if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

impl Outcome {
    fn words(&self) -> String {
        match *self {
            Self { passed: 0, failed: 0, .. } => "done".to_owned(),
            Self { passed, failed, ignored: 0 } => format!("{passed} passed, {failed} failed"),
            Self { passed, failed, ignored } => {
                format!("{passed} passed, {failed} failed, {ignored} ignored")
            }
        }
    }
}

/// A run that ends badly without a failed test did not compile or crashed; one without tests tested nothing.
fn judged(outcome: Outcome, success: bool) -> Result<Outcome> {
    match (success, outcome) {
        (false, Outcome { failed: 0, passed: 0, .. }) => bail!("does not compile or does not start"),
        (false, Outcome { failed: 0, .. }) => Ok(Outcome { failed: 1, ..outcome }),
        (true, Outcome { failed: 0, passed: 0, .. }) => bail!("ran no test"),
        _ => Ok(outcome),
    }
}

/// Reads `test result: ok. 3 passed; 0 failed; 1 ignored; …`.
fn result_line(line: &str) -> Option<Outcome> {
    let (_, counts) = line.trim().strip_prefix("test result: ")?.split_once(". ")?;
    let count = |name: &str| {
        let mut parts = counts.split(';').map(str::trim);
        parts.find_map(|part| part.strip_suffix(name)?.trim().parse::<usize>().ok())
    };
    Some(Outcome { passed: count("passed")?, failed: count("failed")?, ignored: count("ignored")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_lines_are_read() {
        let line =
            "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out; finished in 1s";
        assert_eq!(result_line(line), Some(Outcome { passed: 12, failed: 3, ignored: 1 }));
        let in_browser = "test result: ok. 7 passed; 0 failed; 0 ignored; 0 filtered out; finished in 0.31s";
        assert_eq!(result_line(in_browser), Some(Outcome { passed: 7, failed: 0, ignored: 0 }));
        assert_eq!(result_line("test tests::result_lines_are_read ... ok"), None);
    }

    #[test]
    fn crashes_and_empty_runs_fail() {
        let some = Outcome { passed: 3, ..Outcome::default() };
        assert!(judged(Outcome::default(), false).is_err());
        assert!(judged(Outcome::default(), true).is_err());
        assert_eq!(judged(some, false).unwrap(), Outcome { passed: 3, failed: 1, ignored: 0 });
        assert_eq!(judged(some, true).unwrap(), some);
    }
}
