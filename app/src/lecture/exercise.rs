//! A small task: a card, and the function that the reader is to complete.

use leptos::either::Either;
use leptos::prelude::*;
use napkin_trace::trace::{Card, Drawing, Rendering};

use super::editor::{Edited, Editor, focus_after};
use super::run::use_run;
use super::state::use_lecture;
use crate::components::{CardView, Guesses, Verdict};

/// The card as it was drawn last, and the function, in an editor once the reader wants to solve it.
#[component]
pub fn ExerciseView(
    rendering: Memo<Option<Rendering>>,
    /// The file of the cell.
    path: String,
    /// The cell's function.
    cell: String,
    /// The one to complete.
    function: String,
) -> impl IntoView {
    let (state, run) = (use_lecture(), use_run());
    let (is_open, opens) = (RwSignal::new(false), NodeRef::new());
    focus_after(is_open, opens);
    let name = function.clone();
    let place = StoredValue::new((path, function));
    let say = move |key, text, verdict| Guesses(state.guesses).say(key, text, verdict);
    let code = Memo::new(move |_| {
        let edited = place.with_value(|(path, function)| Edited::of(state, path, function));
        edited.map(|it| it.code).unwrap_or_default()
    });
    let card = move || match rendering.get()?.drawing()? {
        Drawing::Card(card) => Some(card),
        _ => None,
    };
    let is_right =
        Memo::new(move |_| card().is_some_and(|it| it.choices.iter().any(|it| it.is_right == Some(true))));
    Effect::new(move || {
        if is_right.get() {
            say(place.get_value().1, code.get_untracked(), Verdict::Right);
        }
    });
    let on_run = Callback::new(move |()| {
        let task = untrack(card).map(|Card { text, .. }| text).unwrap_or_default();
        // The choice of the card that says what is wrong.
        say(task, "Check".to_owned(), Verdict::Shown);
        run.run_cell(place.get_value().0, cell.clone());
    });
    let editor = move || match is_open.get() {
        true => {
            let (path, function) = place.get_value();
            Either::Left(view! { <Editor path function on_run is_edited=is_open /> })
        }
        false => Either::Right(view! {
            <pre><code>{code}</code></pre>
            <p class="choices">
                <button type="button" class="is-main" on:click=move |_| is_open.set(true) node_ref=opens>"Solve it"</button>
            </p>
        }),
    };
    view! {
        <div class="exercise" data-function=name>
            {move || card().map(|card| view! { <CardView card prepared=rendering.get().unwrap_or_default().prepared /> })}
            {editor}
        </div>
    }
}
