//! A tensor's numbers: shape, strides, offset, contiguity, copies; the way to one element; writing.

use crate::dom::Node;
use crate::signals::{Memo, Signal};
use leptos::prelude::*;
use napkin_accounting::decimal;
use napkin_view::view;

use super::desk::Desk;
use super::grid::grid;
use super::model::{ELEMENT_BYTES, Model, Tensor};
use super::program::{FIRST, join, tuple};
use crate::widgets::{Draft, Field};

/// All tensors, each with its drawing and its facts.
#[component]
pub fn Tensors(desk: Desk) -> Node {
    let cards = move || {
        desk.model.with(|model| {
            let model = model.as_ref()?;
            Some(model.tensors.iter().map(|tensor| card(desk, model, tensor)).collect::<Vec<_>>())
        })
    };
    view! { <div class="tensors">{cards}</div> }
}

fn card(desk: Desk, model: &Model, tensor: &Tensor) -> Node {
    let name = tensor.name.clone();
    let (is_active, activate, remove) = (name.clone(), name.clone(), name.clone());
    let is_active = Memo::new(move || desk.active_name() == is_active);
    let shares = if name == FIRST {
        None
    } else if tensor.storage == model.tensors[0].storage {
        Some("shares the storage of x: nothing was copied")
    } else {
        Some("has a storage of its own")
    };
    let refusal = tensor.refusal.clone().map(|sentence| {
        let until = tensor.stages.iter().map(|stage| stage.text.as_str()).collect::<String>();
        let base: String =
            tensor.source.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        view! {
            <p class="refusal" role="alert"><strong>"RuntimeError: "</strong>{sentence}</p>
            <p class="note">{format!("Below is what there was until then: {base}{until}")}</p>
        }
    });
    view! {
        <article class="tensor" class:is-active=move || is_active.get() class:is-refused=tensor.refusal.is_some()>
            <header>
                <button
                    type="button"
                    class="tensor-name"
                    aria-pressed=move || is_active.get().to_string()
                    aria-label=format!("Work on {name}")
                    on:click=move |_| desk.activate(&activate)
                >
                    {name.clone()}
                </button>
                <code class="tensor-source">{format!("= {}", tensor.source)}</code>
                {(name != FIRST)
                    .then(|| {
                        view! {
                            <button
                                type="button"
                                class="remove"
                                aria-label=format!("Remove {name}")
                                on:click=move |_| desk.remove(&remove)
                            >
                                "×"
                            </button>
                        }
                    })}
            </header>
            {refusal}
            <div class="tensor-body">
                <div class="grid-box">{grid(desk, model, tensor)}</div>
                {facts(tensor)}
            </div>
            {shares.map(|shares| view! { <p class="note">{shares}</p> })}
            {copies(tensor)}
        </article>
    }
}

fn facts(tensor: &Tensor) -> Node {
    let layout = &tensor.layout;
    let truth = if layout.is_contiguous() { "True" } else { "False" };
    let rows = [
        ("shape", tuple(layout.shape())),
        ("stride()", tuple(layout.strides())),
        ("storage_offset()", layout.offset().to_string()),
        ("is_contiguous()", truth.to_owned()),
        ("numel() · bytes", format!("{} · {}", layout.numel(), layout.numel() as u64 * ELEMENT_BYTES)),
    ];
    let rows = rows.map(|(name, value)| view! { <div><dt>{name}</dt><dd>{value}</dd></div> });
    view! { <dl class="facts">{rows.into_iter().collect::<Vec<_>>()}</dl> }
}

/// What the operations copied, said even when it is nothing.
fn copies(tensor: &Tensor) -> Option<Node> {
    if tensor.stages.is_empty() {
        return None;
    }
    let copies = tensor.stages.iter().filter_map(|stage| Some((stage, stage.copied_bytes?)));
    let lines: Vec<_> = copies
        .map(|(stage, bytes)| {
            view! { <li><code>{stage.text.clone()}</code>{format!(" copies {bytes} bytes")}</li> }
        })
        .collect();
    let is_asked =
        tensor.stages.iter().any(|stage| stage.text.contains("contiguous") || stage.text.contains("reshape"));
    if lines.is_empty() {
        return is_asked.then(|| view! { <p class="note">"Copied: 0 bytes, a view was enough."</p> });
    }
    Some(view! { <ul class="copies">{lines}</ul> })
}

/// The way from an index to an element of the storage, in numbers.
#[component]
pub fn Arithmetic(desk: Desk) -> Node {
    let way = move || {
        let Some((tensor, index)) = desk.target() else {
            return view! { <p class="note">"Point at an element, or choose one."</p> };
        };
        let layout = &tensor.layout;
        let terms = index.iter().zip(layout.strides()).enumerate().map(|(dim, (at, stride))| {
            view! { <span class="plus">" + "</span><span class=format!("dim dim-{dim}")>{format!("{at}·{stride}")}</span> }
        });
        let indices = index.iter().enumerate().map(|(dim, at)| {
            let comma = if dim == 0 { "" } else { ", " };
            view! { {comma}<span class=format!("dim dim-{dim}")>{*at}</span> }
        });
        let words = format!(
            "Element [{}] of {} is element {} of the storage.",
            join(&index),
            tensor.name,
            layout.storage_index(&index)
        );
        view! {
            <p class="way" aria-hidden="true">
                <span class="way-name">{tensor.name.clone()}</span>
                "["
                {indices.collect::<Vec<_>>()}
                "] → "
                <span class="way-offset">{layout.offset()}</span>
                {terms.collect::<Vec<_>>()}
                " = "
                <strong>{layout.storage_index(&index)}</strong>
            </p>
            <p class="visually-hidden" role="status">{words}</p>
            <p class="note">"offset + Σ index · stride, one term for each dimension"</p>
        }
    };
    let value = Signal::derive(move || {
        let Some((tensor, index)) = desk.chosen() else { return String::new() };
        desk.model.with(|model| {
            let at = tensor.layout.storage_index(&index);
            model
                .as_ref()
                .map_or_else(String::new, |model| decimal::shortest(model.value(tensor.storage, at)))
        })
    });
    let label = Signal::derive(move || match desk.chosen() {
        Some((tensor, index)) => format!("Write {}[{}] =", tensor.name, join(&index)),
        None => "Write".to_owned(),
    });
    let draft = Draft::new(value, move |text| desk.write(text));
    view! {
        <div class="arithmetic">
            <div>{way}</div>
            <div class="write">
                <Field label draft is_code=true />
                <button type="button" disabled=move || !desk.has_writes() on:click=move |_| desk.forget_writes()>
                    "Take writes back"
                </button>
            </div>
        </div>
    }
}
