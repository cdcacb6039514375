//! What a lecture draws at a step: from a rendering of a trace to its component.

use leptos::context::Provider;
use leptos::prelude::*;
use napkin_trace::trace::{Drawing, Json, Rendering};

use super::card::CardView;
use super::picture::PictureView;
use super::prose::Prose;
use super::reference::{CodePlace, Reference, link};
use super::style::Style;
use super::value::DataView;
use crate::page::WithParts;
use crate::state::Scope;

/// A rendering of a trace, with what it refers to.
#[component]
pub fn RenderingView(
    /// As the trace has it.
    rendering: Rendering,
    /// Begins the ids in it, and is unique on the page.
    id: String,
) -> impl IntoView {
    let (external, internal) = (rendering.external_link.clone(), rendering.internal_link.clone());
    let drawing = rendering.drawing();
    // What a link is called is on the link.
    let title = if let Some(Drawing::Link(title)) = &drawing { title.clone() } else { None };
    let is_link = matches!(drawing, Some(Drawing::Link(_))) && !(external.is_null() && internal.is_null());
    // What a reader changes in it is the drawing's own, in the address and otherwise.
    view! {
        <Provider value=Scope::new(id.clone())>
            {match drawing {
                Some(_) if is_link => ().into_any(),
                Some(drawing) => draw(drawing, rendering.prepared, Style::of(&rendering.style), id),
                // Whatever it is, there is something to see.
                None => view! {
                    <figure class="drawing is-unknown">
                        <figcaption>{rendering.kind}</figcaption>
                        <DataView data=rendering.data />
                    </figure>
                }
                .into_any(),
            }}
        </Provider>
        <Reference of=external title=title.clone() />
        <CodePlace of=internal title />
    }
}

fn draw(drawing: Drawing, prepared: Json, style: Style, id: String) -> AnyView {
    match drawing {
        Drawing::Markdown(text) | Drawing::Html(text) => {
            view! { <Prose text tree=prepared style /> }.into_any()
        }
        Drawing::Note(text) => {
            view! { <div class="note"><Prose text tree=prepared style /></div> }.into_any()
        }
        Drawing::Card(card) => view! { <CardView card prepared /> }.into_any(),
        Drawing::Image(address) => view! { <PictureView address style /> }.into_any(),
        Drawing::Video(address) => {
            view! { <p class="image">"Video: " {link(address.clone(), address)}</p> }.into_any()
        }
        // One that leads nowhere.
        Drawing::Link(title) => title.map(|title| view! { <p>{title}</p> }).into_any(),
        drawing => {
            view! { <WithParts draw=move |parts| (parts.drawing)(drawing.clone(), id.clone()) /> }.into_any()
        }
    }
}
