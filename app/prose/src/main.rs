//! The reader of notebooks and of traces of others, of Markdown and of TeX as a module of its own: the page fetches it for a trace that is not
//! in its own form yet.

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

fn main() {
    #[cfg(not(target_arch = "wasm32"))]
    eprintln!("This is a module of the page; it runs in a browser. Try `cargo xtask serve`.");
}
