//! A number: a field that takes "70B" and "1e-8", and a slider beside it.

use crate::dom::Node;
use crate::signals::Signal;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use napkin_view::view;

use super::{Draft, Message};
use crate::state::Param;

/// Steps that Shift with an arrow takes at once.
const STRIDE: u32 = 10;

/// A number field with its slider.
#[component]
pub fn NumberInput(
    /// What it changes.
    param: Param<f64>,
) -> Node {
    let rule = param.rule();
    let draft = Draft::of(param);
    let id = format!("n-{}", next_id());
    let message_id = format!("{id}-message");
    let move_to = move |tick: u32| param.set(rule.value_at(tick.min(rule.ticks())));
    let on_key = move |event: KeyboardEvent| {
        let tick = rule.tick_of(param.get_untracked());
        let target = match event.key().as_str() {
            "ArrowRight" | "ArrowUp" if event.shift_key() => tick.saturating_add(STRIDE),
            "ArrowLeft" | "ArrowDown" if event.shift_key() => tick.saturating_sub(STRIDE),
            "PageUp" => tick.saturating_add(STRIDE),
            "PageDown" => tick.saturating_sub(STRIDE),
            _ => return,
        };
        event.prevent_default();
        move_to(target);
    };
    let tick = move || rule.tick_of(param.get()).to_string();
    let name = rule.label;
    view! {
        <div class="number" class:is-bad=move || draft.message().is_some()>
            <label for=id.clone()>{rule.label}</label>
            <span class="number-field">
                <input
                    type="text"
                    inputmode="decimal"
                    autocomplete="off"
                    spellcheck="false"
                    id=id.clone()
                    value=move || draft.text()
                    prop:value=move || draft.text()
                    aria-invalid=move || draft.message().is_some().to_string()
                    aria-describedby=message_id.clone()
                    on:input=move |event| draft.type_text(event_target_value(&event))
                    on:blur=move |_| draft.settle()
                />
                {(!rule.unit.is_empty()).then(|| view! { <span class="unit">{rule.unit}</span> })}
            </span>
            <input
                type="range"
                aria-label=format!("{name}, slider")
                min="0"
                max=rule.ticks().to_string()
                step="1"
                value=tick
                prop:value=tick
                aria-valuetext=move || format!("{} {}", param.text(), rule.unit)
                on:input=move |event| {
                    if let Ok(tick) = event_target_value(&event).parse() {
                        move_to(tick);
                    }
                }
                on:keydown=on_key
            />
            <Message id=message_id text=Signal::derive(move || draft.message()) />
        </div>
    }
}

/// A number for ids, unique on the page.
pub(super) fn next_id() -> u32 {
    use std::sync::atomic::{AtomicU32, Ordering};
    static LAST: AtomicU32 = AtomicU32::new(0);
    LAST.fetch_add(1, Ordering::Relaxed)
}
