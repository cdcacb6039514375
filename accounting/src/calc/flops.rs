//! FLOPs of a training step, by component.

use super::fields::{ARCHITECTURE, BATCH, CAUSAL, RECOMPUTE, SEQUENCE};
use super::params::share;
use super::workload::{chosen, warn_of_length, workload};
use super::{Calculator, Cell, Inputs, Sheet, Stacks, Table};
use crate::{FlopCount, Result};

pub(super) const FLOPS: Calculator = Calculator {
    id: "flops",
    title: "FLOPs of a step",
    about: "The FLOPs of a training step by component, forward and backward, beside 6·N·D",
    example: "napkin calc flops --model llama-3.1-8b --batch 1 --sequence 8192",
    fields: &[&ARCHITECTURE, &BATCH, &SEQUENCE, &CAUSAL, &RECOMPUTE],
    compute,
};

fn compute(inputs: &Inputs) -> Result<Sheet> {
    let model = chosen(inputs)?;
    let work = workload(inputs, !inputs.switch(&CAUSAL)?)?;
    let count = FlopCount::new(&model.architecture, &work)?;
    let mut table = Table::new(&["component", "forward", "backward", "share"]);
    for part in &count.parts {
        let cells = vec![
            (&part.forward).into(),
            (&part.backward).into(),
            share(&part.forward, &count.forward).into(),
        ];
        table.row(part.title, cells);
    }
    let total = vec![Cell::from(&count.forward), Cell::from(&count.backward), Cell::from("100%")];
    table.total("products", total);
    let mut figures =
        vec![count.step.clone().into(), count.forward.clone().into(), count.backward.clone().into()];
    figures.extend(count.recomputed.clone().map(Into::into));
    let bar = (model.name.clone(), count.parts.iter().map(|part| part.forward.clone().into()).collect());
    let mut sheet = Sheet::default()
        .with("flops", "", figures)
        .with("flops-components", "By component", table)
        .with("flops-shares", "", Stacks { bars: vec![bar], limit: None })
        .with("six", "Beside 6·N·D", vec![count.ratio.clone().into(), count.six_nd.clone().into()])
        .with("differences", "From 6·N·D to the step", differences(&count));
    warn_of_length(&mut sheet, &model, work.tokens);
    Ok(sheet)
}

/// The way from 6·N·D to what the products of a step cost.
pub(super) fn differences(count: &FlopCount) -> Table {
    let between = &count.differences;
    let mut table = Table::new(&["", "FLOPs"]);
    table.row("6·N·D", vec![(&count.six_nd).into()]);
    table.row(format!("− {}", between.lookups.title), vec![(&between.lookups).into()]);
    table.row(format!("− {}", between.vectors.title), vec![(&between.vectors).into()]);
    table.row(format!("+ {}", between.scores.title), vec![(&between.scores).into()]);
    if let Some(again) = &count.recomputed {
        table.row(format!("+ {}", again.title), vec![again.into()]);
    }
    table.total("= training step", vec![(&count.step).into()]);
    table
}
