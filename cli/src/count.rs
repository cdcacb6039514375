//! `napkin count`: a training step runs with the ledger on, and stands beside the closed forms.

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use napkin_accounting::calc::Inputs;
use napkin_accounting::calc::count::{COUNTERS, Counter, Record, counter, spec};
use napkin_engine::Error;
use napkin_engine::train::counted::{Counted, Spec, Step};
use serde::Serialize;

use crate::args::DeviceArgs;
use crate::device;
use crate::failure::Failure;
use crate::output;
use crate::question::{Question, command_of};

/// A step to count, and where.
#[derive(Debug)]
pub(crate) struct Count {
    counter: &'static Counter,
    question: Question,
    device: DeviceArgs,
}

/// What belongs to the answer as JSON.
#[derive(Serialize)]
struct Run<'a> {
    device: &'static str,
    adapter: &'a str,
    record: &'a Record,
}

/// What the commands are called; the calculators have this before it.
const PREFIX: &str = "count-";

impl Count {
    /// Runs the step and prints what it did beside what the formulas say.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let inputs = self.question.inputs()?;
        // Refused before anything runs.
        self.counter.answer(&inputs, None)?;
        let step = step(self.counter, &inputs)?;
        let chosen = device::choose(&self.device)?;
        let counted = pollster::block_on(step.count(&chosen.device))?;
        output::note(&format!(
            "counted a step: loss {:.4}, worst gradient off by {:.1e}",
            counted.loss, counted.worst_error
        ));
        let record = record(&counted)?;
        let sheet = self.counter.answer(&inputs, Some(&record))?;
        let run = Run { device: chosen.kind.name(), adapter: &chosen.adapter, record: &record };
        self.question.print(&inputs, &sheet, Some(run))
    }
}

/// The step that the reader asks for, as the engine takes it.
fn step(counter: &Counter, inputs: &Inputs) -> Result<Step, Failure> {
    let spec: Spec = serde_json::from_str(&spec(counter.calculator.id, inputs)?)
        .map_err(|error| Failure::Usage(format!("the sizes cannot be read: {error}")))?;
    match spec.step() {
        // The engine calls its fields as the options are called.
        Err(Error::Value { message, .. }) => Err(Failure::Usage(format!("--{message}"))),
        other => Ok(other?),
    }
}

/// The engine's record as accounting reads it: the fields are the same.
fn record(counted: &Counted) -> Result<Record, Failure> {
    let record = serde_json::to_value(counted).and_then(serde_json::from_value);
    record.map_err(|error| Failure::Work(format!("the record cannot be read: {error}")))
}

fn name_of(counter: &'static Counter) -> &'static str {
    counter.calculator.id.trim_start_matches(PREFIX)
}

impl Subcommand for Count {
    fn augment_subcommands(command: Command) -> Command {
        COUNTERS.into_iter().fold(command.subcommand_required(true), |command, counter| {
            let asked = command_of(name_of(counter), &counter.calculator);
            command.subcommand(DeviceArgs::augment_args(asked))
        })
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        counter(&format!("{PREFIX}{name}")).is_some()
    }
}

impl FromArgMatches for Count {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(ErrorKind::MissingSubcommand);
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        let counter = counter(&format!("{PREFIX}{name}")).ok_or_else(missing)?;
        let question = Question::new(&counter.calculator, matches);
        Ok(Self { counter, question, device: DeviceArgs::from_arg_matches(matches)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
