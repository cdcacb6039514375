//! Reading a typed text letter by letter, with errors that say where.

use crate::error::{Error, Result};

/// A place in a text.
pub(crate) struct Cursor<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
}

impl<'a> Cursor<'a> {
    /// The beginning of a text of at most so many bytes: nobody types longer ones, and everything here is then quick.
    pub(crate) fn new(text: &'a str, longest: usize) -> Result<Self> {
        let cursor = Self { text, at: 0 };
        if text.len() > longest {
            return cursor.fail_at(longest, format!("the expression is longer than {longest} bytes"));
        }
        Ok(cursor)
    }

    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(crate) fn fail<T>(&self, message: impl Into<String>) -> Result<T> {
        self.fail_at(self.at, message)
    }

    pub(crate) fn fail_at<T>(&self, position: usize, message: impl Into<String>) -> Result<T> {
        Err(Error::Parse { position, message: message.into() })
    }

    /// The next letter for messages.
    pub(crate) fn found(&self) -> String {
        self.rest().chars().next().map_or_else(|| "the end".to_owned(), |letter| format!("{letter:?}"))
    }

    pub(crate) fn spaces(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    pub(crate) fn take(&mut self, letter: char) -> bool {
        let taken = self.rest().starts_with(letter);
        if taken {
            self.at += letter.len_utf8();
        }
        taken
    }

    pub(crate) fn take_after_spaces(&mut self, letter: char) -> bool {
        self.spaces();
        self.take(letter)
    }

    /// The longest beginning of the rest of which every letter passes.
    pub(crate) fn take_while(&mut self, passes: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let taken = &rest[..rest.find(|c| !passes(c)).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    /// A name as Python has them; empty where none begins.
    pub(crate) fn name(&mut self) -> &'a str {
        if self.rest().starts_with(|c: char| c.is_ascii_digit()) {
            return "";
        }
        // Beyond ASCII, Python's tables of letters are not asked: no operator is there.
        self.take_while(|c| c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii())
    }
}
