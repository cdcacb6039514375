//! A counted step of the deep linear model.

use serde::Serialize;

use super::beside::{self, Memory, Place, Product, Role};
use super::record::Record;
use super::{Training, with_given};
use crate::calc::fields::{
    ACCUMULATE, COUNT_DTYPE, COUNT_OPTIMIZER, LINEAR_BATCH, LINEAR_BIAS, LINEAR_DIM, LINEAR_LAYERS,
};
use crate::calc::memory::optimizer;
use crate::calc::{Calculator, Inputs, Sheet, Table};
use crate::forms::linear::DeepLinear;
use crate::forms::muon::{Matrices, muon_flop};
use crate::papers::{self, reason};
use crate::{Bytes, Derived, Expr, Flop, Ratio, Result, Unit};

/// The deep linear model's step.
pub const LINEAR: Calculator = Calculator {
    id: "count-linear",
    title: "A counted step of the deep linear model",
    about: "FLOPs and memory of a step of the lecture's model: by the formula and, when it has run, as counted",
    example: "napkin count linear --batch 4 --dim 16 --layers 2 --optimizer adamw",
    fields: &[
        &LINEAR_BATCH,
        &LINEAR_DIM,
        &LINEAR_LAYERS,
        &LINEAR_BIAS,
        &ACCUMULATE,
        &COUNT_OPTIMIZER,
        &COUNT_DTYPE,
    ],
    compute: |inputs| with_given("count-linear", inputs, answer),
};

/// What to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LinearSizes {
    /// Points of a micro-batch.
    pub batch: u64,
    /// Width of the layers.
    pub dim: u64,
    /// Layers before the head.
    pub layers: u64,
    /// Whether they add biases.
    pub bias: bool,
    /// How it is trained.
    #[serde(flatten)]
    pub training: Training,
}

impl LinearSizes {
    /// What the reader asks for.
    ///
    /// # Errors
    /// A sentence that names the field and the rule.
    pub fn read(inputs: &Inputs) -> Result<Self> {
        Ok(Self {
            batch: inputs.whole(&LINEAR_BATCH)?,
            dim: inputs.whole(&LINEAR_DIM)?,
            layers: inputs.whole(&LINEAR_LAYERS)?,
            bias: inputs.switch(&LINEAR_BIAS)?,
            training: Training::read(inputs)?,
        })
    }
}

fn answer(inputs: &Inputs, record: Option<&Record>) -> Result<Sheet> {
    let LinearSizes { bias, training, .. } = LinearSizes::read(inputs)?;
    let (micro, dim, layers) =
        (inputs.size(&LINEAR_BATCH)?, inputs.size(&LINEAR_DIM)?, inputs.size(&LINEAR_LAYERS)?);
    let points = &micro * inputs.size(&ACCUMULATE)?;
    // Parameters, gradients and state are float32, whatever goes through the model.
    let form = DeepLinear::new(&points, &dim, &layers, bias, 4.0, optimizer(training.optimizer))?;
    let muon = training
        .is_muon()
        .then(|| muon_flop(&[Matrices { count: layers.clone(), rows: dim.clone(), columns: dim.clone() }]));
    let muon = muon.transpose()?;
    let memory = memory(&form, &micro, &dim, &layers, training)?;
    let peak = memory.total()?;
    let table = beside::products(&products(&form)?, &form.counted, muon.as_ref(), record)?;
    let mut figures = vec![form.counted.clone().into()];
    if let Some(record) = record {
        figures.push(beside::step_flop(record)?.into());
    }
    figures.extend([form.params.clone().into(), peak.clone().into()]);
    let ratio: Derived<Ratio> = Derived::new(
        "step_over_six_nb",
        "ρ",
        "training step over 6·N·B",
        form.counted.expr() / &form.flop,
        &[],
    )?;
    let held = memory.table(&peak, record)?;
    let mut sheet = Sheet::default()
        .with("total", "", figures)
        .with("products", "Products", table)
        .with("six", "Beside 6·N·B", vec![ratio.into(), form.flop.clone().into()])
        .with("differences", "From 6·N·B to the step", differences(&form, &points, &dim, &layers, bias)?)
        .with("memory", "Memory", held);
    sheet.note(
        "The first layer's input is data, whose gradient nobody needs: of its three products only two run. The loss and \
         biases multiply no matrices and count as zero.",
    );
    Ok(match record {
        None => sheet,
        Some(record) => beside::with_record(sheet, &peak, record),
    })
}

fn products(form: &DeepLinear) -> Result<Vec<Product>> {
    let dx: Derived<Flop> = Derived::new(
        "layers_dx_flop",
        "C_Lx",
        "gradients of the layers' inputs, without that of the data",
        form.layers_flop.expr() - &form.first_flop,
        &[reason("the gradient of a factor costs as much as the product")],
    )?;
    let mut all = Vec::new();
    for (component, part, formulas) in [
        ("layers", "layers", [&form.layers_flop, &dx, &form.layers_flop]),
        ("head", "head", [&form.head_flop; 3]),
    ] {
        for (role, formula) in [Role::Forward, Role::Dx, Role::Dw].into_iter().zip(formulas) {
            let place = Place { part, is_batched: false };
            all.push(Product { component, role, place, formula: formula.clone() });
        }
    }
    Ok(all)
}

/// The way from 6·N·B to what the products of a step cost.
fn differences(form: &DeepLinear, points: &Expr, dim: &Expr, layers: &Expr, bias: bool) -> Result<Table> {
    let mut table = Table::new(&["", "FLOPs"]);
    table.row("6·N·B", vec![(&form.flop).into()]);
    if bias {
        let six = Expr::constant(6.0, Unit::FLOP);
        let vectors: Derived<Flop> = Derived::new(
            "vector_flop",
            "C_vec",
            "biases, which are in no matrix",
            six * points * (dim * layers + 1.0),
            &[reason("what is elementwise is not counted")],
        )?;
        table.row(format!("− {}", vectors.title), vec![(&vectors).into()]);
    }
    table.row(format!("− {}", form.first_flop.title), vec![(&form.first_flop).into()]);
    table.total("= training step", vec![(&form.counted).into()]);
    Ok(table)
}

fn memory(form: &DeepLinear, micro: &Expr, dim: &Expr, layers: &Expr, training: Training) -> Result<Memory> {
    let bytes = |count: f64| Expr::constant(count, Unit::BYTE);
    let element = training.element_bytes()?;
    let per_param = Expr::constant(element, Unit::BYTE.per(Unit::PARAM));
    let copies = training.is_half().then(|| {
        let copy = form.params.expr() * per_param;
        Derived::new("copy_bytes", "M_c", "copy of the parameters", copy, &[papers::MICIKEVICIUS])
    });
    let activations: Derived<Bytes> = Derived::new(
        "activation_bytes",
        "M_a",
        "activations: what every layer gives",
        micro * dim * layers * bytes(element),
        &[],
    )?;
    let predictions: Derived<Bytes> = Derived::new(
        "prediction_bytes",
        "A_y",
        "predictions, which the loss keeps in float32",
        micro * bytes(4.0),
        &[],
    )?;
    let kept = activations.expr() + &predictions;
    let kept = Derived::new("kept_bytes", "M_a'", "activations of this engine", kept, &[])?;
    Ok(Memory {
        parameters: form.param_bytes.clone(),
        copies: copies.transpose()?,
        gradients: form.gradient_bytes.clone(),
        state: form.state_bytes.clone(),
        activations,
        less: Vec::new(),
        more: vec![predictions],
        kept,
    })
}
