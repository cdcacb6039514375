//! A counted step of a small Transformer.

use serde::Serialize;
use serde_json::json;

use super::beside::{self, Memory, Place, Product, Role};
use super::record::Record;
use super::{Training, with_given};
use crate::calc::fields::{
    ACCUMULATE, COUNT_BATCH, COUNT_CHECKPOINTING, COUNT_CONTEXT, COUNT_DIM, COUNT_DTYPE, COUNT_HEADS,
    COUNT_LAYERS, COUNT_OPTIMIZER, COUNT_VOCAB,
};
use crate::calc::flops::differences;
use crate::calc::memory::optimizer;
use crate::calc::{Calculator, Inputs, Sheet};
use crate::forms::activations::{Activations, Keeping};
use crate::forms::engine_activations::EngineActivations;
use crate::forms::flops::{FEED_FORWARD, HEAD, PROJECTIONS, SCORES};
use crate::forms::muon::{Matrices, muon_flop};
use crate::forms::static_memory::{Formats, StaticMemory};
use crate::models::Architecture;
use crate::{Count, Derived, Expr, Flop, FlopCount, ParamCount, Recompute, Result, Workload, format};

/// The small Transformer's step.
pub const TRANSFORMER: Calculator = Calculator {
    id: "count-transformer",
    title: "A counted step of a small Transformer",
    about: "FLOPs and memory of a step of a small GPT-2: by the formulas and, when it has run, as counted",
    example: "napkin count transformer --layers 2 --dim 64 --context 32 --checkpointing",
    fields: &[
        &COUNT_LAYERS,
        &COUNT_HEADS,
        &COUNT_DIM,
        &COUNT_VOCAB,
        &COUNT_CONTEXT,
        &COUNT_BATCH,
        &ACCUMULATE,
        &COUNT_CHECKPOINTING,
        &COUNT_OPTIMIZER,
        &COUNT_DTYPE,
    ],
    compute: |inputs| with_given("count-transformer", inputs, answer),
};

/// What to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TransformerSizes {
    /// Blocks.
    pub layers: u64,
    /// Heads of attention.
    pub heads: u64,
    /// Width of the residual stream.
    pub dim: u64,
    /// Tokens that there are.
    pub vocab: u64,
    /// Tokens of a sequence.
    pub context: u64,
    /// Sequences of a micro-batch.
    pub batch: u64,
    /// Whether blocks are computed again in the backward pass.
    pub checkpointing: bool,
    /// How it is trained.
    #[serde(flatten)]
    pub training: Training,
}

impl TransformerSizes {
    /// What the reader asks for.
    ///
    /// # Errors
    /// A sentence that names the field and the rule.
    pub fn read(inputs: &Inputs) -> Result<Self> {
        let sizes = Self {
            layers: inputs.whole(&COUNT_LAYERS)?,
            heads: inputs.whole(&COUNT_HEADS)?,
            dim: inputs.whole(&COUNT_DIM)?,
            vocab: inputs.whole(&COUNT_VOCAB)?,
            context: inputs.whole(&COUNT_CONTEXT)?,
            batch: inputs.whole(&COUNT_BATCH)?,
            checkpointing: inputs.switch(&COUNT_CHECKPOINTING)?,
            training: Training::read(inputs)?,
        };
        if sizes.dim.is_multiple_of(sizes.heads) {
            return Ok(sizes);
        }
        let rule = format!("a divisor of {}, which is {}", inputs.called(&COUNT_DIM), sizes.dim);
        Err(inputs.refuse(&COUNT_HEADS, &rule))
    }
}

/// The model of the engine as a config.json would describe it: GPT-2's, with biases, norms with weight and bias, learned
/// positions, an MLP of four times the width, and a head tied to the embedding.
///
/// # Errors
/// A sentence that names the key and the rule.
pub fn architecture(sizes: &TransformerSizes) -> Result<Architecture> {
    let config = json!({"model_type": "gpt2", "n_layer": sizes.layers, "n_head": sizes.heads, "n_embd": sizes.dim,
        "vocab_size": sizes.vocab, "n_positions": sizes.context, "tie_word_embeddings": true});
    Architecture::from_config_text(&config.to_string())
}

