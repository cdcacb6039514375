//! The napkin beside what was reported.

use super::fields::MFU;
use super::{Calculator, Cell, Inputs, Sheet, Table};
use crate::Unit;
use crate::papers::reason;
use crate::{
    DType, Derived, Expr, Gpus, Mfu, ParamCount, Params, Ratio, Result, Sourced, Sparsity, Tokens,
    TrainingTime, Value, hardware, models, runs,
};

pub(super) const REALITY: Calculator = Calculator {
    id: "reality",
    title: "Napkin against reality",
    about: "Reported GPU-hours of published models beside the napkin's, and the landmarks of compute",
    example: "napkin calc reality --mfu 0.5",
    fields: &[&MFU],
    compute,
};

fn compute(inputs: &Inputs) -> Result<Sheet> {
    let mfu = inputs.value::<Mfu>(&MFU)?;
    let mut table = Table::new(&["run", "napkin's GPU-hours", "reported GPU-hours", "reported over napkin"]);
    for run in &runs::catalogue().runs {
        if let Some(row) = beside(run, &mfu)? {
            table.row(run.name.clone(), row);
        }
    }
    let mut landmarks = Table::new(&["landmark", "FLOPs"]);
    for landmark in &runs::catalogue().landmarks {
        let figure: Sourced<crate::Flop> = Sourced::figure(&landmark.flop, landmark.name.clone());
        let flop: Derived<crate::Flop> = Derived::new(
            "landmark_flop",
            "C",
            landmark.name.clone(),
            figure.value("reported_flop", "C_r")?.expr(),
            &[],
        )?;
        landmarks.row(landmark.name.clone(), vec![Cell::from(&flop)]);
    }
    for (label, name, days) in [
        ("8 H100 for a week, at their peak", "week_flop", 7.0),
        ("8 H100 for two weeks, at their peak", "two_weeks_flop", 14.0),
    ] {
        landmarks.row(label, vec![Cell::from(&eight(name, label, days)?)]);
    }
    let mut sheet = Sheet::default().with("runs", "Reported GPU-hours", table).with(
        "landmarks",
        "Landmarks of compute",
        landmarks,
    );
    sheet.note(
        "Reported GPU-hours hold more than the last run of pretraining: restarts, longer contexts, what comes after. \
         So no MFU follows from them. The napkin takes the peak of bfloat16, also for a run in float8.",
    );
    Ok(sheet)
}

/// What eight H100 do at their dense peak: the lecture multiplies one week and calls it two.
fn eight(name: &'static str, title: &'static str, days: f64) -> Result<Derived<crate::Flop>> {
    let peak = hardware::device("h100-sxm")?.peak(DType::Bf16, Sparsity::Dense)?.value()?;
    let secs = Expr::constant(86_400.0, Unit::SECOND.per(Unit::DAY)) * Expr::constant(days, Unit::DAY);
    Derived::new(name, "C_8", title, 8.0 * secs * &peak, &[])
}

/// The napkin's hours, the reported ones, and their ratio; nothing for a run that lacks a figure.
fn beside(run: &runs::Run, mfu: &Value<Mfu>) -> Result<Option<Vec<Cell>>> {
    let (Some(model), Some(gpu), Some(tokens), Some((_, reported))) =
        (&run.model, &run.gpu, &run.tokens, run.reported())
    else {
        return Ok(None);
    };
    let model = models::preset(model)?;
    let architecture = models::Architecture::from_config(&model.config)?;
    let params: Value<Params> = (&ParamCount::new(&architecture)?.active).into();
    let tokens: Value<Tokens> =
        Sourced::figure(tokens, format!("training tokens of {}", run.name)).value("tokens", "D")?;
    let peak = hardware::device(gpu)?.peak(DType::Bf16, Sparsity::Dense)?;
    let one = Value::given("gpus", "G", "one device", Gpus::new(1.0))?;
    let napkin = TrainingTime::new(&params, &tokens, &peak, mfu, &one)?.gpu_hours;
    let hours: Derived<crate::GpuHours> = Derived::new(
        "reported_hours",
        "H_r",
        reported.title.clone(),
        reported.value("reported_gpu_hours", "H_0")?.expr(),
        &[],
    )?;
    let ratio: Derived<Ratio> = Derived::new(
        "reported_over_napkin",
        "ρ",
        format!("reported over napkin, {}", run.name),
        hours.expr() / &napkin,
        &[reason("reported hours hold more than the last run: this is no MFU")],
    )?;
    Ok(Some(vec![(&napkin).into(), (&hours).into(), (&ratio).into()]))
}
