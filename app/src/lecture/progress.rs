//! What the browser keeps of a reader, if it keeps anything: guesses for good, edits as long as the tab lives.

use std::collections::BTreeMap;

use leptos::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use web_sys::Storage;

use super::state::{LectureState, Origin};
use crate::state::storage;

fn session() -> Option<Storage> {
    window().session_storage().ok()?
}

/// What the keeping is called by, of lectures that an address finds again.
fn key(state: LectureState, what: &str) -> Option<String> {
    match state.origin.get_untracked() {
        Origin::Site(name) => Some(format!("{what}.lecture.{name}")),
        Origin::Trace(url) => Some(format!("{what}.trace.{url}")),
        Origin::File => None,
    }
}

/// Takes what was kept of this lecture; what is none of it is left out.
pub fn recall(state: LectureState) {
    fn kept<T: DeserializeOwned>(storage: Option<Storage>, key: Option<String>) -> BTreeMap<String, T> {
        let text = || storage?.get_item(&key?).ok()?;
        text().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }
    let mut guesses = kept(storage(), key(state, "guesses"));
    state.lecture.with_untracked(|lecture| {
        guesses.retain(|id, _| lecture.questions.iter().any(|question| question.id == *id));
    });
    if !guesses.is_empty() {
        state.guesses.set(guesses);
    }
    let edits = kept(session(), key(state, "edits"));
    if !edits.is_empty() {
        state.edits.set(edits);
        state.values.notice("You have edited this lecture before: your text is kept. Run it, or reset it.");
    }
}

/// Keeps guesses and edits as they change. A browser may refuse: they then last as long as the page.
pub fn keep(state: LectureState) {
    fn keep<T: Serialize + Send + Sync + 'static>(
        signal: RwSignal<BTreeMap<String, T>>,
        place: impl Fn() -> Option<(Storage, String)> + 'static,
    ) {
        Effect::new(move |is_later: Option<()>| {
            let kept = signal.with(serde_json::to_string);
            if is_later.is_some()
                && let (Some((storage, key)), Ok(kept)) = (place(), kept)
            {
                let _ = storage.set_item(&key, &kept);
            }
        });
    }
    keep(state.guesses, move || storage().zip(key(state, "guesses")));
    keep(state.edits, move || session().zip(key(state, "edits")));
}
