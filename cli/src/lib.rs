//! `napkin` in the terminal: sums on a napkin, and the kernels of the page timed and trained on this
//! machine. Results go to standard output, everything else to standard error.

mod args;
mod bench;
mod calc;
mod count;
mod cpu;
mod device;
mod doctor;
mod edtrace;
mod export;
mod failure;
mod info;
mod measure;
mod numbers;
mod output;
mod progress;
mod question;
mod roofline;
mod script;
mod site;
mod step;
mod train;
mod tuning;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

use args::{Bench, Cli, Command, Doctor, Train, What};
use failure::Failure;

/// Runs the command line and returns what the process should exit with: 0, 1 if the work failed,
/// 2 if the command line is wrong.
pub fn run(args: impl Iterator<Item = OsString>) -> ExitCode {
    let result = match Cli::try_parse_from(args) {
        Ok(cli) => dispatch(cli.command),
        // Help and the version are what somebody asked for.
        Err(told) if !told.use_stderr() => output::print(&told.render().to_string()),
        Err(error) => Err(Failure::from_clap(&error)),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output::report(&failure),
    }
}

fn dispatch(command: Command) -> Result<(), Failure> {
    match command {
        Command::Info(args) => info::info(&args),
        Command::Bench { what: Bench::Matmul(args) } => bench::matmul(&args),
        Command::Bench { what: Bench::Step(args) } => step::step(&args),
        Command::Bench { what: Bench::Op(args) } => measure::operation(&args),
        Command::Doctor { what: Doctor::Gpu(args) } => doctor::gpu(&args),
        Command::Train { what: Train::Linear(args) } => train::linear(&args),
        Command::Train { what: Train::Text(args) } => train::text(&args),
        Command::Roofline(args) => roofline::roofline(&args),
        Command::Calc { what } => what.run(),
        Command::Count { what } => what.run(),
        Command::Run(args) => script::run(&args),
        Command::Trace(args) => script::trace(&args),
        Command::Export(args) => match args.what {
            Some(What::Site(args)) => site::export(&args),
            None => export::export(&args),
        },
        Command::Serve(args) => site::serve(&args),
        Command::Completions { shell } => args::completions(shell),
    }
}
