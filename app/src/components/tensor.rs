//! Tensors: facts, elements as tables, and on request in colours.

use leptos::prelude::*;
use napkin_trace::trace::{Json, REST, Value};

use super::disclosure::Disclosure;
use super::heat::Heat;
use super::number::tuple;
use super::value::DataView;

/// Tables of a tensor of more than two dimensions.
const MOST_TABLES: usize = 8;

/// A tensor of a trace, as much of it as that has.
#[component]
pub fn TensorView(#[prop(into)] name: String, tensor: Value) -> impl IntoView {
    let dims = tensor.shape.as_deref().map_or(0, <[usize]>::len);
    let has_colours = (1..=2).contains(&dims) && is_of_numbers(&tensor.contents);
    let (facts, elements) = (facts(&tensor), elements(&tensor, dims));
    let tensor = StoredValue::new(tensor);
    let in_colours = has_colours.then(|| {
        view! {
            <Disclosure summary="In colours">
                <Heat name=name.clone() tensor=tensor.get_value() />
            </Disclosure>
        }
    });
    view! { <div class="tensor-value">{facts} {elements} {in_colours}</div> }
}

fn facts(tensor: &Value) -> impl IntoView + use<> {
    let facts = [
        ("dtype", tensor.dtype.clone()),
        ("shape", tensor.shape.as_deref().map(tuple)),
        ("strides", tensor.stride.as_deref().map(tuple)),
        ("offset", tensor.offset.map(|offset| offset.to_string())),
        ("device", tensor.device.clone()),
        ("requires_grad", tensor.requires_grad.filter(|asked| *asked).map(|_| "True".to_owned())),
    ];
    let fact = |(name, text): (&'static str, Option<String>)| {
        text.map(|text| view! { <div><dt>{name}</dt><dd>{text}</dd></div> })
    };
    let storage = tensor.storage.map(|storage| {
        // One letter for the first twenty-six.
        let letter = char::from(b'A' + (storage % 26) as u8);
        let round = (storage >= 26).then_some(storage / 26);
        let class = format!("storage-mark storage-{}", storage % 5);
        view! { <div><dt>"storage"</dt><dd class=class>{letter}{round}</dd></div> }
    });
    view! { <dl class="tensor-facts">{facts.map(fact).collect_view()} {storage}</dl> }
}

/// Anything at all that has a colour; an error's text, or nothing, has none.
fn is_of_numbers(contents: &Json) -> bool {
    match contents {
        Json::Array(items) => items.iter().any(is_of_numbers),
        one => one.is_number() || one.is_boolean(),
    }
}

/// What is listed; nothing of what is no list.
pub(super) fn items(contents: &Json) -> &[Json] {
    contents.as_array().map_or(&[], Vec::as_slice)
}

fn elements(tensor: &Value, dims: usize) -> AnyView {
    let mut tables = Vec::new();
    match dims {
        0 => return view! { <DataView data=tensor.contents.clone() /> }.into_any(),
        1 => tables.push((String::new(), vec![&tensor.contents])),
        _ => matrices(&tensor.contents, dims, String::new(), &mut tables),
    }
    let rest = (tables.len() > MOST_TABLES).then(|| view! { <p class="note">{REST}</p> });
    let tables = tables.iter().take(MOST_TABLES).map(|(place, rows)| matrix(place, rows, dims > 1));
    (tables.collect_view(), rest).into_any()
}

/// The last two dimensions as rows, and where they are.
fn matrices<'a>(contents: &'a Json, dims: usize, place: String, out: &mut Vec<(String, Vec<&'a Json>)>) {
    if dims == 2 {
        return out.push((place, items(contents).iter().collect()));
    }
    for (at, inner) in items(contents).iter().enumerate().filter(|(_, inner)| !items(inner).is_empty()) {
        matrices(inner, dims - 1, format!("{place}[{at}]"), out);
    }
}

/// A table with numbers of rows and columns; `…` where elements are left out.
fn matrix(place: &str, rows: &[&Json], has_rows: bool) -> impl IntoView + use<> {
    let width = rows.iter().map(|row| items(row).len()).max().unwrap_or(0);
    let is_cut = rows.iter().any(|row| items(row).last().is_some_and(|last| last == REST));
    let caption = (!place.is_empty()).then(|| view! { <caption>{place.to_owned()}</caption> });
    let head = |at: usize, is_rest: bool| if is_rest { REST.to_owned() } else { at.to_string() };
    let heads =
        (0..width).map(|column| view! { <th scope="col">{head(column, is_cut && column + 1 == width)}</th> });
    let row = |(at, row): (usize, &&Json)| {
        let is_rest = **row == REST;
        let head = has_rows.then(|| view! { <th scope="row">{head(at, is_rest)}</th> });
        let rest = is_rest.then(|| view! { <td colspan=width.max(1)>{REST}</td> });
        let cells = items(row).iter().map(|element| view! { <td><DataView data=element.clone() /></td> });
        view! { <tr>{head} {rest} {cells.collect_view()}</tr> }
    };
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label=super::or(place, "Elements").to_owned()>
            <table class="elements">
                {caption}
                <thead>
                    <tr>{has_rows.then(|| view! { <td></td> })} {heads.collect_view()}</tr>
                </thead>
                <tbody>{rows.iter().enumerate().map(row).collect_view()}</tbody>
            </table>
        </div>
    }
}
