//! The reader of Markdown and TeX as a module of its own: the page fetches it for a trace whose prose nobody has read.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen::prelude::wasm_bindgen;

/// What is prepared of each of these renderings, a list as JSON; an empty one for what is no such list.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
#[must_use]
pub fn prepared(renderings: &str) -> String {
    let mut renderings: Vec<napkin_trace::trace::Rendering> =
        serde_json::from_str(renderings).unwrap_or_default();
    renderings.iter_mut().for_each(napkin_trace::prepare::prepare);
    let prepared: Vec<_> = renderings.into_iter().map(|it| it.prepared).collect();
    serde_json::to_string(&prepared).unwrap_or_default()
}

fn main() {
    #[cfg(not(target_arch = "wasm32"))]
    eprintln!("This is a module of the page; it runs in a browser. Try `cargo xtask serve`.");
}
