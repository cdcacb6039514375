//! Python's tokens, as far as colours and the ends of statements need them.

use std::ops::Range;

/// What a piece of code is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A name, or one of the operators.
    Plain,
    /// `def`, `return`, `None`.
    Keyword,
    /// What is called.
    Call,
    /// A string, or a line of one.
    Text,
    /// A number.
    Number,
    /// From `#` to the end of the line.
    Comment,
    /// `@` and a name, at the beginning of a line.
    Decorator,
}

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where in the line, in bytes.
    pub place: Range<usize>,
}

/// A line and how it hangs together with its neighbours.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    /// In order, without the space between them.
    pub tokens: Vec<Token>,
    /// Whether the statement goes on from the line before.
    pub goes_on: bool,
}

const KEYWORDS: [&str; 38] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "case", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "match", "nonlocal", "not", "or", "pass", "raise", "return", "try", "type", "while", "with",
    "yield",
];

/// These are names in most places.
const SOFT: [&str; 3] = ["case", "match", "type"];

/// A string that is not closed yet.
#[derive(Clone, Copy)]
struct Open {
    quote: u8,
    is_triple: bool,
}

/// The tokens of every line. Whatever is no Python still has some.
#[must_use]
pub fn lines(text: &str) -> Vec<Line> {
    let (mut open, mut depth, mut goes_on) = (None, 0_usize, false);
    let mut found = Vec::new();
    for text in text.lines() {
        let mut scan = Scan { text, at: 0, tokens: Vec::new(), depth };
        if let Some(string) = open.take() {
            open = scan.string(0, string);
        }
        if open.is_none() {
            open = scan.rest();
        }
        depth = scan.depth;
        found.push(Line { goes_on, tokens: scan.tokens });
        let is_continued = text.ends_with('\\')
            && found.last().and_then(|line| line.tokens.last()).is_none_or(|it| it.kind != Kind::Comment);
        // A string of one line ends with it, whether it was closed or not.
        open = open.filter(|string: &Open| string.is_triple || is_continued);
        goes_on = depth > 0 || open.is_some() || is_continued;
    }
    found
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    tokens: Vec<Token>,
    depth: usize,
}

impl Scan<'_> {
    /// What is left of the line; the string that its end leaves open.
    fn rest(&mut self) -> Option<Open> {
        while let Some(next) = self.text[self.at..].chars().next() {
            let start = self.at;
            match next {
                '#' => {
                    self.push(Kind::Comment, start, self.text.len());
                }
                '"' | '\'' => {
                    let open = self.opened();
                    self.at += if open.is_triple { 3 } else { 1 };
                    if let Some(open) = self.string(start, open) {
                        return Some(open);
                    }
                }
                _ if next.is_whitespace() => self.at += next.len_utf8(),
                _ if next.is_ascii_digit() => {
                    let end = start + number_len(&self.text[start..]);
                    self.push(Kind::Number, start, end);
                }
                '.' if self.text[start + 1..].starts_with(|c: char| c.is_ascii_digit()) => {
                    let end = start + number_len(&self.text[start..]);
                    self.push(Kind::Number, start, end);
                }
                '@' if self.tokens.is_empty() => {
                    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
                    let end = start + 1 + len_while(&self.text[start + 1..], is_part);
                    self.push(Kind::Decorator, start, end);
                }
                _ if next.is_alphabetic() || next == '_' => {
                    let end = start + len_while(&self.text[start..], |c| c.is_alphanumeric() || c == '_');
                    if is_prefix(&self.text[start..end]) && self.text[end..].starts_with(['"', '\'']) {
                        self.at = end;
                        let open = self.opened();
                        self.at += if open.is_triple { 3 } else { 1 };
                        if let Some(open) = self.string(start, open) {
                            return Some(open);
                        }
                    } else {
                        let kind = self.word(start, end);
                        self.push(kind, start, end);
                    }
                }
                _ => {
                    match next {
                        '(' | '[' | '{' => self.depth += 1,
                        ')' | ']' | '}' => self.depth = self.depth.saturating_sub(1),
                        _ => {}
                    }
                    self.push(Kind::Plain, start, start + next.len_utf8());
                }
            }
        }
        None
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize) {
        self.tokens.push(Token { kind, place: start..end });
        self.at = end;
    }

    fn word(&self, start: usize, end: usize) -> Kind {
        let (word, after) = (&self.text[start..end], self.text[end..].trim_start());
        let is_first = self.tokens.is_empty();
        let is_attribute = self.text[..start].ends_with('.');
        let is_soft = SOFT.contains(&word);
        let begins_statement =
            is_first && after.starts_with(|c: char| c.is_alphabetic() || "([{\"'_".contains(c));
        if KEYWORDS.contains(&word)
            && !is_attribute
            && (!is_soft || begins_statement && !after.starts_with('('))
        {
            Kind::Keyword
        } else if after.starts_with('(') {
            Kind::Call
        } else {
            Kind::Plain
        }
    }

    /// The quotes at this place.
    fn opened(&self) -> Open {
        let rest = &self.text.as_bytes()[self.at..];
        let quote = rest.first().copied().unwrap_or(b'"');
        Open { quote, is_triple: rest.len() >= 3 && rest[..3].iter().all(|byte| *byte == quote) }
    }

    /// Goes on in a string whose token begins at `start`; the string, if the line leaves it open.
    fn string(&mut self, start: usize, open: Open) -> Option<Open> {
        let bytes = self.text.as_bytes();
        let len = if open.is_triple { 3 } else { 1 };
        let mut at = self.at;
        while at < bytes.len() {
            if bytes[at] == b'\\' {
                at += 2;
            } else if bytes[at..].iter().take(len).filter(|byte| **byte == open.quote).count() == len {
                self.push(Kind::Text, start, at + len);
                return None;
            } else {
                at += 1;
            }
        }
        self.push(Kind::Text, start, bytes.len());
        Some(open)
    }
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
