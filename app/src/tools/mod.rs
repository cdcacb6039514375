//! The page of all tools: every live component alone, one after the other.

mod contents;
mod table;

use leptos::context::Provider;
use leptos::prelude::*;

use crate::components::calculator::{Calculators, SHARED, Texts};
use crate::components::device::DeviceBadge;
use crate::page::{Keys, Lazy, Page};
use crate::state::{Scope, set_anchor, use_values};
use contents::Contents;
use table::{TOOLS, Tool};

/// The name of the page.
pub const NAME: &str = "tools";

const KEYS: &[Keys] = &[(&["⇧ →", "j"], "next tool"), (&["⇧ ←", "k"], "previous tool")];

/// The page.
#[component]
pub fn Tools() -> impl IntoView {
    let values = use_values();
    // All tools assume the same.
    Calculators::provide(Texts::new()).in_address(SHARED);
    let embedded = move || values.text("embed").filter(|id| !id.is_empty());
    let unknown = move || embedded().filter(|id| TOOLS.iter().all(|tool| tool.id != id));
    view! {
        <Page name=NAME.to_owned() keys=KEYS buttons=|| view! { <DeviceBadge /> }>
            <div class="hero" data-live="">
                <h1>"All tools"</h1>
                <p class="lede">
                    "Every calculator, drawing and machine of the lectures, alone. Change a number and see what follows: \
                     all of it is computed while you look."
                </p>
            </div>
            <Contents />
            {move || {
                unknown().map(|id| view! { <p role="status">{format!("There is no tool {id:?}.")}</p> })
            }}
            {TOOLS.iter().enumerate().map(|(index, tool)| view! { <Section index tool /> }).collect_view()}
        </Page>
    }
}

/// One tool with its heading.
#[component]
fn Section(index: usize, tool: &'static Tool) -> impl IntoView {
    let values = use_values();
    let heading = format!("{}-title", tool.id);
    // The address names the tool that the reader has last touched.
    let name = move || set_anchor(tool.id);
    view! {
        <section
            class="cell"
            id=tool.id
            aria-labelledby=heading
            class:is-current=move || values.text("embed").as_deref() == Some(tool.id)
            on:focusin=move |_| name()
            on:pointerdown=move |_| name()
        >
            <header class="cell-header">
                <p class="cell-number" aria-hidden="true">{index + 1}</p>
                <h2 id=heading.clone()>{tool.title}</h2>
            </header>
            <p class="intro">{tool.about}</p>
            <div class="stage">
                <Lazy index>
                    <Provider value=Scope::new(tool.id)>{(tool.view)()}</Provider>
                </Lazy>
            </div>
        </section>
    }
}
