//! A lecture on a beamer: one part at a time, in large letters, with answers that wait for a key.

use std::collections::BTreeMap;

use leptos::html::Button;
use leptos::prelude::*;

use super::model::cards;
use super::speaker_notes;
use super::state::{LectureState, use_lecture};
use crate::components::{Guess, Verdict};
use crate::page::{focus, is_embedded, use_announcer};
use crate::state::{anchor, set_anchor};

/// What the address says of a page that presents.
const KEY: &str = "present";

impl LectureState {
    /// Begins to present, or ends it; the address says so.
    pub fn present(self, is_wanted: bool) {
        self.values.push();
        self.values.set(KEY, is_wanted.then(String::new));
    }

    /// Goes on by so many parts, or back.
    pub fn turn(self, by: isize) {
        let last = self.lecture.with_untracked(|it| it.parts.len().saturating_sub(1));
        self.go_to_part(untrack(|| self.current_part()).saturating_add_signed(by).min(last));
    }

    /// What answers the questions of the part, by what each is kept by; tracked.
    fn answers(self) -> Vec<(String, String)> {
        let (lecture, number) = (self.lecture.get(), self.current_part());
        let Some(part) = lecture.parts.get(number) else { return Vec::new() };
        let predicted =
            lecture.questions.iter().filter(|it| part.is_of(&it.path, &it.prediction.function_name));
        let predicted = predicted.map(|it| (it.id.clone(), String::new()));
        let told = cards(&lecture, number).into_iter().filter_map(|(card, _)| {
            let mut choices = card.choices.iter();
            // Of an exercise the solution is the last.
            let right = choices.find(|it| it.is_right == Some(true) && card.function.is_none());
            let answer = right.or(card.choices.last())?.text.clone();
            Some((card.text, answer))
        });
        predicted.chain(told).collect()
    }

    /// Whether the part shows all its answers; tracked.
    pub fn shows_answers(self) -> bool {
        let guesses = self.guesses.read();
        self.answers().iter().all(|(key, text)| guesses.get(key).is_some_and(|guess| guess.text == *text))
    }

    /// Shows the answers of the part, or hides them again.
    pub fn toggle_answers(self) {
        let (answers, is_shown) = untrack(|| (self.answers(), self.shows_answers()));
        self.guesses.update(|guesses| {
            for (key, text) in answers {
                match is_shown {
                    true => guesses.remove(&key),
                    false => guesses.insert(key, Guess { text, verdict: Verdict::Shown, tries: 0 }),
                };
            }
        });
    }

    /// Puts away what was answered, so that nothing of it is shown; what is kept in the browser stays.
    pub fn set_aside(self) {
        self.aside.set_value(self.guesses.get_untracked());
        self.guesses.update(BTreeMap::clear);
    }
}

/// Presents while the address asks for it.
pub fn follow(state: LectureState) {
    let is_wanted = Memo::new(move |_| state.values.text(KEY).is_some() && !is_embedded());
    Effect::new(move |was: Option<bool>| {
        let is_wanted = is_wanted.get();
        if is_wanted {
            state.is_presenting.set(true);
            state.set_aside();
            if let Some(part) = state.lecture.read_untracked().part_named(&anchor()) {
                state.part.set(part);
            }
        } else if was == Some(true) {
            state.guesses.set(state.aside.try_update_value(std::mem::take).unwrap_or_default());
            state.is_presenting.set(false);
            speaker_notes::close(state);
        }
        is_wanted
    });
    // Styles go by the page's attribute: the title of the lecture has a screen of its own.
    Effect::new(move || {
        let Some(root) = document().document_element() else { return };
        if !state.is_presenting.get() {
            return drop(root.remove_attribute("data-present"));
        }
        let part = state.current_part();
        let _ = root.set_attribute("data-present", if part == 0 { "title" } else { "part" });
        set_anchor(&state.lecture.read_untracked().anchor(part).unwrap_or_default());
        if !state.is_stepping.get_untracked() {
            window().scroll_to_with_x_and_y(0.0, 0.0);
        }
    });
}

/// What moves on, in the bar at the foot.
#[component]
pub fn PresenterBar(
    /// What has the focus after it.
    next: NodeRef<Button>,
) -> impl IntoView {
    let (state, announcer) = (use_lecture(), use_announcer());
    let is_last = move || state.current_part() + 1 >= state.lecture.read().parts.len();
    let has_answers = Memo::new(move |_| !state.answers().is_empty());
    let is_shown = move || (has_answers.get() && state.shows_answers()).to_string();
    let leave = move |_| {
        state.present(false);
        focus(next);
    };
    view! {
        <button type="button" aria-keyshortcuts="PageUp" aria-disabled=move || (state.current_part() == 0).then_some("true")
            on:click=move |_| state.turn(-1)
        >
            "Cell before"
        </button>
        <button type="button" class="is-main" aria-keyshortcuts="PageDown" aria-disabled=move || is_last().then_some("true")
            on:click=move |_| state.turn(1)
        >
            "Next cell"
        </button>
        <button type="button" aria-keyshortcuts="a" aria-pressed=is_shown aria-disabled=move || (!has_answers.get()).then_some("true")
            on:click=move |_| state.toggle_answers()
        >
            "Answers " <kbd>"a"</kbd>
        </button>
        <button type="button" aria-keyshortcuts="n" on:click=move |_| speaker_notes::open(state, announcer)>
            "Notes " <kbd>"n"</kbd>
        </button>
        <button type="button" aria-keyshortcuts="Escape" on:click=leave>
            "Leave " <kbd>"Esc"</kbd>
        </button>
    }
}
