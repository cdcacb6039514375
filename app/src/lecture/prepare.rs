//! Prose of a trace that nobody has read yet: what reads Markdown and TeX is fetched for it.

use js_sys::{Function, Promise, Reflect};
use leptos::wasm_bindgen::{JsCast, JsValue};
use napkin_trace::trace::{Rendering, Trace};

use crate::components::import;

/// What a reader is told where that cannot be had.
const UNREAD: &str =
    "What reads Markdown could not be fetched: the prose of this trace is shown as it is written.";

/// Reads the prose of a trace, or says in its warnings why it stays as it is written.
pub async fn prepare(trace: &mut Trace) {
    let is_unread = |it: &&mut Rendering| {
        matches!(it.kind.as_str(), "markdown" | "note" | "card") && it.prepared.is_null()
    };
    let all = trace.steps.iter_mut().flat_map(|step| &mut step.renderings);
    let mut unread: Vec<&mut Rendering> = all.filter(is_unread).collect();
    if unread.is_empty() {
        return;
    }
    let Ok(text) = serde_json::to_string(&unread) else { return };
    let trees: Option<Vec<_>> = read(&text).await.ok().and_then(|text| serde_json::from_str(&text).ok());
    match trees {
        Some(trees) => unread.iter_mut().zip(trees).for_each(|(rendering, tree)| rendering.prepared = tree),
        None => trace.warnings.push(UNREAD.to_owned()),
    }
}

/// What the module makes of a list of renderings, both as JSON.
async fn read(renderings: &str) -> Result<String, JsValue> {
    let module = import("prose.js").await?;
    let function = |name: &str| Reflect::get(&module, &name.into())?.dyn_into::<Function>();
    function("default")?.call0(&JsValue::NULL)?.dyn_into::<Promise>()?.await?;
    let made = function("prepared")?.call1(&JsValue::NULL, &renderings.into())?;
    made.as_string().ok_or(JsValue::NULL)
}
