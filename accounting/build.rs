//! Packs `data/hardware.json` for the program; a file that does not fit the types fails the build.

use std::path::Path;

use anyhow::Context as _;

#[allow(dead_code, reason = "the build only carries the fields from one format to the other")]
#[path = "src/hardware/record.rs"]
mod record;

fn main() -> anyhow::Result<()> {
    let file = "data/hardware.json";
    println!("cargo:rerun-if-changed={file}");
    println!("cargo:rerun-if-changed=src/hardware/record.rs");
    let text = std::fs::read_to_string(file).context(file)?;
    let catalogue: record::Catalogue = serde_json::from_str(&text).context(file)?;
    let out = std::env::var_os("OUT_DIR").context("cargo sets OUT_DIR")?;
    std::fs::write(Path::new(&out).join("hardware.postcard"), postcard::to_allocvec(&catalogue)?)?;
    Ok(())
}
