//! Keys and gestures.

use std::borrow::Cow;

use crate::dom::{Node, kept};
use crate::signals::{RwSignal, effect};
use leptos::html::Dialog;
use leptos::prelude::*;
use napkin_view::view;

const KEYS: [(&[&str], &str); 7] = [
    (&["→", "l"], "next step"),
    (&["←", "h"], "step back"),
    (&["⇧ →", "j"], "next cell"),
    (&["⇧ ←", "k"], "previous cell"),
    (&["?"], "this help"),
    (&["Esc"], "close it"),
    (&["arrows", "⇧ arrows", "Page", "Home", "End"], "move a slider: one step, ten, ten, to the ends"),
];

/// The help, over the page.
#[component]
pub fn Help(
    /// Whether it is shown.
    open: RwSignal<bool>,
) -> Node {
    let dialog = NodeRef::<Dialog>::new();
    effect(move |_| {
        let Some(dialog) = dialog.get() else { return };
        if open.get() {
            // Refused only where it is open already.
            let _ = dialog.show_modal();
        } else {
            dialog.close();
        }
    });
    view! {
        <dialog class="help" aria-labelledby="help-title" node_ref=dialog on:close=move |_| open.set(false)>
            <h2 id="help-title">"Keys"</h2>
            {kept("help-keys", keys)}
            {kept("help-words", words)}
            <button type="button" class="is-main" on:click=move |_| open.set(false)>"Close"</button>
        </dialog>
    }
}

fn keys(id: Cow<'static, str>) -> Node {
    let rows = KEYS.iter().map(|(keys, what)| {
        let keys = keys.iter().map(|key| view! { <kbd>{*key}</kbd>" " }).collect::<Vec<_>>();
        view! { <tr><th scope="row">{keys}</th><td>{*what}</td></tr> }
    });
    view! { <table id=id>{rows.collect::<Vec<_>>()}</table> }
}

fn words(id: Cow<'static, str>) -> Node {
    view! {
        <p id=id>
            "The address always tells what you see: cell, step and every value that you changed. Copy it to show \
             somebody the same. Numbers can be typed as " <code>"70B"</code> ", " <code>"15T"</code> " or "
            <code>"1e9"</code> "."
        </p>
    }
}
