//! The editor that the page loads: `app/editor` with its packages from npm, bundled once for each state of its files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use super::{cache, has_npm, install, npm_program};
use crate::{offline, process};

/// What the bundle is made of; each is a part of its name in the cache.
const PARTS: [&str; 3] = ["package.json", "package-lock.json", "editor.js"];

/// The name of the bundle.
const BUNDLE: &str = "editor.js";

/// The bundled editor; `None` where it would have to be made and npm is missing or cannot reach its packages: the page
/// then has a plain field in its place.
///
/// # Errors
/// When the cache folder cannot be used.
pub fn editor() -> Result<Option<PathBuf>> {
    let source = crate::root().join("app/editor");
    let mut parts = Vec::new();
    for part in PARTS {
        let path = source.join(part);
        parts.extend(fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?);
    }
    let name = format!("editor-{}", offline::hash(&parts));
    let cache = cache()?;
    let folder = cache.join(&name);
    let bundle = folder.join(BUNDLE);
    if bundle.is_file() {
        return Ok(Some(bundle));
    }
    if !has_npm() {
        eprintln!("the editor's packages come from npm, which is not here: the page edits in a plain field");
        return Ok(None);
    }
    fs::create_dir_all(&cache).with_context(|| format!("cannot create {}", cache.display()))?;
    let _lock = install::lock(&cache, &name)?;
    if !bundle.is_file() {
        eprintln!("\nBundling the editor, once for each version of it (a few seconds).");
        let start = Instant::now();
        if let Err(error) = install::staged(&folder, |staging| make(&source, staging)) {
            eprintln!("the editor cannot be bundled, the page edits in a plain field: {error:#}");
            return Ok(None);
        }
        eprintln!("editor bundled in {}.\n", process::words(start.elapsed()));
    }
    Ok(Some(bundle))
}

fn make(source: &Path, staging: &Path) -> Result<()> {
    let work = staging.join("work");
    fs::create_dir_all(&work).with_context(|| format!("cannot create {}", work.display()))?;
    for part in PARTS {
        fs::copy(source.join(part), work.join(part)).with_context(|| format!("cannot copy {part}"))?;
    }
    let npm = |args: &[&str]| {
        let mut command = Command::new(npm_program());
        process::run(command.args(args).arg("--loglevel=error").current_dir(&work))
    };
    // As the lock file says, and without scripts of the packages: the bundler needs none.
    npm(&["ci", "--ignore-scripts", "--no-audit", "--no-fund"])?;
    npm(&["run", "--silent", "bundle"])?;
    let made = work.join("bundle").join(BUNDLE);
    ensure!(made.is_file(), "the bundler wrote no {BUNDLE}");
    fs::rename(&made, staging.join(BUNDLE)).with_context(|| format!("cannot move {}", made.display()))?;
    install::remove(&work)
}
