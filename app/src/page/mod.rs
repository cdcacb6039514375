//! What is around everything: header, footer, help, theme, notices.

mod announcer;
mod dialog;
mod header;
mod help;
mod keys;
mod lazy;
mod live;
mod theme;

use leptos::html::Main;
use leptos::prelude::*;

pub use announcer::{Announcer, copy, use_announcer};
pub use dialog::{DialogHead, show_dialog};
pub use header::PAGES;
pub use help::Keys;
pub use keys::{focus, is_dialog_open, is_free};
pub use lazy::Lazy;
pub use live::{Live, Parts, WithParts, use_live};

use announcer::Announcements;
use header::Header;
use help::Help;

use crate::components::calculator::{DerivationDialog, Derivations};
use crate::state::use_values;

/// What is at this share of the window's height is read.
const EYE: f64 = 0.35;

/// A whole page: its own content between what all pages have.
#[component]
pub fn Page(
    /// Its name: a lecture's, or `tools`.
    name: String,
    /// Its keys, for the help.
    keys: &'static [Keys],
    /// Buttons of this page alone, in the header.
    #[prop(optional, into)]
    buttons: ViewFn,
    children: Children,
) -> impl IntoView {
    Derivations::provide();
    let (values, help, main) = (use_values(), NodeRef::new(), NodeRef::new());
    let whole =
        move || Some(values.query_without("embed")).filter(|it| !it.is_empty()).unwrap_or("?".to_owned());
    Effect::new(move || {
        // The page listens as long as it lives.
        let _ = window_event_listener(leptos::ev::keydown, move |event| {
            if event.key() == "?" && is_free(&event) {
                event.prevent_default();
                show_dialog(help);
            }
        });
    });
    view! {
        <a class="skip" href="#main">"Skip to the content"</a>
        <Header current=name help buttons />
        <main id="main" tabindex="-1" node_ref=main>
            <Notices main />
            {children()}
        </main>
        <footer class="page-footer">
            <p>
                "Napkin is free software under MIT or Apache-2.0. It computes on your machine and sends nothing \
                 anywhere."
            </p>
        </footer>
        // Leads to all that is around an embedded part, in the same state; seen only there.
        <footer class="whole">
            <a href=whole target="_blank" rel="noopener">"Open the whole page"</a>
        </footer>
        <Help dialog=help keys />
        <DerivationDialog />
        <Announcements />
    }
}

/// What the reader should know about the address, or about what could not be done, until it has been read.
#[component]
fn Notices(
    /// What has the focus after it.
    main: NodeRef<Main>,
) -> impl IntoView {
    let notices = use_values().notices;
    let dismiss = move |_| {
        notices.set(Vec::new());
        if let Some(main) = main.get_untracked() {
            drop(main.focus());
        }
    };
    let sentences = move || notices.get().into_iter().map(|words| view! { <li>{words}</li> }).collect_view();
    view! {
        <div class="notices" role="status" class:is-empty=move || notices.read().is_empty()>
            <ul>{sentences}</ul>
            <button type="button" on:click=dismiss>"Dismiss"</button>
        </div>
    }
}

/// Whether the page shows one part alone, inside another page: `?embed=NAME`. Scripts and styles of page.html hide all
/// else before the first paint, and tell the page around how high the part is.
pub fn is_embedded() -> bool {
    document().document_element().is_some_and(|root| root.has_attribute("data-embed"))
}

/// The last of these elements, by their ids, that begins in the upper part of the window: that which is read.
pub fn in_sight<'a>(ids: impl DoubleEndedIterator<Item = &'a str> + ExactSizeIterator) -> Option<usize> {
    let eye = window().inner_height().ok()?.as_f64()? * EYE;
    let top = |id: &str| Some(document().get_element_by_id(id)?.get_bounding_client_rect().top());
    { ids }.rposition(|id| top(id).is_some_and(|top| top <= eye))
}
