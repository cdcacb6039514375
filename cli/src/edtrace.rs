//! A trace in the format of the package edtrace: what its viewer reads, and no more.
//!
//! Its tracer follows one file, from the call of `main` on, and imports that file as a module.

use napkin_trace::trace::{Json, Map, Rendering, StackElement, Trace, Value};
use serde_json::json;

/// What stands outside of all functions.
const MODULE: &str = "<module>";

/// A trace as edtrace would have written it of the file `path`, which is the module `module`.
///
/// # Errors
/// With a sentence, if no function of that file has run, or not all of it was recorded.
pub(crate) fn written(trace: &Trace, path: &str, module: &str) -> Result<Json, String> {
    if trace.truncated {
        return Err(format!("{path} has more steps than are recorded: {}", trace.steps.len()));
    }
    let mut steps: Vec<Json> = Vec::new();
    let mut before: Vec<StackElement> = Vec::new();
    for step in &trace.steps {
        let stack: Vec<StackElement> =
            step.stack.iter().filter(|it| it.function_name != MODULE).cloned().collect();
        let is_of_main = stack.first().is_some_and(|it| it.path == path && it.function_name == "main");
        if !is_of_main || stack.last().is_none_or(|place| place.path != path) {
            continue;
        }
        // The same place again at once, without anything between, is the same step.
        steps.pop_if(|last| before == stack && is_empty(last));
        steps.push(json!({
            "stack": stack.iter().map(place).collect::<Vec<_>>(),
            "env": step.env.iter().map(|(name, it)| (name.clone(), it.as_ref().map_or(Json::Null, |it| value(it, module)))).collect::<serde_json::Map<_, _>>(),
            "renderings": step.renderings.iter().map(rendering).collect::<Vec<_>>(),
        }));
        before = stack;
    }
    if steps.is_empty() {
        return Err(format!(
            "{path} has no steps: edtrace's traces begin with the call of its function main"
        ));
    }
    let of_file = |all: &Map<Vec<u32>>| all.get(path).cloned().unwrap_or_default();
    Ok(json!({
        "files": { path: trace.files.get(path) },
        "hidden_line_numbers": { path: of_file(&trace.hidden_line_numbers) },
        "steps": steps,
    }))
}

fn is_empty(step: &Json) -> bool {
    step["env"].as_object().is_some_and(serde_json::Map::is_empty)
        && step["renderings"].as_array().is_some_and(Vec::is_empty)
}

fn place(it: &StackElement) -> Json {
    json!({"path": it.path, "line_number": it.line_number, "function_name": it.function_name, "code": it.code})
}

fn value(it: &Value, module: &str) -> Json {
    let kind = match it.kind.strip_prefix("__main__.") {
        Some(name) => format!("{module}.{name}"),
        None => it.kind.clone(),
    };
    let is_tensor = it.shape.is_some();
    let contents = match &it.contents {
        // Of what is no number, text or container it has the text.
        Json::Null if kind == "NoneType" => "None".into(),
        Json::Array(items) if !is_tensor => {
            items.iter().map(|it| value(&Value::nested(it), module)).collect()
        }
        Json::Object(all) => {
            let all = all.iter().map(|(name, it)| (name.clone(), value(&Value::nested(it), module)));
            Json::Object(all.collect())
        }
        other => other.clone(),
    };
    json!({"type": kind, "contents": contents, "dtype": it.dtype, "shape": it.shape})
}

fn rendering(it: &Rendering) -> Json {
    json!({
        "type": it.kind,
        "data": it.data,
        "style": it.style,
        "external_link": it.external_link,
        "internal_link": it.internal_link,
    })
}
