//! The programs and packages that build and test the page, in versions that are known to work together.

mod cache;
pub mod npm;
mod packages;
pub mod python;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::{WASM, process, steps};

pub use packages::packages;

/// The wasm-opt that shrinks modules; Debian's own (108) succeeds and writes broken wasm.
///
/// # Errors
/// When it is not there and cannot be installed.
pub fn wasm_opt() -> Result<PathBuf> {
    let program = if cfg!(windows) { ".bin/wasm-opt.cmd" } else { ".bin/wasm-opt" };
    Ok(tools()?.join(program))
}

/// A script that pages run in tests.
#[derive(Clone, Copy, Debug)]
pub enum Script {
    /// axe-core, which finds what hinders accessibility.
    Axe,
    /// Testing Library, which finds elements by their roles and accessible names.
    TestingLibrary,
}

impl Script {
    /// Its source.
    ///
    /// # Errors
    /// When it is not there and cannot be installed.
    pub fn source(self) -> Result<String> {
        let file = tools()?.join(match self {
            Self::Axe => "axe-core/axe.min.js",
            Self::TestingLibrary => "@testing-library/dom/dist/@testing-library/dom.umd.min.js",
        });
        fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))
    }
}

fn tools() -> Result<PathBuf> {
    npm::installed(&crate::root().join("xtask/npm"))
}

/// Adds the wasm target to the pinned toolchain where rustup left it out.
///
/// # Errors
/// When it is missing and rustup is too.
pub fn wasm_target() -> Result<()> {
    let libdir = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", WASM])
        .current_dir(crate::root())
        .output()
        .context("cannot ask rustc for the wasm target")?;
    let folder = String::from_utf8_lossy(&libdir.stdout).trim().to_owned();
    let mut entries = fs::read_dir(folder).into_iter().flatten().flatten();
    if entries.any(|entry| entry.file_name().to_string_lossy().starts_with("libcore-")) {
        return Ok(());
    }
    steps::say(&format!("The target {WASM} is missing: the page is compiled for it. Installing it."));
    process::run(Command::new("rustup").args(["target", "add", WASM]).current_dir(crate::root()))
        .with_context(|| {
            format!("cannot add the target {WASM}: where there is no rustup, install it by hand")
        })
}
