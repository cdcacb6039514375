//! Lines of text, and the sentence under them.

use leptos::prelude::*;

use super::Draft;
use crate::state::Param;

/// A line of code that has to keep to a parameter's rule.
#[component]
pub fn TextInput(param: Param<String>) -> impl IntoView {
    view! { <Field id=param.id() label=param.rule.label draft=Draft::of(param) /> }
}

/// A line of code for any draft.
#[component]
pub fn Field(
    /// Of the field, unique on the page.
    id: String,
    #[prop(into)] label: Signal<String>,
    draft: Draft,
    /// What is wrong with the text although it can be read.
    #[prop(optional, into)]
    fault: Signal<Option<String>>,
) -> impl IntoView {
    let message = Signal::derive(move || fault.get().or_else(|| draft.message()));
    let is_bad = Signal::derive(move || message.read().is_some());
    view! {
        <div class="text is-code" class:is-bad=is_bad>
            <label for=id.clone()>{label}</label>
            <Line
                id=id.clone()
                text=Signal::derive(move || draft.text())
                is_bad
                on_type=move |text| draft.type_text(text)
                on:blur=move |_| draft.settle()
            />
            <Message id text=message />
        </div>
    }
}

#[component]
pub fn Line(
    id: String,
    text: Signal<String>,
    is_bad: Signal<bool>,
    #[prop(default = "text")] inputmode: &'static str,
    on_type: impl Fn(String) + 'static,
) -> impl IntoView {
    view! {
        <input
            type="text"
            inputmode=inputmode
            autocomplete="off"
            autocapitalize="off"
            spellcheck="false"
            id=id.clone()
            value=text
            prop:value=text
            aria-invalid=move || is_bad.get().to_string()
            aria-describedby=format!("{id}-message")
            on:input=move |event| on_type(event_target_value(&event))
        />
    }
}

/// What is wrong with a field, under it; empty while nothing is.
#[component]
pub fn Message(
    /// The field's.
    id: String,
    text: Signal<Option<String>>,
) -> impl IntoView {
    view! { <p class="message" id=format!("{id}-message") role="status">{text}</p> }
}
