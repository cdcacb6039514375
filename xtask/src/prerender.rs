//! What the pages show before any wasm has arrived, written by the same components natively.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::steps::step;
use crate::{lectures, process};

/// What [`app`] is called as a step, and about how many seconds it takes on two cores.
pub const APP: (&str, u64) = ("the app, natively", 120);

/// Compiles the app natively.
///
/// # Errors
/// When it does not compile.
pub fn app() -> Result<PathBuf> {
    step(APP.0, || {
        process::run(process::cargo().args(["build", "--quiet", "--locked", "--package", "napkin-app"]))?;
        Ok(process::built("napkin-app"))
    })
}

/// Modules of Python's own library and of ours that its worker fetches when they are imported, a path on each line.
const FETCHED: &str = include_str!("../../python/fetched.txt");

/// Writes every page, into target/prerender, by the app compiled natively, and beside them the lectures' traces and the
/// part of Python's library that is not compiled into its worker.
///
/// # Errors
/// When something cannot be written.
pub fn everything(app: &Path) -> Result<()> {
    let target = crate::root().join("target/prerender");
    if target.exists() {
        fs::remove_dir_all(&target).with_context(|| format!("cannot remove {}", target.display()))?;
    }
    let traces = target.join("lectures");
    fs::create_dir_all(&traces).with_context(|| format!("cannot make {}", traces.display()))?;
    lectures::copy(&lectures::folder(), &traces)?;
    for path in FETCHED.lines() {
        let to = target.join("library").join(path);
        fs::create_dir_all(to.parent().unwrap_or(&target))
            .with_context(|| format!("cannot make {}", to.display()))?;
        let ours = crate::root().join("python/lib").join(path);
        let from = if ours.exists() { ours } else { Path::new(rustpython_pylib::LIB_PATH).join(path) };
        fs::copy(&from, &to).with_context(|| format!("cannot copy {}", from.display()))?;
    }
    process::run(Command::new(app).arg(target))
}
