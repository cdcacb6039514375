//! What reads notebooks, traces of others, Markdown and TeX, as a module of its own: the page fetches it for what is not in
//! its own form yet. It also writes notebooks.

use napkin_trace::notebook::{self, is_notebook};
use napkin_trace::trace;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen::prelude::wasm_bindgen;

/// A trace of any format, or a notebook, in the page's own format, as JSON, with its prose read. Its name tells which it is.
///
/// # Errors
/// With a sentence without its full stop.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub fn read(text: &str, name: &str) -> Result<String, String> {
    let mut trace = if is_notebook(name) { notebook::read(text, name) } else { trace::read(text) }?;
    let all = trace.steps.iter_mut().flat_map(|step| &mut step.renderings);
    all.filter(|it| it.prepared.is_null()).for_each(napkin_trace::prepare::prepare);
    serde_json::to_string(&trace).map_err(|error| error.to_string())
}

/// A notebook as a file again, with what has become of its cells, as JSON: [`notebook::save`] says how.
///
/// # Errors
/// With a sentence without its full stop.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub fn save(text: &str, now: &str) -> Result<String, String> {
    let now = serde_json::from_str(now).map_err(|error| error.to_string())?;
    notebook::save(text, &now)
}

fn main() {
    #[cfg(not(target_arch = "wasm32"))]
    eprintln!("This is a module of the page; it runs in a browser. Try `cargo xtask serve`.");
}
