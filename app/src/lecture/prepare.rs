//! Traces of others, and prose that nobody has read yet: what reads them is fetched for them.

use js_sys::{Function, Promise, Reflect};
use leptos::wasm_bindgen::{JsCast, JsValue};
use napkin_trace::trace::{MOST_BYTES, Trace};

use crate::components::import;

/// What a reader is told where that cannot be had.
const UNREAD: &str =
    "What reads Markdown could not be fetched: the prose of this trace is shown as it is written.";

/// Reads a trace, or a notebook, with its prose; its name tells which it is.
///
/// # Errors
/// With a sentence without its full stop.
pub async fn read(name: &str, text: &str) -> Result<Trace, String> {
    if text.len() > MOST_BYTES {
        return Err(format!("A trace of more than {} MB is too large", MOST_BYTES / 1_000_000));
    }
    let ours = match serde_json::from_str::<Trace>(text) {
        Ok(trace) if !has_unread(&trace) => return Ok(trace),
        other => other,
    };
    match (asked("read", text, name).await, ours) {
        (Ok(read), _) => serde_json::from_str(&read?).map_err(|error| error.to_string()),
        (Err(_), Ok(mut trace)) => {
            trace.warnings.push(UNREAD.to_owned());
            Ok(trace)
        }
        (Err(_), Err(_)) => Err("What reads this trace could not be fetched".to_owned()),
    }
}

fn has_unread(trace: &Trace) -> bool {
    let mut all = trace.steps.iter().flat_map(|step| &step.renderings);
    all.any(|it| matches!(it.kind.as_str(), "markdown" | "note" | "card" | "html") && it.prepared.is_null())
}

/// The file of a notebook with what has become of its cells, by the names of their functions, as JSON.
///
/// # Errors
/// With a sentence without its full stop.
pub async fn saved(notebook: &str, now: &str) -> Result<String, String> {
    asked("save", notebook, now)
        .await
        .unwrap_or_else(|_| Err("what writes notebooks could not be fetched".to_owned()))
}

/// What a function of the module makes of two texts, or why it cannot; an error where the module itself cannot be had.
async fn asked(name: &str, text: &str, other: &str) -> Result<Result<String, String>, JsValue> {
    let module = import("prose.js").await?;
    let function = |name: &str| Reflect::get(&module, &name.into())?.dyn_into::<Function>();
    function("default")?.call0(&JsValue::NULL)?.dyn_into::<Promise>()?.await?;
    Ok(match function(name)?.call2(&JsValue::NULL, &text.into(), &other.into()) {
        Ok(read) => read.as_string().ok_or_else(|| "It could not be read".to_owned()),
        Err(why) => Err(why.as_string().ok_or(why)?),
    })
}
