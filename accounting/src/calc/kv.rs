//! The cache of keys and values.

use super::fields::{ARCHITECTURE, BATCH, CACHE_DTYPE, GPU, MEMORY, SEQUENCE};
use super::memory::stored_bytes;
use super::size::{device_bytes, published_memory, that_fit};
use super::workload::{chosen, warn_of_length};
use super::{Calculator, Inputs, Sheet, Stacks};
use crate::forms::kv::KvCache;
use crate::{Bytes, Derived, ParamCount, Result};

pub(super) const KV: Calculator = Calculator {
    id: "kv",
    title: "KV cache",
    about: "The cache of keys and values that reading a text token by token keeps, right for GQA, MLA and windows",
    example: "napkin calc kv --model llama-3.1-70b --sequence 131072 --batch 1",
    fields: &[&ARCHITECTURE, &BATCH, &SEQUENCE, &CACHE_DTYPE, &GPU, &MEMORY],
    compute,
};

fn compute(inputs: &Inputs) -> Result<Sheet> {
    let model = chosen(inputs)?;
    let (batch, tokens) = (inputs.whole(&BATCH)?, inputs.whole(&SEQUENCE)?);
    let element = stored_bytes(inputs, &CACHE_DTYPE)?;
    let cache = KvCache::new(&model.architecture, batch, tokens, element)?;
    let params = ParamCount::new(&model.architecture)?.total;
    let weights: Derived<Bytes> = Derived::new(
        "weight_bytes",
        "M_w",
        "weights in 16 bits",
        params.expr() * crate::Expr::constant(2.0, crate::Unit::BYTE.per(crate::Unit::PARAM)),
        &[],
    )?;
    let mut sheet =
        Sheet::default().with("kv", "", vec![cache.total.clone().into(), cache.per_token.clone().into()]);
    // Of a device without a figure of its memory, nothing can be told.
    if let Some(memory) = published_memory(inputs)? {
        let limit = device_bytes(&memory)?;
        let one = KvCache::new(&model.architecture, 1, tokens, element)?.total;
        let title = "sequences of this length that fit on one device beside the weights";
        match that_fit(memory.expr() - &weights, &one, "sequences_that_fit", title)? {
            Some(fits) => sheet = sheet.with("fits", "", vec![fits.into()]),
            None => sheet.note("The weights alone are more than one device holds."),
        }
        let bar = (model.name.clone(), vec![weights.into(), cache.total.into()]);
        sheet = sheet.with("memory", "On one device", Stacks { bars: vec![bar], limit: Some(limit.into()) });
    }
    warn_of_length(&mut sheet, &model, tokens);
    Ok(sheet)
}
