//! Tensors: facts, elements as tables, and on request in colours and in their storage.

use maud::{Markup, html};
use napkin_accounting::Unit;
use napkin_notebook::trace::{Json, Value};

use crate::values::{REST, data};
use crate::{figures, storage};

/// Tables of a tensor of more than two dimensions.
const MOST_TABLES: usize = 8;

pub(crate) fn draw(name: &str, tensor: &Value) -> Markup {
    let dims = tensor.shape.as_deref().map_or(0, <[usize]>::len);
    html! {
        div.tensor {
            (facts(tensor))
            (elements(tensor))
            @if (1..=2).contains(&dims) && is_of_numbers(&tensor.contents) {
                details { summary { "In colours" } (figures::heat(name, tensor)) }
            }
            @if dims > 0 && tensor.stride.is_some() {
                details { summary { "In its storage" } (storage::draw(std::slice::from_ref(tensor))) }
            }
        }
    }
}

/// Anything at all that has a colour; an error's text, or nothing, has none.
fn is_of_numbers(contents: &Json) -> bool {
    match contents {
        Json::List(items) => items.iter().any(is_of_numbers),
        one => one.number().is_some() || matches!(one, Json::Bool(_)),
    }
}

/// `(2, 3)`, as Python prints sizes.
pub(crate) fn tuple(sizes: &[usize]) -> String {
    let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
    match &sizes[..] {
        [one] => format!("({one},)"),
        _ => format!("({})", sizes.join(", ")),
    }
}

/// The mark of a storage: one letter for the first twenty-six.
fn mark(storage: u32) -> String {
    let letter = char::from(b'A' + (storage % 26) as u8);
    if storage < 26 { letter.to_string() } else { format!("{letter}{}", storage / 26) }
}

/// Dtype, shape, strides, offset, storage and device in a line.
pub(crate) fn facts(tensor: &Value) -> Markup {
    let sizes = |sizes: &Option<Vec<usize>>| sizes.as_deref().map(tuple);
    let facts = [
        ("dtype", tensor.dtype.clone()),
        ("shape", sizes(&tensor.shape)),
        ("strides", sizes(&tensor.stride)),
        ("offset", tensor.offset.map(|offset| offset.to_string())),
        ("device", tensor.device.clone()),
        ("requires_grad", tensor.requires_grad.filter(|asked| *asked).map(|_| "True".to_owned())),
    ];
    html! {
        dl.facts {
            @for (name, text) in facts { @if let Some(text) = text { div { dt { (name) } dd { (text) } } } }
            @if let Some(storage) = tensor.storage {
                div { dt { "storage" } dd class={ "storage-mark storage-" (storage % 5) } { (mark(storage)) } }
            }
        }
    }
}

fn elements(tensor: &Value) -> Markup {
    let dims = tensor.shape.as_deref().map_or(0, <[usize]>::len);
    let mut tables = Vec::new();
    match dims {
        0 => return data(&tensor.contents, Unit::NONE),
        1 => tables.push((String::new(), vec![&tensor.contents])),
        _ => matrices(&tensor.contents, dims, String::new(), &mut tables),
    }
    html! {
        @for (place, rows) in tables.iter().take(MOST_TABLES) { (matrix(place, rows, dims > 1)) }
        @if tables.len() > MOST_TABLES { p.note { (REST) } }
    }
}

/// The last two dimensions as rows, and where they are.
fn matrices<'a>(contents: &'a Json, dims: usize, place: String, out: &mut Vec<(String, Vec<&'a Json>)>) {
    if dims == 2 {
        return out.push((place, contents.items().iter().collect()));
    }
    for (at, inner) in contents.items().iter().enumerate() {
        if !inner.items().is_empty() {
            matrices(inner, dims - 1, format!("{place}[{at}]"), out);
        }
    }
}

/// A table with numbers of rows and columns; `…` where elements are left out.
fn matrix(place: &str, rows: &[&Json], has_rows: bool) -> Markup {
    let width = rows.iter().map(|row| row.items().len()).max().unwrap_or(0);
    let is_rest = |json: &Json| json.text() == Some(REST);
    let is_cut = rows.iter().any(|row| row.items().last().is_some_and(is_rest));
    let label = if place.is_empty() { "Elements" } else { place };
    html! {
        div.scroll tabindex="0" role="group" aria-label=(label) {
            table.elements {
                @if !place.is_empty() { caption { (place) } }
                thead { tr {
                    @if has_rows { td {} }
                    @for column in 0..width {
                        th scope="col" { @if is_cut && column + 1 == width { (REST) } @else { (column) } }
                    }
                } }
                tbody { @for (at, row) in rows.iter().enumerate() { tr {
                    @if has_rows { th scope="row" { @if is_rest(row) { (REST) } @else { (at) } } }
                    @if is_rest(row) { td colspan=(width.max(1)) { (REST) } }
                    @for element in row.items() { td { (data(element, Unit::NONE)) } }
                } } }
            }
        }
    }
}
