//! Name, title, what runs where, and the switches of the page itself.

use crate::dom::Node;
use crate::signals::RwSignal;
use leptos::prelude::*;
use napkin_view::view;

use super::device::DeviceBadge;
use super::theme::ThemeSwitch;

/// The top of the page.
#[component]
pub fn Header(
    /// Whether the help is shown.
    help: RwSignal<bool>,
) -> Node {
    view! {
        <header class="page-header">
            <div class="masthead">
                <p class="brand">
                    <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
                        <path class="logo-sheet" d="M3 6 26 3 29 21 20 29 5 28Z" />
                        <path class="logo-fold" d="M29 21 19 20 20 29Z" />
                        <path class="logo-ink" d="M8 12c4-2 6 2 10-1M8 18c3-1 5 1 8 0" />
                    </svg>
                    "Napkin"
                </p>
                <DeviceBadge />
                <ThemeSwitch />
                <button type="button" class="round" aria-label="Help and keys" on:click=move |_| help.set(true)>
                    "?"
                </button>
            </div>
            <div class="hero">
                <h1>"PyTorch and resource accounting"</h1>
                <p class="lede">
                    "How much memory does a tensor take, how long does a product take, and what does it cost to train \
                     a language model? Every number on this page is computed while you look. Change one and see \
                     what follows."
                </p>
            </div>
        </header>
    }
}
