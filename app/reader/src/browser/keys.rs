//! What the reader does with keys.

use napkin_patch::is_typing;
use wasm_bindgen::JsCast;
use web_sys::{Event, KeyboardEvent};

use super::{deeds, find_as, palette, runs, walk, with_desk};
use crate::reader::Move;

/// Does what a key asks for. None is taken while a field has the focus, or with Ctrl, Meta or Alt, but for the search.
pub(super) fn hear(event: &Event) {
    let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
    let is_modified = event.ctrl_key() || event.meta_key() || event.alt_key();
    let key = event.key();
    if (event.ctrl_key() || event.meta_key()) && !event.alt_key() && key.eq_ignore_ascii_case("k") {
        event.prevent_default();
        return palette::open();
    }
    if is_modified || event.default_prevented() {
        return;
    }
    let is_dialog = ["help", "open", "palette"].into_iter().any(is_open);
    if is_dialog || is_typing(event) {
        if is_open("palette") {
            palette::key(event);
        } else {
            deeds::key_in_slider(event);
        }
        return;
    }
    match (key.as_str(), event.shift_key()) {
        ("ArrowRight", false) | ("l", _) => walk(Move::Next),
        ("ArrowLeft", false) | ("h", _) => walk(Move::Back),
        ("ArrowRight", true) | ("j", _) => walk(Move::Over),
        ("ArrowLeft", true) | ("k", _) => walk(Move::BackOver),
        ("u", _) => walk(Move::Out),
        ("r" | "R", _) => deeds::look("raw"),
        ("a" | "A", _) => deeds::look("coming"),
        ("e" | "E", _) => deeds::look("variables"),
        ("n" | "N", _) => deeds::look("notes"),
        ("Enter", true) => with_desk(runs::run),
        ("g", _) => deeds::open("open"),
        ("?", _) => deeds::open("help"),
        ("/", _) => palette::open(),
        _ => return,
    }
    event.prevent_default();
}

fn is_open(id: &str) -> bool {
    find_as::<web_sys::HtmlDialogElement>(id).is_some_and(|dialog| dialog.open())
}
