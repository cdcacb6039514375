//! Drawings: the storage as a strip, a tensor as grids within grids.

use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, Event, HtmlElement};

use super::explorer::{Explorer, MOST_DRAWN, Point};
use super::model::{Model, Tensor};
use crate::components::number::{join, tuple};

/// Elements of a storage that are drawn.
const MOST: usize = 96;
/// Most indices that are drawn along each dimension, by number of dimensions.
const DRAWN: [&[usize]; 6] = [&[], &[32], &[12, 12], &[6, 8, 8], &[3, 4, 6, 6], &[2, 3, 3, 5, 5]];

/// A number as it fits a small square; one that is not known is a dot.
fn short(value: Option<f64>) -> String {
    let Some(value) = value else { return "·".to_owned() };
    let text = value.to_string();
    if text.len() <= 6 { text } else { format!("{value:.1e}") }
}

/// What a drawn square stands for, from the event's target: `1,2`, and nothing for a scalar.
fn mark_of(event: &Event, attribute: &str) -> Option<Vec<usize>> {
    let element: Element = event.target()?.dyn_into().ok()?;
    let mark = element.closest(&format!("[{attribute}]")).ok()??.get_attribute(attribute)?;
    Some(mark.split(',').filter_map(|number| number.parse().ok()).collect())
}

/// The storages that tensors show, each as a strip.
#[component]
pub fn Storages(explorer: Explorer) -> impl IntoView {
    move || {
        let model = explorer.model.read();
        let strips = model.storages();
        strips.into_iter().map(|(storage, names)| strip(explorer, &model, storage, &names)).collect_view()
    }
}

fn strip(explorer: Explorer, model: &Model, storage: usize, names: &[&str]) -> impl IntoView + use<> {
    let (len, is_copy) = model.storage(storage);
    let mut is_shown = vec![false; len.min(MOST)];
    if let Some(tensor) = explorer.active().filter(|tensor| tensor.storage == storage) {
        for at in tensor.layout.storage_indices().take(MOST_DRAWN).filter(|at| *at < MOST) {
            is_shown[at] = true;
        }
    }
    let squares = is_shown.into_iter().enumerate().map(|(element, is_shown)| {
        let place = (storage, element);
        view! {
            <span
                class="square"
                class:is-shown=is_shown
                class:is-written=model.written(place).is_some()
                class:is-lit=move || explorer.lit.get() == Some(place)
                data-element=element
            >
                {short(model.value(place))}
                <span class="square-index">{element}</span>
            </span>
        }
    });
    let title = match names {
        [first, ..] if !is_copy => format!("Storage of {first}"),
        _ => format!("Storage of a copy, {storage}"),
    };
    let rest = (len > MOST).then(|| {
        view! { <p class="note">{format!("Drawn are the first {MOST} of {len} elements; the arithmetic goes on.")}</p> }
    });
    let point = move |event: PointerEvent| {
        let mark = mark_of(&event, "data-element");
        explorer.point.set(mark.and_then(|mark| Some(Point::Storage((storage, *mark.first()?)))));
    };
    view! {
        <figure class="strip">
            <figcaption>
                {title}
                <span class="note">{format!("shown by {}", names.join(", "))}</span>
            </figcaption>
            <div class="squares" on:pointerover=point on:pointerleave=move |_| explorer.point.set(None)>
                {squares.collect_view()}
            </div>
            {rest}
        </figure>
    }
}

