//! `napkin count`: a training step runs with the ledger on, and stands beside the closed forms.

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use napkin_accounting::calc::Inputs;
use napkin_accounting::calc::count::{
    COUNTERS, Counter, LINEAR, LinearSizes, Record, Training, TransformerSizes, counter,
};
use napkin_engine::train::counted::{self, Counted, LinearStep, OptimizerKind, TransformerStep};
use napkin_engine::{DType, Device, Error};
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
        let step = Step::read(self.counter, &inputs)?;
        let chosen = device::choose(&self.device)?;
        let counted = step.count(&chosen.device)?;
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

/// What the engine is to count.
enum Step {
    Linear(LinearStep),
    Transformer(TransformerStep),
}

impl Step {
    fn read(counter: &Counter, inputs: &Inputs) -> Result<Self, Failure> {
        let step = if counter.calculator.id == LINEAR.calculator.id {
            let of = LinearSizes::read(inputs)?;
            let [dim, layers, batch] = [of.dim, of.layers, of.batch].map(size);
            Self::Linear(LinearStep { dim, layers, batch, bias: of.bias, training: training(of.training)? })
        } else {
            let of = TransformerSizes::read(inputs)?;
            let [layers, heads, dim] = [of.layers, of.heads, of.dim].map(size);
            let [vocab, context, batch] = [of.vocab, of.context, of.batch].map(size);
            let (checkpointing, training) = (of.checkpointing, training(of.training)?);
            Self::Transformer(TransformerStep {
                layers,
                heads,
                dim,
                vocab,
                context,
                batch,
                checkpointing,
                training,
            })
        };
        let checked = match &step {
            Self::Linear(step) => step.check(),
            Self::Transformer(step) => step.check(),
        };
        match checked {
            // The engine calls its fields as the options are called.
            Err(Error::Value { message, .. }) => Err(Failure::Usage(format!("--{message}"))),
            Err(other) => Err(other.into()),
            Ok(()) => Ok(step),
        }
    }

    fn count(&self, device: &Device) -> Result<Counted, Failure> {
        Ok(match self {
            Self::Linear(step) => pollster::block_on(step.count(device)),
            Self::Transformer(step) => pollster::block_on(step.count(device)),
        }?)
    }
}

/// What does not fit is too large for the engine, too, which says so.
fn size(size: u64) -> usize {
    usize::try_from(size).unwrap_or(usize::MAX)
}

fn training(of: Training) -> Result<counted::Training, Failure> {
    let optimizer = OptimizerKind::ALL.iter().find(|(name, _)| *name == of.optimizer);
    let dtype = match of.dtype {
        "bf16" => DType::BF16,
        "fp16" => DType::F16,
        _ => DType::F32,
    };
    let Some(&(_, optimizer)) = optimizer else {
        return Err(Failure::Usage(format!("--optimizer: the engine has no {}", of.optimizer)));
    };
    Ok(counted::Training { dtype, optimizer, accumulate: size(of.accumulate), ..Default::default() })
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
