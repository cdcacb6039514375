//! Cells of calculators. What they hold belongs to a module of its own, `napkin-sheets`: the build writes it into the
//! page, and the browser loads the module to keep it true when it has nothing else to do.

pub mod backward;
pub mod kv;
pub mod memory;
mod module;
pub mod optimal;
pub mod parallel;
pub mod reality;
pub mod roofline;
pub mod size;
pub mod tensor;
pub mod time;
pub mod transformer;

use crate::dom::Node;
use crate::signals::effect;
use napkin_view::view;

use crate::state::use_cell;

use module::Place;
pub use module::{Sheets, use_sheets};

/// The inside of a cell that shows these calculators, ids with spaces between them; `name` is the cell's in a
/// sentence.
pub fn sheet(name: &'static str, calculators: &'static str) -> Node {
    let (cell, sheets) = (use_cell(), use_sheets());
    let id = cell.id();
    sheets.add(Place { id, name, calculators });
    effect(move |_| sheets.light(id, cell.part()));
    let news = move || sheets.news();
    let retry = move || {
        sheets.is_broken().then(|| {
            view! { <button type="button" on:click=move |_| sheets.load()>"Try again"</button> }
        })
    };
    view! {
        <div
            class="sheets"
            class:is-waiting=move || sheets.is_behind()
            on:focusin=move |_| sheets.load()
            on:pointerdown=move |_| sheets.load()
        >
            <div class="sheets-news" class:is-empty=move || news().is_empty()>
                <p role="status">{news}</p>
                {retry}
            </div>
            {place(id, name, calculators)}
        </div>
    }
}

/// The id of the element that the module takes over.
fn place_id(id: &str) -> String {
    format!("{id}-sheet")
}

#[cfg(target_arch = "wasm32")]
fn place(id: &'static str, _: &'static str, _: &'static str) -> Node {
    Node::Kept(place_id(id).into())
}

/// As it is before anybody has changed anything.
#[cfg(not(target_arch = "wasm32"))]
fn place(id: &'static str, name: &'static str, calculators: &'static str) -> Node {
    let mut book = napkin_sheets::Book::default();
    book.add(napkin_sheets::Cell::new(id, name, &calculators.split(' ').collect::<Vec<_>>()));
    book.light(id, use_cell().part());
    view! { <div class="sheet-place" id=place_id(id) data-cell=id>{Node::Html(book.html(id))}</div> }
}
