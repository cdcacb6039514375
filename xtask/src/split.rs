//! The page's module in two: what the first screen needs, and what is fetched when something is to be drawn
//! (`app/src/live.rs` says where they are parted).

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use wasm_split_cli_support::{Options, transform};

/// The feature of the app with which it is compiled for this.
pub const FEATURE: &str = "split";

/// What the linker has to leave in the module for it: which bytes of it are addresses.
pub const LINK: &str = "-Clink-arg=--emit-relocs";

/// A module in parts.
pub struct Parted {
    /// What wasm-bindgen reads next, and which is no file of the site.
    pub main: PathBuf,
    /// The other modules.
    pub others: Vec<PathBuf>,
}

/// Writes the parts of a module, and the JavaScript that fetches them, into the folder.
///
/// # Errors
/// When it is no module, or was not compiled for this.
pub fn part(compiled: &Path, bin: &str, folder: &Path) -> Result<Parted> {
    let whole = fs::read(compiled).with_context(|| format!("cannot read {}", compiled.display()))?;
    let (main, script) = (compiled.with_extension("main.wasm"), format!("./{bin}.js"));
    let mut options = Options::new(&whole);
    options.output_dir = folder;
    options.main_out_path = &main;
    options.main_module = &script;
    let parted =
        transform(options).map_err(|why| anyhow!("{} cannot be split: {why:#}", compiled.display()))?;
    Ok(Parted { main, others: parted.split_modules })
}