fn answer(inputs: &Inputs, record: Option<&Record>) -> Result<Sheet> {
    let sizes = TransformerSizes::read(inputs)?;
    let model = architecture(&sizes)?;
    let recompute = if sizes.checkpointing { Recompute::Full } else { Recompute::None };
    let of_batch = |batch| Workload { batch, tokens: sizes.context, counts_masked: true, recompute };
    let (micro, work) = (of_batch(sizes.batch), of_batch(sizes.batch * sizes.training.accumulate));
    let count = FlopCount::new(&model, &work)?;
    let muon = sizes.training.is_muon().then(|| muon(&sizes)).transpose()?;
    let memory = memory(&model, &micro, sizes.training)?;
    let peak = memory.total()?;
    let sequences: Derived<Count> = Derived::new(
        "step_sequences",
        "b",
        "sequences of a step",
        inputs.size(&COUNT_BATCH)? * inputs.size(&ACCUMULATE)?,
        &[],
    )?;
    let mut figures = vec![count.step.clone().into()];
    if let Some(record) = record {
        figures.push(beside::step_flop(record)?.into());
    }
    figures.extend([ParamCount::new(&model)?.total.into(), sequences.into(), peak.clone().into()]);
    let table = beside::products(&products(&count), &count.step, muon.as_ref(), record)?;
    let held = memory.table(&peak, record)?;
    let mut sheet = Sheet::default()
        .with("total", "", figures)
        .with("products", "Products", table)
        .with("six", "Beside 6·N·D", vec![count.ratio.clone().into(), count.six_nd.clone().into()])
        .with("differences", "From 6·N·D to the step", differences(&count))
        .with("memory", "Memory", held);
    let masked = FlopCount::new(&model, &Workload { counts_masked: false, ..work })?;
    let of_scores = |count: &FlopCount| {
        let scores = count.parts.iter().find(|part| part.title == SCORES);
        scores.map_or(0.0, |part| part.forward.value.to_f64())
    };
    let thrown = of_scores(&count) - of_scores(&masked);
    sheet.note(format!(
        "The causal mask throws away {} of the forward pass's {}; they are computed, and counted as PyTorch counts them.",
        format::short(thrown, crate::Unit::FLOP),
        format::short(of_scores(&count), crate::Unit::FLOP)
    ));
    sheet.note(
        "Products of attention's weights and of the feed-forward part are addmm, those of scores and values bmm, that \
         of the head mm. Embeddings are looked up; norms, softmax, gelu and the loss multiply no matrices: all these \
         count as zero.",
    );
    Ok(match record {
        None => sheet,
        Some(record) => beside::with_record(sheet, &peak, record),
    })
}

fn products(count: &FlopCount) -> Vec<Product> {
    let place = |title| match title {
        PROJECTIONS => ("attn", false),
        SCORES => ("attn", true),
        FEED_FORWARD => ("mlp", false),
        _ => (HEAD, false),
    };
    let mut all = Vec::new();
    for part in &count.parts {
        let (component, (of, is_batched)) = (part.title, place(part.title));
        let again = (count.recomputed.is_some() && component != HEAD).then_some(Role::Again);
        for role in [Role::Forward, Role::Dx, Role::Dw].into_iter().chain(again) {
            let (place, formula) = (Place { part: of, is_batched }, part.forward.clone());
            all.push(Product { component, role, place, formula });
        }
    }
    all
}

fn muon(sizes: &TransformerSizes) -> Result<Derived<Flop>> {
    let layers = || Expr::size("layers", "L", "blocks", sizes.layers);
    let d = || Expr::size("d_model", "d", "width of the model", sizes.dim);
    let shape = |rows: Expr, columns: Expr| Matrices { count: layers(), rows, columns };
    muon_flop(&[shape(3.0 * d(), d()), shape(d(), d()), shape(4.0 * d(), d()), shape(d(), 4.0 * d())])
}

fn memory(model: &Architecture, work: &Workload, training: Training) -> Result<Memory> {
    let element_bytes = training.element_bytes()?;
    let formats = Formats {
        weight_bytes: element_bytes,
        gradient_bytes: 4.0,
        master_bytes: if training.is_half() { 4.0 } else { 0.0 },
        state_bytes: 4.0,
    };
    let params = ParamCount::new(model)?.total;
    let held = StaticMemory::new(&(&params).into(), Some(model), formats, optimizer(training.optimizer))?;
    // With half precision the float32 weights are the parameters, and what products read is their copy.
    let (parameters, copies) = match held.master {
        None => (held.weights, None),
        Some(master) => (master, Some(held.weights)),
    };
    let keeping = Keeping { element_bytes, is_flash: false, has_dropout: false };
    let activations = Activations::new(model, work, keeping)?;
    let kept = EngineActivations::new(&activations, model, work, keeping)?;
    Ok(Memory {
        parameters,
        copies,
        gradients: held.gradients,
        state: held.state,
        activations: activations.total,
        less: kept.less,
        more: kept.more,
        kept: kept.total,
    })
}
