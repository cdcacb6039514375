//! To whom keys belong.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::{Event, HtmlElement};

/// Whether keys belong to what has the focus: a field, a list, or a text that is edited.
pub fn is_typing(event: &Event) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    target.is_some_and(|it| it.is_content_editable() || it.matches("input, select, textarea") == Ok(true))
}

/// Whether a key is the page's: nobody has taken it, nobody is typing, and it is no command of the browser.
pub fn is_free(event: &KeyboardEvent) -> bool {
    let is_modified = event.ctrl_key() || event.meta_key() || event.alt_key();
    !is_modified && !event.default_prevented() && !is_typing(event)
}

/// Whether a dialog is over the page: keys are its own then.
pub fn is_dialog_open() -> bool {
    matches!(document().query_selector("dialog[open]"), Ok(Some(_)))
}
