//! Keys, and what else a reader may want to know.

use leptos::html::Dialog;
use leptos::prelude::*;

use super::dialog::DialogHead;
use crate::components::Legend;

/// Keys that do the same, and what they do.
pub type Keys = (&'static [&'static str], &'static str);

/// Keys of every page.
const COMMON: [Keys; 3] = [
    (&["?"], "this help"),
    (&["Esc"], "close it"),
    (&["arrows", "⇧ arrows", "Page", "Home", "End"], "move a slider: one step, ten, ten, to the ends"),
];

#[component]
pub fn Help(dialog: NodeRef<Dialog>, keys: &'static [Keys]) -> impl IntoView {
    let rows = keys.iter().chain(&COMMON).map(|(keys, what)| {
        let keys = keys.iter().map(|key| view! { <kbd>{*key}</kbd>" " }).collect_view();
        view! { <tr><th scope="row">{keys}</th><td>{*what}</td></tr> }
    });
    view! {
        <dialog class="help" aria-labelledby="help-title" node_ref=dialog>
            <DialogHead id="help-title" title="Keys" />
            <table><tbody>{rows.collect_view()}</tbody></table>
            <h2>"Where a figure is from"</h2>
            <Legend />
            <p>
                "The address always tells what you see: where you are and every value that you changed. Copy it to show \
                 somebody the same. Numbers can be typed as " <code>"70B"</code> ", " <code>"15T"</code> " or "
                <code>"1e9"</code> "."
            </p>
        </dialog>
    }
}
