//! What is drawn once a reader asks for it.

use leptos::prelude::*;
use web_sys::HtmlDetailsElement;

/// A summary, and under it what is there while it is open: most readers never open it, and a lecture has hundreds.
#[component]
pub fn Disclosure(
    summary: &'static str,
    #[prop(optional)] class: &'static str,
    children: ChildrenFn,
) -> impl IntoView {
    let is_open = RwSignal::new(false);
    view! {
        <details class=class on:toggle=move |event| is_open.set(event_target::<HtmlDetailsElement>(&event).open())>
            <summary>{summary}</summary>
            {move || is_open.get().then(&*children)}
        </details>
    }
}
