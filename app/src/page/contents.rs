//! The cells by name, always in sight.

use crate::dom::Node;
use crate::signals::effect;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use napkin_view::view;

use crate::cells::CELLS;
use crate::state::{State, link};
use crate::widgets::{copy, use_announcer};

/// Links to all cells, and to the state as it is.
#[component]
pub fn Contents(state: State) -> Node {
    let announcer = use_announcer();
    // Of many names the current one is to be seen.
    effect(move |_| {
        let current = format!(".contents li:nth-child({})", state.cell() + 1);
        if let Ok(Some(item)) = document().query_selector(&current)
            && let Some(list) = item.parent_element()
            && let Some(item) = item.dyn_ref::<web_sys::HtmlElement>()
        {
            list.set_scroll_left(item.offset_left() - list.client_width() / 3);
        }
    });
    let items = CELLS.iter().enumerate().map(|(index, cell)| {
        let on_click = move |event: leptos::ev::MouseEvent| {
            // The address tells the cell itself; a fragment beside it could contradict it.
            event.prevent_default();
            super::keys::show_cell(state, index);
        };
        view! {
            <li>
                <a
                    href=format!("#{}", cell.outline.id)
                    aria-current=move || (state.cell() == index).then_some("true")
                    on:click=on_click
                >
                    <span class="contents-number">{index + 1}</span>
                    {cell.name}
                </a>
            </li>
        }
    });
    view! {
        <nav class="contents" aria-label="Cells">
            <ol>{items.collect::<Vec<_>>()}</ol>
            <button type="button" class="copy-link" on:click=move |_| copy(announcer, "Link", link(state))>
                "Copy link to this state"
            </button>
        </nav>
    }
}
