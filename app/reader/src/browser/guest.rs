//! Cells of the workbench within the lecture, opened on demand.

use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, HtmlIFrameElement, MessageEvent};

use super::{document, window};

/// What the attribute of such an element is.
const GUEST: &str = "data-guest";
/// Higher than this is no cell, in CSS pixels.
const MOST_PX: f64 = 6000.0;

/// Opens a cell, named as `CELL?query`, behind its button, or closes it.
pub(super) fn toggle(button: &Element, cell: &str) {
    if let Some(open) = button.next_element_sibling().filter(|next| next.has_attribute(GUEST)) {
        return open.remove();
    }
    let (id, query) = cell.split_once('?').unwrap_or((cell, ""));
    let Some(document) = document() else { return };
    let Ok(frame) = document.create_element("iframe") else { return };
    let query = if query.is_empty() { String::new() } else { format!("&{query}") };
    let label = button.text_content().unwrap_or_default();
    for (name, value) in [
        (GUEST, ""),
        ("class", "guest"),
        ("title", &label),
        ("src", &format!("workbench.html?embed={id}{query}")),
    ] {
        drop(frame.set_attribute(name, value));
    }
    drop(button.insert_adjacent_element("afterend", &frame));
}

/// A cell tells how high it is.
pub(super) fn hear(event: &Event) {
    let Some(event) = event.dyn_ref::<MessageEvent>() else { return };
    let origin = window().and_then(|window| window.location().origin().ok());
    if origin.as_deref() != Some(&event.origin()) {
        return;
    }
    let get = |name: &str| js_sys::Reflect::get(&event.data(), &JsValue::from_str(name)).ok();
    let is_height = get("napkin").and_then(|kind| kind.as_string()).as_deref() == Some("height");
    let Some(px) = get("px").and_then(|px| px.as_f64()).filter(|px| is_height && (0.0..MOST_PX).contains(px))
    else {
        return;
    };
    let Some(frames) = document().and_then(|document| document.query_selector_all("iframe.guest").ok())
    else {
        return;
    };
    let all =
        (0..frames.length()).filter_map(|index| frames.get(index)?.dyn_into::<HtmlIFrameElement>().ok());
    for frame in all {
        let window = frame.content_window().map(JsValue::from);
        if window == event.source().map(JsValue::from) {
            drop(frame.set_attribute("height", &(px.ceil() as u32).to_string()));
        }
    }
}
