//! A tensor is a view of a one-dimensional storage.

mod editor;
mod explorer;
mod facts;
mod grid;
mod model;
mod program;

use leptos::prelude::*;

use crate::controls::TextInput;
use explorer::Explorer;

pub use model::Model;

/// Tensors over their storages, to point at, to write to, and to make views of. Begins with those of a trace, or with an
/// `x` that counts its elements.
#[component]
pub fn Strides(#[prop(optional)] start: Option<Model>) -> impl IntoView {
    let explorer = Explorer::new(start);
    view! {
        <section class="part part-storage">
            <h3>"The line in memory"</h3>
            <grid::Storages explorer />
        </section>
        <section class="part part-arithmetic">
            <h3>"From an index to its place"</h3>
            <facts::Arithmetic explorer />
        </section>
        <section class="part part-tensors">
            <h3>"What the tensors show"</h3>
            <facts::Tensors explorer />
        </section>
        <section class="part part-operations">
            <h3>"Make a view"</h3>
            <div class="make">
                {explorer.is_counting.then(|| view! { <TextInput param=explorer.shape /> })}
                <editor::Editor explorer />
            </div>
        </section>
    }
}
