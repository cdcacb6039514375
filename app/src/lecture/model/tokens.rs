//! Python's tokens, as far as colours and the ends of statements need them.

use std::ops::Range;

/// What a piece of code is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A name, or one of the operators.
    Plain,
    Keyword,
    /// What is called.
    Call,
    /// A string, or a line of one.
    Text,
    Number,
    Comment,
    /// `@` and a name, at the beginning of a line.
    Decorator,
}

/// What a piece of a line is, and where it is, in bytes.
pub type Token = (Kind, Range<usize>);

/// A line and how it hangs together with its neighbours.
#[derive(Debug)]
pub struct Line {
    pub text: String,
    /// In order, without the space between them.
    pub tokens: Vec<Token>,
    /// Whether the statement goes on from the line before.
    pub goes_on: bool,
}

impl Line {
    /// The texts of its tokens, without comments.
    pub fn words(&self) -> impl DoubleEndedIterator<Item = &str> {
        let code = self.tokens.iter().filter(|(kind, _)| *kind != Kind::Comment);
        code.map(|(_, place)| &self.text[place.clone()])
    }
}

const KEYWORDS: [&str; 38] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "case", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "match", "nonlocal", "not", "or", "pass", "raise", "return", "try", "type", "while", "with",
    "yield",
];

/// What begins and ends a string.
const QUOTES: [&str; 4] = ["\"\"\"", "'''", "\"", "'"];

/// The lines of a text with their tokens. Whatever is no Python still has some.
pub fn lines(text: &str) -> Vec<Line> {
    let mut found = Vec::new();
    // The quotes of a string that is not closed yet; brackets that are open.
    let (mut open, mut depth, mut goes_on) = (None, 0_usize, false);
    for text in text.lines() {
        // Nobody defines a function in brackets: one above is not closed yet.
        if open.is_none() && (text.starts_with("def ") || text.starts_with("class ")) {
            (depth, goes_on) = (0, false);
        }
        let (mut at, mut tokens) = (0, Vec::new());
        while let Some(first) = text[at..].chars().next() {
            let rest = &text[at..];
            let name = len_while(rest, is_name);
            let prefix = if is_prefix(&rest[..name]) { name } else { 0 };
            let opened = || {
                let quotes = QUOTES.into_iter().find(|quotes| rest[prefix..].starts_with(quotes))?;
                Some((quotes, prefix + quotes.len()))
            };
            let string = open.take().map(|quotes| (quotes, 0)).or_else(opened);
            let (kind, len) = match first {
                _ if let Some((quotes, inside)) = string => {
                    let end = end_of_string(&rest[inside..], quotes);
                    open = end.is_none().then_some(quotes);
                    (Kind::Text, end.map_or(rest.len(), |end| inside + end))
                }
                '#' => (Kind::Comment, rest.len()),
                '@' if tokens.is_empty() => {
                    (Kind::Decorator, 1 + len_while(&rest[1..], |c| is_name(c) || c == '.'))
                }
                '.' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) => {
                    (Kind::Number, number_len(rest))
                }
                _ if first.is_ascii_digit() => (Kind::Number, number_len(rest)),
                _ if first.is_whitespace() => {
                    at += first.len_utf8();
                    continue;
                }
                _ if is_name(first) => {
                    (word(&text[..at], &rest[..name], rest[name..].trim_start(), tokens.is_empty()), name)
                }
                _ => {
                    match first {
                        '(' | '[' | '{' => depth += 1,
                        ')' | ']' | '}' => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    (Kind::Plain, first.len_utf8())
                }
            };
            tokens.push((kind, at..at + len));
            at += len;
        }
        let is_continued =
            text.ends_with('\\') && tokens.last().is_none_or(|(kind, _)| *kind != Kind::Comment);
        // A string of one line ends with it, whether it was closed or not.
        open = open.filter(|quotes| quotes.len() == 3 || is_continued);
        found.push(Line { text: text.to_owned(), tokens, goes_on });
        goes_on = depth > 0 || open.is_some() || is_continued;
    }
    found
}

fn word(before: &str, word: &str, after: &str, is_first: bool) -> Kind {
    // These are names in most places.
    let is_soft = ["case", "match", "type"].contains(&word);
    let begins = is_first && after.starts_with(|c: char| is_name(c) || "[{\"'".contains(c));
    if KEYWORDS.contains(&word) && !before.ends_with('.') && (!is_soft || begins) {
        Kind::Keyword
    } else if after.starts_with('(') {
        Kind::Call
    } else {
        Kind::Plain
    }
}

/// Where a string ends whose inside begins `text`, after its quotes.
fn end_of_string(text: &str, quotes: &str) -> Option<usize> {
    let (text, quotes) = (text.as_bytes(), quotes.as_bytes());
    let mut at = 0;
    while at < text.len() && !text[at..].starts_with(quotes) {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    (at < text.len()).then_some(at + quotes.len())
}

/// Whether a letter may be part of a name.
pub fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_prefix(word: &str) -> bool {
    word.len() <= 2 && word.chars().all(|c| "rbuftRBUFT".contains(c))
}

fn len_while(text: &str, mut is_part: impl FnMut(char) -> bool) -> usize {
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

/// `1_000`, `0xff`, `1e-8`, `.5`, `2j`.
fn number_len(text: &str) -> usize {
    let mut before = ' ';
    let is_hex = text.starts_with("0x") || text.starts_with("0X");
    len_while(text, |c| {
        let is_sign_of_exponent = (c == '+' || c == '-') && matches!(before, 'e' | 'E') && !is_hex;
        before = c;
        c.is_ascii_alphanumeric() || c == '_' || c == '.' || is_sign_of_exponent
    })
}
