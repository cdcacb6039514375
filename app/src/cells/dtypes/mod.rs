//! Cell 2: what sixteen bits, or eight, can say.

use leptos::prelude::*;
use napkin_engine::format::Format;

use super::Cell;
use crate::state::{Outline, Step};
use crate::widgets::Part;

/// The cell.
pub const CELL: Cell = Cell {
    outline: Outline { id: "dtypes", steps: STEPS },
    name: "Dtypes",
    title: "What a few bits can say",
    intro: &["A number format spends its bits on range or on precision."],
    view: || view! { <Dtypes /> }.into_any(),
};

const STEPS: &[Step] =
    &[Step { title: "Limits", text: "Each format ends somewhere.", part: "limits", set: &[] }];

#[component]
fn Dtypes() -> impl IntoView {
    let rows = Format::ALL.map(|format| {
        let info = format.info();
        view! {
            <tr><th scope="row">{format.name}</th><td>{info.max.to_string()}</td><td>{info.eps.to_string()}</td></tr>
        }
    });
    view! {
        <Part name="limits" title="Limits">
            <table>{rows.into_iter().collect::<Vec<_>>()}</table>
        </Part>
    }
}
