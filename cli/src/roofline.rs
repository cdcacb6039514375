//! `napkin roofline`: this machine's own roofline, measured, with operations and promised roofs.

use std::path::Path;

use napkin_accounting::calc::{Body, Document, Inputs, Naming, calculator, fields, machine};
use napkin_charts::sheet_part;
use napkin_engine::measure::{self, Limits, Operation};
use serde::Serialize;

use crate::args::RooflineArgs;
use crate::bench::dtype;
use crate::failure::Failure;
use crate::question::tell;
use crate::{device, output};

/// A drawing's width in CSS pixels.
const WIDTH: f64 = 760.0;
/// How long an expression is timed.
const SECS: f64 = 1.0;

/// Measures, or reads what was measured, and shows where operations lie.
pub(crate) fn roofline(args: &RooflineArgs) -> Result<(), Failure> {
    let dtype = dtype(&args.dtype)?;
    let read = args.from.as_deref().map(read_record).transpose()?;
    // A file says it all, unless something is to be measured besides.
    let chosen =
        if read.is_none() || !args.op.is_empty() { Some(device::choose(&args.device)?) } else { None };
    let mut operations: Vec<Operation> = Vec::new();
    if let Some(chosen) = &chosen {
        let limits =
            Limits { memory_bytes: crate::measure::memory_bytes(), run_secs: 10.0, budget_secs: SECS };
        for expression in &args.op {
            let timed = measure::expression(&chosen.device, expression, dtype, &limits);
            operations.push(pollster::block_on(timed)?);
        }
    }
    let record = match (read, &chosen) {
        (Some(record), _) => record,
        (None, Some(chosen)) => to_json(&crate::measure::survey(chosen)?)?,
        (None, None) => return Err(Failure::Work("nothing was measured".to_owned())),
    };
    let texts = args.under.iter().map(|under| (fields::UNDER.key.to_owned(), under.clone())).collect();
    let inputs = Inputs::new(Naming::Option, texts)
        .with_data(machine::MACHINE_DATA, record)
        .with_data(machine::OPERATIONS_DATA, to_json(&operations)?);
    let calculator =
        calculator("machine").ok_or_else(|| Failure::Work("there is no such calculator".to_owned()))?;
    let sheet = calculator.answer(&inputs)?;
    if let Some(path) = &args.svg {
        let mut drawn = sheet.parts.iter().filter(|part| matches!(part.body, Body::Roofline(_)));
        let drawn = drawn.find_map(|part| sheet_part("roofline", part, WIDTH));
        write(path, &drawn.map(|chart| chart.svg).unwrap_or_default())?;
    }
    if args.json {
        return output::print_json(&Document { calculator, inputs: &inputs, sheet: &sheet });
    }
    output::print(&tell(&sheet))
}

fn to_json(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|error| Failure::Work(error.to_string()))
}

fn read_record(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path)
        .map_err(|error| Failure::Usage(format!("--from: cannot read {}: {error}", path.display())))
}

fn write(path: &Path, svg: &str) -> Result<(), Failure> {
    std::fs::write(path, svg)
        .map_err(|error| Failure::Work(format!("--svg: cannot write {}: {error}", path.display())))?;
    output::note(&format!("the drawing is in {}", path.display()));
    Ok(())
}
