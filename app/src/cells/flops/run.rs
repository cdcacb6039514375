//! How long training takes, by formula.

use std::sync::{Arc, OnceLock};

use crate::dom::Node;
use crate::signals::Signal;
use leptos::prelude::*;
use napkin_accounting::hardware::{Device, catalogue, device};
use napkin_accounting::{DType, Derivation, Gpus, Mfu, Params, Sparsity, Tokens, TrainingTime};
use napkin_view::view;

use super::figure;
use crate::state::{Choice, ChoiceRule, NumberRule, Param, Scale, SwitchRule, use_cell};
use crate::widgets::{Choose, Figure, NumberInput, Part, Switch, Working};

const N: NumberRule = NumberRule::of::<Params>("N, parameters", 1e3, 1e15, Scale::Decades);
const TOKENS: NumberRule = NumberRule::of::<Tokens>("D, training tokens", 1e3, 1e18, Scale::Decades);
const GPUS: NumberRule = NumberRule::of::<Gpus>("GPUs", 1.0, 1_048_576.0, Scale::Doubling(1));
const MFU: NumberRule = NumberRule::of::<Mfu>("MFU", 0.01, 1.0, Scale::Linear(0.01));
const SPARSE: SwitchRule = SwitchRule { label: "Use the rate for 2:4 sparse matrices" };
const DTYPES: ChoiceRule = ChoiceRule {
    label: "dtype of the products",
    options: &[
        ("fp32", "fp32"),
        ("tf32", "tf32"),
        ("fp16", "fp16"),
        ("bf16", "bf16"),
        ("fp8", "fp8"),
        ("fp4", "fp4"),
    ],
};
const BF16: usize = 3;
const DEFAULT_GPU: &str = "h100-sxm";

/// The catalogue's devices that have a rate at all.
fn gpus() -> ChoiceRule {
    static OPTIONS: OnceLock<Vec<(&str, &str)>> = OnceLock::new();
    let devices = || catalogue().devices.iter().filter(|device| !device.peaks.is_empty());
    let options = OPTIONS.get_or_init(|| devices().map(|d| (d.id.as_str(), d.name.as_str())).collect());
    ChoiceRule { label: "GPU", options }
}

#[derive(Clone, Copy)]
struct RunParams {
    params: Param<f64>,
    tokens: Param<f64>,
    gpu: Param<Choice>,
    dtype: Param<Choice>,
    sparse: Param<bool>,
    gpus: Param<f64>,
    mfu: Param<f64>,
}

impl RunParams {
    /// 70 B parameters, 15 T tokens, 1024 H100 at half their dense bf16 peak.
    fn new() -> Self {
        let cell = use_cell();
        let rule = gpus();
        let default = rule.options.iter().position(|(id, _)| *id == DEFAULT_GPU).unwrap_or(0);
        Self {
            params: cell.number("n", 70e9, N),
            tokens: cell.number("tokens", 15e12, TOKENS),
            gpu: cell.choice("gpu", default, rule),
            dtype: cell.choice("rate", BF16, DTYPES),
            sparse: cell.switch("sparse", false, SPARSE),
            gpus: cell.number("gpus", 1024.0, GPUS),
            mfu: cell.number("mfu", 0.5, MFU),
        }
    }

    fn device(self) -> napkin_accounting::Result<&'static Device> {
        device(&self.gpu.text())
    }

    fn time(self) -> napkin_accounting::Result<TrainingTime> {
        let sparsity = if self.sparse.get() { Sparsity::Sparse } else { Sparsity::Dense };
        let peak = self.device()?.peak(DType::parse("dtype", &self.dtype.text())?, sparsity)?;
        TrainingTime::new(
            Params::new(self.params.get()),
            Tokens::new(self.tokens.get()),
            &peak,
            Mfu::new(self.mfu.get()),
            Gpus::new(self.gpus.get()),
        )
    }
}

/// Fields and results.
#[component]
pub fn Run() -> Node {
    let params = RunParams::new();
    let pick = move |of: fn(TrainingTime) -> Arc<Derivation>| {
        Signal::derive(move || params.time().map(of).map_err(|error| error.to_string()))
    };
    let hours = pick(|time| time.gpu_hours.into());
    view! {
        <Part name="run" title="How long training takes">
            <div class="controls">
                <NumberInput param=params.params/>
                <NumberInput param=params.tokens/>
                <Choose param=params.gpu/>
                <Choose param=params.dtype/>
                <NumberInput param=params.gpus/>
                <NumberInput param=params.mfu/>
                <Switch param=params.sparse/>
            </div>
            <p class="remark">{move || remark(params)}</p>
            <div class="figures">
                <Figure label="Training time" value=figure(pick(|time| time.days.into()))/>
                <Figure label="FLOPs of the whole training" value=figure(pick(|time| time.total.into()))/>
                <Figure label="FLOPs of all GPUs in a day" value=figure(pick(|time| time.per_day.into()))/>
                <Figure label="GPU-hours" value=figure(hours)/>
            </div>
            <Working of=Signal::derive(move || hours.get().ok())/>
        </Part>
    }
}

/// What to know about the rate that is used: dense or sparse, and how far to trust it.
fn remark(params: RunParams) -> String {
    let Ok(dtype) = DType::parse("dtype", &params.dtype.text()) else { return String::new() };
    let Ok(device) = params.device() else { return String::new() };
    let Some(peak) = device.peaks.iter().find(|peak| peak.dtype == dtype) else { return String::new() };
    let kind = if params.sparse.get() { "sparse rate, which training does not reach" } else { "dense rate" };
    format!("{}, {dtype}: {kind}; {}.", device.name, peak.figure.mark.describe())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_gpu_is_in_the_catalogue() {
        assert!(gpus().options.iter().any(|(id, _)| *id == DEFAULT_GPU));
        assert!(gpus().options.len() > 20, "{}", gpus().options.len());
    }
}
