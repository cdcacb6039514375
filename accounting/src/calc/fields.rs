//! All assumptions, each once. Calculators that share one share what a reader makes of it.

use super::field::{Choice, Field, Kind, Range, Slider};
use crate::{
    Bytes, BytesPerParam, BytesPerSec, Count, DollarsPerGpuHour, Gpus, Mfu, Params, Quantity, Ratio, Scale,
    Tokens,
};

/// A number of a quantity.
const fn number<Q: Quantity>(min: f64, max: f64) -> Range {
    Range { unit: Q::UNIT, rule: Q::RULE, min, max, slider: None }
}

impl Range {
    const fn slider(mut self, min: f64, max: f64, scale: Scale) -> Self {
        self.slider = Some(Slider { min, max, scale });
        self
    }
}

/// The field that others vary.
const BASE: Field = Field {
    name: "",
    label: "",
    help: "",
    python: "",
    symbol: "",
    kind: Kind::Text,
    default: "",
    aliases: &[],
};

/// Architecture and training tokens.
pub static MODEL: Field = Field {
    name: "model",
    label: "Model",
    help: "model from the catalogue, such as llama-3.1-70b, or a config.json",
    kind: Kind::Model,
    ..BASE
};

/// N
pub static PARAMS: Field = Field {
    name: "params",
    label: "Parameters",
    help: "parameters",
    python: "params",
    symbol: "N",
    kind: Kind::Number(number::<Params>(1.0, 1e18).slider(1e6, 1e13, Scale::Decades)),
    default: "70B",
    ..BASE
};

/// D
pub static TOKENS: Field = Field {
    name: "tokens",
    label: "Training tokens",
    help: "training tokens",
    python: "tokens",
    symbol: "D",
    kind: Kind::Number(number::<Tokens>(1.0, 1e21).slider(1e9, 1e15, Scale::Decades)),
    default: "15T",
    ..BASE
};

/// The device.
pub static GPU: Field = Field {
    name: "gpu",
    label: "GPU",
    help: "device from the catalogue, such as h100-sxm, or the record of one in JSON",
    kind: Kind::Device,
    default: "h100-sxm",
    ..BASE
};

/// How many devices.
pub static GPUS: Field = Field {
    name: "gpus",
    label: "GPUs",
    help: "devices",
    python: "gpus",
    symbol: "G",
    kind: Kind::Number(number::<Gpus>(1.0, 1e9).slider(1.0, 1_048_576.0, Scale::Doubling(1))),
    default: "1024",
    ..BASE
};

/// Format of the products.
pub static DTYPE: Field = Field {
    name: "dtype",
    label: "Format of the products",
    help: "format of the products",
    kind: Kind::Choice(&[
        Choice { id: "bf16", label: "bfloat16" },
        Choice { id: "fp16", label: "float16" },
        Choice { id: "fp8", label: "float8" },
        Choice { id: "fp4", label: "float4" },
        Choice { id: "tf32", label: "TensorFloat-32" },
        Choice { id: "fp32", label: "float32" },
    ]),
    default: "bf16",
    ..BASE
};

/// 2:4 sparsity.
pub static SPARSE: Field = Field {
    name: "sparse",
    label: "Sparse peak",
    help: "take the peak with 2:4 sparsity, twice the dense one; training is dense",
    kind: Kind::Switch,
    ..BASE
};

/// MFU
pub static MFU: Field = Field {
    name: "mfu",
    label: "MFU",
    help: "MFU, the share of the peak that is reached",
    python: "mfu",
    symbol: "u",
    kind: Kind::Number(number::<Mfu>(1e-6, 10.0).slider(0.05, 1.0, Scale::Linear(0.05))),
    default: "0.5",
    ..BASE
};

/// Money.
pub static PRICE: Field = Field {
    name: "price",
    label: "Price of a GPU-hour in $",
    help: "price of one GPU-hour in US dollars",
    python: "price_per_gpu_hour",
    symbol: "p",
    kind: Kind::Number(number::<DollarsPerGpuHour>(1e-6, 1e6).slider(0.5, 20.0, Scale::Linear(0.25))),
    default: "3",
    ..BASE
};

/// What the building needs.
pub static PUE: Field = Field {
    name: "pue",
    label: "PUE",
    help: "power usage effectiveness, the building's power over the machines'",
    python: "pue",
    symbol: "η",
    kind: Kind::Number(number::<Ratio>(1.0, 10.0).slider(1.0, 2.0, Scale::Linear(0.05))),
    default: "1.2",
    ..BASE
};
