//! Prose and formulas, drawn from lists of what may be drawn.
//!
//! Whoever wrote the data, what comes out has no script, no style and no address but one on the web that somebody must
//! follow: of an element that is not listed its children are drawn, of an attribute that is not listed nothing.

use leptos::prelude::*;
use napkin_accounting::escaped;
use napkin_trace::prose::{DEPTH, is_address};
use napkin_trace::trace::Json;

use super::style::Style;
use super::tensor::items;

/// Prose that whoever made the trace has read, or else its own letters.
#[component]
pub fn Prose(
    text: String,
    /// The same as a tree; anything else if nobody has read it.
    tree: Json,
    #[prop(optional)] style: Style,
) -> impl IntoView {
    if style.is_verbatim {
        return view! { <pre class="prose is-verbatim" style=style.css tabindex="0">{text}</pre> }.into_any();
    }
    let mut html = String::new();
    if tree.is_array() {
        write(&tree, DEPTH, &mut html);
    } else {
        html.extend(text.split("\n\n").map(|part| format!("<p class=\"is-raw\">{}</p>", escaped(part))));
    }
    let css = (!style.css.is_empty()).then_some(style.css);
    view! { <div class="prose" style=css inner_html=html></div> }.into_any()
}

const ELEMENTS: &str = "a blockquote br code details dfn em h3 h4 h5 h6 hr li ol p pre s strong sub summary sup table \
    tbody td th thead tr ul math merror mfrac mi mn mo mover mpadded mphantom mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd \
    mtext mtr munder munderover";

/// Attributes, and what they may be.
fn is_attribute(element: &str, attribute: &str, value: &str) -> bool {
    match attribute {
        "href" => element == "a" && is_address(value),
        "start" => value.len() < 10 && value.bytes().all(|byte| byte.is_ascii_digit()),
        "display" => matches!(value, "block" | "inline"),
        "displaystyle" | "stretchy" | "symmetric" | "largeop" | "movablelimits" | "accent"
        | "accentunder" => {
            matches!(value, "true" | "false")
        }
        "scriptlevel" => matches!(value, "0" | "1" | "2" | "3"),
        "mathvariant" => value == "normal",
        "linethickness" | "width" | "height" | "depth" | "minsize" | "maxsize" | "lspace" | "rspace" => {
            // A few letters' width at most, so that nothing is moved over something else.
            let most = if value.ends_with('%') { 200.0 } else { 8.0 };
            let number = value.trim_end_matches("em").trim_end_matches("ex").trim_end_matches('%');
            value.len() < 12 && number.parse::<f64>().is_ok_and(|number| number.abs() <= most)
        }
        // How cells of a formula are aligned.
        "class" => matches!(value, "cell-start" | "cell-end"),
        // Its style shows it where the reader points or taps.
        "aria-description" => element == "dfn",
        _ => false,
    }
}

fn write(tree: &Json, depth: usize, out: &mut String) {
    if let Some(text) = tree.as_str() {
        let rest = text.trim_start_matches(['.', ',', ';', ':', '!', '?', ')']);
        // No line begins with what follows a formula at once.
        if rest.len() < text.len() && out.ends_with("</math></span>") {
            out.truncate(out.len() - "</span>".len());
            out.push_str(&format!("{}</span>", &text[..text.len() - rest.len()]));
            return out.push_str(&escaped(rest));
        }
        return out.push_str(&escaped(text));
    }
    let Some((name, rest)) = items(tree).split_first().filter(|_| depth > 0) else { return };
    let Some(name) = name.as_str() else { return };
    let children = |out: &mut String| rest.iter().for_each(|child| write(child, depth - 1, out));
    if !ELEMENTS.split(' ').any(|element| element == name) {
        return children(out);
    }
    let given = rest.first().and_then(Json::as_object);
    let is_block = given.and_then(|given| given.get("display")?.as_str()) == Some("block");
    let is_inline = name == "math" && !is_block;
    if is_inline {
        out.push_str("<span class=\"formula\">");
    }
    out.push_str(&format!("<{name}"));
    let given = given.into_iter().flatten();
    let given = given.filter_map(|(attribute, value)| Some((attribute.as_str(), value.as_str()?)));
    for (attribute, value) in given.filter(|(attribute, value)| is_attribute(name, attribute, value)) {
        out.push_str(&format!(" {attribute}=\"{}\"", escaped(value)));
    }
    if name == "a" {
        out.push_str(" rel=\"noopener noreferrer\"");
    }
    if name == "dfn" {
        out.push_str(" tabindex=\"-1\"");
    }
    // Each of these may be wider than its window and then scrolls, which keys must reach.
    if matches!(name, "pre" | "table") || name == "math" && is_block {
        out.push_str(" tabindex=\"0\"");
    }
    out.push('>');
    if !matches!(name, "br" | "hr") {
        children(out);
        out.push_str(&format!("</{name}>"));
    }
    if is_inline {
        out.push_str("</span>");
    }
}
