//! Terms of the field, and what they mean.

use std::sync::LazyLock;

use serde::Deserialize;

/// A term of `data/glossary.json`.
#[derive(Debug, Deserialize)]
pub struct Term {
    /// As it is written in the middle of a sentence.
    pub name: String,
    /// How else it is written: plurals, short forms.
    #[serde(default)]
    pub also: Vec<String>,
    /// A sentence or two.
    pub means: String,
}

/// All of them, in the order of their names.
pub fn terms() -> &'static [Term] {
    static TERMS: LazyLock<Vec<Term>> = LazyLock::new(|| {
        // That the file can be read is a test's business.
        serde_json::from_str(include_str!("../data/glossary.json")).unwrap_or_default()
    });
    &TERMS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_glossary_has_sentences_in_order() {
        assert!(terms().len() >= 60, "{}", terms().len());
        assert!(terms().is_sorted_by_key(|term| term.name.to_lowercase()));
        let words: Vec<&String> =
            terms().iter().flat_map(|term| term.also.iter().chain([&term.name])).collect();
        for (at, word) in words.iter().enumerate() {
            assert!(!words[..at].contains(word), "{word} is there twice");
        }
        for Term { name, means, .. } in terms() {
            assert!(means.ends_with('.') && means.len() > 20, "{name}: {means}");
        }
    }
}
