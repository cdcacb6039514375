//! The workbench: starts it in the browser; natively, writes its page as it is read first.

/// The element that holds the page as it was rendered at build time.
#[cfg(target_arch = "wasm32")]
const PLACE: &str = "page";

#[cfg(target_arch = "wasm32")]
fn main() {
    use any_spawner::Executor;
    use leptos::prelude::*;
    use leptos::web_sys;
    use napkin_app::App;
    use napkin_app::dom::mount;

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

/// Writes target/prerender/workbench.html: app/pages/workbench.html with the cells as HTML. The build copies it.
#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::io::Result<()> {
    use std::path::Path;
    use std::{fs, io};

    use leptos::prelude::*;
    use napkin_app::App;
    use napkin_app::dom::to_html;

    const PAGE: &str = include_str!("../pages/workbench.html");
    /// Where the cells go.
    const CELLS: &str = "<!-- cells -->";

    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/prerender");
    fs::create_dir_all(&folder)?;
    let (head, foot) = PAGE.split_once(CELLS).ok_or_else(|| {
        io::Error::new(io::ErrorKind::InvalidData, format!("app/pages/workbench.html has no {CELLS}"))
    })?;
    let owner = Owner::new();
    let html = owner.with(|| to_html(App()));
    fs::write(folder.join("workbench.html"), [head, &html, foot].concat())
}
