//! What a reader has answered and solved, as one file to hand in: it needs no scripts and no network.

use leptos::prelude::*;
use leptos::tachys::view::Mountable;
use leptos::wasm_bindgen::JsValue;

use super::model::{Task, slider_id};
use super::score_in_words;
use super::state::LectureState;
use crate::components::{Guess, Prose, Verdict};

const STYLE: &str = include_str!("hand_in.css");

/// The file, for a reader of that name. Whatever was typed is text there: the browser escapes it.
pub fn hand_in(state: LectureState, name: String) -> Option<String> {
    let place = document().create_element("main").ok()?;
    let mut built = untrack(|| view! { <Work state name /> }.build());
    built.mount(&place, None);
    Some(format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>Handed in</title>\n<style>\n{STYLE}</style>\n{}\n</html>\n",
        place.outer_html()
    ))
}

/// Everything in it.
#[component]
fn Work(state: LectureState, name: String) -> impl IntoView {
    let lecture = state.original.get();
    let today = js_sys::Date::new_0().to_locale_date_string("en-GB", &JsValue::UNDEFINED);
    let tasks = state.tasks.get();
    let parts = lecture.parts.iter().enumerate().map(|(number, part)| {
        let tasks = tasks.iter().filter(|task| task.part == number);
        let tasks: Vec<_> = tasks.map(|task| view! { <li>{done(state, task)}</li> }).collect();
        let is_read = state.read.read().contains(&part.anchor);
        (is_read || !tasks.is_empty()).then(|| {
            view! {
                <h2>{part.title.clone()} {is_read.then_some(" (read)")}</h2>
                <ul>{tasks}</ul>
            }
        })
    });
    let moved = moved_sliders(state).into_iter();
    let moved: Vec<_> =
        moved.map(|(id, value)| view! { <li><code>{format!("{id} = {value}")}</code></li> }).collect();
    view! {
        <h1>{lecture.title()}</h1>
        <p>"Handed in by " <strong>{name}</strong> " on " {String::from(today)} "."</p>
        <p>{score_in_words(state)}</p>
        {parts.collect_view()}
        {(!moved.is_empty()).then(|| view! { <h2>"Sliders that were moved"</h2><ul>{moved}</ul> })}
    }
}

/// The sliders that say something else than in the lecture, by their ids, also those that an edited text has taken in.
fn moved_sliders(state: LectureState) -> Vec<(String, String)> {
    let lecture = state.lecture.get();
    let all = lecture.trace.sliders.iter();
    let all = all.flat_map(|(path, sliders)| sliders.iter().map(move |slider| (path, slider)));
    let moved = all.filter_map(|(path, slider)| {
        let (built, now) = (state.built(path, slider)?, state.setting(path, slider));
        (now != built).then(|| (slider_id(slider), now))
    });
    moved.collect()
}

/// A question with its answer, or an exercise with its code.
fn done(state: LectureState, task: &Task) -> AnyView {
    let Task { id, exercise, text, tree, .. } = task.clone();
    let guess = state.guesses.read().get(&id).cloned();
    let asked = view! { <Prose text tree /> };
    match exercise {
        Some(path) => {
            let now = state.code(&path, &id);
            let words = match guess {
                Some(Guess { text, .. }) if Some(&text) == now.as_ref() => "Its checks passed.",
                Some(_) => "Its checks passed for other code.",
                None => "Its checks have not passed.",
            };
            let code = now;
            view! { {asked}<pre><code>{code}</code></pre><p><strong>{words}</strong></p> }.into_any()
        }
        None => view! { {asked}<p>{guess.map_or_else(|| "Not answered.".into_any(), answer)}</p> }.into_any(),
    }
}

fn answer(Guess { text, verdict, tries }: Guess) -> AnyView {
    let words = match verdict {
        Verdict::Right => "right",
        Verdict::Near => "close",
        Verdict::Wrong => "wrong",
        Verdict::Shown => return "Asked to be shown the answer.".into_any(),
    };
    let tries = if tries == 1 { "1 try".to_owned() } else { format!("{tries} tries") };
    view! { "Answer: " <strong>{text}</strong> {format!(" — {words}, {tries}.")} }.into_any()
}
