//! A lecturer's own file as a site: served while it is written, and as a folder for any host.

mod export;
mod lecture;
mod serve;

use std::path::{Path, PathBuf};

pub(crate) use export::export;
pub(crate) use serve::serve;

use crate::failure::Failure;

/// The site that `cargo xtask build` writes into the checkout that this program is of.
const BUILT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../dist");

/// The folder of the built site: the one that was named, or that of the checkout.
fn built(named: Option<&Path>) -> Result<PathBuf, Failure> {
    let folder = named.map_or_else(|| PathBuf::from(BUILT), Path::to_path_buf);
    if ["napkin-app_bg.wasm", "tools.html"].iter().all(|name| folder.join(name).is_file()) {
        return Ok(folder);
    }
    Err(Failure::Work(match named {
        Some(folder) => format!("--site {}: there is no built site", folder.display()),
        None => {
            "the site is not built: `cargo xtask build` writes it, and --site names another folder".to_owned()
        }
    }))
}
