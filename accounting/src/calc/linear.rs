//! The lecture's deep linear model, and its two layers.

use super::fields::{
    B, D, K, LINEAR_BATCH, LINEAR_BIAS, LINEAR_DIM, LINEAR_DTYPE, LINEAR_LAYERS, LINEAR_OPTIMIZER,
};
use super::memory::{optimizer, stored_bytes};
use super::{Calculator, Cell, Inputs, Sheet, Stacks, Table};
use crate::Result;
use crate::forms::linear::{DeepLinear, TwoLayers};

pub(super) const LINEAR: Calculator = Calculator {
    id: "linear",
    title: "A step of the deep linear model",
    about: "Memory and FLOPs of a step of the lecture's model: layers of D to D and a head of D to 1",
    example: "napkin calc linear --batch 2 --dim 4 --layers 2 --optimizer adagrad",
    fields: &[&LINEAR_BATCH, &LINEAR_DIM, &LINEAR_LAYERS, &LINEAR_OPTIMIZER, &LINEAR_DTYPE, &LINEAR_BIAS],
    compute: linear,
};

pub(super) const BACKWARD: Calculator = Calculator {
    id: "backward",
    title: "FLOPs of the backward pass",
    about: "FLOPs of two linear layers, gradient by gradient",
    example: "napkin calc backward --b 1024 --d 256 --k 64",
    fields: &[&B, &D, &K],
    compute: backward,
};

fn linear(inputs: &Inputs) -> Result<Sheet> {
    let step = DeepLinear::new(
        &inputs.size(&LINEAR_BATCH)?,
        &inputs.size(&LINEAR_DIM)?,
        &inputs.size(&LINEAR_LAYERS)?,
        inputs.switch(&LINEAR_BIAS)?,
        stored_bytes(inputs, &LINEAR_DTYPE)?,
        optimizer(inputs.choice(&LINEAR_OPTIMIZER)?),
    )?;
    let mut table = Table::new(&["part", "bytes"]);
    let parts = [&step.param_bytes, &step.activation_bytes, &step.gradient_bytes, &step.state_bytes];
    for part in parts {
        table.row(part.title.to_string(), vec![part.into()]);
    }
    table.total("memory of a step", vec![Cell::from(&step.total)]);
    let bar = ("a step".to_owned(), parts.into_iter().map(|part| part.clone().into()).collect());
    Ok(Sheet::default()
        .with("linear", "", vec![step.total.clone().into(), step.params.into(), step.activations.into()])
        .with("linear-parts", "By what it is for", table)
        .with("linear-chart", "", Stacks { bars: vec![bar], limit: None })
        .with("linear-flops", "FLOPs of a step", vec![step.flop.into(), step.counted.into()]))
}

fn backward(inputs: &Inputs) -> Result<Sheet> {
    let pass = TwoLayers::new(&inputs.size(&B)?, &inputs.size(&D)?, &inputs.size(&K)?)?;
    let mut table = Table::new(&["gradient", "FLOPs"]);
    for gradient in [&pass.dw2, &pass.dh1, &pass.dw1, &pass.dx] {
        table.row(gradient.title.to_string(), vec![gradient.into()]);
    }
    table.total("backward", vec![Cell::from(&pass.backward)]);
    let mut sheet = Sheet::default()
        .with("total", "", vec![pass.backward.into(), pass.forward.into()])
        .with("gradients", "Gradient by gradient", table)
        .with("stages", "On the way", vec![pass.dw2.into(), pass.second.into(), pass.without_dx.into()]);
    sheet.note(
        "x is data and needs no gradient: a framework leaves out the last product. Deep models do not notice, since \
         only their first layer has data below it.",
    );
    Ok(sheet)
}
