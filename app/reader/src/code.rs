//! A line of code in colours.

use maud::{Markup, html};

use crate::source::Source;
use crate::tokens::Kind;

/// A line without the first `base` columns of its indentation; with its directives only if `is_raw`.
pub(crate) fn line(source: Option<&Source>, number: u32, base: usize, is_raw: bool) -> Markup {
    let Some(source) = source else { return html! {} };
    let text = source.line(number);
    let tokens = if is_raw {
        source.tokens(number).iter().map(|token| (token.kind, token.place.clone())).collect()
    } else {
        source.shown(number)
    };
    // A string goes on at the beginning of its line, wherever its function stands.
    let mut at = base.min(text.len() - text.trim_start().len());
    let mut pieces = Vec::new();
    for (kind, place) in tokens {
        if place.start > at {
            pieces.push((None, &text[at..place.start]));
        }
        pieces.push((class(kind), &text[place.start.max(at)..place.end]));
        at = place.end;
    }
    html! {
        @for (class, text) in pieces {
            @match class {
                Some(class) => span class=(class) { (text) },
                None => (text),
            }
        }
    }
}

fn class(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Plain => None,
        Kind::Keyword => Some("k"),
        Kind::Call => Some("f"),
        Kind::Text => Some("s"),
        Kind::Number => Some("n"),
        Kind::Comment => Some("c"),
        Kind::Decorator => Some("d"),
    }
}
