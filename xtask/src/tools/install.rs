//! Installing one tool into the cache folder, so that an interrupted installation leaves nothing behind
//! that could pass for the tool.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{Source, Tool, has_npm, npm_program};
use crate::{process, steps};

/// Holds the installation of `name` for this process; the system releases it even when the process dies.
pub(super) fn lock(cache: &Path, name: &str) -> Result<File> {
    let path = cache.join(format!("{name}.lock"));
    let file = File::create(&path).with_context(|| format!("cannot create {}", path.display()))?;
    if file.try_lock().is_err() {
        steps::say(&format!("Waiting for another process that installs {name}."));
        file.lock().with_context(|| format!("cannot lock {}", path.display()))?;
    }
    Ok(file)
}

/// Installs `tool` into `folder`.
pub(super) fn into(tool: &Tool, folder: &Path) -> Result<()> {
    staged(folder, |staging| {
        match tool.source {
            Source::Npm => npm(tool, staging)?,
            Source::Cargo { krate, args, release } => prebuilt(tool, krate, staging)
                .or_else(|_| from_source(tool, krate, staging, args, release))?,
        }
        remove(&staging.join("target"))
    })
}

/// Lets `fill` fill a folder beside `folder`, then moves it there in one step.
pub(super) fn staged(folder: &Path, fill: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let mut staging = folder.as_os_str().to_owned();
    staging.push(".part");
    let staging = Path::new(&staging);
    // What an interrupted run left.
    remove(staging)?;
    fs::create_dir_all(staging).with_context(|| format!("cannot create {}", staging.display()))?;
    let filled = fill(staging);
    if filled.is_err() {
        remove(staging)?;
        return filled;
    }
    remove(folder)?;
    fs::rename(staging, folder)
        .with_context(|| format!("cannot move {} to {}", staging.display(), folder.display()))
}

pub(super) fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// Fetches a prebuilt program where cargo-binstall is there and knows one.
fn prebuilt(tool: &Tool, krate: &str, root: &Path) -> Result<()> {
    // Its `--version` asks for the version of a package.
    if process::locate("cargo-binstall").is_none() {
        bail!("cargo-binstall is not installed");
    }
    let spec = format!("{krate}@{}", tool.version);
    let mut command = Command::new("cargo-binstall");
    command.args(["--no-confirm", "--disable-strategies", "compile", "--root"]).arg(root).arg(spec);
    process::run(&mut command)?;
    if tool.whole_in(root).is_none() {
        bail!("the prebuilt {} does not run here", tool.name);
    }
    Ok(())
}

fn from_source(tool: &Tool, krate: &str, root: &Path, args: &[&str], release: &[(&str, &str)]) -> Result<()> {
    let mut command = process::cargo();
    command.args(["install", krate, "--version", tool.version, "--root"]).arg(root).args(args);
    // In the staging folder: /tmp may be small, and a target folder set by the user is not ours to fill.
    command.env("CARGO_TARGET_DIR", root.join("target"));
    for (key, value) in release {
        command.env(format!("CARGO_PROFILE_RELEASE_{key}"), value);
    }
    process::run(&mut command)
}

fn npm(tool: &Tool, prefix: &Path) -> Result<()> {
    if !has_npm() {
        bail!("it comes from npm: install node with npm (Debian and Ubuntu: apt-get install nodejs npm)");
    }
    let spec = format!("{}@{}", tool.name, tool.version);
    let mut command = Command::new(npm_program());
    command.args(["install", "--global", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"]);
    process::run(command.arg(prefix).arg(spec))
}
