//! Stepping with keys, and which cell the keys act on.

use std::cell::Cell;

use crate::signals::{RwSignal, effect};
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use napkin_patch::is_typing;
use web_sys::{Element, ScrollIntoViewOptions, ScrollLogicalPosition};

use crate::cells::CELLS;
use crate::state::State;

/// How long after a jump scrolling does not tell which cell the reader looks at.
const QUIET_MS: f64 = 300.0;

thread_local! {
    static QUIET_UNTIL: Cell<f64> = const { Cell::new(0.0) };
}

/// Listens to keys and scrolling as long as the page lives.
pub fn listen(state: State, help: RwSignal<bool>) {
    effect(move |_| {
        let _ = window_event_listener(leptos::ev::keydown, move |event| on_key(state, help, &event));
        let _ = window_event_listener(leptos::ev::scroll, move |_| {
            if js_sys::Date::now() > QUIET_UNTIL.get()
                && let Some(cell) = cell_in_sight()
            {
                state.pass_cell(cell);
            }
        });
    });
}

/// Goes to a cell and shows it.
pub fn show_cell(state: State, cell: usize) {
    state.go_to_cell(cell);
    scroll_to(cell);
}

/// Goes to a step and brings its text and what it lights into sight, with no more scrolling than that takes.
pub fn show_step(state: State, cell: usize, step: usize) {
    state.go_to_step(cell, step);
    request_animation_frame(move || {
        let Some(section) = section(cell) else { return };
        let find = |selector| section.query_selector(selector).ok().flatten();
        let options = ScrollIntoViewOptions::new();
        options.set_block(ScrollLogicalPosition::Nearest);
        if let Some(walk) = find(".walk") {
            walk.scroll_into_view_with_scroll_into_view_options(&options);
        }
        if let Some(lit) = find(".part.is-lit") {
            // Of what does not fit below the step's text the beginning is to be seen.
            let room = document().document_element().map_or(0, |root| root.client_height()) / 2;
            if lit.client_height() > room {
                options.set_block(ScrollLogicalPosition::Start);
            }
            lit.scroll_into_view_with_scroll_into_view_options(&options);
        }
    });
}

fn on_key(state: State, help: RwSignal<bool>, event: &KeyboardEvent) {
    let modified = event.ctrl_key() || event.meta_key() || event.alt_key();
    if modified || event.default_prevented() || help.get_untracked() || is_typing(event) {
        return;
    }
    let cell = untrack(|| state.cell());
    let step = state.step_untracked(cell);
    let alone = is_embedded();
    match (event.key().as_str(), event.shift_key()) {
        ("?", _) => help.set(true),
        ("ArrowRight", false) | ("l", _) => show_step(state, cell, step + 1),
        ("ArrowLeft", false) | ("h", _) => {
            if let Some(step) = step.checked_sub(1) {
                show_step(state, cell, step);
            }
        }
        ("ArrowRight", true) | ("j", _) if !alone && cell + 1 < CELLS.len() => show_cell(state, cell + 1),
        ("ArrowLeft", true) | ("k", _) if !alone && cell > 0 => show_cell(state, cell - 1),
        _ => return,
    }
    event.prevent_default();
}

fn section(cell: usize) -> Option<Element> {
    document().get_element_by_id(CELLS.get(cell)?.outline.id)
}

/// Shows the beginning of a cell, unless it is the one in sight.
pub fn scroll_to(cell: usize) {
    // An embedded cell is where its page has put it: scrolling would move that page.
    if let Some(section) = section(cell).filter(|_| !is_embedded() && cell_in_sight() != Some(cell)) {
        // A short cell at the end cannot come to the top: what is in sight then says nothing.
        QUIET_UNTIL.set(js_sys::Date::now() + QUIET_MS);
        section.scroll_into_view();
    }
}

/// Whether the page shows one cell alone inside another page, as the script at the top of workbench.html has marked it.
fn is_embedded() -> bool {
    document().document_element().is_some_and(|root| root.has_attribute("data-embed"))
}

/// The last cell that begins in the upper part of the window; at the page's end the last one.
fn cell_in_sight() -> Option<usize> {
    if is_embedded() {
        return None;
    }
    let height = window().inner_height().ok()?.as_f64()?;
    let root = document().document_element()?;
    if window().scroll_y().ok()? + height >= f64::from(root.scroll_height()) - 1.0 {
        return Some(CELLS.len() - 1);
    }
    let begins_above =
        |cell: &usize| section(*cell).is_some_and(|s| s.get_bounding_client_rect().top() < height * 0.4);
    Some((0..CELLS.len()).rev().find(begins_above).unwrap_or(0))
}
