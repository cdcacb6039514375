//! What a trace shows, as HTML and SVG: prose, values, drawings.
//!
//! A trace may come from a stranger: nothing of it becomes markup but by the way of this crate, which escapes texts and
//! lets no script, style or foreign address through.

use maud::{Markup, html};
use napkin_notebook::trace::{Rendering, Value};

/// What a lecture draws at a step.
#[must_use]
pub fn rendering(rendering: &Rendering) -> Markup {
    html! { p.drawing { (rendering.kind) } }
}

/// A variable's value. `name` is for readers of screens.
#[must_use]
pub fn value(name: &str, value: &Value) -> Markup {
    html! { span.value aria-label=(name) { (value.kind) } }
}
