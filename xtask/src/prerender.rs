//! What the pages show before any wasm has arrived, written by the same components natively.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use crate::{lectures, process};

/// Writes every page, into target/prerender, with the lectures' traces beside them.
///
/// # Errors
/// When the app does not compile, or something cannot be written.
pub fn everything() -> Result<()> {
    let target = crate::root().join("target/prerender");
    let to = target.join("lectures");
    if to.exists() {
        fs::remove_dir_all(&to).with_context(|| format!("cannot remove {}", to.display()))?;
    }
    fs::create_dir_all(&to).with_context(|| format!("cannot make {}", to.display()))?;
    lectures::copy(&lectures::folder(), &to)?;
    process::run(process::cargo().args(["build", "--quiet", "--locked", "--package", "napkin-app"]))?;
    process::run(Command::new(process::built("napkin-app")).arg(target))
}
