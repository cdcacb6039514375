//! The largest model that fits.

use super::fields::{BYTES_PER_PARAM, CONVENTION, GIB, GPU, MEMORY, NODE_GPUS};
use super::{Calculator, Cell, Inputs, Sheet, Table};
use crate::forms::size::{Convention, binary, bytes_per_param, largest};
use crate::{Bytes, BytesPerParam, Count, Derived, Error, Expr, Result, Value};

pub(super) const SIZE: Calculator = Calculator {
    id: "size",
    title: "Largest model",
    about: "The largest model whose parameters, gradients and optimizer state fit, activations left out",
    example: "napkin calc size --gpu h100-sxm --gpus 8 --convention fp32",
    fields: &[&GPU, &MEMORY, &NODE_GPUS, &CONVENTION, &BYTES_PER_PARAM, &GIB],
    compute,
};

fn compute(inputs: &Inputs) -> Result<Sheet> {
    let memory = memory(inputs)?;
    let gpus: Value<Count> = inputs.value(&NODE_GPUS)?;
    let chosen = match inputs.maybe::<BytesPerParam>(&BYTES_PER_PARAM)? {
        Some(bytes) => bytes,
        None => (&bytes_per_param(convention(inputs)?)?).into(),
    };
    let mut table = Table::new(&["what training keeps", "bytes per parameter", "largest model"]);
    for choice in CONVENTION.choices() {
        let bytes = bytes_per_param(of_id(choice.id))?;
        let fits = largest(&gpus, &memory, &(&bytes).into())?;
        table.row(choice.label, vec![Cell::from(&bytes), Cell::from(&fits)]);
    }
    let all = largest(&gpus, &memory, &chosen)?;
    let one = largest(&Value::given("gpus", "G", "one device", Count::new(1.0))?, &memory, &chosen)?;
    let mut sheet = Sheet::default().with("largest", "", vec![all.into()]).with(
        "conventions",
        "Under each convention",
        table,
    );
    sheet.note(format!(
        "One device alone holds {}; activations, buffers and what the driver keeps are not counted.",
        one.short()
    ));
    Ok(sheet)
}

/// What training keeps for every parameter, as chosen.
pub(super) fn convention(inputs: &Inputs) -> Result<Convention> {
    inputs.choice(&CONVENTION).map(of_id)
}

fn of_id(id: &str) -> Convention {
    match id {
        "bf16" => Convention::Bf16,
        "mixed" => Convention::Mixed,
        _ => Convention::Fp32,
    }
}

/// The [`memory`] of a device; nothing where the catalogue has none.
pub(super) fn published_memory(inputs: &Inputs) -> Result<Option<Value<Bytes>>> {
    match memory(inputs) {
        Ok(memory) => Ok(Some(memory)),
        Err(Error::Named { error, .. }) if matches!(*error, Error::Unpublished { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The memory of a device as a result beside others.
pub(super) fn device_bytes(memory: &Value<Bytes>) -> Result<Derived<Bytes>> {
    Derived::new("device_bytes", "M_gpu", "memory of a device", memory.expr(), &[])
}

/// How often `one` fits into `free` bytes; nothing where there are none left.
pub(super) fn that_fit(
    free: Expr,
    one: &Derived<Bytes>,
    name: &'static str,
    title: &'static str,
) -> Result<Option<Derived<Count>>> {
    if free.value().is_none_or(|free| free.to_f64() < 0.0) {
        return Ok(None);
    }
    Derived::new(name, "b_max", title, (free / one).floor(), &[]).map(Some)
}

/// The memory of a device: as typed, or the catalogue's, whose gigabytes are GiB if that is asked for.
pub(super) fn memory(inputs: &Inputs) -> Result<Value<Bytes>> {
    if let Some(typed) = inputs.maybe(&MEMORY)? {
        return Ok(typed);
    }
    let memory = inputs.device(&GPU)?.memory().map_err(|error| inputs.about(&GPU, error))?;
    let memory = memory.value("memory_bytes", "M_gpu")?;
    if inputs.switch(&GIB)? { Ok((&binary(&memory)?).into()) } else { Ok(memory) }
}
