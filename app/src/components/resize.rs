//! Elements that get another size.

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::wasm_bindgen::closure::Closure;
use web_sys::{Element, ResizeObserver};

/// Calls `act` for an element's size and for each that it gets, as long as the component lives.
pub fn on_resize(element: &Element, act: impl Fn() + 'static) {
    let act = Closure::<dyn Fn()>::new(act);
    // Without observers everything stays as large as it was built.
    let Ok(observer) = ResizeObserver::new(act.as_ref().unchecked_ref()) else { return };
    observer.observe(element);
    let held = StoredValue::new_local((observer, act));
    on_cleanup(move || held.with_value(|(observer, _)| observer.disconnect()));
}
