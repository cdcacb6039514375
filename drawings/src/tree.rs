//! Prose and formulas as data, `["p", {"id": "…"}, "text", ["em", "more"]]`, drawn from lists of what may be drawn.
//!
//! Whoever wrote the data, what comes out has no script, no style and no address but one on the web that somebody must
//! follow: of an element that is not listed its children are drawn, of an attribute that is not listed nothing.

use maud::{Markup, PreEscaped, Render};
use napkin_accounting::decimal;
use napkin_notebook::trace::Json;

/// Elements of HTML and MathML.
const ELEMENTS: &[&str] = &[
    "a",
    "blockquote",
    "br",
    "code",
    "em",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "li",
    "ol",
    "p",
    "pre",
    "s",
    "strong",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "ul",
    "math",
    "merror",
    "mfrac",
    "mi",
    "mn",
    "mo",
    "mover",
    "mpadded",
    "mphantom",
    "mroot",
    "mrow",
    "ms",
    "mspace",
    "msqrt",
    "mstyle",
    "msub",
    "msubsup",
    "msup",
    "mtable",
    "mtd",
    "mtext",
    "mtr",
    "munder",
    "munderover",
];
/// Elements without an end.
const EMPTY: &[&str] = &["br", "hr"];

/// Whether a value may be drawn.
type Rule = fn(&str) -> bool;

/// Attributes, and what they may be.
const ATTRIBUTES: &[(&str, Rule)] = &[
    ("href", is_address),
    ("start", |value| value.len() < 10 && value.bytes().all(|byte| byte.is_ascii_digit())),
    ("display", |value| matches!(value, "block" | "inline")),
    ("displaystyle", is_switch),
    ("scriptlevel", |value| matches!(value, "0" | "1" | "2" | "3")),
    ("stretchy", is_switch),
    ("symmetric", is_switch),
    ("largeop", is_switch),
    ("movablelimits", is_switch),
    ("accent", is_switch),
    ("accentunder", is_switch),
    ("mathvariant", |value| value == "normal"),
    ("linethickness", is_length),
    ("width", is_length),
    ("height", is_length),
    ("depth", is_length),
    ("minsize", is_length),
    ("maxsize", is_length),
    ("lspace", is_length),
    ("rspace", is_length),
    ("class", is_layout),
];

/// An address on the web.
pub(crate) fn is_address(value: &str) -> bool {
    let start = value.get(..8).unwrap_or(value).to_ascii_lowercase();
    (start.starts_with("http://") || start.starts_with("https://")) && !value.contains(char::is_control)
}

fn is_switch(value: &str) -> bool {
    matches!(value, "true" | "false")
}

/// A few letters' width at most, so that nothing is moved over something else.
fn is_length(value: &str) -> bool {
    let number = value.trim_end_matches("em").trim_end_matches("ex").trim_end_matches('%');
    let most = if value.ends_with('%') { 200.0 } else { 8.0 };
    value.len() < 12 && decimal::read(number).is_some_and(|number| number.abs() <= most)
}

/// How cells of a formula are aligned.
fn is_layout(value: &str) -> bool {
    matches!(value, "cell-start" | "cell-end")
}

/// Elements within elements.
pub(crate) const DEPTH: usize = 60;

/// Draws a tree.
pub(crate) fn draw(tree: &Json) -> Markup {
    let mut out = String::new();
    write(tree, DEPTH, &mut out);
    PreEscaped(out)
}

fn write(tree: &Json, depth: usize, out: &mut String) {
    let items = match tree {
        Json::Text(text) => return text.render_to(out),
        Json::List(items) if depth > 0 => items,
        _ => return,
    };
    let Some((Json::Text(name), rest)) = items.split_first() else { return };
    let attributes = rest.first().map_or(&[][..], Json::entries);
    let children = |out: &mut String| rest.iter().for_each(|child| write(child, depth - 1, out));
    let Some(name) = ELEMENTS.iter().find(|element| **element == name.as_str()) else { return children(out) };
    out.push('<');
    out.push_str(name);
    for (attribute, value) in attributes {
        let known = ATTRIBUTES.iter().find(|(known, _)| known == attribute);
        if let Some(((known, is_good), value)) = known.zip(value.text())
            && is_good(value)
            && (*known != "href" || *name == "a")
        {
            out.push(' ');
            out.push_str(known);
            out.push_str("=\"");
            value.render_to(out);
            out.push('"');
        }
    }
    if *name == "a" {
        out.push_str(" rel=\"noopener noreferrer\"");
    }
    // Each of these may be wider than its window and then scrolls, which keys must reach.
    let is_block =
        || attributes.iter().any(|(name, value)| name == "display" && value.text() == Some("block"));
    if matches!(*name, "pre" | "table") || *name == "math" && is_block() {
        out.push_str(" tabindex=\"0\"");
    }
    out.push('>');
    if !EMPTY.contains(name) {
        children(out);
        out.push_str("</");
        out.push_str(name);
        out.push('>');
    }
}
