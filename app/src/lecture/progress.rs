//! What the browser keeps of a reader, if it keeps anything: what was read, answered, solved and written. Two tabs of one
//! lecture keep what either says: each writes only what has changed in it, and takes what the other has written.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use leptos::ev::SubmitEvent;
use leptos::html::Input;
use leptos::leptos_dom::helpers::debounce;
use leptos::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::hand_in::hand_in;
use super::model::Lecture;
use super::score_in_words;
use super::state::{LectureState, Origin, named, use_lecture};
use crate::components::{Guess, file_name, save};
use crate::page::use_announcer;
use crate::state::{storage, store, stored};

/// Who stays so long at a cell has read it.
const READ: Duration = Duration::from_secs(3);

/// What a reader is told whose browser keeps nothing.
const REFUSED: &str = "This browser keeps nothing of what you write here: it lasts as long as this page. Save my answers writes it into a file.";

/// What a reader is told who finds an edit of before.
pub const EDITED: &str = "You have edited this lecture before: your code is kept. Run it, or reset it.";

/// Where something of a lecture is kept.
fn place(state: LectureState, what: &str) -> String {
    let (kind, name) = match state.origin.get_untracked() {
        Origin::Site(name) => ("lecture", name),
        Origin::Trace(url) => ("trace", url),
        Origin::File(mark) => ("file", mark),
    };
    format!("{what}.{kind}.{name}")
}

/// What tells the main file of a lecture from another one with its name: FNV-1a of its text.
pub fn mark_of(lecture: &Lecture) -> String {
    let main = lecture.main().unwrap_or_default();
    let text = lecture.trace.files.get(main).map(String::as_str).unwrap_or_default();
    let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{main}.{}", text.bytes().fold(0xcbf2_9ce4_8422_2325, hash))
}

/// What is kept of a lecture under a name.
trait Kept: Clone + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// Takes from `now` what is other there than in `before`.
    fn take(&mut self, before: &Self, now: &Self);
}

impl<T: Clone + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static> Kept
    for BTreeMap<String, T>
{
    fn take(&mut self, before: &Self, now: &Self) {
        self.retain(|key, _| now.contains_key(key) || !before.contains_key(key));
        let new = now.iter().filter(|(key, value)| before.get(*key) != Some(*value));
        self.extend(new.map(|(key, value)| (key.clone(), value.clone())));
    }
}

impl Kept for BTreeSet<String> {
    fn take(&mut self, before: &Self, now: &Self) {
        self.retain(|it| now.contains(it) || !before.contains(it));
        self.extend(now.difference(before).cloned());
    }
}

fn read<T: Kept>(state: LectureState, what: &str) -> Option<T> {
    serde_json::from_str(&stored(&place(state, what))?).ok()
}

/// Takes what was kept of this lecture.
pub fn recall(state: LectureState) {
    fn take<T: Kept>(state: LectureState, what: &str, signal: RwSignal<T>) {
        read(state, what).into_iter().for_each(|kept| signal.set(kept));
    }
    take(state, "guesses", state.guesses);
    take(state, "read", state.read);
    take(state, "notes", state.notes);
    take(state, "versions", state.versions);
    let bases: BTreeMap<String, String> = read(state, "bases").unwrap_or_default();
    if let Some(mut edits) = read::<BTreeMap<String, String>>(state, "edits") {
        // Another version of the lecture may have other functions.
        let original = |key: &String| {
            let cell = named(key);
            untrack(|| state.original_code(&cell.path, &cell.function))
        };
        let gone: Vec<String> = edits.keys().filter(|key| original(key).is_none()).cloned().collect();
        for key in &gone {
            let function = named(key).function;
            if let Some(text) = edits.remove(key) {
                state.keep_version(key, text, false);
            }
            state.values.notice(format!(
                "This version of the lecture has no {function} any more. Your code of it is kept: Save my answers writes \
                 it into a file."
            ));
        }
        for key in edits.keys() {
            if bases.get(key).is_some_and(|base| original(key).as_ref() != Some(base)) {
                state.values.notice(format!(
                    "The lecture has a new version of {}. Yours stands in its place; the versions in its editor show the \
                     difference.",
                    named(key).function
                ));
            }
        }
        state.edits.set(edits);
    }
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

/// Keeps all of it as it changes. A browser may refuse: it then lasts as long as the page, which says so.
pub fn keep(state: LectureState) {
    fn keep<T: Kept>(state: LectureState, what: &'static str, signal: RwSignal<T>) {
        // What was last the same here and there.
        let agreed = StoredValue::new((place(state, what), read(state, what).unwrap_or_default()));
        Effect::new(move || {
            let now = signal.get();
            // What was answered before somebody presents is kept.
            let is_shown = what == "guesses" && state.is_presenting.get_untracked();
            if is_shown {
                return;
            }
            let key = place(state, what);
            let is_here = agreed.with_value(|(known, _)| *known == key);
            let stored: T = read(state, what).unwrap_or_default();
            let mut whole = stored.clone();
            if is_here {
                agreed.with_value(|(_, before)| whole.take(before, &now));
            } else {
                // Of another lecture.
                whole.clone_from(&now);
            }
            agreed.set_value((key.clone(), whole.clone()));
            if whole != now {
                signal.set(whole.clone());
            }
            if whole == stored {
                return;
            }
            let is_kept = match serde_json::to_string(&whole) {
                Ok(text) if text == "{}" || text == "[]" => {
                    storage().is_none_or(|it| it.remove_item(&key).is_ok())
                }
                Ok(text) => store(&key, &text),
                Err(_) => false,
            };
            if !is_kept && what == "edits" {
                state.values.notice(REFUSED);
            }
        });
        let _ = window_event_listener(leptos::ev::storage, move |event| {
            let key = place(state, what);
            if event.key().as_ref() == Some(&key) {
                let mut whole: T = read(state, what).unwrap_or_default();
                let now = signal.get_untracked();
                let theirs = whole.clone();
                agreed.with_value(|(_, before)| whole.take(before, &now));
                agreed.set_value((key, theirs));
                if whole != now {
                    signal.set(whole);
                }
            }
        });
    }
    keep(state, "guesses", state.guesses);
    keep(state, "read", state.read);
    keep(state, "notes", state.notes);
    keep(state, "versions", state.versions);
    keep(state, "edits", state.edits);
    // What stood in place of each edit when it was made: another version of the lecture may have something else.
    let bases = RwSignal::new(read(state, "bases").unwrap_or_default());
    Effect::new(move || {
        let edits = state.edits.get();
        bases.update(|bases: &mut BTreeMap<String, String>| {
            bases.retain(|key, _| edits.contains_key(key));
            for key in edits.keys().filter(|key| !bases.contains_key(*key)).cloned().collect::<Vec<_>>() {
                let cell = named(&key);
                if let Some(text) = untrack(|| state.original_code(&cell.path, &cell.function)) {
                    bases.insert(key, text);
                }
            }
        });
    });
    keep(state, "bases", bases);
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
        let (edits, versions) = (state.edits.get_untracked(), state.versions.get_untracked());
        let all = json!({
            "lecture": lecture, "score": score, "read": read, "answers": answers, "code": edits, "versions": versions,
        });
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
    let has_code =
        Memo::new(move |_| state.edits.with(|it| !it.is_empty()) || state.versions.with(|it| !it.is_empty()));
    let is_any = Memo::new(move |_| {
        !state.tasks.read().is_empty() && (state.has_progress() || can_bring_back.get() || has_code.get())
    });
    let choices = move || {
        view! {
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
        }
    };
    move || is_any.get().then(choices)
}
