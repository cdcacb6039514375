//! What prose in a trace may be, for whoever reads Markdown and for whoever draws it.
//!
//! It is data, `["p", {"id": "…"}, "text", ["em", "more"]]`: elements of HTML and MathML by name, with attributes if
//! there are any, and what is in them.

/// Elements within elements.
pub const DEPTH: usize = 60;

/// An address on the web.
pub fn is_address(value: &str) -> bool {
    let start = value.get(..8).unwrap_or(value).to_ascii_lowercase();
    (start.starts_with("http://") || start.starts_with("https://")) && !value.contains(char::is_control)
}
