//! What dialogs over the page have in common.

use leptos::html::Dialog;
use leptos::prelude::*;

/// Shows a dialog over the page.
pub fn show_dialog(dialog: NodeRef<Dialog>) {
    if let Some(dialog) = dialog.get_untracked() {
        // Refused only where it is open already.
        let _ = dialog.show_modal();
    }
}

/// A dialog's title, and what closes it. It stands first: what has the focus when a dialog opens is scrolled into sight.
#[component]
pub fn DialogHead(id: &'static str, #[prop(into)] title: String) -> impl IntoView {
    view! {
        <header class="dialog-head">
            <h2 id=id>{title}</h2>
            <form method="dialog">
                <button class="round" aria-label="Close">"×"</button>
            </form>
        </header>
    }
}
