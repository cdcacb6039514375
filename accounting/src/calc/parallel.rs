//! A model across devices.

use super::fields::{
    ACTIVATION_DTYPE, ARCHITECTURE, BATCH, BETWEEN, DATA_PARALLEL, DROPOUT, EXPERT_PARALLEL, FLASH, GIB, GPU,
    GRADIENT_DTYPE, MASTER_DTYPE, MEMORY, MICROBATCHES, OPTIMIZER, PIPELINE_PARALLEL, RECOMPUTE, SEQUENCE,
    SEQUENCE_PARALLEL, STATE_DTYPE, TENSOR_PARALLEL, WEIGHT_DTYPE, WITHIN, ZERO,
};
use super::memory::{formats, keeping, optimizer, static_memory};
use super::size::{device_bytes, published_memory};
use super::workload::{chosen, warn_of_length, workload};
use super::{Calculator, Cell, ChosenModel, Field, Inputs, Sheet, Stacks, Table};
use crate::forms::parallel::{Layout, Training};
use crate::hardware::LinkEnd;
use crate::{BytesPerSec, Count, Derived, Result};

pub(super) const PARALLEL: Calculator = Calculator {
    id: "parallel",
    title: "Across devices",
    about: "What each device holds and sends under data, tensor, pipeline, expert and sequence parallelism and ZeRO",
    example: "napkin calc parallel --model llama-3.1-70b --dp 16 --tp 8 --zero 3 --recompute full",
    fields: &[
        &ARCHITECTURE,
        &BATCH,
        &SEQUENCE,
        &DATA_PARALLEL,
        &TENSOR_PARALLEL,
        &PIPELINE_PARALLEL,
        &EXPERT_PARALLEL,
        &SEQUENCE_PARALLEL,
        &MICROBATCHES,
        &ZERO,
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
        &WITHIN,
        &BETWEEN,
    ],
    compute,
};

fn compute(inputs: &Inputs) -> Result<Sheet> {
    let model = chosen(inputs)?;
    check(inputs, &model)?;
    let layout = Layout {
        data: inputs.size(&DATA_PARALLEL)?,
        tensor: inputs.size(&TENSOR_PARALLEL)?,
        pipeline: inputs.size(&PIPELINE_PARALLEL)?,
        expert: inputs.size(&EXPERT_PARALLEL)?,
        zero: inputs.choice(&ZERO)?.parse().unwrap_or(0),
        splits_sequence: inputs.switch(&SEQUENCE_PARALLEL)?,
        microbatches: inputs.size(&MICROBATCHES)?,
    };
    let held = static_memory(inputs, &model)?;
    let training = Training {
        architecture: &model.architecture,
        formats: formats(inputs)?,
        optimizer: optimizer(inputs.choice(&OPTIMIZER)?),
        work: workload(inputs, true)?,
        keeping: keeping(inputs)?,
    };
    let shard = layout.shard(&training)?;
    let gpus: Derived<Count> =
        Derived::new("gpus", "G", "devices", layout.data.clone() * &layout.tensor * &layout.pipeline, &[])?;
    let mut table = Table::new(&["part", "on one device", "of the whole model"]);
    let mut parts = vec![
        (&shard.weights, Some(&held.weights)),
        (&shard.gradients, Some(&held.gradients)),
        (&shard.state, Some(&held.kept)),
    ];
    parts.extend(shard.gathered.iter().map(|gathered| (gathered, None)));
    parts.push((&shard.activations, None));
    for &(part, whole) in &parts {
        let whole = whole.map_or_else(|| Cell::from("–"), Cell::from);
        table.row(part.title.to_string(), vec![part.into(), whole]);
    }
    table.total("a device", vec![Cell::from(&shard.total), Cell::from("–")]);
    let limit = published_memory(inputs)?.as_ref().map(device_bytes).transpose()?;
    let fits = limit.as_ref().map(|limit| shard.total.value.to_f64() <= limit.value.to_f64());
    let bar = ("one device".to_owned(), parts.iter().map(|(part, _)| (*part).clone().into()).collect());
    let whose = shard.stage().map_or_else(String::new, |stage| format!(" of the {stage}"));
    let mut sheet = Sheet::default()
        .with("total", "", vec![shard.total.clone().into(), gpus.into()])
        .with("parts", format!("What a device{whose} holds"), table)
        .with("chart", "", Stacks { bars: vec![bar], limit: limit.map(Into::into) });
    if let Some(stage) = shard.stage() {
        sheet.note(format!("Devices of the {stage} hold the most."));
    }
    warn_of_length(&mut sheet, &model, training.work.tokens);
    match fits {
        Some(true) => sheet.note("This fits."),
        Some(false) => sheet.warn("This does not fit on one device."),
        None => {
            sheet.note("The catalogue has no figure of the device's memory: whether this fits is not told.");
        }
    }
    let device = inputs.device(&GPU)?;
    let within = match inputs.maybe::<BytesPerSec>(&WITHIN)? {
        Some(typed) => Ok(typed),
        None => device.link(LinkEnd::Devices).and_then(|link| link.value("link_bytes_per_sec", "w_1")),
    };
    match within {
        Err(error) => sheet.note(format!("What communication takes is not told: {error}.")),
        Ok(within) => {
            let between = inputs.network(&BETWEEN, "network_bytes_per_sec", "w_2")?;
            let traffic = layout.traffic(&training, &shard, &within, &between)?;
            let mut table = Table::new(&["parallelism", "a device sends in a step", "time over its link"]);
            for kind in &traffic {
                table.row(kind.title, vec![(&kind.bytes).into(), (&kind.time).into()]);
            }
            if !traffic.is_empty() {
                sheet = sheet.with("traffic", "What a device sends", table);
            }
        }
    }
    if inputs.whole(&PIPELINE_PARALLEL)? > 1 {
        sheet = sheet.with("bubble", "", vec![layout.bubble()?.into()]);
    }
    Ok(sheet)
}

