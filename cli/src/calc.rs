//! `napkin calc`: the calculators of accounting as commands.

use clap::error::ErrorKind;
use clap::{ArgMatches, Command, FromArgMatches, Subcommand};
use napkin_accounting::calc::{CALCULATORS, calculator};

use crate::failure::Failure;
use crate::question::{Question, command_of};

/// A question to a calculator.
#[derive(Debug)]
pub(crate) struct Calc(Question);

impl Calc {
    /// Computes and prints.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let inputs = self.0.inputs()?;
        let sheet = self.0.calculator.answer(&inputs)?;
        self.0.print(&inputs, &sheet, None::<()>)
    }
}

impl Subcommand for Calc {
    fn augment_subcommands(command: Command) -> Command {
        CALCULATORS.iter().fold(command.subcommand_required(true), |command, calculator| {
            command.subcommand(command_of(calculator.id, calculator))
        })
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        CALCULATORS.iter().any(|calculator| calculator.id == name)
    }
}

impl FromArgMatches for Calc {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(ErrorKind::MissingSubcommand);
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        let calculator = calculator(name).ok_or_else(missing)?;
        Ok(Self(Question::new(calculator, matches)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
