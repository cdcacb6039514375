//! The second window of who presents: what to say about the part that the audience sees.

use std::time::Duration;

use leptos::prelude::*;
use leptos::tachys::view::Mountable;
use leptos::wasm_bindgen::JsCast;
use leptos::wasm_bindgen::closure::Closure;
use napkin_trace::trace::{Card, Json};
use web_sys::{Document, KeyboardEvent};

use super::model::{cards, notes_of};
use super::state::LectureState;
use crate::components::Prose;
use crate::page::Announcer;

/// Opens the window, or says why there is none.
pub fn open(state: LectureState, announcer: Announcer) {
    let opened =
        window().open_with_url_and_target_and_features("", "napkin-notes", "popup,width=560,height=760");
    match opened.ok().flatten() {
        Some(notes) => {
            let _ = notes.focus();
            state.notes_window.set(Some(notes));
        }
        None => {
            announcer.say("This browser blocks the window with the notes: allow this page to open pop-ups.");
        }
    }
}

/// Closes it.
pub fn close(state: LectureState) {
    if let Some(notes) = state.notes_window.try_update(Option::take).flatten() {
        let _ = notes.close();
    }
}

/// Fills the window as it is opened. It follows what the page shows, and has its keys.
pub fn fill(state: LectureState, hear: impl Fn(&KeyboardEvent) -> bool + Copy + 'static) {
    Effect::new(move |before: Option<Option<_>>| {
        drop(before);
        let document = state.notes_window.get()?.document()?;
        let body = document.body()?;
        dress(&document);
        body.set_inner_html("");
        let on_key = Closure::<dyn Fn(KeyboardEvent)>::new(move |event: KeyboardEvent| {
            if hear(&event) {
                event.prevent_default();
            }
        });
        document.set_onkeydown(Some(on_key.into_js_value().unchecked_ref()));
        let mut built = view! { <SpeakerNotes state /> }.build();
        built.mount(&body, None);
        Some(built)
    });
    // What is left of it would follow nothing.
    let _ = window_event_listener(leptos::ev::pagehide, move |_| close(state));
}

/// Gives a window without an address the page's title, theme and styles.
fn dress(notes: &Document) {
    let page = document();
    if let (Some(root), Some(own)) = (page.document_element(), notes.document_element()) {
        let _ = own.set_attribute("lang", "en");
        let _ = own.set_attribute("data-theme", &root.get_attribute("data-theme").unwrap_or_default());
    }
    // What is copied runs no script again.
    if let (Some(head), Some(own)) = (page.head(), notes.head()) {
        own.set_inner_html(&head.inner_html());
    }
    notes.set_title("Speaker notes");
}

#[component]
fn SpeakerNotes(state: LectureState) -> impl IntoView {
    let part = Memo::new(move |_| state.current_part());
    let title = move |number: usize| match number {
        0 => Some(state.lecture.read().title()),
        _ => state.lecture.read().parts.get(number).map(|part| part.title.clone()),
    };
    let next = move || {
        title(part.get() + 1).map_or_else(|| "This is the last cell.".to_owned(), |it| format!("Next: {it}"))
    };
    let seconds = RwSignal::new(0_u32);
    let tick = set_interval_with_handle(move || seconds.update(|it| *it += 1), Duration::from_secs(1)).ok();
    on_cleanup(move || {
        if let Some(tick) = tick {
            tick.clear();
        }
    });
    let clock = move || format!("{}:{:02}", seconds.get() / 60, seconds.get() % 60);
    let anchor = move || state.lecture.read().anchor(part.get()).unwrap_or_default();
    let note = move || state.notes.read().get(&anchor()).cloned().unwrap_or_default();
    let take = move |event| {
        let (anchor, text) = (untrack(anchor), event_target_value(&event));
        state.notes.update(|notes| {
            if text.is_empty() {
                notes.remove(&anchor)
            } else {
                notes.insert(anchor, text)
            };
        });
    };
    let noted = move || {
        let note = |(text, tree)| view! { <Prose text tree /> };
        notes_of(&state.lecture.read(), part.get()).into_iter().map(note).collect_view()
    };
    let told = move || cards(&state.lecture.read(), part.get()).into_iter().map(card_notes).collect_view();
    view! {
        <main class="speaker-notes">
            <h1>{move || title(part.get())}</h1>
            <p>{next}</p>
            <p class="choices">
                <button type="button" on:click=move |_| state.turn(-1)>"Cell before"</button>
                <button type="button" class="is-main" on:click=move |_| state.turn(1)>"Next cell"</button>
                <button type="button" on:click=move |_| state.toggle_answers()>"Answers " <kbd>"a"</kbd></button>
                <span role="timer" aria-label="Time since this window opened">{clock}</span>
            </p>
            <label>
                "Your notes, kept in this browser"
                <textarea rows="5" prop:value=note on:input=take></textarea>
            </label>
            {noted}
            {told}
        </main>
    }
}

/// A card with all its answers.
fn card_notes((card, prepared): (Card, Json)) -> impl IntoView {
    let Card { head, text, choices, function } = card;
    let tree = |at: usize| prepared.get(at).cloned().unwrap_or_default();
    let choices: Vec<_> = choices
        .into_iter()
        .enumerate()
        .map(|(at, choice)| {
            let mark = match choice.is_right.filter(|_| function.is_none()) {
                Some(true) => "Right: ",
                Some(false) => "Tempting: ",
                None => "",
            };
            view! { <li><strong>{mark} {choice.text}</strong><Prose text=choice.why tree=tree(at + 1) /></li> }
        })
        .collect();
    view! { <section><h2>{head}</h2><Prose text tree=tree(0) /><ul>{choices}</ul></section> }
}
