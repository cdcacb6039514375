//! How long training takes, and what it costs.

use super::fields::{DTYPE, GPU, GPUS, MFU, MODEL, PARAMS, PRICE, PUE, SPARSE, TOKENS};
use super::{Calculator, ChosenModel, Inputs, Sheet};
use crate::forms::cost;
use crate::papers::reason;
use crate::{
    DType, Derived, Mfu, ParamCount, Params, Peak, Ratio, Result, Sourced, Sparsity, Tokens, TrainingTime,
    Value, format, runs,
};

pub(super) const TIME: Calculator = Calculator {
    id: "time",
    title: "Training time and cost",
    about: "How long training takes: 6·N·D over peak, MFU and GPUs; GPU-hours, money and energy",
    example: "napkin calc time --params 70B --tokens 15T --gpu h100-sxm --gpus 1024 --mfu 0.5",
    fields: &[&MODEL, &PARAMS, &TOKENS, &GPU, &DTYPE, &SPARSE, &GPUS, &MFU, &PRICE, &PUE],
    compute,
};

fn compute(inputs: &Inputs) -> Result<Sheet> {
    let model = inputs.model(&MODEL)?;
    let (params, tokens) = size_and_tokens(inputs, model.as_ref())?;
    let (device, peak) = peak(inputs)?;
    let mfu = inputs.value::<Mfu>(&MFU)?;
    let gpus = inputs.value(&GPUS)?;
    let run = TrainingTime::new(&params, &tokens, &peak, &mfu, &gpus)?;
    let cost = cost::cost(&run.gpu_hours, &inputs.value(&PRICE)?)?;
    let gpu_hours = run.gpu_hours.clone();
    let mut money = vec![cost.into()];
    let mut sheet = Sheet::default();
    match device.power() {
        Ok(power) => {
            let power = power.value("power_watts", "p_W")?;
            money.push(cost::energy(&run.gpu_hours, &power, &inputs.value(&PUE)?)?.into());
        }
        Err(error) => sheet.note(format!("There is no energy: {error}.")),
    }
    sheet = sheet
        .with("days", "", vec![run.days.into(), gpu_hours.clone().into()])
        .with("work", "", vec![run.total.into(), run.per_day.into()])
        .with("cost", "", money);
    if let Some(remark) = mfu.quantity().remark() {
        sheet.warn(remark);
    }
    if let Some(factor) = peak.sparse_factor() {
        sheet.warn(format!(
            "The sparse peak counts products with zeros that are skipped; training is dense, and takes {} times as long.",
            format::short(factor, crate::Unit::NONE)
        ));
    }
    let reported = model.and_then(|model| runs::reported(&model.record?.id, &device.id));
    // Of another run the hours say nothing.
    let is_that_run = !inputs.is_given(&TOKENS) && !inputs.is_given(&PARAMS) && !inputs.switch(&SPARSE)?;
    if let Some((name, reported)) = reported.filter(|_| is_that_run) {
        let reported = reported.value("reported_gpu_hours", "H_r")?;
        let ratio: Derived<Ratio> = Derived::new(
            "reported_over_napkin",
            "ρ",
            format!("reported GPU-hours of {name} over the napkin's"),
            reported.expr() / &gpu_hours,
            &[reason("reported hours hold restarts and more than the last run: this is no MFU")],
        )?;
        sheet = sheet.with("reality", "Beside what was reported", vec![ratio.into()]);
    }
    Ok(sheet)
}

/// N and D, as typed or as the model has them.
fn size_and_tokens(inputs: &Inputs, model: Option<&ChosenModel>) -> Result<(Value<Params>, Value<Tokens>)> {
    let params = match model {
        Some(model) if !inputs.is_given(&PARAMS) => {
            let active: Derived<Params> = ParamCount::new(&model.architecture)?.active;
            (&active).into()
        }
        _ => inputs.value(&PARAMS)?,
    };
    let tokens = match model.and_then(|model| Some((&model.name, model.training_tokens.as_ref()?))) {
        Some((name, tokens)) if !inputs.is_given(&TOKENS) => {
            Sourced::figure(tokens, format!("training tokens of {name}")).value("tokens", "D")?
        }
        _ => inputs.value(&TOKENS)?,
    };
    Ok((params, tokens))
}

/// The device and the rate that it promises for the products.
pub(super) fn peak(inputs: &Inputs) -> Result<(std::borrow::Cow<'static, crate::hardware::Device>, Peak)> {
    let dtype = DType::parse(&inputs.called(&DTYPE), inputs.choice(&DTYPE)?)?;
    let device = inputs.device(&GPU)?;
    let (sparsity, field) =
        if inputs.switch(&SPARSE)? { (Sparsity::Sparse, &SPARSE) } else { (Sparsity::Dense, &DTYPE) };
    let peak = device.peak(dtype, sparsity).map_err(|error| inputs.about(field, error))?;
    Ok((device, peak))
}
