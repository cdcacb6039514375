//! `napkin roofline`: this machine's own roofline, measured, with operations and promised roofs.

use std::fs;
use std::path::Path;

use napkin_accounting::Error;
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
    if let Some(path) = &args.svg {
        output::check_folder("--svg", path)?;
        if args.from.as_ref().is_some_and(|from| fs::canonicalize(from).ok() == fs::canonicalize(path).ok()) {
            return Err(Failure::Usage(format!("--svg: {} is what --from reads", path.display())));
        }
    }
    let texts = args.under.iter().map(|under| (fields::UNDER.key.to_owned(), under.clone())).collect();
    let inputs = Inputs::new(Naming::Option, texts);
    // Before anything is measured.
    machine::promised(&inputs)?;
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
        (None, Some(chosen)) => {
            let (machine, done) = crate::measure::survey(chosen);
            done?;
            to_json(&machine)?
        }
        (None, None) => return Err(Failure::Work("nothing was measured".to_owned())),
    };
    let inputs = inputs
        .with_data(machine::MACHINE_DATA, record)
        .with_data(machine::OPERATIONS_DATA, to_json(&operations)?);
    let calculator =
        calculator("machine").ok_or_else(|| Failure::Work("there is no such calculator".to_owned()))?;
    let sheet = calculator.answer(&inputs).map_err(|error| match (&args.from, &error) {
        (Some(from), Error::Record { .. }) => Failure::Usage(format!("--from {}: {error}", from.display())),
        _ => error.into(),
    })?;
    if args.json {
        output::print_json(&Document { calculator, inputs: &inputs, sheet: &sheet })?;
    } else {
        output::print(&tell(&sheet))?;
    }
    let Some(path) = &args.svg else { return Ok(()) };
    let mut drawn = sheet.parts.iter().filter(|part| matches!(part.body, Body::Roofline(_)));
    let drawn = drawn.find_map(|part| sheet_part("roofline", part, WIDTH));
    write(path, &drawn.map(|chart| chart.svg).unwrap_or_default())
}

fn to_json(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|error| Failure::Work(error.to_string()))
}

fn read_record(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path)
        .map_err(|error| Failure::Usage(format!("--from: cannot read {}: {error}", path.display())))
}

fn write(path: &Path, svg: &str) -> Result<(), Failure> {
    output::replace(path, svg)
        .map_err(|error| Failure::Work(format!("--svg: cannot write {}: {error}", path.display())))?;
    output::note(&format!("the drawing is in {}", path.display()));
    Ok(())
}
