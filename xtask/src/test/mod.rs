//! `cargo xtask test`: every lint and every test, in an order that compiles each thing once.

mod report;

use std::env;
use std::process::{Command, ExitCode};

use anyhow::{Result, anyhow};
use clap::ValueEnum;

use crate::browser::{self, Browser};
use crate::page::{self, For};
use crate::{WASM, process, size, steps, tools};
use report::{Outcome, Report};

/// How long the wasm tests of one binary may take in the browser; software WebGPU is slow.
const BROWSER_TEST_SECS: &str = "900";

/// A part of the tests that can be run alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Formatting, and clippy for this machine and for browsers
    Lint,
    /// Everything that runs natively, GPU kernels on every adapter that Vulkan offers
    Native,
    /// Python natively, which is a part of `native`
    Python,
    /// The engine in Chromium
    Engine,
    /// The site in Chromium, after it was built
    Page,
}

/// What each stage is called, and about how many seconds it takes on two cores when nothing is compiled.
const NEEDS: (&str, u64) = ("what the tests need", 60);
const FORMATTING: (&str, u64) = ("formatting", 5);
const COMPILING: (&str, u64) = ("compiling what runs natively", 420);
const NATIVE: (&str, u64) = ("unit and kernel tests, native", 90);
const PYTHON: (&str, u64) = ("tests of Python, native", 420);
const RUNNER: (&str, u64) = ("compiling what runs tests in Chromium", 30);
const ENGINE: (&str, u64) = ("tests of the engine in Chromium", 180);
const LINTS: [(&str, u64); 3] =
    [("clippy, native", 120), ("clippy, wasm", 120), ("clippy, wasm with relaxed SIMD", 10)];
const COMPILING_PAGE: (&str, u64) = ("compiling the end-to-end tests", 60);
const PAGE: (&str, u64) = ("end-to-end tests in Chromium", 600);

/// Installs what the named parts need, or all of them, runs them, and ends with one line of counts.
///
/// # Errors
/// When something the tests need is missing and cannot be installed: then nothing runs.
pub fn run(parts: &[Part]) -> Result<ExitCode> {
    let has = |part| if parts.is_empty() { part != Part::Python } else { parts.contains(&part) };
    let stages = [
        (true, &[NEEDS][..]),
        (has(Part::Lint), &[FORMATTING]),
        (has(Part::Native), &[COMPILING, NATIVE]),
        (has(Part::Python), &[PYTHON]),
        (has(Part::Engine), &[RUNNER, ENGINE]),
        (has(Part::Lint), &LINTS),
        (has(Part::Page), &[COMPILING_PAGE, PAGE]),
    ];
    let stages = stages.into_iter().filter(|(is_wanted, _)| *is_wanted).flat_map(|(_, stages)| stages);
    let mut plan: Vec<_> = stages.map(|(name, secs)| ((*name).to_owned(), *secs)).collect();
    if has(Part::Page) {
        plan.extend(page::steps(For::Host)?);
    }
    steps::plan("Testing; the site is built beside", &plan);

    let mut report = Report::default();
    let browser = steps::step(NEEDS.0, || {
        let browser = browser::ready()?;
        // It comes from npm, which may have come just now.
        tools::axe_source()?;
        Ok(browser)
    })?;
    if has(Part::Lint) {
        report.check(FORMATTING.0, &mut cargo(&["fmt", "--all", "--check"]));
    }
    if has(Part::Native) {
        report.check(COMPILING.0, &mut native(&["--no-run"]));
    }
    std::thread::scope(|scope| {
        // Linking its programs leaves most cores idle, and it asks for little that is compiled here.
        let site = has(Part::Page).then(|| scope.spawn(|| page::build(For::Host)));
        if has(Part::Native) {
            // Kernels run on every adapter that Vulkan offers, llvmpipe among them.
            report.tests(NATIVE.0, &mut native(&["--no-fail-fast"]));
        }
        if has(Part::Python) {
            report.tests(PYTHON.0, &mut cargo(&["test", "--locked", "-p", "napkin-python"]));
        }
        if has(Part::Engine) {
            report.check(RUNNER.0, &mut cargo(&["build", "--locked", "-p", "wasm-test-runner"]));
            report.tests(ENGINE.0, &mut engine(&browser));
        }
        if has(Part::Lint) {
            lints(&mut report);
        }
        if let Some(site) = site {
            report.check(COMPILING_PAGE.0, &mut end_to_end(&["--no-run"]));
            let built = site.join().unwrap_or_else(|_| Err(anyhow!("it panicked")));
            report.stage("the site", || built.map(|()| Outcome { passed: 1, ..Outcome::default() }));
            in_the_browser(&mut report, &browser);
        }
    });
    Ok(report.finish())
}

fn cargo(args: &[&str]) -> Command {
    let mut command = process::cargo();
    command.args(args);
    // Mesa complains of a missing one with every device that it opens, and says nothing else with it.
    if cfg!(target_os = "linux") && env::var_os("XDG_RUNTIME_DIR").is_none() {
        command.env("XDG_RUNTIME_DIR", env::temp_dir());
    }
    command
}

fn lints(report: &mut Report) {
    let clippy = |args: &[&str]| {
        let mut command = cargo(&["clippy", "--locked", "--all-targets"]);
        command.args(args).args(["--", "-D", "warnings"]);
        command
    };
    let [native, wasm, relaxed] = LINTS.map(|(name, _)| name);
    report.check(native, &mut clippy(&["--workspace"]));
    let members = ["napkin-app", "napkin-worker", "napkin-python-worker", "napkin-engine"];
    let args: Vec<_> =
        ["--target", WASM].into_iter().chain(members.iter().flat_map(|name| ["-p", name])).collect();
    report.check(wasm, &mut clippy(&args));
    // Only the engine has code of its own for it.
    let args = ["clippy", "--locked", "-p", "napkin-engine", "--features", "relaxed-simd", "--target", WASM];
    report.check(relaxed, cargo(&args).args(["--", "-D", "warnings"]));
}

/// All but the tests of the page, whose driver changes how JSON is written. Naming single members instead would choose
/// other features of what they use, and compile all of it again.
fn native(args: &[&str]) -> Command {
    let mut command = cargo(&["test", "--locked", "--workspace", "--exclude", "napkin-tests"]);
    command.args(args);
    command
}

fn end_to_end(args: &[&str]) -> Command {
    let mut command = cargo(&["test", "--locked", "-p", "napkin-tests"]);
    command.args(args);
    command
}

fn engine(browser: &Browser) -> Command {
    let mut command = cargo(&["test", "--locked", "--no-fail-fast", "--target", WASM]);
    command.args(["-p", "napkin-engine", "--test", "web"]);
    command
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", process::built("wasm-test-runner"))
        .env("CHROMEDRIVER", &browser.chromedriver)
        .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", crate::root().join("webdriver.json"))
        .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60")
        .env("WASM_BINDGEN_TEST_TIMEOUT", BROWSER_TEST_SECS);
    command
}

fn in_the_browser(report: &mut Report, browser: &Browser) {
    report.stage("size of the modules", || {
        let findings = size::check()?;
        Ok(Outcome { passed: findings.kept, failed: findings.broken, ..Outcome::default() })
    });
    let mut command = end_to_end(&["--no-fail-fast"]);
    command.env("CHROME", &browser.chromium).env("CHROMEDRIVER", &browser.chromedriver);
    // An error says which step failed; the frames of an async runtime say nothing.
    command.env("RUST_LIB_BACKTRACE", "0");
    report.tests(PAGE.0, &mut command);
}
