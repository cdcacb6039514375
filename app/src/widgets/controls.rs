//! Selects, switches and text fields.

use crate::dom::Node;
use crate::signals::Signal;
use leptos::html::Input;
use leptos::prelude::*;
use napkin_view::view;

use super::number::next_id;
use super::{Draft, Message};
use crate::state::{Choice, Param};

/// One of several options, as a list to choose from.
#[component]
pub fn Choose(
    /// What it changes.
    param: Param<Choice>,
) -> Node {
    let rule = param.rule();
    let id = format!("c-{}", next_id());
    let options = rule.options.iter().enumerate().map(|(index, (name, words))| {
        view! { <option value=*name selected=move || param.get().0 == index>{*words}</option> }
    });
    view! {
        <div class="choose">
            <label for=id.clone()>{rule.label}</label>
            <select
                id=id
                prop:value=move || param.text()
                on:change=move |event| {
                    // The options are the rule's own: there is nothing to tell.
                    let _ = param.read(&event_target_value(&event));
                }
            >
                {options.collect::<Vec<_>>()}
            </select>
        </div>
    }
}

/// On or off.
#[component]
pub fn Switch(
    /// What it changes.
    param: Param<bool>,
) -> Node {
    view! {
        <label class="switch">
            <input
                type="checkbox"
                role="switch"
                checked=move || param.get()
                prop:checked=move || param.get()
                on:change=move |event| param.set(event_target_checked(&event))
            />
            <span>{param.rule().label}</span>
        </label>
    }
}

/// A line of text that has to keep to a rule.
#[component]
pub fn TextInput(
    /// What it changes.
    param: Param<String>,
    /// Whether it holds code.
    #[prop(optional)]
    is_code: bool,
) -> Node {
    view! { <Field label=param.rule().label draft=Draft::of(param) is_code /> }
}

/// A line of text for any draft.
#[component]
pub fn Field(
    /// What it is called.
    #[prop(into)]
    label: Signal<String>,
    /// What it shows and where it goes.
    draft: Draft,
    /// Whether it holds code.
    #[prop(optional)]
    is_code: bool,
    /// The field itself, for who wants to move the focus there.
    #[prop(optional)]
    node: NodeRef<Input>,
) -> Node {
    let id = format!("t-{}", next_id());
    let message_id = format!("{id}-message");
    view! {
        <div class="text" class:is-code=is_code class:is-bad=move || draft.message().is_some()>
            <label for=id.clone()>{label}</label>
            <input
                type="text"
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                id=id
                node_ref=node
                value=move || draft.text()
                prop:value=move || draft.text()
                aria-invalid=move || draft.message().is_some().to_string()
                aria-describedby=message_id.clone()
                on:input=move |event| draft.type_text(event_target_value(&event))
                on:blur=move |_| draft.settle()
            />
            <Message id=message_id text=Signal::derive(move || draft.message()) />
        </div>
    }
}
