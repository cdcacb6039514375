//! A question that the reader answers before the answer is shown.

use leptos::either::Either;
use leptos::ev::SubmitEvent;
use leptos::html::{Input, P};
use leptos::prelude::*;
use napkin_trace::trace::Json;

use super::model::Question;
use super::state::use_lecture;
use crate::components::{DataView, Guess, Verdict, unit_of};

/// The question, what to choose from or a field, and what came of it.
#[component]
pub fn QuestionForm(question: Question) -> impl IntoView {
    let state = use_lecture();
    let Question { id, prediction, answer, .. } = question.clone();
    let question = StoredValue::new(question);
    let refused = RwSignal::new(None::<String>);
    let field = NodeRef::<Input>::new();
    // What was said here goes on to the verdict, which comes in place of what said it.
    let (place, is_said) = (NodeRef::<P>::new(), StoredValue::new(false));
    let guess = move |text: Option<&str>| {
        let said = question.with_value(|it| state.guess(it, text));
        is_said.set_value(said.is_ok());
        refused.set(said.err());
    };
    Effect::new(move || {
        if let Some(verdict) = place.get()
            && is_said.try_update_value(std::mem::take) == Some(true)
        {
            drop(verdict.focus());
        }
    });
    let on_submit = move |event: SubmitEvent| {
        event.prevent_default();
        if let Some(field) = field.get_untracked() {
            guess(Some(&field.value()));
        }
    };
    let choice = move |choice: String| {
        let (text, words) = (choice.clone(), choice.clone());
        view! {
            <button type="button" data-guess=choice on:click=move |_| guess(Some(&text))>
                {words}
            </button>
        }
    };
    let number = move || {
        view! {
            <label>
                <span class="visually-hidden">"Your guess"</span>
                <input
                    type="text"
                    inputmode="decimal"
                    autocomplete="off"
                    name="guess"
                    placeholder="Your guess"
                    node_ref=field
                    aria-invalid=move || refused.get().map(|_| "true")
                />
            </label>
            <button class="is-main" type="submit">"Guess"</button>
        }
    };
    let answer = serde_json::from_str(&answer).unwrap_or(Json::String(answer));
    let unit = unit_of(&prediction.name);
    let (name, choices, key) = (prediction.name, prediction.choices, id.clone());
    let guessed = Memo::new(move |_| state.guesses.with(|guesses| guesses.get(&key).cloned()));
    let verdict = move || {
        let Some(Guess { text, verdict, .. }) = guessed.get() else {
            return Either::Left(view! {
                <p class="choices">
                    {choices.iter().cloned().map(choice).collect_view()}
                    {choices.is_empty().then(number)}
                    <button type="button" class="show-answer" on:click=move |_| guess(None)>"Show me"</button>
                </p>
                <p class="message" role="status">{move || refused.get().map(|why| format!("{why}."))}</p>
            });
        };
        let (class, sentence) = match verdict {
            Verdict::Right => ("is-right", format!("Right: you said {text}.")),
            Verdict::Near => {
                ("is-near", format!("Close: you said {text}, which is the right order of magnitude."))
            }
            Verdict::Wrong => ("is-wrong", format!("Not quite: you said {text}.")),
            Verdict::Shown => ("is-shown", "Here it is.".to_owned()),
        };
        Either::Right(view! {
            <p class=format!("verdict {class}") role="status" tabindex="-1" node_ref=place>
                {sentence} " " <code>{name.clone()}</code> " is " <strong><DataView data=answer.clone() unit /></strong> "."
            </p>
        })
    };
    view! {
        <form class="question" data-question=id on:submit=on_submit>
            <p class="question-text">{prediction.question}</p>
            {verdict}
        </form>
    }
}