/// A tensor as a grid; of more than two dimensions, as grids within grids.
pub fn grid(explorer: Explorer, model: &Model, tensor: &Tensor) -> AnyView {
    let shape = tensor.layout.shape();
    if tensor.layout.numel() == 0 {
        return view! { <p class="note">"No elements: some size is 0."</p> }.into_any();
    }
    let Some(limits) = DRAWN.get(shape.len()) else {
        let words = format!(
            "{} dimensions; at most {} can be drawn. Shape, strides and arithmetic are exact.",
            shape.len(),
            DRAWN.len() - 1
        );
        return view! { <p class="note">{words}</p> }.into_any();
    };
    let drawn: Vec<usize> = shape.iter().zip(*limits).map(|(size, limit)| *size.min(limit)).collect();
    let note = (drawn != shape).then(|| {
        let [drawn, all] = [&drawn[..], shape].map(|sizes| join(sizes).replace(", ", " × "));
        let words = format!("Drawn: the first {drawn} of {all}. Shape, strides and arithmetic are exact.");
        view! { <p class="note">{words}</p> }
    });
    let squares = block(explorer, model, tensor, &drawn, &mut Vec::new());
    let name = StoredValue::new(tensor.name.clone());
    let point = move |event: &Event| {
        explorer.point.set(mark_of(event, "data-at").map(|index| Point::Tensor(name.get_value(), index)));
    };
    view! {
        <div
            class="grid"
            role="group"
            aria-label=format!("{}, shape {}", tensor.name, tuple(shape))
            on:pointerover=move |event: PointerEvent| {
                if event.pointer_type() != "touch" {
                    point(&event);
                }
            }
            on:pointerleave=move |_| explorer.point.set(None)
            on:focusin=move |event| point(&event)
            on:focusout=move |_| explorer.point.set(None)
            on:click=move |event| {
                if let Some(index) = mark_of(&event, "data-at") {
                    name.with_value(|name| explorer.choose(name, &index));
                }
            }
            on:keydown=move |event| name.with_value(|name| move_focus(explorer, &event, name, &drawn))
        >
            {squares}
        </div>
        {note}
    }
    .into_any()
}

fn block(
    explorer: Explorer,
    model: &Model,
    tensor: &Tensor,
    drawn: &[usize],
    prefix: &mut Vec<usize>,
) -> AnyView {
    let left = &drawn[prefix.len()..];
    if left.len() > 2 {
        let blocks = (0..left[0]).map(|at| {
            prefix.push(at);
            let label = format!("[{}, …]", join(prefix));
            let inner = block(explorer, model, tensor, drawn, prefix);
            prefix.pop();
            view! { <div class="slab"><span class="slab-label">{label}</span>{inner}</div> }
        });
        return view! { <div class="slabs">{blocks.collect_view()}</div> }.into_any();
    }
    let columns = left.last().copied().unwrap_or(1);
    let squares = (0..left.iter().product()).map(|at| {
        let index = [prefix, &[at / columns, at % columns][2 - left.len()..]].concat();
        square(explorer, model, tensor, &index)
    });
    view! {
        <div class="matrix" style:grid-template-columns=format!("repeat({columns}, minmax(0, 1fr))") style=("--columns", columns.to_string())>
            {squares.collect_view()}
        </div>
    }
    .into_any()
}

fn square(explorer: Explorer, model: &Model, tensor: &Tensor, index: &[usize]) -> impl IntoView + use<> {
    let place = tensor.place(index);
    let value = model.value(place);
    let says = value.map_or_else(|| "unknown".to_owned(), |value| value.to_string());
    let mark = join(index).replace(' ', "");
    let is_first = index.iter().all(|i| *i == 0);
    view! {
        <button
            type="button"
            class="square"
            id=explorer.scope.id(&format!("at-{}-{mark}", tensor.name))
            tabindex=if is_first { "0" } else { "-1" }
            aria-label=format!("{}[{}] is {says}, element {} of the storage", tensor.name, join(index), place.1)
            class:is-written=model.written(place).is_some()
            class:is-lit=move || explorer.lit.get() == Some(place)
            data-at=mark
        >
            {short(value)}
        </button>
    }
}

/// Arrows go along the last two dimensions, Page keys along the one before.
fn move_focus(explorer: Explorer, event: &KeyboardEvent, name: &str, drawn: &[usize]) {
    let Some(mut index) = mark_of(event, "data-at") else { return };
    let (from_last, step) = match event.key().as_str() {
        "ArrowRight" => (1, 1),
        "ArrowLeft" => (1, -1),
        "ArrowDown" => (2, 1),
        "ArrowUp" => (2, -1),
        "PageDown" => (3, 1),
        "PageUp" => (3, -1),
        _ => return,
    };
    if event.shift_key() || event.ctrl_key() || event.meta_key() || event.alt_key() {
        return;
    }
    // Also at an edge: the arrow was meant for the grid and not for the steps.
    event.prevent_default();
    let Some(dim) = drawn.len().checked_sub(from_last) else { return };
    let Some(moved) = index[dim].checked_add_signed(step).filter(|at| *at < drawn[dim]) else { return };
    index[dim] = moved;
    let id = explorer.scope.id(&format!("at-{name}-{}", join(&index).replace(' ', "")));
    let square = document().get_element_by_id(&id).and_then(|it| it.dyn_into::<HtmlElement>().ok());
    if let Some(square) = square {
        // An element that cannot take the focus leaves it where it is.
        let _ = square.focus();
    }
}
