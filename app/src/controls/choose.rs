//! Lists to choose from.

use leptos::prelude::*;

use crate::state::{Choice, Param};

#[component]
pub fn Choose(param: Param<Choice>) -> impl IntoView {
    let rule = param.rule;
    let options = rule.options.iter().enumerate().map(|(index, (name, words))| {
        view! { <option value=*name selected=move || param.get().0 == index>{*words}</option> }
    });
    view! {
        <div class="choose">
            <label for=param.id()>{rule.label}</label>
            <select
                id=param.id()
                prop:value=move || param.text()
                on:change=move |event| {
                    // The options are the rule's own: there is nothing to tell.
                    let _ = param.read(&event_target_value(&event));
                }
            >
                {options.collect_view()}
            </select>
        </div>
    }
}
