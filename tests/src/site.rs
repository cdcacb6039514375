//! The built page, served as a static host would serve it: below a path of its own.

use std::sync::OnceLock;

use anyhow::{Result, bail};
use napkin_site::server::StaticServer;

/// Deep enough to show every address that is not relative.
const PREFIX: &str = "/some/sub/path/";

/// The address of the site, ending in a slash. The first call starts the server.
///
/// # Errors
/// When the page has not been built.
pub fn address() -> Result<&'static str> {
    static SERVER: OnceLock<StaticServer> = OnceLock::new();
    let dist = xtask::dist();
    if !dist.join("index.html").is_file() {
        bail!("there is no page in {}: run `cargo xtask build` first", dist.display());
    }
    if let Some(server) = SERVER.get() {
        return Ok(server.address());
    }
    let server = StaticServer::start(&dist, PREFIX, 0)?;
    Ok(SERVER.get_or_init(|| server).address())
}
