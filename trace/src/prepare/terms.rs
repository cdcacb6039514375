//! Terms in prose are marked, so that a reader can ask what they mean.

use std::sync::LazyLock;

use serde_json::json;

use crate::glossary::{Term, terms};
use crate::trace::Json;

/// What is looked for, the longest first, and what it means.
static WORDS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let written = |term: &'static Term| {
        term.also.iter().chain([&term.name]).map(|word| (word.as_str(), term.means.as_str()))
    };
    let mut words: Vec<_> = terms().iter().flat_map(written).collect();
    words.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
    words
});

/// Marks terms in the texts of one piece of prose, each where it stands first.
#[derive(Default)]
pub(super) struct Terms {
    told: Vec<&'static str>,
}

impl Terms {
    /// A text as nodes: its terms with what they mean, and what is between them.
    pub(super) fn mark(&mut self, text: &str) -> Vec<Json> {
        let (mut nodes, mut from) = (Vec::new(), 0);
        let starts = text.char_indices().map(|(at, _)| at);
        for at in starts.filter(|at| !text[..*at].ends_with(is_of_word)) {
            if at < from {
                continue;
            }
            let Some((word, means)) = term_at(&text[at..]) else { continue };
            if !self.told.contains(&means) {
                self.told.push(means);
                nodes.extend((from < at).then(|| Json::from(&text[from..at])));
                nodes.push(json!(["dfn", { "aria-description": means }, &text[at..at + word]]));
                from = at + word;
            }
        }
        nodes.extend((from < text.len()).then(|| Json::from(&text[from..])));
        nodes
    }
}

/// The length of the term that a text begins with, and what it means.
fn term_at(text: &str) -> Option<(usize, &'static str)> {
    let is_here = |word: &str| {
        let begin = text.get(..word.len());
        // Words may begin a sentence; short forms are written in one way.
        let is_word = !word.contains(char::is_uppercase);
        let is_same = begin.is_some_and(|it| it == word || is_word && it.eq_ignore_ascii_case(word));
        is_same && !text[word.len()..].starts_with(is_of_word)
    };
    WORDS.iter().find(|(word, _)| is_here(word)).map(|(word, means)| (word.len(), *means))
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || "_-/'’".contains(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_is_marked_once_as_a_whole_word() {
        let mut terms = Terms::default();
        let marked = |nodes: &[Json]| -> Vec<String> {
            nodes.iter().filter_map(|node| Some(node.get(2)?.as_str()?.to_owned())).collect()
        };
        let first = terms.mark("Tensors, FLOP/s, and FLOPs: a memory-bound reviewer tokenises.");
        assert_eq!(marked(&first), ["Tensors", "FLOP/s", "FLOPs", "memory-bound"]);
        let text: String = first.iter().map(|it| it.as_str().or(it[2].as_str()).unwrap()).collect();
        assert_eq!(text, "Tensors, FLOP/s, and FLOPs: a memory-bound reviewer tokenises.");
        assert_eq!(marked(&terms.mark("a tensor of TOKENS, tokens and mfu")), ["TOKENS"]);
        assert_eq!(terms.mark("ä"), [Json::from("ä")]);
    }
}
