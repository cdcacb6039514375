//! Calculators: what a reader changes on one side, figures with their derivations on the other. Terminal and page
//! both ask here, so that they have the same options and the same digits.

mod chosen;
pub mod count;
mod field;
pub mod fields;
mod flops;
mod formulas;
mod inputs;
mod json;
mod kv;
mod linear;
pub mod machine;
mod matmul;
mod memory;
pub mod mfu;
mod optimal;
mod options;
mod parallel;
mod params;
mod reality;
mod roofline;
mod sheet;
mod size;
mod table;
mod tensor;
mod text;
mod time;
mod workload;

pub use chosen::ChosenModel;
pub use field::{Choice, Field, Kind, Range, Slider, listed};
pub use inputs::{Inputs, Naming};
pub use json::Document;
pub use options::start_texts;
pub use sheet::{
    Areas, Band, Body, Heat, HeatRow, Layer, Part, Point, Remark, RemarkKind, Roof, Roofline, Sheet, Stacks,
};
pub use table::{Cell, Figure, Row, Table};
pub use text::{Block, csv_line, to_markdown};

use crate::Result;

/// A calculator.
#[derive(Debug)]
pub struct Calculator {
    /// Its name in commands and addresses.
    pub id: &'static str,
    /// What it answers, in a few words.
    pub title: &'static str,
    /// What it computes, in a sentence.
    pub about: &'static str,
    /// A command line that works.
    pub example: &'static str,
    /// What it asks for, in order.
    pub fields: &'static [&'static Field],
    /// What it answers.
    pub compute: fn(&Inputs) -> Result<Sheet>,
}

/// All of them, in the order in which to offer them.
pub const CALCULATORS: &[Calculator] = &[
    time::TIME,
    size::SIZE,
    reality::REALITY,
    mfu::MFU,
    optimal::OPTIMAL,
    tensor::TENSOR,
    matmul::MATMUL,
    roofline::ROOFLINE,
    linear::BACKWARD,
    params::PARAMS,
    flops::FLOPS,
    memory::MEMORY_OF_STEP,
    kv::KV,
    parallel::PARALLEL,
    linear::LINEAR,
    formulas::FORMULAS,
];

/// Those that answer about a record of what was measured or counted, handed over by [`Inputs::with_data`].
pub const OF_RECORDS: &[Calculator] = &[machine::MACHINE, count::LINEAR, count::TRANSFORMER];

/// The calculator of that name.
#[must_use]
pub fn calculator(id: &str) -> Option<&'static Calculator> {
    CALCULATORS.iter().chain(OF_RECORDS).find(|calculator| calculator.id == id)
}

impl Calculator {
    /// The command that asks it in a terminal, without its options: what its example begins with.
    #[must_use]
    pub fn command(&self) -> &'static str {
        self.example.split(" --").next().unwrap_or(self.example)
    }

    /// The field that an option names, as the terminal calls it.
    #[must_use]
    pub fn field(&self, option: &str) -> Option<&'static Field> {
        self.fields.iter().copied().find(|field| field.name == option || field.aliases.contains(&option))
    }

    /// The answer, with a warning for every doubtful number that it rests on.
    ///
    /// # Errors
    /// A sentence that names the field and the rule.
    pub fn answer(&self, inputs: &Inputs) -> Result<Sheet> {
        inputs.check_given(self)?;
        let mut sheet = (self.compute)(inputs)?;
        sheet.warn_of_doubts();
        Ok(sheet)
    }
}
