//! `cargo xtask test`: every lint and every test, in an order that compiles each thing once.

mod native;
mod report;

use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::mpsc;

use anyhow::{Context, Result, anyhow};
use clap::ValueEnum;

use crate::browser::{self, Browser};
use crate::page::{self, For};
use crate::tools::Script;
use crate::{WASM, process, size, steps};
use native::TestProgram;
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
const NEEDS: (&str, u64) = ("what the tests need", 30);
const FORMATTING: (&str, u64) = ("formatting", 5);
const COMPILING: (&str, u64) = ("compiling and linting what runs natively", 600);
const NATIVE: (&str, u64) = ("unit and kernel tests, native", 90);
const PYTHON: (&str, u64) = ("tests of Python, native", 60);
const ENGINE: (&str, u64) = ("tests of the engine in Chromium", 120);
const LINT: (&str, u64) = ("clippy, wasm", 120);
const PAGE: (&str, u64) = ("end-to-end tests in Chromium", 600);

/// Installs what the named parts need, or all of them, runs them, and ends with one line of counts.
///
/// # Errors
/// When something the tests need is missing and cannot be installed: then nothing runs.
pub fn run(parts: &[Part]) -> Result<ExitCode> {
    let has = |part| parts.is_empty() || parts.contains(&part);
    let has_native = has(Part::Native);
    // Where the site and the tests of the engine are compiled, clippy has been there.
    let has_lint = has(Part::Lint) && !(has(Part::Page) && has(Part::Engine));
    let stages = [
        (true, &[NEEDS][..]),
        (has(Part::Lint), &[FORMATTING]),
        (true, &[COMPILING]),
        (has_native, &[NATIVE]),
        (has_native || has(Part::Python), &[PYTHON]),
        (has(Part::Engine), &[ENGINE]),
        (has_lint, &[LINT]),
        (has(Part::Page), &[PAGE]),
    ];
    let stages = stages.into_iter().filter(|(is_wanted, _)| *is_wanted).flat_map(|(_, stages)| stages);
    let mut plan: Vec<_> = stages.map(|(name, secs)| ((*name).to_owned(), *secs)).collect();
    if has(Part::Page) {
        plan.extend(page::steps(For::Tests)?);
    }
    steps::plan("Testing; the site is built beside", &plan);

    let mut report = Report::default();
    let browser = steps::step(NEEDS.0, || {
        let browser = browser::ready()?;
        // They come from npm, which may have come just now.
        Script::Axe.source()?;
        browser.write_capabilities(&capabilities())?;
        Ok(browser)
    })?;
    if has(Part::Lint) {
        report.check(FORMATTING.0, &mut cargo(&["fmt", "--all", "--check"]));
    }
    std::thread::scope(|scope| {
        // The modules are compiled beside what runs natively, whose largest crates leave a core idle; the pages need the app.
        let (app, compiled) = mpsc::channel();
        let site = has(Part::Page).then(|| {
            scope.spawn(|| {
                page::build(For::Tests, move || compiled.recv().context("the app does not compile"))
            })
        });
        let mut programs = Vec::new();
        report.stage(COMPILING.0, || {
            programs = native::compile(selection(parts))?;
            Ok(Outcome { passed: 1, ..Outcome::default() })
        });
        if programs.is_empty() {
            drop(app);
        } else {
            let _ = app.send(process::built("napkin-app"));
        }
        let of = |wanted: &dyn Fn(&TestProgram) -> bool| {
            programs.iter().filter(|program| wanted(program)).map(TestProgram::command).collect::<Vec<_>>()
        };
        if has_native {
            // Kernels run on every adapter that Vulkan offers, llvmpipe among them.
            report.tests(NATIVE.0, of(&|it| !it.is_of("tests") && !has_interpreters(it)), 1);
        }
        if has_native || has(Part::Python) {
            // Within a program the tests wait for each other: one thread at a time has an interpreter.
            let at_once = std::thread::available_parallelism().map_or(1, usize::from);
            report.tests(PYTHON.0, of(&has_interpreters), at_once);
        }
        if has(Part::Engine) {
            report.tests(ENGINE.0, [engine(&browser)], 1);
        }
        if has_lint {
            report.check(LINT.0, &mut lint());
        }
        if let Some(site) = site {
            let built = site.join().unwrap_or_else(|_| Err(anyhow!("it panicked")));
            report.stage("the site", || built.map(|()| Outcome { passed: 1, ..Outcome::default() }));
            in_the_browser(&mut report, &browser, of(&|it| it.is_of("tests")));
        }
    });
    Ok(report.finish())
}

/// What is compiled natively for these parts. It is always chosen from the whole workspace: to name packages would choose
/// other features of what they use, and compile all of it again. With a package's integration tests come its programs:
/// with `invariants` the runner of tests in Chromium, with `drawings` the app, with `terminal` that for the terminal.
fn selection(parts: &[Part]) -> &'static [&'static str] {
    match parts {
        [Part::Engine] => &["--workspace", "--test", "invariants"],
        [Part::Page] => &[
            "--workspace",
            "--test",
            "e2e",
            "--test",
            "invariants",
            "--test",
            "drawings",
            "--test",
            "terminal",
        ],
        _ => &["--workspace", "--all-targets"],
    }
}

fn has_interpreters(program: &TestProgram) -> bool {
    program.is_of("python") || program.is_of("export")
}

fn cargo(args: &[&str]) -> Command {
    let mut command = process::cargo();
    command.args(args);
    command
}

/// What only browsers compile.
fn lint() -> Command {
    let mut command = cargo(&["clippy", "--locked", "--all-targets", "--target", WASM]);
    command.args([
        "-p",
        "napkin-app",
        "-p",
        "napkin-prose",
        "-p",
        "napkin-worker",
        "-p",
        "napkin-python-worker",
        "-p",
        "napkin-engine",
    ]);
    command.args(["--", "-D", "warnings"]);
    command
}

/// What wasm-bindgen's runner of tests asks chromedriver for.
fn capabilities() -> PathBuf {
    crate::target().join("webdriver.json")
}

fn engine(browser: &Browser) -> Command {
    let mut command = cargo(&["test", "--locked", "--no-fail-fast", "--target", WASM]);
    command.args(["-p", "napkin-engine", "--test", "web"]);
    process::lint(&mut command);
    command
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", process::built("wasm-test-runner"))
        .env("CHROMEDRIVER", &browser.chromedriver)
        .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", capabilities())
        .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60")
        .env("WASM_BINDGEN_TEST_TIMEOUT", BROWSER_TEST_SECS);
    command
}

fn in_the_browser(report: &mut Report, browser: &Browser, programs: Vec<Command>) {
    report.stage("size of the modules", || {
        let findings = size::check()?;
        Ok(Outcome { passed: findings.kept, failed: findings.broken, ..Outcome::default() })
    });
    let programs = programs.into_iter().map(|mut program| {
        program.env("CHROME", &browser.chromium).env("CHROMEDRIVER", &browser.chromedriver);
        // An error says which step failed; the frames of an async runtime say nothing.
        program.env("RUST_LIB_BACKTRACE", "0");
        program
    });
    report.tests(PAGE.0, programs, 1);
}
