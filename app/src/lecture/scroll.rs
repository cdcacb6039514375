//! Where the page is scrolled to, and which part of the lecture is in sight there.

use leptos::prelude::*;
use web_sys::{ScrollIntoViewOptions, ScrollLogicalPosition};

use super::state::LectureState;
use crate::page::{in_sight, is_embedded};

/// Follows the reader who scrolls: the part in sight is that which the contents mark.
pub fn follow(state: LectureState) {
    let look = move || {
        // Of a cell that stands alone, the others are nowhere.
        if !state.is_stepping.get_untracked()
            && !state.is_presenting.get_untracked()
            && !is_embedded()
            && let Some(part) =
                in_sight(state.lecture.read_untracked().parts.iter().map(|part| &*part.anchor))
            && state.part.get_untracked() != part
        {
            state.part.set(part);
        }
    };
    // A link to a cell has scrolled before anybody listened.
    request_animation_frame(look);
    let _ = window_event_listener(leptos::ev::scroll, move |_| look());
}

/// Shows who steps the step, or the first of its part where it is no line; and who reads the line of the part.
pub fn show(state: LectureState, step: usize, part: usize, line: Option<u32>) {
    if state.is_stepping.get_untracked() {
        let lecture = state.lecture.get_untracked();
        let is_line = lecture.progress(step).lines > 0;
        return state.go_to_step(if is_line { step } else { lecture.first_stop(Some(part)) });
    }
    state.part.set(part);
    if let Some(anchor) = state.lecture.read_untracked().anchor(part) {
        to_part(&anchor, line);
    }
}

/// Shows a line of a file; whether anything has run there.
pub fn show_line(state: LectureState, path: &str, line: u32) -> bool {
    let lecture = state.lecture.get_untracked();
    let step = lecture.step_at(path, line);
    if let Some(step) = step {
        show(state, step, lecture.part_at(step), Some(line));
    }
    step.is_some()
}

/// Brings a part into sight, or a line of it. A cell that sleeps wakes first.
pub fn to_part(anchor: &str, line: Option<u32>) {
    let Some(part) = document().get_element_by_id(anchor) else { return };
    part.scroll_into_view();
    let Some(line) = line else { return };
    request_animation_frame(move || {
        if let Ok(Some(row)) = part.query_selector(&format!("[data-line=\"{line}\"]")) {
            unfold(&row);
            nearest(&row);
        }
    });
}

/// Opens what an element is folded away in.
fn unfold(element: &web_sys::Element) {
    while let Ok(Some(folded)) = element.closest("details:not([open])") {
        drop(folded.set_attribute("open", ""));
    }
}

/// Brings an element into sight, with no more scrolling than that takes.
pub fn nearest(element: &web_sys::Element) {
    let options = ScrollIntoViewOptions::new();
    options.set_block(ScrollLogicalPosition::Nearest);
    element.scroll_into_view_with_scroll_into_view_options(&options);
}
