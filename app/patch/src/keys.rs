//! To whom keys belong.

use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement};

/// Whether keys belong to what has the focus: a field, a list, or a text that is edited.
#[must_use]
pub fn is_typing(event: &Event) -> bool {
    let Some(target) = event.target() else { return false };
    let is_field = target
        .dyn_ref::<Element>()
        .is_some_and(|element| ["INPUT", "SELECT", "TEXTAREA"].contains(&element.tag_name().as_str()));
    is_field || target.dyn_ref::<HtmlElement>().is_some_and(HtmlElement::is_content_editable)
}
