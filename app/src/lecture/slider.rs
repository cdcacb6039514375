//! The slider of an assignment that a reader may change.

use leptos::prelude::*;
use napkin_trace::trace;

use super::model::{SliderRange, number, slider_id};
use super::run::use_run;
use super::state::use_lecture;
use crate::controls::Slider;

/// A slider with its number field; both change the program, which then runs.
#[component]
pub fn SliderRow(
    /// The file that it is in.
    path: String,
    slider: trace::Slider,
) -> impl IntoView {
    let (state, run) = (use_lecture(), use_run());
    let range = StoredValue::new(SliderRange::new(&slider));
    let id = slider_id(&slider);
    let name = slider.name.clone();
    let place = StoredValue::new((path, slider));
    // A hydrated field begins with the number that the build has written.
    let hydrated = crate::state::use_hydrated();
    let value = Memo::new(move |_| {
        let (path, slider) = place.get_value();
        if hydrated.get() { state.setting(&path, &slider) } else { slider.value }
    });
    let refused = RwSignal::new(None::<String>);
    let set = move |value: String| {
        let (path, slider) = place.get_value();
        refused.set(None);
        state.set_slider(&path, &slider, value);
        run.run_cell(path, slider.function_name);
    };
    let on_change = move |event| match range.with_value(|range| range.read(&event_target_value(&event))) {
        Ok(value) => set(value),
        Err((why, _)) => refused.set(Some(why)),
    };
    view! {
        <div class="slider" data-slider=id>
            <label>
                <span><code>{name.clone()}</code></span>
                <Slider
                    label=name.clone()
                    range=range.with_value(|range| range.slider)
                    value=Signal::derive(move || number(&value.get()).unwrap_or(f64::NAN))
                    words=value.into()
                    move_to=move |number| set(range.with_value(|range| range.literal(number)))
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
                    value=value
                    prop:value=value
                    aria-invalid=move || refused.get().map(|_| "true")
                    on:change=on_change
                    on:focus=move |_| run.prepare()
                />
            </label>
            <p class="message" role="status">{move || refused.get().map(|why| format!("{why}."))}</p>
        </div>
    }
}
