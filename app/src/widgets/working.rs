//! How a number comes about.

use std::sync::Arc;

use crate::dom::Node;
use crate::signals::Signal;
use leptos::prelude::*;
use napkin_accounting::Derivation;
use napkin_view::view;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

use super::{copy, use_announcer};

/// The working of a result, folded away: every step with its formula, numbers and sources, to copy as
/// text, Python or JSON.
#[component]
pub fn Working(
    /// The result; nothing is shown while there is none.
    of: Signal<Option<Arc<Derivation>>>,
    /// What the fold is called.
    #[prop(default = "How this comes about")]
    title: &'static str,
) -> Node {
    let announcer = use_announcer();
    let copy_as = move |what: &'static str, write: fn(&Derivation) -> String| {
        if let Some(derivation) = of.get_untracked() {
            copy(announcer, what, write(&derivation));
        }
    };
    let steps = move || {
        of.with(|of| {
            let steps = of.as_ref().map(|derivation| derivation.in_order()).unwrap_or_default();
            steps.into_iter().map(step).collect::<Vec<_>>()
        })
    };
    view! {
        <details class="working">
            <summary>{title}</summary>
            <ol>{steps}</ol>
            <p class="buttons">
                <button type="button" on:click=move |_| copy_as("The working", Derivation::to_text)>"Copy text"</button>
                <button type="button" on:click=move |_| copy_as("Python", Derivation::to_python)>"Copy Python"</button>
                <button type="button" on:click=move |_| copy_as("JSON", to_json)>"Copy JSON"</button>
            </p>
        </details>
    }
}

/// Written by the browser: a writer of JSON in the page would be larger than all that it writes.
fn to_json(derivation: &Derivation) -> String {
    let value = derivation.in_order().serialize(&Serializer::json_compatible()).unwrap_or(JsValue::NULL);
    let text = js_sys::JSON::stringify_with_replacer_and_space(&value, &JsValue::NULL, &JsValue::from(2));
    text.map_or_else(|_| String::new(), String::from)
}

fn step(derivation: &Derivation) -> Node {
    let sources = derivation
        .sources
        .iter()
        .chain(derivation.inputs().iter().flat_map(|input| &input.sources))
        .map(|source| {
            let text = source.to_string();
            match source.url.as_str() {
                "" => view! { <li>{text}</li> },
                url => view! { <li><a href=url.to_owned() rel="noreferrer">{text}</a></li> },
            }
        })
        .collect::<Vec<_>>();
    view! {
        <li>
            <span class="working-title">{derivation.title.clone().into_owned()}</span>
            <span class="working-line">
                {format!("{} = {}", derivation.symbol, derivation.formula())}
            </span>
            <span class="working-line">{format!("= {}", derivation.substituted())}</span>
            <strong class="working-line">{format!("= {}", derivation.short())}</strong>
            {(!sources.is_empty()).then(|| view! { <ul class="sources">{sources}</ul> })}
        </li>
    }
}
