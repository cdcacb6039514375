//! What a trace shows, as HTML and SVG: prose, values, drawings.
//!
//! A trace may come from a stranger: nothing of it becomes markup but by the way of this crate, which escapes texts and
//! lets no script, style or foreign address through. What takes a parser or a catalogue is read by whoever makes the
//! trace (`prepare`, behind the feature `preparing`) and kept in it as data, [`Rendering::prepared`]; a rendering that
//! nobody has prepared shows its own words.

mod cards;
mod figures;
mod number;
#[cfg(feature = "preparing")]
mod prepare;
mod storage;
mod tensor;
mod tree;
mod values;

pub use cards::CELLS;
#[cfg(feature = "preparing")]
pub use prepare::{prepare, prose};
pub use values::value;

use maud::{Markup, html};
use napkin_notebook::trace::{Json, Rendering};

/// What a lecture draws at a step; `id` begins the ids in it, and is unique in the page.
#[must_use]
pub fn rendering(rendering: &Rendering, id: &str) -> Markup {
    html! {
        @match known(rendering, id) {
            Some(drawn) => (drawn),
            // Whatever it is, there is something to see.
            None => figure.drawing.is-unknown { figcaption { (rendering.kind) } (values::data(&rendering.data, napkin_accounting::Unit::NONE)) },
        }
        (cards::reference(&rendering.external_link))
        (cards::place(&rendering.internal_link))
    }
}

/// The drawing, if the kind is known and the data is that of its kind.
fn known(rendering: &Rendering, id: &str) -> Option<Markup> {
    let Rendering { kind, data, prepared, .. } = rendering;
    match kind.as_str() {
        "markdown" => Some(html! { div.prose { (cards::prose(data, prepared)) } }),
        "slip" => cards::slip(data, prepared),
        "bits" => cards::bits(data, prepared),
        "number_line" => cards::number_line(data, prepared),
        "calculator" | "count" => cards::calculator(kind, data, prepared),
        "machine" => Some(cards::machine()),
        "image" => cards::image(data),
        // Where it leads is drawn below.
        "link" => Some(html! { @if let Some(title) = data.text() { p { (title) } } }),
        "lines" => figures::plot(data, id),
        "histogram" => figures::distribution(data, id),
        "table" => figures::table(data),
        "memory" => figures::memory(data, id),
        "heat" => {
            let tensor = values::nested(data.get("tensor")?);
            tensor.shape.as_ref()?;
            Some(
                html! { (figures::heat("", &tensor)) details.drawing { summary { "As a table" } (tensor::draw("", &tensor)) } },
            )
        }
        "strides" => {
            let tensors: Vec<_> = data.get("tensors")?.items().iter().map(values::nested).collect();
            if tensors.is_empty() || tensors.iter().any(|tensor| tensor.shape.is_none()) {
                return None;
            }
            Some(html! { figure.drawing.strides {
                (storage::draw(&tensors))
                @if let [tensor] = &tensors[..] { (tensor::facts(tensor)) }
            } })
        }
        _ => None,
    }
}

/// Whether this crate has a drawing for it, and is not left to show its data.
#[must_use]
pub fn is_known(rendering: &Rendering) -> bool {
    known(rendering, "").is_some()
}

/// An entry of an object as text; empty if there is none.
fn text<'a>(json: &'a Json, name: &str) -> &'a str {
    json.get(name).and_then(Json::text).unwrap_or_default()
}
