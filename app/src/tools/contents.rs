//! The tools by name, always in sight, and the keys that go from one to the next.

use leptos::ev::MouseEvent;
use leptos::html::Ol;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::table::TOOLS;
use super::{CURRENT, work_with};
use crate::page::{is_dialog_open, is_embedded, is_free};
use crate::state::{Values, use_values};

/// Links to all tools.
#[component]
pub fn Contents() -> impl IntoView {
    let values = use_values();
    let current = RwSignal::new(0);
    let list = NodeRef::<Ol>::new();
    // Goes to a tool, as a new entry of the browser's history.
    let go_to = move |index: usize| {
        values.push();
        work_with(values, &TOOLS[index]);
        // When the new entry is there: the browser keeps where the page was scrolled to for the old one.
        request_animation_frame(move || show(index));
        current.set(index);
    };
    Effect::new(move || {
        if is_embedded() {
            return;
        }
        // The page listens as long as it lives.
        let _ = window_event_listener(leptos::ev::scroll, move |_| {
            if let Some(tool) = tool_in_sight().filter(|tool| *tool != current.get_untracked()) {
                current.set(tool);
            }
        });
        let _ = window_event_listener(leptos::ev::click, move |event| {
            if let Some(index) = tool_linked(&event) {
                // The address names the tool itself; a fragment beside it could contradict it.
                event.prevent_default();
                go_to(index);
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
            if target != now {
                go_to(target);
            }
        });
        Effect::new(move || {
            values.track_arrivals();
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

/// Shows the tool that the address names.
fn arrive(values: Values) {
    let Some(id) = untrack(|| values.text(CURRENT)) else { return };
    match TOOLS.iter().position(|tool| tool.id == id) {
        Some(index) if tool_in_sight() != Some(index) => show(index),
        Some(_) => {}
        None => {
            values.notice(format!("There is no tool {id:?}."));
            values.set(CURRENT, None);
        }
    }
}

/// The tool to which a click on a link leads.
fn tool_linked(event: &MouseEvent) -> Option<usize> {
    let link = event.target()?.dyn_into::<Element>().ok()?.closest("a[href^='#']").ok()??;
    let address = link.get_attribute("href")?;
    TOOLS.iter().position(|tool| address[1..] == *tool.id)
}

fn section(index: usize) -> Option<Element> {
    document().get_element_by_id(TOOLS[index].id)
}

fn show(index: usize) {
    section(index).iter().for_each(Element::scroll_into_view);
}

/// The last tool that begins in the upper part of the window.
fn tool_in_sight() -> Option<usize> {
    let height = window().inner_height().ok()?.as_f64()?;
    let begins_above =
        |tool: &usize| section(*tool).is_some_and(|it| it.get_bounding_client_rect().top() < height * 0.4);
    (0..TOOLS.len()).rev().find(begins_above)
}
