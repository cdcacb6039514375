//! `cargo xtask`: everything that a checkout needs beyond cargo itself.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use xtask::page::For;
use xtask::{bench, lectures, page, prerender, process, serve, size, steps, test};

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
        /// A lecture of your own to show in it, and again whenever it is saved: a program, a trace, a folder
        file: Option<PathBuf>,
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
    /// Run all lectures, and write their traces beside them
    Lectures,
    /// Write every page as it reads at first into target/prerender; `build` does it by itself
    Prerender,
    /// Install what the tests need, then run every test and every lint, or those of the named parts
    Test { parts: Vec<test::Part> },
    /// Make a table of docs/performance.md; nothing else should run on this machine meanwhile
    Bench {
        /// Which table
        table: bench::Table,
        /// How often both sides of a comparison are measured, in turns
        #[arg(long, default_value_t = 3)]
        rounds: u32,
    },
    /// Print how large the modules of the built site are, and whether each is within its bound
    Size,
    /// Take pictures of every page, narrow and wide, light and dark, into target/screenshots
    Screenshots,
}

fn main() -> ExitCode {
    let task = Cli::parse().task;
    // The log is that of the last command.
    let _ = std::fs::remove_file(process::log());
    match task.run() {
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
            Self::Serve { file: Some(file), port, open } => serve::lecture(&file, port, open)?,
            Self::Serve { file: None, port, open } => {
                let listener = napkin_site::server::listen(port)?;
                steps::plan(
                    "Building the site for this machine; it opens as soon as it can be read",
                    &page::steps(For::Here)?,
                );
                page::readable()?;
                serve::until_interrupted(listener, open, page::workers)?;
            }
            Self::Build { local } => {
                let whom = if local { For::Here } else { For::Host };
                steps::plan("Building the site", &page::steps(whom)?);
                page::build(whom, prerender::app)?;
                steps::say(&format!("The site is in {}.", xtask::dist().display()));
            }
            Self::Lectures => lectures::run()?,
            Self::Prerender => prerender::everything(&prerender::app()?)?,
            Self::Test { parts } => return test::run(&parts),
            Self::Bench { table, rounds } => bench::run(table, rounds)?,
            Self::Size => {
                if !size::check()?.passed() {
                    return Ok(ExitCode::FAILURE);
                }
            }
            Self::Screenshots => {
                page::build(For::Here, prerender::app)?;
                let args = ["run", "--package", "napkin-tests", "--bin", "screenshots"];
                steps::step("taking pictures", || process::run(process::cargo().args(args)))?;
                steps::say("They are in target/screenshots.");
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
