//! The memory of a training step.

use super::fields::{
    ACTIVATION_DTYPE, ARCHITECTURE, BATCH, DROPOUT, FLASH, GIB, GPU, GRADIENT_DTYPE, MASTER_DTYPE, MEMORY,
    OPTIMIZER, RECOMPUTE, SEQUENCE, STATE_DTYPE, WEIGHT_DTYPE,
};
use super::params::share;
use super::size::{device_bytes, published_memory, that_fit};
use super::workload::{chosen, warn_of_length, workload};
use super::{Calculator, Cell, ChosenModel, Field, Inputs, Sheet, Stacks, Table};
use crate::forms::activations::{Activations, Keeping};
use crate::forms::static_memory::{Formats, Optimizer, StaticMemory};
use crate::{Bytes, BytesPerParam, DType, Derived, ParamCount, Result, Workload};

pub(super) const MEMORY_OF_STEP: Calculator = Calculator {
    id: "memory",
    title: "Memory of a step",
    about: "The memory of a training step: weights, gradients, optimizer state, activations layer by layer",
    example: "napkin calc memory --model llama-3.1-8b --batch 1 --sequence 8192 --optimizer adamw --recompute full",
    fields: &[
        &ARCHITECTURE,
        &BATCH,
        &SEQUENCE,
        &OPTIMIZER,
        &WEIGHT_DTYPE,
        &GRADIENT_DTYPE,
        &MASTER_DTYPE,
        &STATE_DTYPE,
        &ACTIVATION_DTYPE,
        &RECOMPUTE,
        &FLASH,
        &DROPOUT,
        &GPU,
        &MEMORY,
        &GIB,
    ],
    compute,
};

fn compute(inputs: &Inputs) -> Result<Sheet> {
    let model = chosen(inputs)?;
    let held = static_memory(inputs, &model)?;
    let work = workload(inputs, true)?;
    let keeping = keeping(inputs)?;
    let activations = Activations::new(&model.architecture, &work, keeping)?;
    let total = step_bytes(&held, &activations)?;
    let params = ParamCount::new(&model.architecture)?.total;
    let per_param: Derived<BytesPerParam> = Derived::new(
        "bytes_per_param",
        "β",
        "weights, gradients and optimizer state per parameter",
        held.total.expr() / &params,
        &[],
    )?;
    let mut table = Table::new(&["part", "bytes", "share"]);
    let mut parts = vec![&held.weights, &held.gradients];
    parts.extend(&held.master);
    parts.extend([&held.state, &activations.peak]);
    for &part in &parts {
        table.row(part.title.to_string(), vec![part.into(), share(part, &total).into()]);
    }
    table.total("at the peak", vec![Cell::from(&total), "100%".into()]);
    let mut kept = Table::new(&["activations", "bytes"]);
    for part in &activations.parts {
        kept.row(part.title.to_string(), vec![part.into()]);
    }
    kept.total("of a block", vec![(&activations.block).into()]);
    kept.row("of all blocks", vec![(&activations.blocks).into()]);
    if let Some(working) = &activations.working {
        kept.row(working.title.to_string(), vec![working.into()]);
    }
    for part in [&activations.temporary, &activations.head] {
        kept.row(part.title.to_string(), vec![part.into()]);
    }
    let bar = (model.name.clone(), parts.iter().map(|&part| part.clone().into()).collect());
    let device = published_memory(inputs)?;
    let limit = device.as_ref().map(device_bytes).transpose()?;
    let mut sheet = Sheet::default()
        .with(
            "total",
            "",
            vec![total.into(), held.total.clone().into(), per_param.into(), activations.total.clone().into()],
        )
        .with("parts", "By what it is for", table)
        .with("chart", "", Stacks { bars: vec![bar], limit: limit.clone().map(Into::into) })
        .with("activations", "Activations", kept);
    match device {
        None => sheet.note("What fits is not told: the catalogue has no figure of the device's memory."),
        Some(memory) => {
            let one = Activations::new(&model.architecture, &Workload { batch: 1, ..work.clone() }, keeping)?;
            let title = "sequences at once that fit on one device";
            match that_fit(memory.expr() - &held.total, &one.peak, "largest_batch", title)? {
                Some(fits) => sheet = sheet.with("fits", "What fits", vec![fits.into()]),
                None => sheet.note(
                    "Weights, gradients and optimizer state alone are more than one device holds: several devices have \
                     to share the model.",
                ),
            }
        }
    }
    warn_of_length(&mut sheet, &model, work.tokens);
    Ok(sheet)
}

/// All that a step holds at its peak.
pub(super) fn step_bytes(held: &StaticMemory, activations: &Activations) -> Result<Derived<Bytes>> {
    let both = held.total.expr() + &activations.peak;
    Derived::new("step_bytes", "M", "memory of a step at its peak", both, &[])
}

/// What training holds of a model from step to step.
pub(super) fn static_memory(inputs: &Inputs, model: &ChosenModel) -> Result<StaticMemory> {
    let params = ParamCount::new(&model.architecture)?.total;
    let optimizer = optimizer(inputs.choice(&OPTIMIZER)?);
    StaticMemory::new(&(&params).into(), Some(&model.architecture), formats(inputs)?, optimizer)
}

/// In which formats.
pub(super) fn formats(inputs: &Inputs) -> Result<Formats> {
    let weight_bytes = stored_bytes(inputs, &WEIGHT_DTYPE)?;
    Ok(Formats {
        weight_bytes,
        gradient_bytes: stored_bytes(inputs, &GRADIENT_DTYPE)?,
        master_bytes: match inputs.choice(&MASTER_DTYPE)? {
            "none" => 0.0,
            "auto" if weight_bytes >= 4.0 => 0.0,
            _ => 4.0,
        },
        state_bytes: stored_bytes(inputs, &STATE_DTYPE)?,
    })
}

/// The optimizer of that id.
pub(super) fn optimizer(id: &str) -> Optimizer {
    match id {
        "sgd" => Optimizer::Sgd,
        "momentum" => Optimizer::Momentum,
        "adagrad" => Optimizer::AdaGrad,
        "rmsprop" => Optimizer::RmsProp,
        "adamw-8bit" => Optimizer::AdamW8bit,
        "muon" => Optimizer::Muon,
        _ => Optimizer::AdamW,
    }
}

/// How activations are kept.
pub(super) fn keeping(inputs: &Inputs) -> Result<Keeping> {
    Ok(Keeping {
        element_bytes: stored_bytes(inputs, &ACTIVATION_DTYPE)?,
        is_flash: inputs.switch(&FLASH)?,
        has_dropout: inputs.switch(&DROPOUT)?,
    })
}

/// Bytes of an element in the format that a field names.
pub(super) fn stored_bytes(inputs: &Inputs, field: &Field) -> Result<f64> {
    Ok(DType::parse(&inputs.called(field), inputs.choice(field)?)?.bytes_per_element())
}
