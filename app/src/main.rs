//! Starts the page in the browser.

use any_spawner::Executor;
use leptos::prelude::*;

use leptos::web_sys;
use napkin_app::App;
use napkin_app::dom::mount;

/// The element that holds the page as it was rendered at build time.
const PLACE: &str = "page";

fn main() {
    std::panic::set_hook(Box::new(|info| {
        web_sys::console::error_1(&info.to_string().into());
    }));
    let Some(place) = document().get_element_by_id(PLACE) else { return };
    let Ok(fresh) = document().create_element("div") else { return };
    fresh.set_id(PLACE);
    // Built aside and put in place at once: the reader sees no flash and keeps the place on the page.
    // It refuses only to be initialised twice.
    let _ = Executor::init_wasm_bindgen();
    let owner = Owner::new();
    owner.with(|| mount(App(), &fresh));
    // The page lives until its tab is closed.
    std::mem::forget(owner);
    place.replace_with_with_node_1(&fresh).unwrap_or_default();
}
