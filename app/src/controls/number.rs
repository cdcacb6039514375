//! A number: a field that takes "70B" and "1e-8", and a slider beside it.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use napkin_accounting::calc;

use super::{Draft, Line, Message};
use crate::state::Param;

/// Steps that Shift with an arrow, or a key of pages, takes at once.
const STRIDE: u32 = 10;

#[component]
pub fn NumberInput(param: Param<f64>) -> impl IntoView {
    let rule = param.rule;
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
                range=rule.slider
                value=Signal::derive(move || param.get())
                words=Signal::derive(move || param.text())
                move_to=move |value| param.set(value)
            />
            <Message id=param.id() text=Signal::derive(move || draft.message()) />
        </div>
    }
}

/// A slider over the numbers of a range.
#[component]
pub fn Slider(
    /// Its field's.
    #[prop(into)]
    label: String,
    range: calc::Slider,
    /// Where it stands; what is no number is at its beginning.
    value: Signal<f64>,
    /// The value for who cannot see it.
    words: Signal<String>,
    move_to: impl Fn(f64) + Copy + 'static,
) -> impl IntoView {
    let tick = Signal::derive(move || range.tick_of(value.get()));
    let go = move |tick: u32| move_to(range.value_at(tick.min(range.last())));
    let on_key = move |event: KeyboardEvent| {
        let tick = tick.get_untracked();
        let target = match (event.key().as_str(), event.shift_key()) {
            ("ArrowRight" | "ArrowUp", true) | ("PageUp", _) => tick.saturating_add(STRIDE),
            ("ArrowLeft" | "ArrowDown", true) | ("PageDown", _) => tick.saturating_sub(STRIDE),
            _ => return,
        };
        // Else the browser would move it, too.
        event.prevent_default();
        go(target);
    };
    view! {
        <input
            type="range"
            autocomplete="off"
            aria-label=format!("{label}, slider")
            min="0"
            max=range.last().to_string()
            step="1"
            value=move || tick.get().to_string()
            prop:value=move || tick.get().to_string()
            aria-valuetext=words
            on:input=move |event| {
                if let Ok(tick) = event_target_value(&event).parse() {
                    go(tick);
                }
            }
            on:keydown=on_key
        />
    }
}
