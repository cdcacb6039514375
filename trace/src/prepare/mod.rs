//! What whoever makes a trace reads for whoever shows it.

mod html;
mod markdown;
mod mathml;
mod terms;

pub use markdown::tree;

use crate::trace::{Drawing, Json, Rendering};

/// Reads the Markdown or HTML of a rendering; the trace keeps what comes of it.
pub fn prepare(rendering: &mut Rendering) {
    rendering.prepared = match rendering.drawing() {
        Some(Drawing::Markdown(text) | Drawing::Note(text)) => tree(&text),
        Some(Drawing::Html(text)) => html::tree(&text),
        Some(Drawing::Card(card)) => {
            let whys = card.choices.into_iter().map(|choice| choice.why);
            std::iter::once(card.text).chain(whys).map(|text| tree(&text)).collect()
        }
        _ => Json::Null,
    };
}
