//! Keys, and what else a reader may want to know.

use leptos::html::Dialog;
use leptos::prelude::*;

use crate::components::Legend;

/// Keys that do the same, and what they do.
pub type Keys = (&'static [&'static str], &'static str);

/// Keys of every page.
const COMMON: [Keys; 3] = [
    (&["?"], "this help"),
    (&["Esc"], "close it"),
    (&["arrows", "⇧ arrows", "Page", "Home", "End"], "move a slider: one step, ten, ten, to the ends"),
];

/// Shows a dialog over the page.
pub fn show_dialog(dialog: NodeRef<Dialog>) {
    if let Some(dialog) = dialog.get_untracked() {
        // Refused only where it is open already.
        let _ = dialog.show_modal();
    }
}

#[component]
pub fn Help(dialog: NodeRef<Dialog>, keys: &'static [Keys]) -> impl IntoView {
    let rows = keys.iter().chain(&COMMON).map(|(keys, what)| {
        let keys = keys.iter().map(|key| view! { <kbd>{*key}</kbd>" " }).collect_view();
        view! { <tr><th scope="row">{keys}</th><td>{*what}</td></tr> }
    });
    view! {
        <dialog class="help" aria-labelledby="help-title" node_ref=dialog>
            <h2 id="help-title">"Keys"</h2>
            <table><tbody>{rows.collect_view()}</tbody></table>
            <h2>"Where a figure is from"</h2>
            <Legend />
            <p>
                "The address always tells what you see: where you are and every value that you changed. Copy it to show \
                 somebody the same. Numbers can be typed as " <code>"70B"</code> ", " <code>"15T"</code> " or "
                <code>"1e9"</code> "."
            </p>
            <form method="dialog">
                <button type="submit" class="is-main">"Close"</button>
            </form>
        </dialog>
    }
}
