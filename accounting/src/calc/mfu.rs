//! MFU of a training run, by each way of counting that is in use, of the promised peak and of the measured one.

use super::fields::{
    ARCHITECTURE, BATCH, CAUSAL, COUNTED, DTYPE, GPU, GPUS, MACS, RECOMPUTE, SEQUENCE, SPARSE, SPEED,
};
use super::machine::{self, MACHINE_DATA};
use super::time::peak;
use super::workload::{chosen, warn_of_length, workload};
use super::{Calculator, Cell, Figure, Inputs, Kind, Sheet, Table};
use crate::forms::mfu::trained;
use crate::papers::reason;
use crate::{
    DType, Derived, Flop, FlopCount, Peak, Provenance, Recompute, Result, Sparsity, Workload, format,
};

/// The calculator. Under [`MACHINE_DATA`] it takes the record of the reader's machine, whose peak is then one more.
pub const MFU: Calculator = Calculator {
    id: "mfu",
    title: "MFU of a training run",
    about: "The MFU of a run from its tokens per second, with each way of counting FLOPs and each peak beside it",
    example: "napkin calc mfu --model llama-3.1-8b --tokens-per-sec 68k --gpus 8 --gpu h100-sxm --sequence 8192",
    fields: &[
        &ARCHITECTURE,
        &SPEED,
        &GPUS,
        &GPU,
        &DTYPE,
        &SPARSE,
        &BATCH,
        &SEQUENCE,
        &COUNTED,
        &CAUSAL,
        &RECOMPUTE,
        &MACS,
    ],
    compute,
};

fn compute(inputs: &Inputs) -> Result<Sheet> {
    let model = chosen(inputs)?;
    let (device, promised) = peak(inputs)?;
    let dtype = DType::parse(&inputs.called(&DTYPE), inputs.choice(&DTYPE)?)?;
    let measured = match inputs.data(MACHINE_DATA) {
        Some(record) => machine::peak(record, in_pytorch(dtype))?.map(Peak::new),
        None => None,
    };
    let (speed, gpus) = (inputs.value(&SPEED)?, inputs.value(&GPUS)?);
    let work = workload(inputs, !inputs.switch(&CAUSAL)?)?;
    let counted = |counts_masked, recompute| {
        FlopCount::new(&model.architecture, &Workload { counts_masked, recompute, ..work.clone() })
    };
    let unit = |step: Derived<Flop>| if inputs.switch(&MACS)? { in_macs(&step) } else { Ok(step) };
    let count = FlopCount::new(&model.architecture, &work)?;
    let is_hfu = count.recomputed.is_some() && inputs.choice(&COUNTED)? != "6nd";
    let step = unit(if inputs.choice(&COUNTED)? == "6nd" { count.six_nd } else { count.step })?;
    let of = |step: &Derived<Flop>, peak: &Peak| trained(step, &work, &speed, &gpus, peak);
    let (actual, mfu) = of(&step, &promised)?;
    let remark = mfu.quantity().remark();
    let mut figures: Vec<Figure> = vec![mfu.into()];
    if let Some(measured) = &measured {
        let of_measured = of(&step, measured)?.1;
        let title = "MFU of the peak that was measured here";
        let named: Derived<crate::Mfu> = Derived::new("measured_mfu", "u_m", title, of_measured.expr(), &[])?;
        figures.push(named.into());
    }
    figures.extend([actual.into(), step.into()]);
    let mut sheet = Sheet::default().with("mfu", "", figures);
    if let Some(remark) = remark {
        sheet.warn(remark);
    }
    if is_hfu {
        sheet.note("What is computed again is counted here: that is called HFU. An MFU leaves it out.");
    }

    let plain = counted(true, Recompute::None)?;
    let rows = [
        ("6·N·D", plain.six_nd),
        ("products, masked scores too", plain.step),
        ("products, without masked scores", counted(false, Recompute::None)?.step),
        ("HFU: blocks computed again, too", counted(true, Recompute::Full)?.step),
    ];
    let counts = if inputs.switch(&MACS)? { "MACs of a step" } else { "FLOPs of a step" };
    let mut columns = vec!["what is counted", counts, "of the dense peak", "of the sparse peak"];
    let mut peaks: Vec<Option<Peak>> =
        [Sparsity::Dense, Sparsity::Sparse].map(|sparsity| device.peak(dtype, sparsity).ok()).into();
    if measured.is_some() {
        columns.push("of the measured peak");
        peaks.push(measured);
    }
    let mut table = Table::new(&columns);
    for (name, step) in rows {
        let step = unit(step)?;
        let mut cells = vec![Cell::from(&step)];
        for peak in &peaks {
            cells.push(match peak {
                Some(peak) => Cell::from(&of(&step, peak)?.1),
                None => Cell::from("–"),
            });
        }
        table.row(name, cells);
    }
    sheet = sheet.with("conventions", "The same run, counted in each way", table);
    let measured = device.matmul.iter().find(|measured| measured.dtype == dtype);
    if let (Some(measured), Ok(dense)) = (measured, device.peak(dtype, Sparsity::Dense)) {
        let share = format::short(measured.figure.value / dense.flop_per_sec().value(), crate::Unit::NONE);
        let source = measured.figure.cite().into_iter().next().map_or_else(String::new, |it| it.title);
        sheet.note(format!(
            "Products of large matrices alone have been measured to reach {share} of the dense {dtype} peak of {} \
             ({source}): training comes less near.",
            device.name
        ));
    }
    sheet.note(
        "Training is dense: its MFU is that of the dense peak. When you report an MFU, say how you counted (the row) and \
         beside which peak (the column).",
    );
    warn_of_length(&mut sheet, &model, work.tokens);
    Ok(sheet)
}

