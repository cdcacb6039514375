//! Light, dark, or as the system has it.

use crate::dom::Node;
use crate::signals::{RwSignal, effect};
use leptos::prelude::*;
use napkin_view::view;

/// Where the choice is kept; a script at the top of each page reads it before the first paint.
const KEY: &str = "theme";

const THEMES: [(&str, &str); 3] = [("auto", "Auto"), ("light", "Light"), ("dark", "Dark")];

/// The choice of a theme.
#[component]
pub fn ThemeSwitch() -> Node {
    let theme = RwSignal::new("auto");
    effect(move |_| {
        let kept = document().document_element().and_then(|root| root.get_attribute("data-theme"));
        if let Some((id, _)) = THEMES.iter().find(|(id, _)| kept.as_deref() == Some(id)) {
            theme.set(id);
        }
    });
    let choose = move |id: &'static str| {
        theme.set(id);
        if let Some(root) = document().document_element() {
            let _ = root.set_attribute("data-theme", id);
        }
        // A browser may refuse to keep anything; the choice then lasts as long as the page.
        if let Ok(Some(storage)) = window().local_storage() {
            let _ = storage.set_item(KEY, id);
        }
    };
    let buttons = THEMES.map(|(id, words)| {
        view! {
            <label>
                <input
                    type="radio"
                    name="theme"
                    value=id
                    prop:checked=move || theme.get() == id
                    checked=id == "auto"
                    on:change=move |_| choose(id)
                />
                <span>{words}</span>
            </label>
        }
    });
    view! { <fieldset class="theme"><legend>"Theme"</legend>{buttons.into_iter().collect::<Vec<_>>()}</fieldset> }
}
