//! Every closed form of the lectures on a page: for a model of the reader's choice, and for the small GPT that the lecture on
//! resource accounting counts from cell to cell.

use super::fields::{ARCHITECTURE, BATCH, CONVENTION, DTYPE, FLASH, GPU, GPUS, MFU, PRICE, SEQUENCE, TOKENS};
use super::memory::step_bytes;
use super::size::{self, convention};
use super::time::peak;
use super::workload::{chosen, warn_of_length};
use super::{Calculator, Cell, ChosenModel, Figure, Inputs, Sheet, Table};
use crate::forms::activations::{Activations, Keeping};
use crate::forms::cost::cost;
use crate::forms::kv::KvCache;
use crate::forms::mfu::speed;
use crate::forms::roofline::attainable;
use crate::forms::size::{bytes_per_param, largest};
use crate::forms::static_memory::{Optimizer, StaticMemory};
use crate::models::Architecture;
use crate::{
    Count, DType, FlopCount, Gpus, Matmul, ParamCount, Quantity, Recompute, Result, Tokens, TrainingTime,
    Value, Workload, ridge,
};

pub(super) const FORMULAS: Calculator = Calculator {
    id: "formulas",
    title: "All formulas",
    about: "Every closed form of the lectures with its symbols, for a model and for the lecture's small GPT",
    example: "napkin calc formulas --model llama-3.1-8b --sequence 8192 --flash --mfu 0.4",
    fields: &[
        &ARCHITECTURE,
        &BATCH,
        &SEQUENCE,
        &FLASH,
        &TOKENS,
        &CONVENTION,
        &GPU,
        &DTYPE,
        &GPUS,
        &MFU,
        &PRICE,
    ],
    compute,
};

/// The lecture's model, as a config.json would describe it.
const SMALL_GPT: &str = r#"{"name": "small GPT", "model_type": "gpt2", "n_layer": 4, "n_head": 8, "n_embd": 256,
    "vocab_size": 65, "n_positions": 128}"#;

/// A model, and its training.
struct Run {
    model: ChosenModel,
    work: Workload,
    is_flash: bool,
    tokens: Value<Tokens>,
    gpus: Value<Gpus>,
}

impl Run {
    fn asked(inputs: &Inputs) -> Result<Self> {
        let (batch, tokens) = (inputs.whole(&BATCH)?, inputs.whole(&SEQUENCE)?);
        Ok(Self {
            model: chosen(inputs)?,
            work: Workload { batch, tokens, counts_masked: true, recompute: Recompute::None },
            is_flash: inputs.switch(&FLASH)?,
            tokens: inputs.value(&TOKENS)?,
            gpus: inputs.value(&GPUS)?,
        })
    }

    /// What it is and how it is trained.
    fn in_words(&self) -> String {
        let Self { model: ChosenModel { name, architecture, .. }, work, tokens, gpus, .. } = self;
        let Architecture { layers, d_model, vocab_size, .. } = architecture;
        let (sequences, each) = (work.batch, work.tokens);
        let (tokens, gpus) = (tokens.quantity(), gpus.quantity());
        format!(
            "The {name} is the lecture's: {layers} blocks of width {d_model}, a vocabulary of {vocab_size}, steps of \
             {sequences} sequences of {each} tokens; trained on {tokens}, with {gpus}.",
        )
    }

    fn of_lecture() -> Result<Self> {
        Ok(Self {
            model: ChosenModel::read(SMALL_GPT)?,
            work: Workload { batch: 16, tokens: 128, counts_masked: true, recompute: Recompute::None },
            is_flash: false,
            tokens: Value::given(TOKENS.python, TOKENS.symbol, TOKENS.help, Tokens::new(64e6))?,
            gpus: Value::given(GPUS.python, GPUS.symbol, GPUS.help, Gpus::new(1.0))?,
        })
    }
}

/// Forms that belong together: the name of the part, its heading, the results.
type Group = (&'static str, &'static str, Vec<Figure>);

fn compute(inputs: &Inputs) -> Result<Sheet> {
    let (asked, small) = (Run::asked(inputs)?, Run::of_lecture()?);
    let mut sheet = Sheet::default();
    for ((id, title, figures), (.., of_small)) in
        groups(inputs, &asked)?.into_iter().zip(groups(inputs, &small)?)
    {
        let mut table = Table::new(&["", "formula", &asked.model.name, &small.model.name]);
        for figure in figures {
            let beside = of_small.iter().find(|other| other.name == figure.name);
            let cells = vec![
                Cell::Formula(figure.clone()),
                Cell::from(&figure),
                beside.map_or_else(|| "–".into(), Cell::from),
            ];
            table.row(figure.title.to_string(), cells);
        }
        sheet = sheet.with(id, title, table);
    }
    warn_of_length(&mut sheet, &asked.model, asked.work.tokens);
    sheet.note(small.in_words());
    sheet.note(
        "The product is the one that makes a feed-forward part wide, for all tokens of a step; with experts, \
         that of one for its share of the tokens.",
    );
    Ok(sheet)
}

