//! The slider of an assignment that a reader may change.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use napkin_trace::trace::Slider;

use super::model::{Scale, slider_id};
use super::run::use_run;
use super::state::use_lecture;
use crate::controls::stride;

/// A slider with its number field; both change the program, which then runs.
#[component]
pub fn SliderRow(
    /// The file that it is in.
    path: String,
    slider: Slider,
) -> impl IntoView {
    let (state, run) = (use_lecture(), use_run());
    let scale = StoredValue::new(Scale::new(&slider));
    let id = slider_id(&slider);
    let name = slider.name.clone();
    let place = StoredValue::new((path, slider));
    // A hydrated field begins with the number that the build has written.
    let hydrated = crate::state::use_hydrated();
    let value = Memo::new(move |_| {
        let (path, slider) = place.get_value();
        if hydrated.get() { state.setting(&path, &slider) } else { slider.value }
    });
    let position = move || scale.with_value(|scale| scale.place(&value.get()));
    let refused = RwSignal::new(None::<String>);
    let set = move |value: String| {
        let (path, slider) = place.get_value();
        refused.set(None);
        state.set_slider(&path, &slider, value);
        run.run_cell(path, slider.function_name);
    };
    let move_to = move |place: usize| set(scale.with_value(|scale| scale.at(place)));
    let on_input = move |event| {
        if let Ok(place) = event_target_value(&event).parse() {
            move_to(place);
        }
    };
    let on_key = move |event: KeyboardEvent| {
        if let Some(target) = stride(&event, untrack(position)) {
            move_to(target);
        }
    };
    let on_change = move |event| match scale.with_value(|scale| scale.read(&event_target_value(&event))) {
        Ok(value) => set(value),
        Err((why, _)) => refused.set(Some(why)),
    };
    view! {
        <div class="slider" data-slider=id>
            <label>
                <span><code>{name.clone()}</code></span>
                <input
                    type="range"
                    min="0"
                    max=scale.with_value(Scale::last)
                    value=position
                    prop:value=move || position().to_string()
                    aria-valuetext=move || value.get()
                    on:input=on_input
                    on:keydown=on_key
                    on:focus=move |_| run.prepare()
                    on:pointerenter=move |_| run.prepare()
                />
            </label>
            <label>
                <span class="visually-hidden">{name} ", number"</span>
                <input
                    type="text"
                    inputmode="decimal"
                    autocomplete="off"
                    size="9"
                    value=move || value.get()
                    prop:value=move || value.get()
                    aria-invalid=move || refused.get().map(|_| "true")
                    on:change=on_change
                    on:focus=move |_| run.prepare()
                />
            </label>
            <p class="message" role="status">{move || refused.get().map(|why| format!("{why}."))}</p>
        </div>
    }
}
