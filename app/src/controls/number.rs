//! A number: a field that takes "70B" and "1e-8", and a slider beside it.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::{Draft, Line, Message};
use crate::state::Param;

/// Steps that Shift with an arrow, or a key of pages, takes at once.
const STRIDE: u32 = 10;

/// Where such a key leads on a slider, which then does not move by itself; nowhere for other keys.
fn stride(event: &KeyboardEvent, tick: u32) -> Option<u32> {
    let target = match (event.key().as_str(), event.shift_key()) {
        ("ArrowRight" | "ArrowUp", true) | ("PageUp", _) => tick.saturating_add(STRIDE),
        ("ArrowLeft" | "ArrowDown", true) | ("PageDown", _) => tick.saturating_sub(STRIDE),
        _ => return None,
    };
    event.prevent_default();
    Some(target)
}

/// A number field with its slider.
#[component]
pub fn NumberInput(param: Param<f64>) -> impl IntoView {
    let rule = param.rule();
    let draft = Draft::of(param);
    let is_bad = Signal::derive(move || draft.message().is_some());
    view! {
        <div class="number" class:is-bad=is_bad>
            <label for=param.id()>{rule.label}</label>
            <span class="number-field">
                <Line
                    id=param.id()
                    text=Signal::derive(move || draft.text())
                    is_bad
                    inputmode="decimal"
                    on_type=move |text| draft.type_text(text)
                    on:blur=move |_| draft.settle()
                />
            </span>
            <Slider
                label=rule.label
                last=rule.ticks()
                tick=Signal::derive(move || rule.tick_of(param.get()))
                words=Signal::derive(move || param.text())
                move_to=move |tick| param.set(rule.value_at(tick))
            />
            <Message id=param.id() text=Signal::derive(move || draft.message()) />
        </div>
    }
}

/// A slider of steps from 0 to `last`.
#[component]
pub fn Slider(
    /// Its field's.
    #[prop(into)]
    label: String,
    last: u32,
    tick: Signal<u32>,
    /// The value for who cannot see it.
    words: Signal<String>,
    move_to: impl Fn(u32) + Copy + 'static,
) -> impl IntoView {
    let on_key = move |event: KeyboardEvent| {
        if let Some(target) = stride(&event, tick.get_untracked()) {
            move_to(target.min(last));
        }
    };
    view! {
        <input
            type="range"
            autocomplete="off"
            aria-label=format!("{label}, slider")
            min="0"
            max=last.to_string()
            step="1"
            value=move || tick.get().to_string()
            prop:value=move || tick.get().to_string()
            aria-valuetext=words
            on:input=move |event| {
                if let Ok(tick) = event_target_value(&event).parse::<u32>() {
                    move_to(tick.min(last));
                }
            }
            on:keydown=on_key
        />
    }
}
