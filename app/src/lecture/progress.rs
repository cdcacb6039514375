//! What the browser keeps of a reader, if it keeps anything: what was read, answered and solved for good, edits as long as
//! the tab lives.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use leptos::ev::SubmitEvent;
use leptos::html::Input;
use leptos::leptos_dom::helpers::debounce;
use leptos::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use web_sys::Storage;

use super::hand_in::hand_in;
use super::score_in_words;
use super::state::{LectureState, Origin, use_lecture};
use crate::components::{Guess, file_name, save};
use crate::page::use_announcer;
use crate::state::storage;

/// Who stays so long at a cell has read it.
const READ: Duration = Duration::from_secs(3);

/// What a reader is told who finds an edit of before.
const EDITED: &str = "You have edited this lecture before: your text is kept. Run it, or reset it.";

/// Where something of a lecture that an address finds again is kept, and what it is called there.
fn place(state: LectureState, what: &str) -> Option<(Storage, String)> {
    let storage = if what == "edits" { window().session_storage().ok()? } else { storage() };
    let key = match state.origin.get_untracked() {
        Origin::Site(name) => format!("{what}.lecture.{name}"),
        Origin::Trace(url) => format!("{what}.trace.{url}"),
        Origin::File => return None,
    };
    Some((storage?, key))
}

/// Takes what was kept of this lecture.
pub fn recall(state: LectureState) {
    fn take<T: DeserializeOwned + Send + Sync + 'static>(
        state: LectureState,
        what: &str,
        signal: RwSignal<T>,
    ) {
        let text = place(state, what).and_then(|(storage, key)| storage.get_item(&key).ok()?);
        if let Some(kept) = text.and_then(|text| serde_json::from_str(&text).ok()) {
            signal.set(kept);
        }
    }
    take(state, "guesses", state.guesses);
    take(state, "read", state.read);
    take(state, "notes", state.notes);
    take(state, "edits", state.edits);
    if state.is_presenting.get_untracked() {
        state.set_aside();
    }
    if !state.edits.read_untracked().is_empty() {
        state.values.notice(EDITED);
    }
}

/// Takes back what the reader was told.
pub fn withdraw(state: LectureState, is_it: impl Fn(&String) -> bool) {
    let notices = state.values.notices;
    if notices.read_untracked().iter().any(&is_it) {
        notices.update(|all| all.retain(|told| !is_it(told)));
    }
}

/// Keeps all of it as it changes. A browser may refuse: it then lasts as long as the page.
pub fn keep(state: LectureState) {
    fn keep<T: Serialize + Send + Sync + 'static>(
        state: LectureState,
        what: &'static str,
        signal: RwSignal<T>,
    ) {
        Effect::new(move |is_later: Option<()>| {
            let kept = signal.with(serde_json::to_string);
            // What was answered before somebody presents is kept.
            let is_shown = what == "guesses" && state.is_presenting.get_untracked();
            if is_later.is_some()
                && !is_shown
                && let (Some((storage, key)), Ok(kept)) = (place(state, what), kept)
            {
                let _ = match &*kept {
                    "{}" | "[]" => storage.remove_item(&key),
                    _ => storage.set_item(&key, &kept),
                };
            }
        });
    }
    keep(state, "guesses", state.guesses);
    keep(state, "read", state.read);
    keep(state, "notes", state.notes);
    keep(state, "edits", state.edits);
    // It says nothing of an edit that is taken back.
    Effect::new(move || {
        if state.edits.with(BTreeMap::is_empty) {
            withdraw(state, |told| told == EDITED);
        }
    });
    let mut has_stayed = debounce(READ, move |anchor: String| {
        state.read.update(|read| {
            read.insert(anchor);
        });
    });
    Effect::new(move || {
        let part = state.current_part();
        let cell =
            state.lecture.with(|it| it.parts.get(part).filter(|it| it.is_cell()).map(|it| it.anchor.clone()));
        cell.into_iter().for_each(&mut has_stayed);
    });
}

/// Takes away what is kept for good, or erases it.
#[component]
pub fn Progress() -> impl IntoView {
    let (state, announcer) = (use_lecture(), use_announcer());
    let field = NodeRef::<Input>::new();
    // What was erased last, of which lecture: it can be brought back until something else is answered.
    let erased = RwSignal::new(None::<(Origin, BTreeMap<String, Guess>, BTreeSet<String>)>);
    let give = move |event: SubmitEvent| {
        event.prevent_default();
        let name = field.get_untracked().map(|field| field.value().trim().to_owned()).unwrap_or_default();
        let lecture = state.lecture.with_untracked(|it| it.title());
        let file = format!(
            "{}.html",
            file_name(&format!("{name} {}", lecture.split(':').next().unwrap_or_default()))
        );
        if let Some(html) = hand_in(state, name) {
            save(announcer, &file, html);
        }
    };
    let export = move |_| {
        let lecture = state.lecture.with_untracked(|it| it.title());
        let (score, read, answers) =
            untrack(|| (score_in_words(state), state.read.get(), state.guesses.get()));
        let all = json!({ "lecture": lecture, "score": score, "read": read, "answers": answers });
        save(announcer, "progress.json", serde_json::to_string_pretty(&all).unwrap_or_default());
    };
    let can_bring_back = Memo::new(move |_| {
        let is_here = erased.with(|it| it.as_ref().is_some_and(|it| it.0 == state.origin.get()));
        is_here && state.guesses.with(BTreeMap::is_empty)
    });
    let erase = move |_| {
        if can_bring_back.get_untracked()
            && let Some((_, guesses, read)) = erased.try_update(Option::take).flatten()
        {
            state.guesses.set(guesses);
            return state.read.update(|now| now.extend(read));
        }
        let kept = (state.guesses.get_untracked(), state.read.get_untracked());
        erased.set(Some((state.origin.get_untracked(), kept.0, kept.1)));
        state.erase();
    };
    let has_tasks = move || !state.tasks.read().is_empty();
    view! {
        <Show when=move || has_tasks() && (state.has_progress() || can_bring_back.get())>
            <p class="choices">
                <button type="button" on:click=export>"Save my answers"</button>
                <button type="button" on:click=erase>
                    {move || if can_bring_back.get() { "Bring my answers back" } else { "Erase my answers" }}
                </button>
            </p>
            <form class="choices hand-in" on:submit=give>
                <label>
                    <span class="visually-hidden">"Your name"</span>
                    <input type="text" name="name" autocomplete="name" placeholder="Your name" required node_ref=field />
                </label>
                <button type="submit">"Save to hand in"</button>
            </form>
        </Show>
    }
}
