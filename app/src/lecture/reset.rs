//! Taking back what the reader has changed: asked first where code would go, and brought back on request.

use std::collections::BTreeSet;

use leptos::html::Dialog;
use leptos::prelude::*;

use super::model::function_key;
use super::run::{Runs, use_run};
use super::state::{Change, LectureState, SLIDERS, use_lecture};
use crate::page::{DialogHead, show_dialog};

/// What is taken back, and what was; a copy is the same.
#[derive(Clone, Copy)]
pub struct Resets {
    state: LectureState,
    run: Runs,
    dialog: NodeRef<Dialog>,
    /// What the reader is asked about.
    wanted: RwSignal<Change>,
    /// What was taken back last.
    undone: RwSignal<Option<Change>>,
}

impl Resets {
    /// In the context of the page: nothing was taken back.
    pub fn provide() {
        let state = use_lecture();
        let resets = Self {
            state,
            run: use_run(),
            dialog: NodeRef::new(),
            wanted: RwSignal::default(),
            undone: RwSignal::default(),
        };
        Effect::new(move || {
            state.origin.track();
            resets.forget();
        });
        provide_context(resets);
    }

    /// What is changed in a part, or in all of them; tracked.
    pub fn changes(self, part: Option<usize>) -> Change {
        let state = self.state;
        let (edits, sliders) = (state.edits.get(), state.values.group(SLIDERS));
        let mut change = Change {
            edits,
            sliders: sliders.into_iter().map(|(name, text)| (format!("{SLIDERS}{name}"), text)).collect(),
        };
        if let Some(index) = part {
            let own: BTreeSet<String> = state.keys_of(index).into_iter().collect();
            let sliders = state.slider_keys(index);
            change.edits.retain(|key, _| own.contains(key));
            change.sliders.retain(|(key, _)| sliders.contains(key));
        }
        change
    }

    /// Takes back what is changed in a part, or in all; asks first if there is code among it.
    pub fn ask(self, part: Option<usize>) {
        self.wanted.set(untrack(|| self.changes(part)));
        if self.wanted.with_untracked(|change| change.edits.is_empty()) {
            self.carry_out();
        } else {
            show_dialog(self.dialog);
        }
    }

    fn carry_out(self) {
        let change = self.wanted.get_untracked();
        self.state.take_back(&change);
        self.undone.set(Some(change));
        if untrack(|| self.state.is_changed()) {
            self.run.run();
        } else {
            self.run.show_original();
        }
    }

    /// Puts the lecture's own code in place of what the reader has written in one function, and runs.
    pub fn restore(self, path: &str, function: &str) {
        let key = function_key(path, function);
        if let Some(text) = self.state.edits.with_untracked(|edits| edits.get(&key).cloned()) {
            let edits = [(key, text)].into();
            self.undone.set(Some(Change { edits, ..Change::default() }));
        }
        self.run.put_back(path, function, None);
    }

    /// Brings back what was taken back last.
    pub fn undo(self) {
        if let Some(change) = self.undone.try_update(Option::take).flatten() {
            self.state.bring_back(change);
            self.run.run();
        }
    }

    /// What was taken back is of another lecture.
    fn forget(self) {
        self.undone.set(None);
    }

    /// Whether something was taken back that can be brought back; tracked.
    pub fn can_undo(self) -> bool {
        self.undone.with(Option::is_some)
    }
}

impl LectureState {
    /// The keys of what a reader can edit in a part: its own function, and those of its exercises; tracked.
    pub fn keys_of(self, index: usize) -> Vec<String> {
        let own = self
            .original
            .with(|original| original.parts.get(index).map(|part| function_key(&part.path, &part.function)));
        let tasks = self.tasks.read();
        let exercises = tasks.iter().filter(|task| task.part == index);
        let exercises = exercises.filter_map(|task| Some(function_key(task.exercise.as_ref()?, &task.id)));
        own.into_iter().chain(exercises).collect()
    }
}

pub fn use_resets() -> Resets {
    expect_context()
}

/// Asks whether code is to go, and says which.
#[component]
pub fn ResetDialog() -> impl IntoView {
    let resets = use_resets();
    let rows = move || {
        let words = resets.state.in_words(&resets.wanted.read());
        words.into_iter().map(|words| view! { <li>{words}</li> }).collect_view()
    };
    let yes = move |_| {
        if let Some(dialog) = resets.dialog.get_untracked() {
            dialog.close();
        }
        resets.carry_out();
    };
    view! {
        <dialog class="open" aria-labelledby="reset-title" node_ref=resets.dialog>
            <DialogHead id="reset-title" title="Take this back?" />
            <ul>{rows}</ul>
            <p>"Your code stays among the versions of its cell. Until this page is left, Undo the reset brings all of it back."</p>
            <form method="dialog" class="choices">
                <button type="button" class="is-main" on:click=yes>"Reset"</button>
                <button>"Keep it"</button>
            </form>
        </dialog>
    }
}
