//! Numbers of a few bits.

mod bits;
mod comparison;
mod decimal;
mod number;
mod number_line;

use leptos::prelude::*;
use napkin_engine::DType;
use napkin_engine::format::Format;

use crate::controls::TextInput;
use number::Number;

pub use number_line::NumberLine;

const FORMATS: [&str; 7] = ["fp32", "tf32", "fp16", "bf16", "fp8_e4m3", "fp8_e5m2", "fp4"];

/// A format by its name in lectures (`fp8_e4m3`, `torch.bfloat16`); none for those of more than 32 bits.
pub fn format_named(name: &str) -> Option<Format> {
    match name {
        "tf32" => Some(Format::TF32),
        "fp4" => Some(Format::E2M1),
        _ => DType::from_name(name)?.format(),
    }
}

/// A number in all formats: its bits, its neighbours, what each format keeps of it and how far it reaches.
#[component]
pub fn Dtypes() -> impl IntoView {
    let number = Number::new(1.0, Format::FP16);
    view! {
        <section class="part part-bits">
            <h3>"The bits"</h3>
            <bits::Formats number />
            <bits::Switches number />
            <bits::Formula number />
        </section>
        <section class="part part-neighbours">
            <h3>"Its neighbours"</h3>
            <bits::Neighbours number />
        </section>
        <section class="part part-kept">
            <h3>"What each format keeps"</h3>
            <div class="number-line"><TextInput param=number.text /></div>
            <comparison::Comparison number />
        </section>
        <section class="part part-ranges">
            <h3>"How far they reach"</h3>
            <NumberLine formats=FORMATS.map(str::to_owned).into() size=Signal::derive(move || number.value()) />
        </section>
    }
}

/// A number in one format: its bits as switches, its value and its neighbours.
#[component]
pub fn Bits(number: f64, format: Format) -> impl IntoView {
    let words = number::name(format);
    let number = Number::new(number, format);
    view! {
        <section class="part part-bits" aria-label=format!("The bits of a number in {words}")>
            <p class="note">{words}</p>
            <div class="number-line"><TextInput param=number.text /></div>
            <bits::Switches number />
            <bits::Formula number />
            <bits::Neighbours number />
        </section>
    }
}
