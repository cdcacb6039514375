//! `cargo xtask test`: every lint and every test, in an order that compiles each thing once.

mod report;

use std::env;
use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::browser::{self, Browser};
use crate::tools::{self, PageTools};
use crate::{budget, page, process};
use report::{Outcome, Report};

const WASM: &str = "wasm32-unknown-unknown";

/// How long the wasm tests of one binary may take in the browser; software WebGPU is slow.
const BROWSER_TEST_SECS: &str = "900";

/// Installs what the tests need, runs everything, and ends with one line of counts.
///
/// # Errors
/// When something the tests need is missing and cannot be installed: then nothing runs.
pub fn everything() -> Result<ExitCode> {
    let mut report = Report::default();
    let needs = report.stage_with("what the tests need", || {
        let needs = (browser::ready()?, PageTools::ready()?);
        tools::axe_source()?;
        Ok(needs)
    })?;
    let (browser, tools) = needs;

    lints(&mut report);
    native(&mut report);
    wasm(&mut report, &tools, &browser);
    the_page(&mut report, &tools, &browser);
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
    report.check("formatting", &mut cargo(&["fmt", "--all", "--check"]));
    // The page is never run natively with `csr`: compiling Leptos for that would be minutes for nothing.
    let clippy = |args: &[&str]| {
        let mut command = cargo(&["clippy", "--locked", "--all-targets"]);
        command.args(args).args(["--", "-D", "warnings"]);
        command
    };
    report.check("clippy, native", &mut clippy(&["--workspace", "--exclude", "napkin-app"]));
    report.check(
        "clippy, the page as it is rendered at build time",
        &mut clippy(&["-p", "napkin-app", "--no-default-features", "--features", "ssr"]),
    );
    let wasm = [
        "--target",
        WASM,
        "-p",
        "napkin-app",
        "-p",
        "napkin-patch",
        "-p",
        "napkin-reader",
        "-p",
        "napkin-sheets",
        "-p",
        "napkin-worker",
        "-p",
        "napkin-engine",
        "-p",
        "napkin-python-worker",
    ];
    report.check("clippy, wasm", &mut clippy(&wasm));
    report.check(
        "clippy, wasm with relaxed SIMD",
        &mut clippy(&["--target", WASM, "-p", "napkin-worker", "--features", "relaxed-simd"]),
    );
}

fn native(report: &mut Report) {
    // Everything but the page (below) and its end-to-end tests (last): kernels run on every adapter that
    // Vulkan offers, llvmpipe among them.
    let mut command = cargo(&["test", "--locked", "--no-fail-fast", "--workspace"]);
    command.args(["--exclude", "napkin-app", "--exclude", "napkin-tests"]);
    report.tests("unit and kernel tests, native", &mut command);
    let mut command = cargo(&["test", "--locked", "--no-fail-fast", "-p", "napkin-app"]);
    command.args(["--no-default-features", "--features", "ssr"]);
    report.tests("unit tests of the page", &mut command);
}

fn wasm(report: &mut Report, tools: &PageTools, browser: &Browser) {
    let mut command = cargo(&["test", "--locked", "--no-fail-fast", "--target", WASM]);
    command.args(["-p", "napkin-engine", "-p", "napkin-worker", "--test", "web"]);
    command
        .env("CHROMEDRIVER", &browser.chromedriver)
        .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", crate::root().join("webdriver.json"))
        .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60")
        .env("WASM_BINDGEN_TEST_TIMEOUT", BROWSER_TEST_SECS);
    report.tests("tests of engine and worker in Chromium", tools.give_to(&mut command));
}

fn the_page(report: &mut Report, tools: &PageTools, browser: &Browser) {
    report.stage("the page", || {
        page::build_with(tools)?;
        Ok(Outcome { passed: 1, ..Outcome::default() })
    });
    report.stage("size budgets", || {
        let findings = budget::check()?;
        Ok(Outcome { passed: findings.kept, failed: findings.broken.len(), ..Outcome::default() })
    });
    let mut command = cargo(&["test", "--locked", "--no-fail-fast", "-p", "napkin-tests"]);
    command.env("CHROME", &browser.chromium).env("CHROMEDRIVER", &browser.chromedriver);
    // An error says which step failed; the frames of an async runtime say nothing.
    command.env("RUST_LIB_BACKTRACE", "0");
    report.tests("end-to-end tests in Chromium", &mut command);
}
