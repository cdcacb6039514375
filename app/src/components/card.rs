//! Something to try, to answer or to remember.

use std::collections::BTreeMap;

use leptos::prelude::*;
use napkin_trace::trace::{Card, Choice, Json};
use serde::{Deserialize, Serialize};

use super::prose::Prose;

/// How good a guess is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// The right choice, or the number to within a tenth.
    Right,
    /// A number of the right order of magnitude: off by less than ten times.
    Near,
    /// Another choice, or another number.
    Wrong,
    /// The reader asked to be shown.
    Shown,
}

/// What the reader said where something was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guess {
    /// What was written or chosen.
    pub text: String,
    /// How good it was then.
    pub verdict: Verdict,
    /// How often something was said, that included.
    #[serde(default)]
    pub tries: u32,
}

/// What the reader has said, that on cards by their texts.
#[derive(Clone, Copy, Default)]
pub struct Guesses(pub RwSignal<BTreeMap<String, Guess>>);

impl Guesses {
    /// Takes what the reader says now. To be shown an answer is no try.
    pub fn say(self, key: String, text: String, verdict: Verdict) {
        self.0.update(|all| {
            let before = all.get(&key).map_or(0, |before| before.tries);
            let tries = before + u32::from(verdict != Verdict::Shown);
            all.insert(key, Guess { text, verdict, tries });
        });
    }
}

/// Prose under a heading. What answers a choice is in the document only once it is chosen.
#[component]
pub fn CardView(
    card: Card,
    /// The prose as trees: that of the card, then that of each choice.
    prepared: Json,
) -> impl IntoView {
    let Card { head, text, choices, .. } = card;
    let label = head.clone();
    let tree = move |at: usize| prepared.get(at).cloned().unwrap_or_default();
    let key = StoredValue::new(text.clone());
    let whole = view! { <Prose text tree=tree(0) /> };
    let guesses: Guesses = use_context().unwrap_or_default();
    let chosen =
        Memo::new(move |_| key.with_value(|key| guesses.0.with(|all| Some(all.get(key)?.text.clone()))));
    let button = |Choice { text, is_right, .. }: Choice| {
        let verdict = is_right.map_or(Verdict::Shown, |it| if it { Verdict::Right } else { Verdict::Wrong });
        let (words, said) = (text.clone(), text.clone());
        let is_chosen = move || (chosen.get().as_ref() == Some(&text)).to_string();
        let choose = move |_| guesses.say(key.get_value(), said.clone(), verdict);
        view! { <button type="button" aria-pressed=is_chosen on:click=choose>{words}</button> }
    };
    let asks = (!choices.is_empty()).then(|| {
        let buttons = choices.iter().cloned().map(button).collect_view();
        let answer = move || {
            let chosen = chosen.get()?;
            let at = choices.iter().position(|choice| choice.text == chosen)?;
            let Choice { why, is_right, .. } = choices[at].clone();
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
