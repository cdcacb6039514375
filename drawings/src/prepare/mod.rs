//! What whoever makes a trace reads and computes for whoever shows it.

mod answers;
mod formats;
mod markdown;
mod mathml;

use maud::{Markup, html};
use napkin_notebook::trace::{Json, Rendering};

use crate::tree;

/// Markdown as HTML, with TeX between `$` and `$$` as MathML. What a stranger could do harm with is shown as text.
#[must_use]
pub fn prose(markdown: &str) -> Markup {
    html! { div.prose { (tree::draw(&markdown::tree(markdown))) } }
}

/// Reads the Markdown of a rendering, asks its calculator, looks up its formats; the trace keeps the answer.
///
/// # Errors
/// A sentence, if a calculator is unknown or refuses its options; it is in the rendering, too.
pub fn prepare(rendering: &mut Rendering) -> Result<(), String> {
    let data = &rendering.data;
    rendering.prepared = match rendering.kind.as_str() {
        "markdown" => data.text().map(markdown::tree).unwrap_or_default(),
        "slip" => {
            let part = |name| Some((name, markdown::tree(data.get(name)?.text()?)));
            ["claim", "right", "why"].into_iter().filter_map(part).collect()
        }
        "bits" => formats::bits(data).unwrap_or_default(),
        "number_line" => formats::limits(data).unwrap_or_default(),
        kind @ ("calculator" | "count") => match answers::answer(kind, data) {
            Ok(answer) => answer,
            Err(error) => {
                rendering.prepared = [("error", Json::from(error.as_str()))].into_iter().collect();
                return Err(error);
            }
        },
        _ => Json::Null,
    };
    Ok(())
}
