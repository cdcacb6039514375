//! One side of a pattern, `b (h w) ...`, read as einops reads it.

use std::fmt;

use crate::error::{Error, Result};

/// What three dots become while a side is read: one character, of as many bytes.
const ELLIPSIS: char = '…';

/// A part of a dimension.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Axis {
    /// A named one.
    Name(String),
    /// One that has only a size of 2 or more. No two are the same: each is known by its place in the pattern.
    Number { length: usize, at: usize },
    /// All the dimensions that no other axis takes.
    Ellipsis,
    /// One of those, once the rank of the tensor is known.
    Covered(usize),
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "'{name}'"),
            Self::Number { length, .. } => write!(f, "{length}-axis"),
            Self::Ellipsis => write!(f, "'{ELLIPSIS}'"),
            Self::Covered(index) => write!(f, "'{ELLIPSIS}{index}'"),
        }
    }
}

/// The axes that make one dimension; none make one of size 1.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Group {
    pub(super) axes: Vec<Axis>,
    pub(super) in_parentheses: bool,
}

/// What differs between the notations.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rules {
    /// `_` is a name.
    pub(super) underscore: bool,
    /// A name may stand twice.
    pub(super) duplicates: bool,
}

/// Both sides of the arrow, the second with the byte at which it starts.
///
/// # Errors
/// If there is no arrow or more than one.
pub(super) fn sides(pattern: &str) -> Result<(&str, (&str, usize))> {
    let (left, right) = pattern
        .split_once("->")
        .ok_or_else(|| fault(pattern.len(), "a pattern has two sides with an arrow `->` between them"))?;
    let start = left.len() + 2;
    match right.find("->") {
        None => Ok((left, (right, start))),
        Some(at) => Err(fault(start + at, "a pattern has one arrow `->`")),
    }
}

/// Reads one side of a pattern, which starts at byte `start` of it.
///
/// # Errors
/// With einops' message and the byte of the pattern at which it does not parse.
pub(super) fn parse(side: &str, start: usize, rules: Rules) -> Result<Vec<Group>> {
    if let Some(at) = side.find(ELLIPSIS) {
        return Err(fault(start + at, format!("Unknown character '{ELLIPSIS}'")));
    }
    if let Some(at) = side.find('.') {
        if !side.contains("...") {
            return Err(fault(start + at, "Expression may contain dots only inside ellipsis (...)"));
        }
        if side.matches('.').count() != 3 {
            return Err(fault(
                start + at,
                "Expression may contain dots only inside ellipsis (...); only one ellipsis for tensor",
            ));
        }
    }
    let text = side.replace("...", "…");
    let mut reader = Reader { groups: Vec::new(), open: None, rules };
    let mut word = String::new();
    // A blank at the end closes the last word.
    for (i, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let at = start + i;
        match c {
            '(' | ')' | ' ' => {
                if !word.is_empty() {
                    reader.axis(&word, at - word.len())?;
                    word.clear();
                }
                reader.parenthesis(c, at)?;
            }
            _ if c.is_alphanumeric() || c == '_' || c == ELLIPSIS => word.push(c),
            _ => return Err(fault(at, format!("Unknown character '{c}'"))),
        }
    }
    match reader.open {
        None => Ok(reader.groups),
        Some(_) => {
            Err(fault(start + text.len(), format!("Imbalanced parentheses in expression: \"{text}\"")))
        }
    }
}

/// What has been read.
struct Reader {
    groups: Vec<Group>,
    /// The axes behind a parenthesis that is not closed yet.
    open: Option<Vec<Axis>>,
    rules: Rules,
}

impl Reader {
    fn parenthesis(&mut self, c: char, at: usize) -> Result<()> {
        match (c, self.open.take()) {
            ('(', None) => self.open = Some(Vec::new()),
            ('(', Some(_)) => {
                return Err(fault(
                    at,
                    "Axis composition is one-level (brackets inside brackets not allowed)",
                ));
            }
            (')', Some(axes)) => self.groups.push(Group { axes, in_parentheses: true }),
            (')', None) => return Err(fault(at, "Brackets are not balanced")),
            (_, open) => self.open = open,
        }
        Ok(())
    }

    fn axis(&mut self, word: &str, at: usize) -> Result<()> {
        let axis = if word.bytes().all(|b| b.is_ascii_digit()) {
            match word.parse() {
                Ok(0) => return Err(fault(at, "Anonymous axis should have positive length, not 0")),
                // An axis of size 1 is a dimension without parts; among other parts it says nothing.
                Ok(1) => None,
                Ok(length) => Some(Axis::Number { length, at }),
                Err(_) => {
                    return Err(fault(
                        at,
                        format!("an axis of {word} elements: one has at most {} here", usize::MAX),
                    ));
                }
            }
        } else if word.chars().eq([ELLIPSIS]) {
            Some(Axis::Ellipsis)
        } else {
            let axis = Axis::Name(word.into());
            let mut known =
                self.groups.iter().flat_map(|group| &group.axes).chain(self.open.iter().flatten());
            let may_repeat = self.rules.duplicates || (self.rules.underscore && word == "_");
            if !may_repeat && known.any(|other| *other == axis) {
                return Err(fault(
                    at,
                    format!("Indexing expression contains duplicate dimension \"{word}\""),
                ));
            }
            if let Some(reason) = refused_name(word).filter(|_| !(self.rules.underscore && word == "_")) {
                return Err(fault(at, format!("Invalid axis identifier: {word}: {reason}")));
            }
            Some(axis)
        };
        match &mut self.open {
            Some(axes) => axes.extend(axis),
            None => self.groups.push(Group { axes: axis.into_iter().collect(), in_parentheses: false }),
        }
        Ok(())
    }
}

/// Why a word is no name of an axis, if it is none.
pub(super) fn refused_name(word: &str) -> Option<&'static str> {
    let starts = |c: char| c.is_alphabetic() || c == '_';
    if !word.starts_with(starts) || !word.chars().all(|c| starts(c) || c.is_ascii_digit()) {
        Some("not a valid python identifier")
    } else if word.starts_with('_') || word.ends_with('_') {
        Some("axis name should not start or end with underscore")
    } else {
        None
    }
}

fn fault(position: usize, message: impl Into<String>) -> Error {
    Error::Parse { position, message: message.into() }
}
