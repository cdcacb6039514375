//! Running stages and counting what passed.

use std::collections::VecDeque;
use std::iter::Sum;
use std::ops::Add;
use std::process::{Command, ExitCode};
use std::sync::{Mutex, PoisonError};
use std::thread::ScopedJoinHandle;

use anyhow::{Result, anyhow, bail};

use crate::{process, steps};

/// Counts of one stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Outcome {
    pub passed: usize,
    pub failed: usize,
    pub ignored: usize,
}

/// The counts so far.
#[derive(Debug, Default)]
pub(super) struct Report(Outcome);

impl Report {
    /// Runs a stage; an error counts as one failure, and the stages after it run.
    pub(super) fn stage(&mut self, title: &str, body: impl FnOnce() -> Result<Outcome>) {
        let words = |result: &Result<Outcome>| match result {
            Ok(outcome) => outcome.words(),
            Err(_) => "FAILED: ".to_owned(),
        };
        let outcome = steps::timed(title, body, words).unwrap_or_else(|error| {
            steps::say(&format!("{error:#}"));
            Outcome { failed: 1, ..Outcome::default() }
        });
        self.0 = self.0 + outcome;
    }

    /// Runs a command that passes or fails as a whole.
    pub(super) fn check(&mut self, title: &str, command: &mut Command) {
        self.stage(title, || {
            process::run(command)?;
            Ok(Outcome { passed: 1, ..Outcome::default() })
        });
    }

    /// Runs programs of tests, so many at once, adds up their result lines, and prints what failed.
    pub(super) fn tests(&mut self, title: &str, commands: impl IntoIterator<Item = Command>, at_once: usize) {
        self.stage(title, || {
            let commands = Mutex::new(commands.into_iter().collect::<VecDeque<_>>());
            let next = || commands.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let run = || -> Result<Outcome> {
                let outcomes = std::iter::from_fn(next).map(|mut command| ran(&mut command));
                outcomes.sum()
            };
            let all = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..at_once).map(|_| scope.spawn(run)).collect();
                let join = |thread: ScopedJoinHandle<'_, _>| {
                    thread.join().unwrap_or_else(|_| Err(anyhow!("it panicked")))
                };
                threads.into_iter().map(join).sum::<Result<Outcome>>()
            })?;
            if all == Outcome::default() {
                bail!("ran no test");
            }
            Ok(all)
        });
    }

    /// Prints the counts of all.
    pub(super) fn finish(&self) -> ExitCode {
        steps::say(&format!("\n{} passed, {} failed", self.0.passed, self.0.failed));
        if self.0.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// Runs a program of tests; what failed is printed.
fn ran(command: &mut Command) -> Result<Outcome> {
    let (is_success, lines) = process::output(command)?;
    let outcome = judged(lines.iter().filter_map(|line| result_line(line)).sum(), is_success);
    if outcome.failed > 0 {
        let head = format!("`{}` fails:", process::line(command));
        let said: Vec<&str> =
            std::iter::once(head.as_str()).chain(failures(&lines).map(String::as_str)).collect();
        steps::say(&said.join("\n"));
    }
    Ok(outcome)
}

impl Sum for Outcome {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Add::add)
    }
}

impl Add for Outcome {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
            ignored: self.ignored + other.ignored,
        }
    }
}

impl Outcome {
    fn words(&self) -> String {
        match *self {
            Self { passed, failed: 0, ignored: 0 } => format!("{passed} passed: "),
            Self { passed, failed, ignored: 0 } => format!("{passed} passed, {failed} FAILED: "),
            Self { passed, failed, ignored } => {
                format!("{passed} passed, {failed} failed, {ignored} ignored: ")
            }
        }
    }
}

/// What a `cargo test` printed but for the tests that passed.
fn failures(lines: &[String]) -> impl Iterator<Item = &String> {
    lines.iter().filter(|line| !line.is_empty() && !line.ends_with(" ... ok") && !line.contains("Compiling "))
}

/// A program that ends badly without a failed test has crashed, or was never compiled.
fn judged(counted: Outcome, is_success: bool) -> Outcome {
    let has_crashed = !is_success && counted.failed == 0;
    Outcome { failed: counted.failed + usize::from(has_crashed), ..counted }
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
    fn what_failed_is_printed_and_what_passed_is_not() {
        let lines =
            ["test a ... ok", "test b ... FAILED", "", "---- b stdout ----", "no 3"].map(str::to_owned);
        assert_eq!(failures(&lines).collect::<Vec<_>>(), ["test b ... FAILED", "---- b stdout ----", "no 3"]);
    }

    #[test]
    fn crashes_fail() {
        let some = Outcome { passed: 3, ..Outcome::default() };
        assert_eq!(judged(some, true), some);
        assert_eq!(judged(some, false), Outcome { failed: 1, ..some });
        let broken = Outcome { failed: 2, ..some };
        assert_eq!(judged(broken, false), broken);
    }

    #[test]
    fn a_stage_without_tests_fails() {
        let outcome = |commands: Vec<Command>| {
            let mut report = Report::default();
            report.tests("nothing", commands, 2);
            report.0
        };
        let failed = Outcome { failed: 1, ..Outcome::default() };
        assert_eq!(outcome(Vec::new()), failed);
        let mut version = process::cargo();
        version.arg("--version");
        assert_eq!(outcome(vec![version]), failed);
    }
}
