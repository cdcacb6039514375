//! To whom keys belong.

use leptos::ev::KeyboardEvent;
use leptos::html::Button;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// Whether a key is the page's: nobody has taken it, it is no command of the browser, and what has the focus is no field,
/// no list and no text that is edited.
pub fn is_free(event: &KeyboardEvent) -> bool {
    let is_modified = event.ctrl_key() || event.meta_key() || event.alt_key();
    let target = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    // Around the text of an editor are its line numbers.
    let is_typing = |it: HtmlElement| {
        it.is_content_editable() || it.matches("input, select, textarea, .editor *") == Ok(true)
    };
    !is_modified && !event.default_prevented() && !target.is_some_and(is_typing)
}

/// Gives the focus to a button in place of one that goes away.
pub fn focus(button: NodeRef<Button>) {
    request_animation_frame(move || {
        if let Some(button) = button.try_get_untracked().flatten() {
            drop(button.focus());
        }
    });
}

/// Whether a dialog is over the page: keys are its own then.
pub fn is_dialog_open() -> bool {
    matches!(document().query_selector("dialog[open]"), Ok(Some(_)))
}
