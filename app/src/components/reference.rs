//! References beside drawings: to the web, and to the code.

use leptos::prelude::*;
use napkin_trace::prose::is_address;
use napkin_trace::trace::Json;

use super::or;
use super::tensor::items;

/// Shows a line of a file, for whoever provides it as context.
#[derive(Clone, Copy)]
pub struct ShowLine(pub Callback<(String, u32)>);

/// A link to the web, or the words alone if the address is none.
pub(super) fn link(address: String, title: String) -> AnyView {
    if is_address(&address) {
        view! { <a href=address rel="noopener noreferrer">{title}</a> }.into_any()
    } else {
        view! { <span>{title}</span> }.into_any()
    }
}

fn text<'a>(json: &'a Json, name: &str) -> &'a str {
    json.get(name).and_then(Json::as_str).unwrap_or_default()
}

#[component]
pub fn Reference(
    /// An address, or what a bibliography has.
    of: Json,
    /// What the lecture calls it.
    #[prop(optional_no_strip)]
    title: Option<String>,
) -> impl IntoView {
    let address = of.as_str().unwrap_or_else(|| text(&of, "url"));
    if address.is_empty() {
        return None;
    }
    let title = title.unwrap_or_else(|| or(text(&of, "title"), address).to_owned());
    let authors = of.get("authors").map_or(&[][..], items).iter().filter_map(Json::as_str);
    let authors = authors.collect::<Vec<_>>().join(", ");
    let origin = [authors.as_str(), text(&of, "organization"), text(&of, "date")];
    let origin = origin.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
    let notes = [&origin, text(&of, "description"), text(&of, "notes")];
    let notes: Vec<String> = notes.into_iter().filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let about = format!("About “{title}”");
    let more = (!notes.is_empty()).then(|| {
        let notes = notes.into_iter().map(|note| view! { <p class="note">{note}</p> });
        view! { <details><summary aria-label=about>"About"</summary>{notes.collect_view()}</details> }
    });
    Some(view! { <div class="reference">{link(address.to_owned(), title)} {more}</div> })
}

/// A place in the code, for whoever shows the code to go to.
#[component]
pub fn CodePlace(
    of: Json,
    /// What the lecture calls it.
    #[prop(optional_no_strip)]
    title: Option<String>,
) -> impl IntoView {
    let line = of.get("line_number").and_then(Json::as_f64).filter(|line| *line >= 1.0)? as u32;
    let path = text(&of, "path").to_owned();
    let label = title.unwrap_or_else(|| match path.as_str() {
        "" => format!("line {line}"),
        path => format!("{path}:{line}"),
    });
    let show = use_context::<ShowLine>();
    let file = path.clone();
    let go = move |_| {
        if let Some(ShowLine(show)) = show {
            show.run((file.clone(), line));
        }
    };
    Some(view! {
        <p class="reference">
            <button type="button" data-path=path data-line=line on:click=go>{label}</button>
        </p>
    })
}
