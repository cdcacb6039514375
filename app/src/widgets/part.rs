//! Pieces of a cell that a step can light, and the sentence under a field.

use crate::dom::Node;
use crate::signals::Signal;
use leptos::prelude::*;
use napkin_view::view;

use crate::state::use_cell;

/// A piece of a cell, lit while the step's `part` is its name.
#[component]
pub fn Part(
    /// Its name in the steps.
    name: &'static str,
    /// The heading over it; may be empty.
    #[prop(optional)]
    title: &'static str,
    /// What it shows.
    children: Node,
) -> Node {
    let cell = use_cell();
    view! {
        <section class=format!("part part-{name}") class:is-lit=move || cell.lights(name)>
            {(!title.is_empty()).then(|| view! { <h3>{title}</h3> })}
            {children}
        </section>
    }
}

/// What is wrong with a field, under it; empty while nothing is.
#[component]
pub fn Message(
    /// What the field's `aria-describedby` names.
    id: String,
    /// The sentence.
    text: Signal<Option<String>>,
) -> Node {
    view! { <p class="message" id=id role="status">{move || text.get()}</p> }
}
