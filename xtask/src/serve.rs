//! Serving the site while the rest of it is built, or with a lecture of the reader's own.

use std::net::TcpListener;
use std::path::Path;

use anyhow::{Context, Result, bail};
use napkin_site::server::{StaticServer, open_browser};

use crate::page::For;
use crate::{page, prerender, process, steps};

/// What the program that serves lectures is called as a step, and about how many seconds it takes on two cores.
const PROGRAM: (&str, u64) = ("the program for the terminal", 400);

/// Serves dist/ until ctrl-c, and meanwhile has the rest of it written.
///
/// # Errors
/// When the rest cannot be written.
pub fn until_interrupted(listener: TcpListener, open: bool, rest: impl FnOnce() -> Result<()>) -> Result<()> {
    let server = StaticServer::start_early(&crate::dist(), "/", listener)?;
    steps::say(&format!("Napkin is at {}  (ctrl-c stops)", server.address()));
    if open && let Err(error) = open_browser(server.address()) {
        steps::say(&format!("cannot open a browser: {error:#}"));
    }
    rest()?;
    server.finish();
    steps::say("All of it is there now: what computes, and Python.");
    server.wait();
    Ok(())
}

/// Builds the site, and has `napkin serve` show a lecture in it.
///
/// # Errors
/// When something does not compile, or the lecture cannot be served.
pub fn lecture(file: &Path, port: Option<u16>, open: bool) -> Result<()> {
    let file = std::path::absolute(file).with_context(|| format!("{} is no path", file.display()))?;
    if !file.exists() {
        bail!("there is no {}", file.display());
    }
    let mut plan = page::steps(For::Here)?;
    plan.push((PROGRAM.0.to_owned(), PROGRAM.1));
    steps::plan("Building the site for this machine, and what serves a lecture in it", &plan);
    page::build(For::Here, prerender::app)?;
    steps::step(PROGRAM.0, || {
        process::run(process::cargo().args(["build", "--quiet", "--locked", "--package", "napkin"]))
    })?;
    let mut serve = std::process::Command::new(process::built("napkin"));
    serve.arg("serve").arg(file);
    serve.args(port.iter().flat_map(|port| ["--port".to_owned(), port.to_string()]));
    serve.args(open.then_some("--open"));
    if !serve.status().context("cannot start napkin")?.success() {
        bail!("the lecture is not served");
    }
    Ok(())
}
