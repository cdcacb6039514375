//! The cache of keys and values.

use super::fields::{ARCHITECTURE, BATCH, CACHE_DTYPE, GPU, MEMORY, SEQUENCE, TENSOR_PARALLEL, WEIGHT_DTYPE};
use super::memory::stored_bytes;
use super::parallel::check_tensor;
use super::size::{device_bytes, published_memory, that_fit};
use super::workload::{chosen, warn_of_length};
use super::{Calculator, Figure, Inputs, Sheet, Stacks};
use crate::forms::decode::{Moved, Step, weights_of_device};
use crate::forms::kv::KvCache;
use crate::papers::reason;
use crate::{Derived, ParamCount, Result};

pub(super) const KV: Calculator = Calculator {
    id: "kv",
    title: "KV cache",
    about: "The cache of keys and values that reading a text token by token keeps, right for GQA, MLA and windows",
    example: "napkin calc kv --model llama-3.1-70b --sequence 131072 --batch 1",
    fields: &[&ARCHITECTURE, &BATCH, &SEQUENCE, &CACHE_DTYPE, &WEIGHT_DTYPE, &TENSOR_PARALLEL, &GPU, &MEMORY],
    compute,
};

fn compute(inputs: &Inputs) -> Result<Sheet> {
    let model = chosen(inputs)?;
    check_tensor(inputs, &model)?;
    let architecture = &model.architecture;
    let (batch, tokens) = (inputs.whole(&BATCH)?, inputs.whole(&SEQUENCE)?);
    let (tensor, is_shared) = (inputs.size(&TENSOR_PARALLEL)?, inputs.whole(&TENSOR_PARALLEL)? > 1);
    let (weight_bytes, cache_bytes) =
        (stored_bytes(inputs, &WEIGHT_DTYPE)?, stored_bytes(inputs, &CACHE_DTYPE)?);
    let step = Step::new(architecture, batch, tokens, Moved { weight_bytes, cache_bytes })?;
    let params = ParamCount::new(architecture)?.total;
    let weights = weights_of_device(architecture, &params, weight_bytes, &tensor)?;
    let held = |cache: &KvCache| {
        if is_shared { cache.of_device(architecture, &tensor) } else { Ok(cache.total.clone()) }
    };
    let cache = held(&step.cache)?;
    let mut figures: Vec<Figure> = vec![step.cache.total.clone().into(), step.cache.per_token.clone().into()];
    if is_shared {
        figures.push(cache.clone().into());
    }
    let mut sheet = Sheet::default().with("kv", "", figures);
    // Of a device without a figure of its memory, nothing can be told.
    if let Some(memory) = published_memory(inputs)? {
        let limit = device_bytes(&memory)?;
        let one = held(&KvCache::new(architecture, 1, tokens, cache_bytes)?)?;
        let title = if is_shared {
            "sequences of this length that fit on these devices beside the weights"
        } else {
            "sequences of this length that fit on one device beside the weights"
        };
        match that_fit(memory.expr() - &weights, &one, "sequences_that_fit", title)? {
            Some(fits) => {
                if fits.value.to_f64() < batch as f64 {
                    sheet.warn("So many sequences do not fit.");
                }
                sheet = sheet.with("fits", "", vec![fits.into()]);
            }
            None => sheet.note("The weights alone are more than a device holds."),
        }
        let bar = (model.name.clone(), vec![weights.into(), cache.clone().into()]);
        let title = if is_shared { "On each device" } else { "On one device" };
        sheet = sheet.with("memory", title, Stacks { bars: vec![bar], limit: Some(limit.into()) });
    }
    if let Ok(bandwidth) = inputs.device(&GPU)?.bandwidth() {
        let bandwidth = bandwidth.value("bandwidth_bytes_per_sec", "W")?;
        let bytes = step.bytes_of_device(&cache, &tensor)?;
        let least = Derived::new(
            "decode_secs",
            "t_d",
            "least time of a step of decoding, a token for every sequence",
            bytes.expr() / &bandwidth,
            &[reason("weights and cache are read once; arithmetic and communication are left out")],
        )?;
        let speed = step.tokens_per_sec(&least)?;
        sheet = sheet.with("decode", "Decoding, bound by memory", vec![least.into(), speed.into()]);
    }
    warn_of_length(&mut sheet, &model, tokens);
    Ok(sheet)
}
