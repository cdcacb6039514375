//! Values as Python's `repr` shows them, numbers shorter.

use maud::{Markup, html};
use napkin_accounting::{Unit, decimal};
use napkin_notebook::trace::{Json, Value};

use crate::number::{Python, unit_of};
use crate::tensor;

/// What stands for everything that a trace left out.
pub(crate) const REST: &str = "…";
/// Values within values.
const DEPTH: usize = 8;

/// A variable's value. `name` is for readers of screens, and its end says the unit of a number: `held_bytes`.
#[must_use]
pub fn value(name: &str, value: &Value) -> Markup {
    html! { div.value role="group" aria-label=(name) { (draw(name, value, DEPTH)) } }
}

fn draw(name: &str, value: &Value, depth: usize) -> Markup {
    if depth == 0 {
        return html! { (REST) };
    }
    if value.shape.is_some() {
        return tensor::draw(name, value);
    }
    let kind = value.kind.as_str();
    match &value.contents {
        Json::Null if kind == "NoneType" => html! { span.word { "None" } },
        Json::Null => html! { span.word { (kind) } },
        Json::Text(text) if text == REST => html! { (REST) },
        Json::Text(text) if kind == "str" => html! { q.text { (text) } },
        Json::Text(text) if kind == "int" => whole(text, unit_of(name)),
        Json::Text(text) => html! { span.word title=(kind) { (text) } },
        Json::List(items) => list(name, kind, items, depth),
        Json::Object(map) => html! {
            table.entries {
                @if kind != "dict" { caption { (kind) } }
                tbody { @for (key, one) in &map.0 {
                    tr { th scope="row" { (key) } td { (draw(key, &nested(one), depth - 1)) } }
                } }
            }
        },
        scalar => data(scalar, unit_of(name)),
    }
}

/// A whole number too long for JSON.
fn whole(text: &str, unit: Unit) -> Markup {
    match decimal::read(text) {
        Some(near) => html! { data.number value=(text) title=(text) { (Python::Float(near).short(unit)) } },
        None => html! { span.word { (text) } },
    }
}

/// Data without a type; a number with its unit.
pub(crate) fn data(json: &Json, unit: Unit) -> Markup {
    match json {
        Json::Null => html! { span.word { "None" } },
        Json::Bool(value) => html! { span.word { (if *value { "True" } else { "False" }) } },
        Json::Int(value) => Python::Int(*value).draw(unit),
        Json::Float(value) => Python::Float(*value).draw(unit),
        Json::Text(text) => html! { span.word { (text) } },
        Json::List(_) | Json::Object(_) => draw("", &nested(json), DEPTH),
    }
}

fn list(name: &str, kind: &str, items: &[Json], depth: usize) -> Markup {
    let items: Vec<Value> = items.iter().map(nested).collect();
    let [open, close] = match kind {
        "tuple" | "torch.Size" => ["(", ")"],
        "set" | "frozenset" => ["{", "}"],
        _ => ["[", "]"],
    };
    // What is short stands in a line, as Python prints it.
    let is_short =
        |one: &Value| !matches!(one.contents, Json::List(_) | Json::Object(_)) && one.shape.is_none();
    if items.iter().all(is_short) {
        return html! {
            span.list {
                (open)
                @for (at, one) in items.iter().enumerate() { @if at > 0 { ", " } (draw(name, one, depth - 1)) }
                @if kind == "tuple" && items.len() == 1 { "," }
                (close)
            }
        };
    }
    html! {
        table.entries { tbody { @for (at, one) in items.iter().enumerate() {
            tr { th scope="row" { (at) } td { (draw(name, one, depth - 1)) } }
        } } }
    }
}

/// A value within another; what has no type with it gets the one that JSON knows.
pub(crate) fn nested(json: &Json) -> Value {
    let kind = match json {
        Json::Null => "NoneType",
        Json::Bool(_) => "bool",
        Json::Int(_) => "int",
        Json::Float(_) => "float",
        Json::Text(_) => "str",
        Json::List(_) => "list",
        Json::Object(_) => match json.get("type").and_then(Json::text) {
            Some(kind) if json.get("contents").is_some() => return typed(kind, json),
            _ => "dict",
        },
    };
    Value { kind: kind.to_owned(), contents: json.clone(), ..Value::default() }
}

fn typed(kind: &str, json: &Json) -> Value {
    let text = |name| json.get(name).and_then(Json::text).map(str::to_owned);
    let size = |json: &Json| json.number().map(|size| size as usize);
    let sizes = |name| json.get(name).map(|sizes| sizes.items().iter().filter_map(size).collect());
    Value {
        kind: kind.to_owned(),
        contents: json.get("contents").cloned().unwrap_or_default(),
        dtype: text("dtype"),
        shape: sizes("shape"),
        stride: sizes("stride"),
        offset: json.get("offset").and_then(size),
        storage: json.get("storage").and_then(size).and_then(|number| u32::try_from(number).ok()),
        device: text("device"),
        requires_grad: json.get("requires_grad").map(|flag| *flag == Json::Bool(true)),
    }
}
