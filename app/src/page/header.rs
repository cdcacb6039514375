//! The same at the top of every page.

use leptos::html::Dialog;
use leptos::prelude::*;

use super::announcer::{copy, use_announcer};
use super::dialog::show_dialog;
use super::theme::ThemeSwitch;
use crate::state::{anchor, link_to, use_values};

/// Each page's name, the file that it is, and what it is called.
pub const PAGES: [(&str, &str, &str); 3] = [
    ("resource-accounting", "index.html", "Resource accounting"),
    ("arithmetic-intensity", "arithmetic-intensity.html", "Arithmetic intensity"),
    ("tools", "tools.html", "All tools"),
];

/// Name, pages, and what every page can do.
#[component]
pub fn Header(
    current: String,
    help: NodeRef<Dialog>,
    /// Buttons of this page alone.
    buttons: ViewFn,
) -> impl IntoView {
    let (values, announcer) = (use_values(), use_announcer());
    let copy_link = move |_| copy(announcer, "Link", link_to(values, &anchor()));
    let pages = PAGES.map(|(name, file, words)| {
        let address = if file == "index.html" { "./" } else { file };
        view! { <a href=address aria-current=(current == name).then_some("page")>{words}</a> }
    });
    view! {
        <header class="page-header">
            <div class="masthead">
                <a class="brand" href="./">
                    <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
                        <path class="logo-sheet" d="M3 6 26 3 29 21 20 29 5 28Z"></path>
                        <path class="logo-fold" d="M29 21 19 20 20 29Z"></path>
                        <path class="logo-ink" d="M8 12c4-2 6 2 10-1M8 18c3-1 5 1 8 0"></path>
                    </svg>
                    "Napkin"
                </a>
                <nav class="lectures" aria-label="Pages">{pages.collect_view()}</nav>
                {buttons.run()}
                <button type="button" class="copy-link" on:click=copy_link>"Copy link"</button>
                <ThemeSwitch />
                <button type="button" class="round" aria-label="Help and keys" on:click=move |_| show_dialog(help)>
                    "?"
                </button>
            </div>
        </header>
    }
}
