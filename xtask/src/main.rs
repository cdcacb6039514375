//! `cargo xtask`: everything that a checkout needs beyond cargo itself.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use xtask::{budget, page, prerender, process, rustc, serve, test};

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "Builds, serves and tests Napkin")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build the release page and serve it on this machine
    Serve {
        /// Port to listen on [default: 8080, or a free one when 8080 is taken]
        #[arg(long)]
        port: Option<u16>,
        /// Open the page in the default browser
        #[arg(long)]
        open: bool,
    },
    /// Write the static site into dist/; any static host can serve it from any path
    Build,
    /// Run the lectures and write both pages as they read at first into target/prerender; `build` does it by itself
    Prerender,
    /// Install what the tests need, then run every test and every lint
    Test,
    /// Compare the built page with the committed size budgets
    Budget {
        /// Write the sizes of the built page into budgets.json
        #[arg(long)]
        write: bool,
    },
    /// Take pictures of every cell, narrow and wide, light and dark, into target/screenshots
    Screenshots,
}

fn main() -> ExitCode {
    if let Some(code) = rustc::stand_in() {
        return code;
    }
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
                page::build()?;
                serve::until_interrupted(port, open)?;
            }
            Self::Build => page::build()?,
            Self::Prerender => prerender::everything()?,
            Self::Test => return test::everything(),
            Self::Budget { write } => {
                if write {
                    budget::write()?;
                } else if !budget::check()?.passed() {
                    return Ok(ExitCode::FAILURE);
                }
            }
            Self::Screenshots => {
                page::build()?;
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
