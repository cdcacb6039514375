//! A tensor's numbers: shape, strides, offset, contiguity, copies; the way to one element; writing.

use leptos::prelude::*;

use super::explorer::Explorer;
use super::grid::grid;
use super::model::{Model, Tensor};
use crate::components::number::{join, tuple};
use crate::controls::{Draft, Field};

#[component]
pub fn Tensors(explorer: Explorer) -> impl IntoView {
    let cards = move || {
        let model = explorer.model.read();
        model.tensors.iter().map(|tensor| card(explorer, &model, tensor)).collect_view()
    };
    view! { <div class="tensors">{cards}</div> }
}

fn card(explorer: Explorer, model: &Model, tensor: &Tensor) -> impl IntoView + use<> {
    let name = StoredValue::new(tensor.name.clone());
    let is_active = Memo::new(move |_| name.with_value(|name| explorer.active_name() == *name));
    let mut before = model.tensors.iter().take_while(|other| other.name != tensor.name).peekable();
    let shares = before.peek().is_some().then(|| match before.find(|it| it.storage == tensor.storage) {
        Some(first) => format!("shares the storage of {}: nothing was copied", first.name),
        None => "has a storage of its own".to_owned(),
    });
    let refusal = tensor.refusal.clone().map(|sentence| {
        let until: String = tensor.stages.iter().map(|(text, _)| text.as_str()).collect();
        let base = tensor.base.as_deref().unwrap_or_default();
        view! {
            <p class="refusal" role="alert"><strong>"RuntimeError: "</strong>{sentence}</p>
            <p class="note">{format!("Below is what there was until then: {base}{until}")}</p>
        }
    });
    let remove = tensor.base.is_some().then(|| {
        view! {
            <button
                type="button"
                class="remove"
                aria-label=format!("Remove {}", tensor.name)
                on:click=move |_| name.with_value(|name| explorer.remove(name))
            >
                "×"
            </button>
        }
    });
    let source = tensor.source.as_ref().map(|source| format!("= {source}"));
    view! {
        <article class="tensor" class:is-active=is_active class:is-refused=tensor.refusal.is_some()>
            <header>
                <button
                    type="button"
                    class="tensor-name"
                    aria-pressed=move || is_active.get().to_string()
                    aria-label=format!("Work on {}", tensor.name)
                    on:click=move |_| name.with_value(|name| explorer.activate(name))
                >
                    {tensor.name.clone()}
                </button>
                {source.map(|source| view! { <code class="tensor-source">{source}</code> })}
                {remove}
            </header>
            {refusal}
            <div class="tensor-body">
                <div class="grid-box">{grid(explorer, model, tensor)}</div>
                {facts(tensor)}
            </div>
            {shares.map(|shares| view! { <p class="note">{shares}</p> })}
            {copies(tensor)}
        </article>
    }
}

fn facts(tensor: &Tensor) -> impl IntoView + use<> {
    let layout = &tensor.layout;
    let truth = if layout.is_contiguous() { "True" } else { "False" };
    let rows = [
        ("shape", tuple(layout.shape())),
        ("stride()", tuple(layout.strides())),
        ("storage_offset()", layout.offset().to_string()),
        ("is_contiguous()", truth.to_owned()),
        ("dtype", format!("torch.{}", tensor.dtype.name())),
        ("numel() · bytes", format!("{} · {}", layout.numel(), tensor.bytes_of(layout))),
    ];
    let rows = rows.map(|(name, value)| view! { <div><dt>{name}</dt><dd>{value}</dd></div> });
    view! { <dl class="facts">{rows.collect_view()}</dl> }
}

/// What the operations copied; where one of them might have, also that none did.
fn copies(tensor: &Tensor) -> AnyView {
    let copies = tensor.stages.iter().filter_map(|(text, bytes)| Some((text.clone(), (*bytes)?)));
    let lines: Vec<_> = copies
        .map(|(text, bytes)| view! { <li><code>{text}</code>{format!(" copies {bytes} bytes")}</li> })
        .collect();
    let might = |(text, _): &(String, _)| text.contains("contiguous") || text.contains("reshape");
    if !lines.is_empty() {
        view! { <ul class="copies">{lines}</ul> }.into_any()
    } else if tensor.stages.iter().any(might) {
        view! { <p class="note">"Copied: 0 bytes, a view was enough."</p> }.into_any()
    } else {
        ().into_any()
    }
}

/// The way from an index to an element of the storage, in numbers.
#[component]
pub fn Arithmetic(explorer: Explorer) -> impl IntoView {
    let way = move || {
        let Some((tensor, index)) = explorer.target() else {
            return view! { <p class="note">"Point at an element, or choose one."</p> }.into_any();
        };
        let (layout, (_, place)) = (&tensor.layout, tensor.place(&index));
        let terms = index.iter().zip(layout.strides()).enumerate().map(|(dim, (at, stride))| {
            view! { <span class="plus">" + "</span><span class=format!("dim dim-{dim}")>{format!("{at}·{stride}")}</span> }
        });
        let indices = index.iter().enumerate().map(|(dim, at)| {
            let comma = (dim > 0).then_some(", ");
            view! { {comma}<span class=format!("dim dim-{dim}")>{*at}</span> }
        });
        let words =
            format!("Element [{}] of {} is element {place} of the storage.", join(&index), tensor.name);
        view! {
            <p class="way" aria-hidden="true">
                <span class="way-name">{tensor.name.clone()}</span>
                "["
                {indices.collect_view()}
                "] → "
                <span class="way-offset">{layout.offset()}</span>
                {terms.collect_view()}
                " = "
                <strong>{place}</strong>
            </p>
            <p class="visually-hidden" role="status">{words}</p>
            <p class="note">"offset + Σ index · stride, one term for each dimension"</p>
        }
        .into_any()
    };
    let value = Signal::derive(move || {
        let place = explorer.chosen().map(|(tensor, index)| tensor.place(&index));
        let value = place.and_then(|place| explorer.model.read().value(place));
        value.map(|value| value.to_string()).unwrap_or_default()
    });
    let label = Signal::derive(move || match explorer.chosen() {
        Some((tensor, index)) => format!("Write {}[{}] =", tensor.name, join(&index)),
        None => "Write".to_owned(),
    });
    let draft = Draft::new(value, move |text| explorer.write(text).map(|()| None));
    view! {
        <div class="arithmetic">
            <div>{way}</div>
            <div class="write">
                <Field id=explorer.scope.id("value") label draft />
                <button
                    type="button"
                    aria-disabled=move || explorer.writes.get().is_empty().then_some("true")
                    on:click=move |_| explorer.writes.set(String::new())
                >
                    "Undo writes"
                </button>
            </div>
        </div>
    }
}
