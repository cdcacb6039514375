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

/// Writes every page, into target/prerender, with the lectures' traces beside them, by the app compiled natively.
///
/// # Errors
/// When something cannot be written.
pub fn everything(app: &Path) -> Result<()> {
    let target = crate::root().join("target/prerender");
    let to = target.join("lectures");
    if to.exists() {
        fs::remove_dir_all(&to).with_context(|| format!("cannot remove {}", to.display()))?;
    }
    fs::create_dir_all(&to).with_context(|| format!("cannot make {}", to.display()))?;
    lectures::copy(&lectures::folder(), &to)?;
    process::run(Command::new(app).arg(target))
}
