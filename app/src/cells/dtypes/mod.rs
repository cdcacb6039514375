//! Cell 2: what a few bits can say.

mod bits;
mod decimal;
mod pad;
mod tables;

use crate::dom::Node;
use leptos::prelude::*;
use napkin_view::view;

use super::Cell;
use crate::state::{Outline, Step, use_cell};
use crate::widgets::{Part, TextInput, written};

/// The cell.
pub const CELL: Cell = Cell {
    outline: Outline { id: "dtypes", steps: STEPS },
    name: "Dtypes",
    title: written!("What a few bits can say"),
    intro: &[
        written!(
            "A floating-point number is a sign, an *exponent* that says how large, and a *fraction* that says where \
         between two powers of two. Bits spent on one are missing in the other, and every format is a different \
         deal."
        ),
        written!(
            "Half the bits means half the memory, half the traffic and at least twice the speed on a tensor core. \
         The price is paid in gradients that round to zero and sums that overflow. Here you see exactly when."
        ),
    ],
    view: || view! { <Dtypes /> },
};

const STEPS: &[Step] = &[
    Step {
        title: written!("Three fields"),
        text: written!(
            "Sixteen switches make one fp16 number: 1 for the sign, 5 for the exponent, 10 for the fraction. \
               Flip any of them and read the formula below."
        ),
        part: "bits",
        set: &[("format", "fp16"), ("number", "1")],
    },
    Step {
        title: written!("The hidden one"),
        text: written!(
            "With the first fraction bit set, 1 becomes 1.5. The leading 1 of a normal number is never \
               stored, so ten fraction bits give eleven binary digits."
        ),
        part: "bits",
        set: &[("format", "fp16"), ("number", "1.5")],
    },
    Step {
        title: written!("Gaps grow with the number"),
        text: written!(
            "From 2048 on, fp16 counts in twos: 2049 does not exist. The gap doubles at each power of two, and \
               relative to the number it stays the same."
        ),
        part: "neighbours",
        set: &[("format", "fp16"), ("number", "2048")],
    },
    Step {
        title: written!("Too small"),
        text: written!(
            "A gradient of 1e-8 is nothing unusual. In fp16 it is 0, and the weight never learns. bf16 \
               keeps 1.0011717677116394e-08: wrong in the fourth digit, but there."
        ),
        part: "kept",
        set: &[("format", "fp16"), ("number", "1e-8")],
    },
    Step {
        title: written!("Too large"),
        text: written!(
            "fp16 ends at 65504. One attention score of 70000 becomes infinity, the next operation makes it \
               NaN, and the run is lost. bf16 only rounds it."
        ),
        part: "kept",
        set: &[("format", "fp16"), ("number", "70000")],
    },
    Step {
        title: written!("Range or precision"),
        text: written!(
            "bf16 is fp32 with the lower half cut off: the same range, about three digits. That is the deal \
               that most training runs take."
        ),
        part: "ranges",
        set: &[("format", "bf16"), ("number", "0.1")],
    },
    Step {
        title: written!("Eight bits, and four"),
        text: written!(
            "E4M3 reaches 448, which is enough for weights and activations; E5M2 reaches 57344, for gradients. \
               E2M1 has sixteen patterns in all, so it needs a scale beside it."
        ),
        part: "limits",
        set: &[("format", "e4m3"), ("number", "448")],
    },
];

#[component]
fn Dtypes() -> Node {
    let pad = pad::Pad::new(use_cell());
    view! {
        <Part name="bits" title="The bits">
            <bits::Formats pad />
            <bits::Switches pad />
            <bits::Formula pad />
        </Part>
        <Part name="neighbours" title="Its neighbours">
            <bits::Neighbours pad />
        </Part>
        <Part name="kept" title="What each format keeps">
            <div class="number-line"><TextInput param=pad.number is_code=true /></div>
            <tables::Kept pad />
        </Part>
        <Part name="ranges" title="How far they reach">
            <tables::Ranges pad />
        </Part>
        <Part name="limits" title="Their limits">
            <tables::Limits />
        </Part>
    }
}
