//! What the pages show before any wasm has arrived, written by the same components natively.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;

/// Lectures are files that others import and that end by calling `main`.
const CALL: &str = "if __name__ == \"__main__\":";

/// Runs the lectures and writes every page, into target/prerender.
///
/// # Errors
/// When a lecture fails, or something cannot be written.
pub fn everything() -> Result<()> {
    let target = crate::root().join("target/prerender");
    let [napkin, app] = programs()?;
    lectures(&napkin, &target)?;
    process::run(&mut Command::new(app))
}

/// Each lecture as it is, and what it did line by line.
fn lectures(napkin: &Path, target: &Path) -> Result<()> {
    let (to, scratch) = (target.join("lectures"), target.join("scratch"));
    for folder in [&to, &scratch] {
        if folder.exists() {
            fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
        }
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let from = crate::root().join("public/lectures");
    let entries = fs::read_dir(&from).with_context(|| format!("cannot read {}", from.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>>>()?;
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|end| end == "py")) {
        let name = path.file_name().context("a path without a name")?;
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        fs::write(to.join(name), &text).with_context(|| format!("cannot write {}", name.display()))?;
        if text.contains(CALL) {
            let trace = to.join(name).with_extension("json");
            // What a lecture writes goes where it is in nobody's way; what it prints is in its trace.
            let mut command = Command::new(napkin);
            command.arg("run").arg(path).arg("--trace").arg(trace).current_dir(&scratch);
            process::run(command.stdout(std::process::Stdio::null()))?;
        }
    }
    Ok(())
}

/// The terminal program, and the app as it writes its pages.
fn programs() -> Result<[PathBuf; 2]> {
    let names = ["napkin", "napkin-app"];
    let mut build = process::cargo();
    // With the other members, as they are tested: then what the tests have compiled is good for them.
    build.args(["build", "--quiet", "--locked", "--workspace", "--exclude", "napkin-tests"]);
    process::run(build.args(names.iter().flat_map(|name| ["--bin", name])))?;
    Ok(names
        .map(|name| crate::target().join("debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))))
}
