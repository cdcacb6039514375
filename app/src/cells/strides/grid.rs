//! Drawings: the storage as a strip, a tensor as grids within grids.

use crate::dom::{IntoNode, Node};
use leptos::ev::{FocusEvent, KeyboardEvent, PointerEvent};
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, Event, HtmlElement};
use napkin_accounting::decimal;
use napkin_view::view;

use super::desk::{Desk, Point};
use super::model::{Model, Tensor};
use super::program::join;

/// Most elements of a storage that are drawn.
const STRIP: usize = 96;

/// Most indices that are drawn along each dimension, by number of dimensions.
const DRAWN: [&[usize]; 6] = [&[], &[32], &[12, 12], &[6, 8, 8], &[3, 4, 6, 6], &[2, 3, 3, 5, 5]];

/// A number as it fits a small square.
fn short(value: f64) -> String {
    let text = decimal::shortest(value);
    if text.len() <= 6 { text } else { decimal::scientific(value, 1) }
}

/// What a drawn square stands for, from the event's target.
fn mark_of(event: &Event, attribute: &str) -> Option<String> {
    let element: Element = event.target()?.dyn_into().ok()?;
    element.closest(&format!("[{attribute}]")).ok()??.get_attribute(attribute)
}

fn numbers(text: &str) -> Vec<usize> {
    text.split(',').filter_map(|number| number.parse().ok()).collect()
}

/// The storages that tensors show, each as a strip.
#[component]
pub fn Storages(desk: Desk) -> Node {
    let draw = move || {
        let active = desk.active();
        desk.model.with(|model| {
            let model = model.as_ref()?;
            let strips = model
                .storages()
                .into_iter()
                .map(|(storage, names)| strip(desk, model, storage, &names, active.as_ref()));
            Some(strips.collect::<Vec<_>>())
        })
    };
    draw.into_node()
}

fn strip(desk: Desk, model: &Model, storage: usize, names: &[String], active: Option<&Tensor>) -> Node {
    let len = model.storage_len(storage);
    let mut is_shown = vec![false; len.min(STRIP)];
    if let Some(tensor) = active.filter(|tensor| tensor.storage == storage) {
        // Enough to reach every drawn element of any view of a drawn storage.
        for at in tensor.layout.storage_indices().take(5000) {
            if let Some(is_shown) = is_shown.get_mut(at) {
                *is_shown = true;
            }
        }
    }
    let squares = (0..len.min(STRIP)).map(|element| {
        view! {
            <span
                class="square"
                class:is-shown=is_shown[element]
                class:is-written=model.is_written(storage, element)
                class:is-lit=move || desk.lit.get() == Some((storage, element))
                data-element=element
            >
                {short(model.value(storage, element))}
                <span class="square-index">{element}</span>
            </span>
        }
    });
    let title =
        if storage == 0 { "Storage of x".to_owned() } else { format!("Storage of a copy, {storage}") };
    let rest = (len > STRIP).then(|| {
        view! { <p class="note">{format!("Drawn are the first {STRIP} of {len} elements; the arithmetic goes on.")}</p> }
    });
    let on_pointer = move |event: PointerEvent| {
        desk.point.set(
            mark_of(&event, "data-element")
                .and_then(|mark| mark.parse().ok())
                .map(|element| Point::Storage(storage, element)),
        );
    };
    view! {
        <figure class="strip">
            <figcaption>
                {title}
                <span class="note">{format!("shown by {}", names.join(", "))}</span>
            </figcaption>
            <div class="squares" on:pointerover=on_pointer on:pointerleave=move |_| desk.point.set(None)>
                {squares.collect::<Vec<_>>()}
            </div>
            {rest}
        </figure>
    }
}

