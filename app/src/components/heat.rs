//! Tensors in colours.

use leptos::prelude::*;
use napkin_charts::{Caption, shades};
use napkin_trace::trace::{Json, Value};

use super::chart::Pointable;
use super::disclosure::Disclosure;
use super::export::Export;
use super::grid::Grid;
use super::number::{number_of, repr, tick};
use super::or;
use super::tensor::{TensorView, items};

/// Squares have no letters: they shrink where there is less room.
const WIDTH: f64 = 420.0;

/// A tensor of one dimension or two in colours; the largest magnitude is the darkest.
#[component]
pub fn Heat(
    /// The tensor's name; may be empty.
    name: String,
    tensor: Value,
) -> impl IntoView {
    let contents = items(&tensor.contents);
    let is_flat = contents.iter().any(|item| items(item).is_empty());
    let cells: Vec<Vec<Json>> = match is_flat {
        true => vec![contents.to_vec()],
        false => contents.iter().map(|row| items(row).to_vec()).collect(),
    };
    let rows: Vec<Vec<Option<f64>>> = cells.iter().map(|row| row.iter().map(number_of).collect()).collect();
    let values = rows.iter().flatten().flatten().copied().filter(|value| value.is_finite());
    let (least, most) =
        values.fold((0.0_f64, 0.0_f64), |(least, most), value| (least.min(value), most.max(value)));
    let title = or(&name, "A tensor in colours").to_owned();
    // Strong colours are dark on a light page and bright on a dark one.
    let scale = if least < 0.0 { "the farther from 0" } else { "the larger" };
    let description = format!("From {} to {}; the stronger the colour, {scale}.", tick(least), tick(most));
    // Nothing in it is hatched.
    let caption = Caption { id: "", title: &title, description: &description, width: WIDTH };
    let chart = shades(caption, &rows, &|row, column, value| match is_flat {
        true => format!("[{column}] = {}", repr(value)),
        false => format!("[{row}, {column}] = {}", repr(value)),
    });
    let picture = chart.clone();
    let width = cells.iter().map(Vec::len).max().unwrap_or(0);
    let columns: Vec<String> = (0..width).map(|at| at.to_string()).collect();
    let grid = Grid::new(&title, &columns, cells);
    view! {
        <figure class="drawing heat">
            <Pointable label=title chart />
            <figcaption class="note">{description}</figcaption>
            <Export grid picture />
        </figure>
    }
}

/// A tensor that a lecture shows in colours, with its elements.
#[component]
pub fn HeatView(tensor: Value) -> impl IntoView {
    let elements = StoredValue::new(tensor.clone());
    view! {
        <Heat name=String::new() tensor />
        <div class="drawing">
            <Disclosure summary="As a table">
                <TensorView name="" tensor=elements.get_value() />
            </Disclosure>
        </div>
    }
}