fn groups(inputs: &Inputs, run: &Run) -> Result<[Group; 3]> {
    Ok([
        ("bytes", "Bytes", bytes(inputs, run)?),
        ("work", "FLOPs", work(inputs, run)?),
        ("time", "Time and money", time(inputs, run)?),
    ])
}

fn bytes(inputs: &Inputs, run: &Run) -> Result<Vec<Figure>> {
    let (model, convention) = (&run.model.architecture, convention(inputs)?);
    let (params, formats) = (ParamCount::new(model)?.total, convention.formats());
    let held = StaticMemory::new(&(&params).into(), Some(model), formats, Optimizer::AdamW)?;
    let keeping = Keeping { element_bytes: formats.weight_bytes, is_flash: run.is_flash, has_dropout: false };
    let activations = Activations::new(model, &run.work, keeping)?;
    let step = step_bytes(&held, &activations)?;
    let cache = KvCache::new(model, run.work.batch, run.work.tokens, formats.weight_bytes)?;
    let per_param = bytes_per_param(convention)?;
    let mut figures: Vec<Figure> = vec![params.into(), held.weights.into(), held.gradients.into()];
    figures.extend(held.master.map(Into::into));
    figures.extend([held.state.into(), held.total.into(), per_param.clone().into()]);
    // Of a device without a figure of its memory, nothing can be told.
    if let Some(memory) = size::published_memory(inputs)? {
        let gpus = Count::of(run.gpus.quantity().number());
        let gpus = Value::given(GPUS.python, GPUS.symbol, GPUS.help, gpus)?;
        figures.push(largest(&gpus, &memory, &(&per_param).into())?.into());
    }
    figures.extend([activations.block.into(), activations.total.into(), step.into()]);
    figures.extend([cache.per_token.into(), cache.total.into()]);
    Ok(figures)
}

fn work(inputs: &Inputs, run: &Run) -> Result<Vec<Figure>> {
    let count = FlopCount::new(&run.model.architecture, &run.work)?;
    let product = up_projection(inputs, run)?;
    let mut figures: Vec<Figure> =
        vec![product.flop()?.into(), product.bytes()?.into(), product.intensity()?.into()];
    figures.extend(count.parts.into_iter().map(|part| part.forward.into()));
    figures.extend([count.forward.into(), count.backward.into(), count.step.into(), count.six_nd.into()]);
    Ok(figures)
}

fn time(inputs: &Inputs, run: &Run) -> Result<Vec<Figure>> {
    let (device, peak) = peak(inputs)?;
    let (model, mfu) = (&run.model.architecture, inputs.value::<crate::Mfu>(&MFU)?);
    let params = ParamCount::new(model)?.active;
    let training = TrainingTime::new(&(&params).into(), &run.tokens, &peak, &mfu, &run.gpus)?;
    let price = cost(&training.gpu_hours, &inputs.value(&PRICE)?)?;
    let step = FlopCount::new(model, &run.work)?.step;
    let mut figures: Vec<Figure> = Vec::new();
    if let Ok(bandwidth) = device.bandwidth() {
        let bandwidth = bandwidth.value("bandwidth_bytes_per_sec", "W")?;
        let intensity = up_projection(inputs, run)?.intensity()?;
        let rate = attainable("that product", &intensity, &peak, &bandwidth)?;
        figures.extend([ridge(&peak, &bandwidth)?.into(), rate.into()]);
    }
    figures.push(speed(&step, &run.work, &mfu, &run.gpus, &peak)?.into());
    figures.extend([training.total.into(), training.per_day.into(), training.days.into()]);
    figures.extend([training.gpu_hours.into(), price.into()]);
    Ok(figures)
}

/// The product that makes the feed-forward part wide, of all tokens of a step.
fn up_projection(inputs: &Inputs, run: &Run) -> Result<Matmul> {
    let model: &Architecture = &run.model.architecture;
    let experts = model.experts.as_ref().filter(|_| model.dense_layers() == 0);
    let width = experts.map_or(&model.mlp, |experts| &experts.mlp).d_ff;
    let size = |size: u64| Count::new(size as f64);
    let tokens = run.work.batch * run.work.tokens;
    // An expert meets its share of them.
    let met = experts.map_or(tokens, |experts| {
        let chosen = u128::from(tokens) * u128::from(experts.per_token);
        u64::try_from(chosen.div_ceil(experts.count.max(1).into())).unwrap_or(u64::MAX)
    });
    Ok(Matmul {
        b: size(met),
        d: size(model.d_model),
        k: size(width),
        dtype: DType::parse(&inputs.called(&DTYPE), inputs.choice(&DTYPE)?)?,
    })
}
