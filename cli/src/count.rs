//! `napkin count`: a training step runs with the ledger on, and stands beside the closed forms.

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use napkin_accounting::calc::count::{data, spec};
use napkin_accounting::calc::{Calculator, OF_RECORDS, calculator};
use napkin_engine::Error;
use napkin_engine::train::counted::{Counted, Spec, Step};
use serde::Serialize;

use crate::device::{self, DeviceArgs};
use crate::failure::Failure;
use crate::output;
use crate::question::{Question, command_of};

/// A step to count, and where.
#[derive(Debug)]
pub(crate) struct Count {
    question: Question,
    device: DeviceArgs,
}

/// What belongs to the answer as JSON.
#[derive(Serialize)]
struct Run<'a> {
    device: &'static str,
    adapter: &'a str,
    record: &'a Counted,
}

/// What the commands are called; the calculators have this before it.
const PREFIX: &str = "count-";

impl Count {
    /// Runs the step and prints what it did beside what the formulas say.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let inputs = self.question.inputs()?;
        let calculator = self.question.calculator;
        // Refused before anything runs.
        calculator.answer(&inputs)?;
        let spec = spec(calculator.id, &inputs)?;
        let step = step(&spec)?;
        let chosen = device::choose(&self.device)?;
        let counted = pollster::block_on(step.count(&chosen.device))?;
        output::note(&format!(
            "counted a step: loss {:.4}, worst gradient off by {:.1e}",
            counted.loss, counted.worst_error
        ));
        let record = serde_json::to_string(&counted).map_err(|error| Failure::Work(error.to_string()))?;
        let inputs = inputs.with_data(calculator.id, data(&spec, &record));
        let sheet = calculator.answer(&inputs)?;
        let run = Run { device: chosen.kind.name(), adapter: &chosen.adapter, record: &counted };
        self.question.print(&inputs, &sheet, Some(run))
    }
}

/// The step that the reader asks for, as the engine takes it.
fn step(spec: &str) -> Result<Step, Failure> {
    let spec: Spec = serde_json::from_str(spec)
        .map_err(|error| Failure::Usage(format!("the sizes cannot be read: {error}")))?;
    match spec.step() {
        // The engine calls its fields as the options are called.
        Err(Error::Value { message, .. }) => Err(Failure::Usage(format!("--{message}"))),
        other => Ok(other?),
    }
}

/// The calculator behind a command.
fn counter(name: &str) -> Option<&'static Calculator> {
    calculator(&format!("{PREFIX}{name}"))
}

impl Subcommand for Count {
    fn augment_subcommands(command: Command) -> Command {
        let counted = OF_RECORDS.iter().filter_map(|of| Some((of.id.strip_prefix(PREFIX)?, of)));
        counted.fold(command.subcommand_required(true), |command, (name, calculator)| {
            command.subcommand(DeviceArgs::augment_args(command_of(name, calculator)))
        })
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        counter(name).is_some()
    }
}

impl FromArgMatches for Count {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(ErrorKind::MissingSubcommand);
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        let question = Question::new(counter(name).ok_or_else(missing)?, matches);
        Ok(Self { question, device: DeviceArgs::from_arg_matches(matches)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
