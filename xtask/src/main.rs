//! `cargo xtask`: everything that a checkout needs beyond cargo itself.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use xtask::page::For;
use xtask::{lectures, page, prerender, process, serve, size, test};

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "Builds, serves and tests Napkin")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build the site and serve it on this machine
    Serve {
        /// Port to listen on [default: 8080, or a free one when 8080 is taken]
        #[arg(long)]
        port: Option<u16>,
        /// Open the page in the default browser
        #[arg(long)]
        open: bool,
    },
    /// Write the static site into dist/; any static host can serve it from any path
    Build {
        /// Compile fast instead of small, as `serve` does
        #[arg(long)]
        local: bool,
    },
    /// Run the lectures that have changed, and write their traces beside them
    Lectures,
    /// Write every page as it reads at first into target/prerender; `build` does it by itself
    Prerender,
    /// Install what the tests need, then run every test and every lint
    Test,
    /// Print how large the modules of the built site are, and whether each is within its bound
    Size,
    /// Take pictures of every page, narrow and wide, light and dark, into target/screenshots
    Screenshots,
}

fn main() -> ExitCode {
    match Cli::parse().task.run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

impl Task {
    fn run(self) -> Result<ExitCode> {
        match self {
            Self::Serve { port, open } => {
                page::all_but_python()?;
                serve::until_interrupted(port, open, page::python)?;
            }
            Self::Build { local } => page::build(if local { For::Here } else { For::Host })?,
            Self::Lectures => lectures::run()?,
            Self::Prerender => prerender::everything()?,
            Self::Test => return test::everything(),
            Self::Size => {
                if !size::check()?.passed() {
                    return Ok(ExitCode::FAILURE);
                }
            }
            Self::Screenshots => {
                page::build(For::Here)?;
                process::run(process::cargo().args([
                    "run",
                    "--package",
                    "napkin-tests",
                    "--bin",
                    "screenshots",
                ]))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
