//! The frame around the cells.

mod contents;
mod device;
mod frame;
mod header;
mod help;
mod keys;
mod theme;

use crate::dom::Node;
use crate::signals::RwSignal;
use leptos::prelude::*;
use napkin_view::view;

use crate::WorkerClient;
use crate::cells::{CELLS, Sheets};
use crate::state::{Outline, State, connect};
use crate::widgets::Announcer;

/// The whole page.
#[component]
pub fn App() -> Node {
    let outlines: Vec<Outline> = CELLS.iter().map(|cell| cell.outline).collect();
    let state = State::provide(&outlines);
    let announcer = Announcer::provide();
    WorkerClient::provide();
    Sheets::provide(state, keys::show_cell);
    let help = RwSignal::new(false);
    // All cells first: they make the parameters that the address then sets.
    let frames: Vec<_> = (0..CELLS.len()).map(|index| frame::frame(state, index)).collect();
    connect(state, keys::scroll_to);
    keys::listen(state, help);
    view! {
        <a class="skip" href="#cells">"Skip to the cells"</a>
        <header::Header help />
        <contents::Contents state />
        <main id="cells">
            <Notices state />
            {frames}
        </main>
        <footer class="page-footer">
            <p>
                "Napkin is free software under MIT or Apache-2.0. It computes on your machine and sends nothing \
                 anywhere."
            </p>
        </footer>
        <help::Help open=help />
        <p class="announcer" role="status">{move || announcer.words()}</p>
    }
}

/// What was wrong with the address.
#[component]
fn Notices(state: State) -> Node {
    let list =
        move || state.notices().into_iter().map(|sentence| view! { <li>{sentence}</li> }).collect::<Vec<_>>();
    view! {
        <div class="notices" role="status" class:is-empty=move || state.notices().is_empty()>
            <ul>{list}</ul>
            <button type="button" on:click=move |_| state.dismiss_notices()>"Dismiss"</button>
        </div>
    }
}
