//! Building the release page into dist/.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::tools::{self, PageTools};
use crate::{offline, process, rustc};

/// Builds the page and says where it is.
///
/// # Errors
/// When a tool is missing and cannot be installed, or the page does not build.
pub fn build() -> Result<()> {
    let start = Instant::now();
    let tools = PageTools::ready()?;
    if tools.wasm_opt {
        // Everything is on PATH in the right version: a download could only bring a surprise.
        process::run(tools.give_to(&mut trunk(&["--offline", "--release"])?))?;
    } else if let Err(error) = without_npm(&tools) {
        bail!("the page does not build: {error:#}");
    }
    let dist = crate::dist();
    if let Some(editor) = tools::editor()? {
        fs::copy(&editor, dist.join("editor.js"))
            .with_context(|| format!("cannot copy {}", editor.display()))?;
    }
    // Last, since it lists everything that is there.
    offline::write(&dist)?;
    eprintln!("the page is in {} ({})", dist.display(), process::words(start.elapsed()));
    Ok(())
}

fn trunk(args: &[&str]) -> Result<Command> {
    let mut command = Command::new("trunk");
    command.args(["build", "--locked"]).args(args).current_dir(crate::root());
    rustc::wrap(&mut command)?;
    Ok(command)
}

/// Without npm, trunk fetches wasm-opt itself; where that fails too the page is built without it.
fn without_npm(tools: &PageTools) -> Result<()> {
    let mut command = trunk(&["--offline=false", "--release"])?;
    let mut child = tools
        .give_to(&mut command)
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{}`", process::line(&command)))?;
    let mut about_wasm_opt = false;
    // Trunk reports on its standard output, faults too.
    for line in BufReader::new(child.stdout.take().context("no pipe")?).lines() {
        let line = line.context("cannot read what trunk says")?;
        about_wasm_opt |= line.contains("wasm-opt");
        eprintln!("{line}");
    }
    let status = child.wait().context("cannot wait for trunk")?;
    if status.success() {
        return Ok(());
    }
    if !about_wasm_opt {
        bail!("`{}` failed ({status})", process::line(&command));
    }
    eprintln!(
        "\nwasm-opt could not be fetched: the page is built without it. It works, and is larger by about a \
         fifth; with node and npm installed, the next build uses binaryen from npm.\n"
    );
    // Trunk runs wasm-opt in its release mode only; cargo's release profile is another switch.
    process::run(tools.give_to(&mut trunk(&["--offline", "--cargo-profile", "release", "--minify"])?))
}
