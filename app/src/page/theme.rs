//! Light, dark, or as the system has it.

use leptos::prelude::*;

use crate::state::store;

/// Where the choice is kept; a script at the top of each page reads it before the first paint.
const KEY: &str = "theme";

const THEMES: [(&str, &str); 3] = [("auto", "Auto"), ("light", "Light"), ("dark", "Dark")];

#[component]
pub fn ThemeSwitch() -> impl IntoView {
    let theme = RwSignal::new("auto");
    let known =
        |id: Option<String>| THEMES.iter().map(|(known, _)| *known).find(|it| Some(*it) == id.as_deref());
    let show = move |id: &'static str| {
        theme.set(id);
        if let Some(root) = document().document_element() {
            let _ = root.set_attribute("data-theme", id);
        }
    };
    Effect::new(move || {
        let kept = document().document_element().and_then(|root| root.get_attribute("data-theme"));
        theme.set(known(kept).unwrap_or("auto"));
        // Chosen on another page, perhaps the one that this one is inside. The page listens as long as it lives.
        let _ = window_event_listener(leptos::ev::storage, move |event| {
            if event.key().as_deref() == Some(KEY) {
                show(known(event.new_value()).unwrap_or("auto"));
            }
        });
    });
    let choose = move |id: &'static str| {
        show(id);
        // A browser may refuse to keep anything; the choice then lasts as long as the page.
        store(KEY, id);
    };
    let buttons = THEMES.map(|(id, words)| {
        view! {
            <label>
                <input
                    type="radio"
                    name="theme"
                    value=id
                    checked=id == "auto"
                    prop:checked=move || theme.get() == id
                    on:change=move |_| choose(id)
                />
                <span>{words}</span>
            </label>
        }
    });
    view! { <fieldset class="theme"><legend>"Theme"</legend>{buttons.collect_view()}</fieldset> }
}
