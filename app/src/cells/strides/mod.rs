//! Cell 1: a tensor is a view of a one-dimensional storage.

use leptos::prelude::*;

use super::Cell;
use crate::state::{Outline, Step, TextRule, use_cell};
use crate::widgets::{Part, TextInput};

/// The cell.
pub const CELL: Cell = Cell {
    outline: Outline { id: "strides", steps: STEPS },
    name: "Strides",
    title: "A tensor is a view of a line of numbers",
    intro: &["Memory has no rows and no columns."],
    view: || view! { <Strides /> }.into_any(),
};

const STEPS: &[Step] =
    &[Step { title: "Storage", text: "All elements lie one after the other.", part: "storage", set: &[] }];

fn check_shape(text: &str) -> Result<(), String> {
    shape(text).map(drop)
}

fn shape(text: &str) -> Result<Vec<usize>, String> {
    let sizes =
        text.split(',').map(|size| size.trim().parse::<usize>().map_err(|e| format!("Shape: {size:?}: {e}")));
    let sizes: Vec<usize> = sizes.collect::<Result<_, _>>()?;
    napkin_engine::Layout::contiguous(&sizes).map_err(|error| error.to_string())?;
    Ok(sizes)
}

#[component]
fn Strides() -> impl IntoView {
    let cell = use_cell();
    let shape_text = cell.text("shape", "4, 4", TextRule { label: "Shape", check: check_shape });
    let layout = Signal::derive(move || {
        shape(&shape_text.get()).ok().and_then(|shape| napkin_engine::Layout::contiguous(&shape).ok())
    });
    view! {
        <Part name="storage" title="Storage">
            <TextInput param=shape_text is_code=true />
            <p>{move || layout.get().map(|layout| format!("{:?}", layout.strides()))}</p>
        </Part>
    }
}
