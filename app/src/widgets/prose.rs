//! Short texts with a little markup.

use crate::dom::{IntoNode, Node};
use napkin_view::view;

/// A text for [`prose`] inside [`crate::dom::kept`]: the build writes it, and in the browser it is not there.
macro_rules! written {
    ($text:literal) => {
        if cfg!(target_arch = "wasm32") { "" } else { $text }
    };
}
pub(crate) use written;

/// A text in which `code` stands between backticks and *emphasis* between asterisks.
pub fn prose(text: &str) -> Node {
    let pieces = spans(text)
        .into_iter()
        .map(|span| match span {
            Span::Plain(text) => text.into_node(),
            Span::Code(text) => view! { <code>{text}</code> },
            Span::Emphasis(text) => view! { <em>{text}</em> },
        })
        .collect();
    Node::Many(pieces)
}

#[derive(Debug, PartialEq)]
enum Span {
    Plain(String),
    Code(String),
    Emphasis(String),
}

/// A mark without its partner stands for itself.
fn spans(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['`', '*']) {
        let mark = &rest[at..=at];
        let Some(end) = rest[at + 1..].find(mark).map(|end| at + 1 + end) else { break };
        plain.push_str(&rest[..at]);
        if !plain.is_empty() {
            spans.push(Span::Plain(std::mem::take(&mut plain)));
        }
        let inner = rest[at + 1..end].to_owned();
        spans.push(if mark == "`" { Span::Code(inner) } else { Span::Emphasis(inner) });
        rest = &rest[end + 1..];
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        spans.push(Span::Plain(plain));
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_come_in_pairs() {
        let plain = |text: &str| Span::Plain(text.to_owned());
        assert_eq!(
            spans("a `x * 2` is *not* b"),
            [
                plain("a "),
                Span::Code("x * 2".into()),
                plain(" is "),
                Span::Emphasis("not".into()),
                plain(" b")
            ]
        );
        assert_eq!(spans("3 * 4"), [plain("3 * 4")]);
        assert_eq!(spans(""), []);
    }
}
