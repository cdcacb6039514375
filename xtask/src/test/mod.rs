//! `cargo xtask test`: every lint and every test, in an order that compiles each thing once.

mod beside;
mod report;

use std::env;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::browser::{self, Browser};
use crate::{WASM, process, size, tools};
use beside::Beside;
use report::{Outcome, Report};

/// How long the wasm tests of one binary may take in the browser; software WebGPU is slow.
const BROWSER_TEST_SECS: &str = "900";

/// Installs what the tests need, runs everything, and ends with one line of counts.
///
/// # Errors
/// When something the tests need is missing and cannot be installed: then nothing runs.
pub fn everything() -> Result<ExitCode> {
    let mut report = Report::default();
    let needs = report.stage_with("what the tests need", || {
        let needs = (browser::ready()?, tools::test_runner()?);
        tools::axe_source()?;
        Ok(needs)
    })?;
    let (browser, runner) = needs;

    formatting(&mut report);
    report.check("compiling what runs natively", &mut native(&["--no-run"]));
    // Linking its programs leaves most cores idle. What it asks of `target/debug` is compiled already, and it asks for
    // that before clippy needs the lock.
    let page = the_page();
    // Kernels run on every adapter that Vulkan offers, llvmpipe among them.
    report.tests("unit and kernel tests, native", &mut native(&["--no-fail-fast"]));
    wasm(&mut report, &runner, &browser);
    lints(&mut report);
    report.check("compiling the end-to-end tests", &mut end_to_end(&["--no-run"]));
    report.stage("the page, built beside", || {
        page?.finish()?;
        Ok(Outcome { passed: 1, ..Outcome::default() })
    });
    in_the_browser(&mut report, &browser);
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

fn formatting(report: &mut Report) {
    report.check("formatting", &mut cargo(&["fmt", "--all", "--check"]));
}

fn lints(report: &mut Report) {
    let clippy = |args: &[&str]| {
        let mut command = cargo(&["clippy", "--locked", "--all-targets"]);
        command.args(args).args(["--", "-D", "warnings"]);
        command
    };
    report.check("clippy, native", &mut clippy(&["--workspace"]));
    let members = ["napkin-app", "napkin-worker", "napkin-python-worker", "napkin-engine"];
    let wasm: Vec<_> =
        ["--target", WASM].into_iter().chain(members.iter().flat_map(|name| ["-p", name])).collect();
    report.check("clippy, wasm", &mut clippy(&wasm));
    // Only the engine has code of its own for it.
    let relaxed =
        ["clippy", "--locked", "-p", "napkin-engine", "--features", "relaxed-simd", "--target", WASM];
    report.check("clippy, wasm with relaxed SIMD", cargo(&relaxed).args(["--", "-D", "warnings"]));
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

/// `cargo xtask build`, as a reader would call it.
fn the_page() -> Result<Beside> {
    let this = env::current_exe().context("cannot say where this program is")?;
    Beside::start("page", Command::new(this).arg("build"))
}

fn wasm(report: &mut Report, runner: &Path, browser: &Browser) {
    let mut command = cargo(&["test", "--locked", "--no-fail-fast", "--target", WASM]);
    command.args(["-p", "napkin-engine", "--test", "web"]);
    command
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner)
        .env("CHROMEDRIVER", &browser.chromedriver)
        .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", crate::root().join("webdriver.json"))
        .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60")
        .env("WASM_BINDGEN_TEST_TIMEOUT", BROWSER_TEST_SECS);
    report.tests("tests of the engine in Chromium", &mut command);
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
    report.tests("end-to-end tests in Chromium", &mut command);
}
