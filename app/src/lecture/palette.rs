//! The search over a lecture: titles, prose and code.

use leptos::ev::KeyboardEvent;
use leptos::html::{Dialog, Input};
use leptos::prelude::*;

use super::model::{Hit, search};
use super::scroll::{nearest, show};
use super::state::use_lecture;

/// The search, over the page.
#[component]
pub fn Palette(dialog: NodeRef<Dialog>) -> impl IntoView {
    let state = use_lecture();
    let field = NodeRef::<Input>::new();
    let chosen = RwSignal::new(0_usize);
    let hits = RwSignal::new(Vec::new());
    let find = move || {
        if let Some(field) = field.get_untracked() {
            chosen.set(0);
            hits.set(search(&state.lecture.read_untracked(), &field.value()));
        }
    };
    // The lecture may have run since it was last open.
    let on_focus = move |_| {
        if let Some(field) = field.get_untracked() {
            field.select();
        }
        find();
    };
    let close = move || {
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
    };
    let go = move |hit: &Hit| {
        close();
        let lecture = state.lecture.get_untracked();
        show(state, hit.step, hit.part, lecture.place(hit.step).map(|place| lecture.line(place)));
    };
    let on_key = move |event: KeyboardEvent| {
        let last = hits.with_untracked(Vec::len).saturating_sub(1);
        match event.key().as_str() {
            "ArrowDown" => chosen.update(|at| *at = (*at + 1).min(last)),
            "ArrowUp" => chosen.update(|at| *at = at.saturating_sub(1)),
            "Enter" => {
                if let Some(hit) = hits.with_untracked(|hits| hits.get(chosen.get_untracked()).cloned()) {
                    go(&hit);
                }
            }
            // Some browsers empty a field that holds text, and close nothing.
            "Escape" => close(),
            _ => return,
        }
        event.prevent_default();
        if let Some(row) = document().get_element_by_id(&format!("hit-{}", chosen.get_untracked())) {
            nearest(&row);
        }
    };
    let row = move |(at, hit): (usize, Hit)| {
        let target = hit.clone();
        view! {
            <li
                id=format!("hit-{at}")
                role="option"
                data-step=hit.step
                aria-selected=move || (chosen.get() == at).to_string()
                on:click=move |_| go(&target)
            >
                <strong>{hit.title}</strong>
                {(!hit.excerpt.is_empty()).then(|| view! { <span>{hit.excerpt}</span> })}
            </li>
        }
    };
    view! {
        <dialog class="palette" aria-label="Search" node_ref=dialog>
            <input
                id="search"
                type="search"
                autocomplete="off"
                role="combobox"
                aria-expanded="true"
                aria-controls="hits"
                aria-label="Search code, prose and titles"
                placeholder="Search code, prose and titles"
                aria-activedescendant=move || format!("hit-{}", chosen.get())
                node_ref=field
                on:focus=on_focus
                on:input=move |_| find()
                on:keydown=on_key
            />
            <ul id="hits" role="listbox" aria-label="Found">
                {move || hits.get().into_iter().enumerate().map(row).collect_view()}
                {move || hits.with(Vec::is_empty).then(|| view! {
                    <li class="nothing" role="option" aria-disabled="true" aria-selected="false">
                        "Nothing of that is here."
                    </li>
                })}
            </ul>
            <p class="visually-hidden" role="status">{move || format!("{} found", hits.with(Vec::len))}</p>
        </dialog>
    }
}
