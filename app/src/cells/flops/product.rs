//! What a product costs, by formula.

use std::sync::Arc;

use crate::dom::Node;
use crate::signals::Signal;
use leptos::prelude::*;
use napkin_accounting::{Count, DType, Derivation, Matmul, Result, decimal};
use napkin_view::view;

use super::figure;
use crate::state::{Choice, ChoiceRule, NumberRule, Param, Scale, use_cell};
use crate::widgets::{Choose, Figure, NumberInput, Part, Working};

const LARGEST: f64 = 1_048_576.0;
const B: NumberRule = NumberRule::of::<Count>("B", 1.0, LARGEST, Scale::Doubling(1));
const D: NumberRule = NumberRule::of::<Count>("D", 1.0, LARGEST, Scale::Doubling(1));
const K: NumberRule = NumberRule::of::<Count>("K", 1.0, LARGEST, Scale::Doubling(1));

const DTYPES: ChoiceRule = ChoiceRule {
    label: "dtype",
    options: &[("fp32", "float32"), ("fp16", "float16"), ("bf16", "bfloat16"), ("fp8", "float8_e4m3fn")],
};

/// The shapes that formula and measurement share.
#[derive(Clone, Copy)]
pub struct ProductParams {
    b: Param<f64>,
    d: Param<f64>,
    k: Param<f64>,
    dtype: Param<Choice>,
}

impl ProductParams {
    /// The lecture's shapes, in fp32.
    pub fn new() -> Self {
        let cell = use_cell();
        Self {
            b: cell.number("b", 1024.0, B),
            d: cell.number("d", 256.0, D),
            k: cell.number("k", 64.0, K),
            dtype: cell.choice("dtype", 0, DTYPES),
        }
    }

    /// (B, D, K); tracked.
    pub fn sizes(self) -> (f64, f64, f64) {
        (self.b.get(), self.d.get(), self.k.get())
    }

    /// PyTorch's name of the dtype; tracked.
    pub fn torch_dtype(self) -> &'static str {
        DTYPES.options.get(self.dtype.get().0).map_or("float32", |(_, name)| name)
    }

    /// The product's closed forms; tracked.
    pub fn matmul(self) -> Result<Matmul> {
        let (b, d, k) = self.sizes();
        let dtype = DType::parse("dtype", &self.dtype.text())?;
        Ok(Matmul { b: Count::new(b), d: Count::new(d), k: Count::new(k), dtype })
    }
}

/// Fields and the three results.
#[component]
pub fn Product(
    /// The shapes.
    params: ProductParams,
) -> Node {
    let pick = move |of: fn(Matmul) -> Result<Arc<Derivation>>| {
        Signal::derive(move || params.matmul().and_then(of).map_err(|error| error.to_string()))
    };
    let intensity = pick(|m| m.intensity().map(Into::into));
    view! {
        <Part name="product" title="What a product costs">
            <div class="controls">
                <NumberInput param=params.b/>
                <NumberInput param=params.d/>
                <NumberInput param=params.k/>
                <Choose param=params.dtype/>
            </div>
            <p class="code-line"><code>{move || code(params)}</code></p>
            <div class="figures">
                <Figure label="FLOPs of the product" value=figure(pick(|m| m.flop().map(Into::into)))/>
                <Figure label="Bytes moved at least" value=figure(pick(|m| m.bytes().map(Into::into)))/>
                <Figure label="Arithmetic intensity" value=figure(intensity)/>
            </div>
            <Working of=Signal::derive(move || intensity.get().ok())/>
        </Part>
    }
}

/// The line of Python that all this is about.
fn code(params: ProductParams) -> String {
    let ((b, d, k), dtype) = (params.sizes(), params.torch_dtype());
    let [b, d, k] = [b, d, k].map(decimal::shortest);
    format!("torch.ones({b}, {d}, dtype=torch.{dtype}) @ torch.ones({d}, {k}, dtype=torch.{dtype})")
}
