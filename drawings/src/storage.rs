//! Tensors over their storages: which elements of memory each of them shows, and where.

use maud::{Markup, html};
use napkin_notebook::trace::{Json, Value};

use crate::tensor::facts;
use crate::values::data;

/// Elements of a storage that are drawn.
const MOST: usize = 96;

/// A tensor and its place among those that are drawn.
type Numbered<'a> = (usize, &'a Value);

/// Each storage once, with the tensors that lie over it.
pub(crate) fn draw(tensors: &[Value]) -> Markup {
    let mut storages: Vec<(Option<u32>, Vec<Numbered<'_>>)> = Vec::new();
    for (at, tensor) in tensors.iter().enumerate() {
        let same = storages.iter_mut().find(|(storage, _)| storage.is_some() && *storage == tensor.storage);
        match same {
            Some((_, over)) => over.push((at, tensor)),
            None => storages.push((tensor.storage, vec![(at, tensor)])),
        }
    }
    html! {
        @for (storage, over) in &storages {
            section.storage class={ "storage-" (storage.unwrap_or(0) % 5) } {
                (strip(over, tensors.len() > 1))
                @if tensors.len() > 1 {
                    ol.over { @for (at, tensor) in over { li value=(at + 1) { (facts(tensor)) } } }
                }
            }
        }
    }
}

/// The elements of a storage from its beginning, with the numbers of the tensors that have them.
fn strip(over: &[Numbered<'_>], is_numbered: bool) -> Markup {
    let mut squares: Vec<(Option<&Json>, Vec<usize>)> = Vec::new();
    let mut is_cut = false;
    for (number, tensor) in over {
        let strides = tensor.stride.as_deref().unwrap_or_default();
        let mut found = Vec::new();
        places(&tensor.contents, strides, tensor.offset.unwrap_or(0), &mut found);
        for (place, element) in found {
            // A place that no stride leads to is in no storage.
            let Some(place) = place.filter(|place| *place < MOST) else {
                is_cut = true;
                continue;
            };
            if squares.len() <= place {
                squares.resize(place + 1, (None, Vec::new()));
            }
            let (known, users) = &mut squares[place];
            *known = Some(element);
            if users.last() != Some(number) {
                users.push(*number);
            }
        }
    }
    html! {
        ol.strip start="0" {
            @for (place, (element, users)) in squares.iter().enumerate() {
                li.is-shown[!users.is_empty()] {
                    span.place { (place) }
                    span.element { @match element { Some(element) => (data(element, napkin_accounting::Unit::NONE)), None => "·" } }
                    @if is_numbered {
                        span.users { @for user in users { span { (user + 1) } } }
                    }
                }
            }
            @if is_cut { li.rest { "…" } }
        }
    }
}

/// Where each known element lies in the storage.
fn places<'a>(contents: &'a Json, strides: &[usize], at: usize, out: &mut Vec<(Option<usize>, &'a Json)>) {
    match (contents, strides) {
        (Json::List(items), [stride, inner @ ..]) => {
            for (index, item) in items.iter().enumerate() {
                match index.checked_mul(*stride).and_then(|step| at.checked_add(step)) {
                    Some(place) => places(item, inner, place, out),
                    None => out.push((None, item)),
                }
            }
        }
        (Json::Text(rest), _) if rest == crate::values::REST => out.push((None, contents)),
        (element, _) => out.push((Some(at), element)),
    }
}