/// Heads that cannot be split so: of keys and values every device has as many, or some have the same.
pub(super) fn check_tensor(inputs: &Inputs, model: &ChosenModel) -> Result<()> {
    let ways = inputs.whole(&TENSOR_PARALLEL)?;
    let (heads, kv_heads) = (model.architecture.heads(), model.architecture.kv_heads());
    let rule = if !heads.is_multiple_of(ways) {
        format!("a divisor of the query heads of {}, {heads}", model.name)
    } else if !kv_heads.is_multiple_of(ways) && !ways.is_multiple_of(kv_heads) {
        format!("a divisor or a multiple of the heads of keys and values of {}, {kv_heads}", model.name)
    } else {
        return Ok(());
    };
    Err(inputs.refuse(&TENSOR_PARALLEL, &rule))
}

/// Sizes that cannot be split so.
fn check(inputs: &Inputs, model: &ChosenModel) -> Result<()> {
    let divides = |field: &Field, whole: u64, what: &str| {
        let ways = inputs.whole(field)?;
        if whole.is_multiple_of(ways) {
            return Ok(());
        }
        Err(inputs.refuse(field, &format!("a divisor of {what}, {whole}")))
    };
    check_tensor(inputs, model)?;
    let stages = inputs.whole(&PIPELINE_PARALLEL)?;
    if stages > model.architecture.layers {
        let rule = format!("at most the blocks of {}, {}", model.name, model.architecture.layers);
        return Err(inputs.refuse(&PIPELINE_PARALLEL, &rule));
    }
    match &model.architecture.experts {
        Some(experts) => {
            divides(&EXPERT_PARALLEL, experts.count, &format!("the experts of {}", model.name))?;
            divides(&EXPERT_PARALLEL, inputs.whole(&DATA_PARALLEL)?, &inputs.called(&DATA_PARALLEL))
        }
        None if inputs.whole(&EXPERT_PARALLEL)? > 1 => {
            Err(inputs.refuse(&EXPERT_PARALLEL, &format!("1: {} has no experts", model.name)))
        }
        None => Ok(()),
    }
}