/// A tensor as a grid; of more than two dimensions, as grids within grids.
pub fn grid(desk: Desk, model: &Model, tensor: &Tensor) -> Node {
    let shape = tensor.layout.shape();
    if tensor.layout.numel() == 0 {
        return view! { <p class="note">"No elements: some size is 0."</p> };
    }
    let limits = DRAWN[shape.len().min(DRAWN.len() - 1)];
    let drawn: Vec<usize> = shape.iter().zip(limits).map(|(size, limit)| *size.min(limit)).collect();
    let note = (drawn != shape).then(|| {
        let text = format!(
            "Drawn: the first {} of {}. Shape, strides and arithmetic are exact.",
            join(&drawn).replace(", ", " × "),
            join(shape).replace(", ", " × ")
        );
        view! { <p class="note">{text}</p> }
    });
    let mut prefix = Vec::new();
    let squares = block(desk, model, tensor, &drawn, &mut prefix);
    let name = tensor.name.clone();
    let of = move |event: &Event| {
        let index = numbers(&mark_of(event, "data-at")?);
        Some(Point::Tensor(name.clone(), index))
    };
    let (over, focus, click) = (of.clone(), of.clone(), of);
    let key_name = tensor.name.clone();
    view! {
        <div
            class="grid"
            role="group"
            aria-label=format!("{}, shape {}", tensor.name, super::program::tuple(shape))
            on:pointerover=move |event: PointerEvent| {
                if event.pointer_type() != "touch" {
                    desk.point.set(over(&event));
                }
            }
            on:pointerleave=move |_| desk.point.set(None)
            on:focusin=move |event: FocusEvent| desk.point.set(focus(&event))
            on:focusout=move |_| desk.point.set(None)
            on:click=move |event| {
                if let Some(Point::Tensor(name, index)) = click(&event) {
                    desk.choose(&name, &index);
                }
            }
            on:keydown=move |event| move_focus(&event, &key_name, &drawn)
        >
            {squares}
        </div>
        {note}
    }
}

fn block(desk: Desk, model: &Model, tensor: &Tensor, drawn: &[usize], prefix: &mut Vec<usize>) -> Node {
    let left = &drawn[prefix.len()..];
    if left.len() <= 2 {
        let rows = if left.len() == 2 { left[0] } else { 1 };
        let columns = left.last().copied().unwrap_or(1);
        let rank = left.len();
        let squares = (0..rows * columns).map(|at| {
            let mut index = prefix.clone();
            index.extend(&[at / columns, at % columns][2 - rank..]);
            square(desk, model, tensor, &index)
        });
        return view! {
            <div class="matrix" style:grid-template-columns=format!("repeat({columns}, minmax(0, 1fr))") style:--columns=columns.to_string()>
                {squares.collect::<Vec<_>>()}
            </div>
        };
    }
    let blocks = (0..left[0]).map(|at| {
        prefix.push(at);
        let label = format!("[{}, …]", join(prefix));
        let inner = block(desk, model, tensor, drawn, prefix);
        prefix.pop();
        view! { <div class="slab"><span class="slab-label">{label}</span>{inner}</div> }
    });
    view! { <div class="slabs">{blocks.collect::<Vec<_>>()}</div> }
}

fn square(desk: Desk, model: &Model, tensor: &Tensor, index: &[usize]) -> Node {
    let (storage, element) = (tensor.storage, tensor.layout.storage_index(index));
    let value = model.value(storage, element);
    let mark = join(index).replace(' ', "");
    let is_first = index.iter().all(|i| *i == 0);
    view! {
        <button
            type="button"
            class="square"
            id=format!("at-{}-{mark}", tensor.name)
            tabindex=if is_first { "0" } else { "-1" }
            aria-label=format!("{}[{}] is {}, element {element} of the storage", tensor.name, join(index), decimal::shortest(value))
            class:is-written=model.is_written(storage, element)
            class:is-lit=move || desk.lit.get() == Some((storage, element))
            data-at=mark
        >
            {short(value)}
        </button>
    }
}

/// Arrows go along the last two dimensions, Page keys along the one before.
fn move_focus(event: &KeyboardEvent, name: &str, drawn: &[usize]) {
    let Some(mut index) = mark_of(event, "data-at").map(|mark| numbers(&mark)) else { return };
    let (from_last, is_up) = match event.key().as_str() {
        "ArrowRight" => (1, true),
        "ArrowLeft" => (1, false),
        "ArrowDown" => (2, true),
        "ArrowUp" => (2, false),
        "PageDown" => (3, true),
        "PageUp" => (3, false),
        _ => return,
    };
    if event.shift_key() || event.ctrl_key() || event.meta_key() || event.alt_key() {
        return;
    }
    // Also at an edge: the arrow was meant for the grid and not for the steps.
    event.prevent_default();
    let Some(dim) = drawn.len().checked_sub(from_last) else { return };
    let moved = if is_up { index[dim] + 1 } else { index[dim].wrapping_sub(1) };
    if moved >= drawn[dim] {
        return;
    }
    index[dim] = moved;
    let id = format!("at-{name}-{}", join(&index).replace(' ', ""));
    if let Some(square) =
        document().get_element_by_id(&id).and_then(|element| element.dyn_into::<HtmlElement>().ok())
    {
        // An element that cannot take the focus leaves it where it is.
        let _ = square.focus();
    }
}
