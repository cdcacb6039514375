//! A result, large.

use crate::dom::Node;
use crate::signals::Signal;
use leptos::prelude::*;
use napkin_view::view;

use super::{copy, use_announcer};

/// A number as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Four digits and a unit with its prefix.
    pub short: String,
    /// Every digit.
    pub exact: String,
}

/// A result with its name; the exact value shows on focus and hover, and is what a click copies.
#[component]
pub fn Figure(
    /// What the number is.
    label: &'static str,
    /// The number, or the sentence that says why there is none.
    value: Signal<Result<Shown, String>>,
) -> Node {
    let announcer = use_announcer();
    let shown = move || {
        value.with(|value| match value {
            Ok(shown) => {
                let exact = shown.exact.clone();
                let on_click = move |_| copy(announcer, "The exact value", exact.clone());
                view! {
                    <button type="button" class="figure-value" on:click=on_click>
                        <span class="figure-short">{shown.short.clone()}</span>
                        <span class="figure-exact">{shown.exact.clone()}</span>
                    </button>
                }
            }
            Err(sentence) => view! { <p class="figure-none">{sentence.clone()}</p> },
        })
    };
    view! {
        <div class="figure" role="group" aria-label=label>
            <span class="figure-label">{label}</span>
            {shown}
        </div>
    }
}
