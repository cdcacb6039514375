//! Values as Python's `repr` shows them, numbers shorter.

use leptos::prelude::*;
use napkin_accounting::{Unit, format};
use napkin_trace::trace::{Json, REST, Value};

use super::grid::plain;
use super::number::{exact, number_view, short, unit_of};
use super::tensor::TensorView;

/// Values within values.
const DEPTH: usize = 8;

/// A variable's value.
#[component]
pub fn ValueView(
    /// Its name is for readers of screens, and the end of it says the unit of a number: `held_bytes`.
    name: String,
    /// As the trace has it.
    value: Value,
) -> impl IntoView {
    let content = draw(&name, &value, DEPTH);
    view! { <div class="value" role="group" aria-label=name>{content}</div> }
}

/// Data without a type; a number with its unit.
#[component]
pub fn DataView(data: Json, #[prop(default = Unit::NONE)] unit: Unit) -> impl IntoView {
    match data {
        Json::Array(_) | Json::Object(_) => draw("", &Value::nested(&data), DEPTH),
        data => scalar(data, unit),
    }
}

fn scalar(data: Json, unit: Unit) -> AnyView {
    match data {
        Json::Number(number) => number_view(exact(&number), short(&number, unit)),
        data => word(&plain(&data)),
    }
}

fn word(text: &str) -> AnyView {
    view! { <span class="word">{text.to_owned()}</span> }.into_any()
}

fn draw(name: &str, value: &Value, depth: usize) -> AnyView {
    if depth == 0 {
        return REST.into_any();
    }
    if value.shape.is_some() {
        return view! { <TensorView name tensor=value.clone() /> }.into_any();
    }
    let kind = value.kind.as_str();
    match &value.contents {
        Json::Null => word(if kind == "NoneType" { "None" } else { kind }),
        Json::String(text) if text == REST => REST.into_any(),
        Json::String(text) if kind == "str" => view! { <q class="text">{text.clone()}</q> }.into_any(),
        // A whole number too long for JSON.
        Json::String(text) if kind == "int" => match text.parse::<f64>() {
            Ok(near) => number_view(text.clone(), format::short(near, unit_of(name))),
            Err(_) => word(text),
        },
        Json::String(text) => {
            view! { <span class="word" title=kind.to_owned()>{text.clone()}</span> }.into_any()
        }
        Json::Array(items) => list(name, kind, items, depth),
        Json::Object(entries) => {
            let caption = (kind != "dict").then(|| view! { <caption>{kind.to_owned()}</caption> });
            let rows = entries.iter().map(|(key, value)| {
                let value = draw(key, &Value::nested(value), depth - 1);
                view! { <tr><th scope="row">{key.clone()}</th><td>{value}</td></tr> }
            });
            view! { <table class="entries">{caption}<tbody>{rows.collect_view()}</tbody></table> }.into_any()
        }
        data => scalar(data.clone(), unit_of(name)),
    }
}

fn list(name: &str, kind: &str, items: &[Json], depth: usize) -> AnyView {
    let items: Vec<Value> = items.iter().map(Value::nested).collect();
    let is_short =
        |one: &Value| !matches!(one.contents, Json::Array(_) | Json::Object(_)) && one.shape.is_none();
    let is_line = items.iter().all(is_short);
    let views = items.iter().enumerate().map(|(at, one)| (at, draw(name, one, depth - 1)));
    if !is_line {
        let rows = views.map(|(at, one)| view! { <tr><th scope="row">{at}</th><td>{one}</td></tr> });
        return view! { <table class="entries"><tbody>{rows.collect_view()}</tbody></table> }.into_any();
    }
    // What is short stands in a line, as Python prints it.
    let [open, close] = match kind {
        "tuple" if items.len() == 1 => ["(", ",)"],
        "tuple" | "torch.Size" => ["(", ")"],
        "set" | "frozenset" => ["{", "}"],
        _ => ["[", "]"],
    };
    let views = views.map(|(at, one)| ((at > 0).then_some(", "), one));
    view! { <span class="list">{open} {views.collect_view()} {close}</span> }.into_any()
}
