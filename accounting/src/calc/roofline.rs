//! What bounds operations on a device.

use super::fields::{BATCH, DECODED, DTYPE, GPU, N, SEQUENCE, SPARSE};
use super::time::peak;
use super::workload::warn_of_length;
use super::{Calculator, Cell, Figure, Inputs, Point, Roof, Roofline, Sheet, Table};
use crate::forms::decode::{Moved, Step};
use crate::forms::operations::{Operation, operations};
use crate::forms::roofline::{attainable, time_bound};
use crate::{DType, Result, ridge};

pub(super) const ROOFLINE: Calculator = Calculator {
    id: "roofline",
    title: "Roofline",
    about: "Arithmetic intensity of operations, and whether arithmetic or memory bounds them on a device",
    example: "napkin calc roofline --gpu h100-sxm --n 1024 --model llama-3.1-8b",
    fields: &[&GPU, &DTYPE, &SPARSE, &N, &DECODED, &BATCH, &SEQUENCE],
    compute,
};

fn compute(inputs: &Inputs) -> Result<Sheet> {
    let dtype = DType::parse(&inputs.called(&DTYPE), inputs.choice(&DTYPE)?)?;
    let (device, peak) = peak(inputs)?;
    let bandwidth = device.bandwidth().map_err(|error| inputs.about(&GPU, error))?;
    let bandwidth = bandwidth.value("bandwidth_bytes_per_sec", "W")?;
    let ridge = ridge(&peak, &bandwidth)?;
    let mut all = operations(&inputs.size(&N)?, dtype.bytes_per_element())?;
    let mut sheet = Sheet::default();
    let mut decoding: Vec<Figure> = Vec::new();
    if let Some(model) = inputs.model(&DECODED)? {
        let (batch, tokens) = (inputs.whole(&BATCH)?, inputs.whole(&SEQUENCE)?);
        let element = dtype.bytes_per_element();
        let moved = Moved { weight_bytes: element, cache_bytes: element };
        let step = Step::new(&model.architecture, batch, tokens, moved)?;
        let least = time_bound(&step.operation.flop, &step.operation.bytes, &peak, &bandwidth)?.time;
        let speed = step.tokens_per_sec(&least)?;
        decoding = vec![least.into(), speed.into(), step.critical_batch(&ridge)?.into()];
        if step.is_bound_by_cache(&ridge) {
            sheet.note(
                "Memory bounds a step of decoding here however many sequences there are: to read a sequence's own cache \
                 takes longer than all of its arithmetic.",
            );
        }
        all.push(step.operation);
        let experts = if model.architecture.experts.is_some() {
            ", of as many experts as its tokens choose at most"
        } else {
            ""
        };
        sheet.note(format!("The step of decoding is {}'s{experts}.", model.name));
        warn_of_length(&mut sheet, &model, tokens);
    }
    let mut table = Table::new(&["operation", "FLOPs", "bytes", "FLOP/byte", "at best", "bounded by"]);
    let mut points = Vec::new();
    for Operation { title, flop, bytes, intensity } in &all {
        let rate = attainable(title, intensity, &peak, &bandwidth)?;
        let is_compute = intensity.value.to_f64() >= ridge.value.to_f64();
        points.push(Point {
            label: (*title).to_owned(),
            intensity_flop_per_byte: intensity.value.to_f64(),
            flop_per_sec: rate.value.to_f64(),
            is_measured: false,
        });
        table.row(
            *title,
            vec![
                Cell::from(flop),
                Cell::from(bytes),
                Cell::from(intensity),
                Cell::from(&rate),
                if is_compute { "arithmetic" } else { "memory" }.into(),
            ],
        );
    }
    let roof = Roof {
        label: format!("{}, {dtype}", device.name),
        peak_flop_per_sec: peak.flop_per_sec().value(),
        bandwidth_bytes_per_sec: bandwidth.quantity().value(),
        is_measured: false,
    };
    sheet = sheet
        .with("ridge", "", vec![ridge.into()])
        .with("roofline", "", Roofline { roofs: vec![roof], points })
        .with("operations", "Operations", table);
    Ok(if decoding.is_empty() { sheet } else { sheet.with("decode", "The step of decoding", decoding) })
}
