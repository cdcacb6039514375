//! The search over the page.

use napkin_patch::patch;
use web_sys::{HtmlInputElement, KeyboardEvent, ScrollIntoViewOptions, ScrollLogicalPosition};

use super::{close_dialogs, deeds, find, find_as, go, with_desk};
use crate::frame;
use crate::search::{self, Hit};

/// What was found, and which of it is chosen.
#[derive(Default)]
pub(super) struct Palette {
    hits: Vec<Hit>,
    chosen: usize,
}

/// Shows it, with the contents.
pub(super) fn open() {
    deeds::open("palette");
    let field = find_as::<HtmlInputElement>("search");
    let words = field.as_ref().map(HtmlInputElement::value).unwrap_or_default();
    if let Some(field) = field {
        drop(field.focus());
        field.select();
    }
    search(&words);
}

/// Looks for words.
pub(super) fn search(words: &str) {
    with_desk(|desk| {
        desk.palette = Palette { hits: search::search(&desk.reader.lecture, words), chosen: 0 };
        desk.palette.draw();
    });
}

impl Palette {
    fn draw(&self) {
        if let Some(place) = find("hits") {
            patch(&place, &frame::hits(&self.hits, self.chosen));
        }
        if let Some(place) = find("found") {
            place.set_text_content(Some(&format!("{} found", self.hits.len())));
        }
        let id = format!("hit-{}", self.chosen);
        if let Some(field) = find("search") {
            drop(field.set_attribute("aria-activedescendant", &id));
        }
        if let Some(hit) = find(&id) {
            let options = ScrollIntoViewOptions::new();
            options.set_block(ScrollLogicalPosition::Nearest);
            hit.scroll_into_view_with_scroll_into_view_options(&options);
        }
    }
}

/// Arrows choose, Enter goes.
pub(super) fn key(event: &KeyboardEvent) {
    let step = with_desk(|desk| {
        let palette = &mut desk.palette;
        let last = palette.hits.len().saturating_sub(1);
        match event.key().as_str() {
            "ArrowDown" => palette.chosen = (palette.chosen + 1).min(last),
            "ArrowUp" => palette.chosen = palette.chosen.saturating_sub(1),
            "Enter" => return palette.hits.get(palette.chosen).map(|hit| hit.step),
            _ => return None,
        }
        palette.draw();
        event.prevent_default();
        None
    });
    if let Some(step) = step {
        event.prevent_default();
        close_dialogs();
        go(step, false);
    }
}
