//! Characters as tokens.

use std::collections::BTreeSet;

use crate::error::{Error, Result};

/// A tokenizer whose vocabulary is the characters of a text, in the order of their code points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CharTokenizer {
    vocabulary: Vec<char>,
}

impl CharTokenizer {
    /// The tokenizer of a text; that of [`CharTokenizer::vocabulary`] is the same one.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self { vocabulary: text.chars().collect::<BTreeSet<_>>().into_iter().collect() }
    }

    /// Every character, sorted; token i is the i-th.
    #[must_use]
    pub fn vocabulary(&self) -> String {
        self.vocabulary.iter().collect()
    }

    /// Number of tokens.
    #[must_use]
    pub fn vocab_size(&self) -> usize {
        self.vocabulary.len()
    }

    /// The token of each character.
    ///
    /// # Errors
    /// If a character is not in the vocabulary; the message names it and its place.
    pub fn encode(&self, text: &str) -> Result<Vec<i64>> {
        let token = |(place, c): (usize, char)| {
            let found = self.vocabulary.binary_search(&c);
            found.map(|token| token as i64).map_err(|_| {
                let message = format!(
                    "the character {c:?} at position {place} is not in the vocabulary of {} characters",
                    self.vocab_size()
                );
                Error::Value { op: "encode", message }
            })
        };
        text.chars().enumerate().map(token).collect()
    }

    /// The character of each token.
    ///
    /// # Errors
    /// If a token is not in the vocabulary.
    pub fn decode(&self, tokens: &[i64]) -> Result<String> {
        let character = |&token: &i64| {
            let found = usize::try_from(token).ok().and_then(|token| self.vocabulary.get(token));
            found.copied().ok_or_else(|| {
                let message = format!("token {token} is not in the vocabulary of {}", self.vocab_size());
                Error::Value { op: "decode", message }
            })
        };
        tokens.iter().map(character).collect()
    }
}