/// Half of the FLOPs.
fn in_macs(step: &Derived<Flop>) -> Result<Derived<Flop>> {
    let why = reason("a multiplication with its addition is one MAC, and two FLOPs");
    Derived::new(
        "step_macs",
        "C_mac",
        format!("{}, a multiplication with its addition counted as one", step.title),
        step.expr() / 2.0,
        &[why],
    )
}

/// What the products of a dtype are called where machines are measured.
const fn in_pytorch(dtype: DType) -> &'static str {
    match dtype {
        DType::Fp16 => "float16",
        DType::Bf16 => "bfloat16",
        _ => "float32",
    }
}

/// An MFU to show to others: with its formula, its conventions, and where each number is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// "MFU 0.404"
    pub title: String,
    /// Formulas, the one of the MFU first.
    pub formulas: Vec<String>,
    /// Numbers in it, each with the sign and the words for where it is from.
    pub numbers: Vec<String>,
    /// How it was counted, and when.
    pub conventions: String,
}

impl Card {
    /// The card for an answer of [`MFU`] on that day; nothing where there is no answer.
    #[must_use]
    pub fn new(inputs: &Inputs, sheet: &Sheet, date: &str) -> Option<Self> {
        let figures = sheet.figures();
        let named = |name: &str| figures.iter().copied().find(|figure| figure.name == name);
        let (mfu, actual) = (sheet.headline()?, named("actual_flop_per_sec")?);
        let (steps, measured) = (actual.steps(), named("measured_mfu"));
        let derived = steps.into_iter().chain([&**actual, &**mfu]).chain(measured.map(|it| &**it));
        let mut numbers: Vec<String> = derived
            .map(|it| said(Some(it.provenance()), &format!("{} = {}, {}", it.symbol, it.short(), it.title)))
            .collect();
        let given = [mfu, actual].into_iter().flat_map(|figure| figure.inputs());
        let of_measured = measured.into_iter().flat_map(|figure| figure.all_inputs());
        let of_measured = of_measured.filter(|input| input.provenance == Some(Provenance::Measured));
        numbers.extend(given.chain(of_measured).map(|input| {
            let value = format::short(input.value, input.unit);
            let cited =
                input.sources.first().map_or_else(String::new, |it| format!(" ({}, {})", it.title, it.date));
            said(input.provenance, &format!("{} = {value}, {}{cited}", input.symbol, input.title))
        }));
        let told = MFU.fields.iter().filter(|field| matches!(field.kind, Kind::Choice(_) | Kind::Switch));
        let told = told.filter_map(|field| match field.kind {
            Kind::Switch => inputs.switch(field).ok()?.then(|| field.label.to_lowercase()),
            _ => {
                let chosen = field.choices().iter().find(|choice| choice.id == inputs.text(field))?;
                Some(format!("{}: {}", field.label.to_lowercase(), chosen.label))
            }
        });
        let conventions = told.chain([format!("{date}, Napkin")]).collect::<Vec<_>>().join(" · ");
        let name = chosen(inputs).ok()?.name;
        let title = format!("MFU {} of {name}", mfu.short());
        Some(Self {
            title,
            formulas: [mfu, actual].map(|figure| figure.equation()).into(),
            numbers,
            conventions,
        })
    }

    /// As Markdown, to post.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut text = format!("**{}**\n\n", self.title);
        for formula in &self.formulas {
            text += &format!("`{formula}`  \n");
        }
        text += "\n";
        for number in &self.numbers {
            text += &format!("- {number}\n");
        }
        text + &format!("\n{}\n", self.conventions)
    }
}

fn said(provenance: Option<Provenance>, number: &str) -> String {
    match provenance {
        Some(it) => format!("{} {number}: {}", it.sign(), it.words()),
        None => format!("{number}: given"),
    }
}
