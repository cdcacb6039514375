//! Packages of Python that Napkin is compared with, each set in a virtual environment of its own.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use super::cache;
use napkin_site::offline;

use crate::process;

/// A Python that has these packages, each with its version (`numpy==2.4.6`), installed where that is needed.
///
/// # Errors
/// When there is no python3 with venv and pip, or they cannot be fetched.
pub fn with(packages: &[&str]) -> Result<PathBuf> {
    let program = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    let name = format!("python-{}", offline::hash(packages.join(" ").as_bytes()));
    let folder = cache::folder(&name, |staging| {
        let python = if cfg!(windows) { "python" } else { "python3" };
        process::run(Command::new(python).args(["-m", "venv"]).arg(staging))?;
        let mut pip = Command::new(staging.join(program));
        process::run(pip.args(["-m", "pip", "install", "--quiet", "--only-binary=:all:"]).args(packages))
    })?;
    Ok(folder.join(program))
}
