//! The keys of a lecture.

use leptos::ev::KeyboardEvent;
use leptos::html::Dialog;
use leptos::prelude::*;

use super::model::Move;
use super::open::Opener;
use super::speaker_notes;
use super::state::LectureState;
use crate::page::{Announcer, Keys, is_dialog_open, is_free, show_dialog};

/// What the help says of them.
pub const KEYS: &[Keys] = &[
    (&["→", "l", "j"], "next line; from reading, begin to step"),
    (&["←", "h", "k"], "line before"),
    (&["↓", "i"], "into the function that this line calls"),
    (&["↑", "u"], "out of the function"),
    (&["s"], "change between reading and stepping"),
    (&["R"], "raw code in place of what it draws"),
    (&["E"], "hide or show values and variables"),
    (&["N"], "hide or show notes"),
    (&["g"], "open a program or a trace"),
    (&["/", "Ctrl K", "⌘ K"], "search code, prose and titles"),
    (
        &["⇧ Enter", "Ctrl Enter", "⌘ Enter"],
        "in an editor: run what you have written; Esc closes it, and keeps what you wrote",
    ),
    (&["p"], "present: one cell at a time, in large letters"),
    (&["Page ↓", "Page ↑"], "presenting: next cell, cell before; → and ←, too, unless you step"),
    (&["a"], "presenting: show or hide the answers of the cell"),
    (&["n"], "presenting: your notes, in a second window"),
    (&["Esc"], "presenting: leave"),
];

/// Does what a key asks for; whether it did. No key is taken while a field has the focus, or with Ctrl, Meta or Alt, but
/// for the search.
pub fn handle_key(event: &KeyboardEvent, opener: Opener, palette: NodeRef<Dialog>) -> bool {
    let Opener { state, run, .. } = opener;
    let (key, announcer) = (event.key(), run.announcer);
    let toggle = |signal: RwSignal<bool>, [off, on]: [&'static str; 2]| {
        signal.update(|is_on| *is_on = !*is_on);
        announcer.say(if signal.get_untracked() { on } else { off });
    };
    if (event.ctrl_key() || event.meta_key()) && !event.alt_key() && key.eq_ignore_ascii_case("k") {
        if !is_dialog_open() {
            show_dialog(palette);
        }
        return true;
    }
    if !is_free(event) || is_dialog_open() {
        return false;
    }
    let is_stepping = state.is_stepping.get_untracked();
    if state.is_presenting.get_untracked() && handle_presenting_key(&key, state, announcer) {
        return true;
    }
    match (key.as_str(), event.shift_key()) {
        ("ArrowRight", _) | ("l" | "j", _) => {
            state.go(Move::Next);
        }
        ("ArrowLeft", _) | ("h" | "k", _) if is_stepping => {
            state.go(Move::Back);
        }
        ("ArrowDown", _) | ("i", _) if is_stepping => {
            if !state.go(Move::Into) {
                announcer.say("This line calls no function of the lecture.");
            }
        }
        ("ArrowUp", _) | ("u", _) if is_stepping => {
            state.go(Move::Out);
        }
        ("s", _) => state.set_stepping(!is_stepping),
        ("r" | "R", _) => toggle(state.is_raw, ["Drawings in place of their code", "Raw code"]),
        ("e" | "E", _) => toggle(state.shows_variables, ["Values are hidden", "Values are shown"]),
        ("n" | "N", _) if state.lecture.with_untracked(|lecture| lecture.has_notes()) => {
            toggle(state.shows_notes, ["Notes are hidden", "Notes are shown"]);
        }
        ("n" | "N", _) => announcer.say("There are no notes in this lecture."),
        ("Enter", true) => run.run(),
        ("g", _) => opener.show(),
        ("p" | "P", _) => state.present(!state.is_presenting.get_untracked()),
        ("/", _) => show_dialog(palette),
        _ => return false,
    }
    true
}

/// The same for keys that mean something else while somebody presents.
fn handle_presenting_key(key: &str, state: LectureState, announcer: Announcer) -> bool {
    let is_whole = !state.is_stepping.get_untracked();
    match key {
        "PageDown" => state.turn(1),
        "PageUp" => state.turn(-1),
        "ArrowRight" | "l" | "j" if is_whole => state.turn(1),
        "ArrowLeft" | "h" | "k" if is_whole => state.turn(-1),
        "a" | "A" => state.toggle_answers(),
        "n" | "N" => speaker_notes::open(state, announcer),
        "Escape" => state.present(false),
        _ => return false,
    }
    true
}
