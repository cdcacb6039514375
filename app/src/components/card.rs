//! Something to try, to answer or to remember.

use leptos::prelude::*;
use napkin_trace::trace::{Card, Choice, Json};

use super::prose::Prose;

/// Prose under a heading. What answers a choice is in the document only once it is chosen.
#[component]
pub fn CardView(
    card: Card,
    /// The prose as trees: that of the card, then that of each choice.
    prepared: Json,
) -> impl IntoView {
    let Card { head, text, choices } = card;
    let label = head.clone();
    let tree = move |at: usize| prepared.get(at).cloned().unwrap_or_default();
    let whole = view! { <Prose text tree=tree(0) /> };
    let chosen = RwSignal::new(None::<usize>);
    let button = |(at, Choice { text, .. }): (usize, Choice)| {
        let is_chosen = move || (chosen.get() == Some(at)).to_string();
        view! { <button type="button" aria-pressed=is_chosen on:click=move |_| chosen.set(Some(at))>{text}</button> }
    };
    let asks = (!choices.is_empty()).then(|| {
        let buttons = choices.iter().cloned().enumerate().map(button).collect_view();
        let answer = move || {
            let at = chosen.get()?;
            let Choice { why, is_right, .. } = choices.get(at)?.clone();
            let (class, words) = match is_right {
                Some(true) => ("verdict is-right", "Right. "),
                Some(false) => ("verdict is-wrong", "Not quite. "),
                None => ("verdict", ""),
            };
            Some(
                view! { <div class=class><strong>{words}</strong><Prose text=why tree=tree(at + 1) /></div> },
            )
        };
        view! { <div class="choices">{buttons}</div><div role="status">{answer}</div> }
    });
    view! {
        <div class="card" role="group" aria-label=label>
            <p class="card-head">{head}</p>
            {whole}
            {asks}
        </div>
    }
}
