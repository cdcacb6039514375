//! Parts of the page that come alive as they come into sight.

use js_sys::Array;
use leptos::html::Div;
use leptos::prelude::*;
use leptos::tachys::hydration::Cursor;
use leptos::tachys::view::{Mountable, PositionState};
use leptos::wasm_bindgen::JsCast;
use leptos::wasm_bindgen::closure::Closure;
use web_sys::{Element, IntersectionObserver, IntersectionObserverEntry, IntersectionObserverInit};

use super::live::use_live;
use crate::state::{Hydration, is_hydrating};

/// How far below and above the window a part comes alive.
const MARGIN: &str = "600px 0px";

/// A part of the page that is HTML alone until it comes into sight, or is printed. Where the page is built at first it
/// is written whole; what is made later in the browser is alive at once. Its content has the contexts of what it is in.
#[component]
pub fn Lazy(
    /// How many parts of the page stand before it.
    index: usize,
    /// Whether the page differs by now from what the build has written: then the part is made anew.
    #[prop(optional, into)]
    is_changed: Signal<bool>,
    /// Whether the part is to come alive wherever it is.
    #[prop(optional, into)]
    is_wanted: Signal<bool>,
    children: Children,
) -> impl IntoView {
    // The page's own script lays out all but the first when the page answers: they are too many to be waited for.
    let is_far = index >= 4 && (is_hydrating() || cfg!(not(target_arch = "wasm32")));
    if !is_hydrating() {
        let is_awake = cfg!(target_arch = "wasm32").then_some("");
        return view! { <div class="lazy" class:is-far=is_far data-awake=is_awake>{children()}</div> }
            .into_any();
    }
    let (children, owner) = (StoredValue::new_local(Some(children)), Owner::current());
    let owner = StoredValue::new_local(owner);
    let live = use_live();
    // Takes over the HTML of the part, the first time; with what draws it, where that is not prose alone.
    let take_over = move |element: &Element| {
        let children = children.try_update_value(Option::take).flatten();
        let owner = owner.try_get_value().flatten();
        let (Some(children), Some(owner)) = (children, owner) else { return };
        // For who waits until the part answers.
        let _ = element.set_attribute("data-awake", "");
        lay_out(element);
        let inner = owner.child();
        let state = inner.with(|| {
            if is_changed.get_untracked() || (is_live(element) && live.parts().is_none()) {
                element.set_inner_html("");
                let mut state = children().build();
                state.mount(element, None);
                return state;
            }
            let hydration = Hydration::provide();
            let state = children().hydrate::<true>(&Cursor::new(element.clone()), &PositionState::default());
            hydration.finish();
            state
        });
        // Both live as long as what the part is in.
        owner.with(|| StoredValue::new_local((inner, state)));
    };
    let wake = move |element: &Element| {
        if is_changed.get_untracked() || !is_live(element) {
            return take_over(element);
        }
        live.ask();
        let (element, Some(owner)) = (element.clone(), owner.try_get_value().flatten()) else { return };
        owner.with(|| {
            Effect::new(move || {
                if live.is_settled() {
                    untrack(|| take_over(&element));
                }
            });
        });
    };
    let element = NodeRef::<Div>::new();
    element.on_load(move |element| {
        on_sight(element.clone().unchecked_into(), wake);
        // The paper shows what the reader has changed, in sight or not.
        let printed = window_event_listener(leptos::ev::beforeprint, move |_| wake(&element));
        on_cleanup(move || printed.remove());
    });
    Effect::new(move || {
        if let Some(element) = element.get().filter(|_| is_wanted.get()) {
            untrack(|| wake(&element));
        }
    });
    // The element keeps what the build has written into it: hydration looks for no children here.
    view! { <div class="lazy" class:is-far=is_far node_ref=element></div> }.into_any()
}

/// Whether something in it is drawn by what the first screen does not need.
fn is_live(element: &Element) -> bool {
    matches!(element.query_selector("[data-live]"), Ok(Some(_)))
}

/// Gives a part its height. What is in the middle of the window, or below it, stays where the reader has it.
fn lay_out(element: &Element) {
    if !element.class_list().contains("is-far") {
        return;
    }
    let before = element.get_bounding_client_rect();
    let _ = element.class_list().remove_1("is-far");
    let middle = window().inner_height().ok().and_then(|height| height.as_f64()).unwrap_or_default() / 2.0;
    if before.bottom() < middle {
        let grown = element.get_bounding_client_rect().bottom() - before.bottom();
        window().scroll_by_with_x_and_y(0.0, grown);
    }
}

/// Calls `then` with an element as that comes near the window, once; at once where the browser cannot tell.
fn on_sight(element: Element, then: impl Fn(&Element) + Copy + 'static) {
    let place = element.clone();
    let told = Closure::<dyn Fn(Array, IntersectionObserver)>::new(
        move |entries: Array, observer: IntersectionObserver| {
            let is_in_sight = |entry: &IntersectionObserverEntry| entry.is_intersecting();
            if entries.iter().any(|entry| entry.dyn_ref().is_some_and(is_in_sight)) {
                observer.disconnect();
                then(&place);
            }
        },
    );
    let options = IntersectionObserverInit::new();
    options.set_root_margin(MARGIN);
    match IntersectionObserver::new_with_options(told.into_js_value().unchecked_ref(), &options) {
        Ok(observer) => observer.observe(&element),
        Err(_) => then(&element),
    }
}
