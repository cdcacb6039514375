//! The tools by name, always in sight, and the keys that go from one to the next.

use leptos::html::Ol;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::table::TOOLS;
use crate::page::{in_sight, is_dialog_open, is_embedded, is_free};
use crate::state::{Values, anchor, set_anchor, use_values};

#[component]
pub fn Contents() -> impl IntoView {
    let values = use_values();
    let current = RwSignal::new(0);
    let list = NodeRef::<Ol>::new();
    Effect::new(move || {
        if is_embedded() {
            return;
        }
        // The page listens as long as it lives.
        let _ = window_event_listener(leptos::ev::scroll, move |_| {
            if let Some(tool) = in_sight(ids()).filter(|tool| *tool != current.get_untracked()) {
                current.set(tool);
            }
        });
        let _ = window_event_listener(leptos::ev::keydown, move |event| {
            if is_dialog_open() || !is_free(&event) {
                return;
            }
            let now = current.get_untracked();
            let target = match (event.key().as_str(), event.shift_key()) {
                ("ArrowRight", true) | ("j", _) => (now + 1).min(TOOLS.len() - 1),
                ("ArrowLeft", true) | ("k", _) => now.saturating_sub(1),
                _ => return,
            };
            event.prevent_default();
            // A place of the browser's history, as behind a link.
            let _ = window().location().set_hash(TOOLS[target].id);
        });
        Effect::new(move || {
            values.arrivals.track();
            arrive(values);
        });
    });
    // Of many names the current one is to be seen.
    Effect::new(move || {
        let (current, Some(list)) = (current.get(), list.get()) else { return };
        let item = list.children().item(current as u32);
        if let Some(item) = item.and_then(|item| item.dyn_into::<HtmlElement>().ok()) {
            list.set_scroll_left(item.offset_left() - list.client_width() / 3);
        }
    });
    let items = TOOLS.iter().enumerate().map(|(index, tool)| {
        view! {
            <li>
                <a
                    href=format!("#{}", tool.id)
                    aria-current=move || (current.get() == index).then_some("true")
                >
                    <span class="contents-number">{index + 1}</span>
                    {tool.name}
                </a>
            </li>
        }
    });
    view! {
        <nav class="contents" aria-label="Tools">
            <ol node_ref=list>{items.collect_view()}</ol>
        </nav>
    }
}

/// Shows the tool that the address names, if only in the words of its older versions.
fn arrive(values: Values) {
    if let Some(id) = untrack(|| values.text("cell")) {
        values.set("cell", None);
        match ids().any(|known| known == id) {
            true => set_anchor(&id),
            false => values.notice(format!("There is no tool {id:?}.")),
        }
    }
    let named = ids().position(|id| id == anchor());
    if let Some(tool) = named.filter(|tool| in_sight(ids()) != Some(*tool)) {
        document().get_element_by_id(TOOLS[tool].id).iter().for_each(Element::scroll_into_view);
    }
}

fn ids() -> impl DoubleEndedIterator<Item = &'static str> + ExactSizeIterator {
    TOOLS.iter().map(|tool| tool.id)
}
