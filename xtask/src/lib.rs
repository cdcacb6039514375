//! The parts of `cargo xtask`; the end-to-end tests use the tools too.

use std::path::{Path, PathBuf};

pub mod bench;
pub mod browser;
pub mod lectures;
pub mod page;
pub mod prerender;
pub mod process;
pub mod serve;
pub mod size;
mod split;
pub mod steps;
pub mod test;
pub mod tools;
mod unused;

/// The target that runs in browsers.
pub const WASM: &str = "wasm32-unknown-unknown";

/// The folder of the checkout.
pub fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_path_buf()
}

/// The folder that the page is built into.
pub fn dist() -> PathBuf {
    root().join("dist")
}

/// The folder that cargo compiles into.
pub fn target() -> PathBuf {
    let named = std::env::var_os("CARGO_TARGET_DIR").and_then(|folder| std::path::absolute(folder).ok());
    named.unwrap_or_else(|| root().join("target"))
}
