//! Pieces of a cell that a step can light, and the sentence under a field.

use leptos::prelude::*;

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
    children: Children,
) -> impl IntoView {
    let cell = use_cell();
    view! {
        <section class=format!("part part-{name}") class:is-lit=move || cell.lights(name)>
            {(!title.is_empty()).then(|| view! { <h3>{title}</h3> })}
            {children()}
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
) -> impl IntoView {
    view! { <p class="message" id=id role="status">{move || text.get()}</p> }
}
