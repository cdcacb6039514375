//! JSON as data, and as what a trace or a message is made of.
//!
//! A general reader would be a quarter of the page: it is built anew for every type that it reads, and its tables of
//! powers compress badly. Here the text becomes plain data first, by one short reader, and the data become what is asked for.

mod typed;
mod write;

use std::fmt;

use napkin_accounting::decimal;
use napkin_notebook::trace::{Json, Map};
use serde::de::DeserializeOwned;

pub use write::write;

/// Lists and objects within each other; deeper ones would take the stack.
const MOST_DEPTH: usize = 127;

/// Why a text is not what is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It ends too early.
    Ends,
    /// It is no JSON from this line on, counted from 1.
    Line(usize),
    /// It is JSON of something else.
    Other(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ends => f.write_str("it ends in the middle"),
            Self::Line(line) => write!(f, "its line {line} is no JSON"),
            Self::Other(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Fault {}

/// Reads what a JSON text describes.
///
/// # Errors
/// When it is no JSON, or of something else.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, Fault> {
    typed::from_data(data(text)?)
}

/// Reads a JSON text.
///
/// # Errors
/// When it is none.
pub fn data(text: &str) -> Result<Json, Fault> {
    let mut scan = Scan { text, at: 0 };
    let found = scan.value(MOST_DEPTH).and_then(|json| match scan.next() {
        None => Ok(json),
        Some(_) => Err(scan.wrong()),
    });
    // What is wrong only because nothing comes after it may be the beginning of a whole text.
    found.map_err(|fault| if scan.at >= text.len() { Fault::Ends } else { fault })
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    fn wrong(&self) -> Fault {
        Fault::Line(1 + self.text.bytes().take(self.at).filter(|byte| *byte == b'\n').count())
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The next byte that is no space, which stays.
    fn next(&mut self) -> Option<u8> {
        self.skip(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
        self.peek()
    }

    /// Goes past bytes; how many.
    fn skip(&mut self, is_part: impl Fn(u8) -> bool) -> usize {
        let from = self.at;
        while self.peek().is_some_and(&is_part) {
            self.at += 1;
        }
        self.at - from
    }

    /// Goes past a byte if it is this one.
    fn eat(&mut self, byte: u8) -> bool {
        let is_it = self.peek() == Some(byte);
        self.at += usize::from(is_it);
        is_it
    }

    fn value(&mut self, depth: usize) -> Result<Json, Fault> {
        match self.next() {
            Some(b'{') if depth > 0 => {
                let mut entries = Vec::new();
                self.items(b'}', |scan| {
                    let name =
                        if scan.next() == Some(b'"') { scan.string()? } else { return Err(scan.wrong()) };
                    if scan.next() != Some(b':') {
                        return Err(scan.wrong());
                    }
                    scan.at += 1;
                    entries.push((name, scan.value(depth - 1)?));
                    Ok(())
                })?;
                Ok(Json::Object(Map(entries)))
            }
            Some(b'[') if depth > 0 => {
                let mut items = Vec::new();
                self.items(b']', |scan| {
                    items.push(scan.value(depth - 1)?);
                    Ok(())
                })?;
                Ok(Json::List(items))
            }
            Some(b'"') => self.string().map(Json::Text),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.word(),
        }
    }

    /// What stands between brackets, with commas.
    fn items(&mut self, end: u8, mut item: impl FnMut(&mut Self) -> Result<(), Fault>) -> Result<(), Fault> {
        self.at += 1;
        self.next();
        if self.eat(end) {
            return Ok(());
        }
        loop {
            item(self)?;
            self.next();
            if self.eat(end) {
                return Ok(());
            }
            if !self.eat(b',') {
                return Err(self.wrong());
            }
        }
    }

    fn word(&mut self) -> Result<Json, Fault> {
        let from = self.at;
        self.skip(|byte| byte.is_ascii_alphabetic());
        Ok(match &self.text[from..self.at] {
            "null" => Json::Null,
            "true" => Json::Bool(true),
            "false" => Json::Bool(false),
            _ => return Err(self.wrong()),
        })
    }

    fn number(&mut self) -> Result<Json, Fault> {
        let from = self.at;
        let digits = |scan: &mut Self| match scan.skip(|byte| byte.is_ascii_digit()) {
            0 => Err(scan.wrong()),
            count => Ok(count),
        };
        self.eat(b'-');
        let leads_with_zero = self.peek() == Some(b'0');
        if digits(self)? > 1 && leads_with_zero {
            return Err(self.wrong());
        }
        let whole = self.at;
        if self.eat(b'.') {
            digits(self)?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _ = self.eat(b'-') || self.eat(b'+');
            digits(self)?;
        }
        let text = &self.text[from..self.at];
        // Minus zero is none of the whole numbers.
        if self.at == whole
            && text != "-0"
            && let Ok(value) = text.parse()
        {
            return Ok(Json::Int(value));
        }
        decimal::read(text).filter(|value| value.is_finite()).map(Json::Float).ok_or_else(|| self.wrong())
    }

    fn string(&mut self) -> Result<String, Fault> {
        self.at += 1;
        let mut text = String::new();
        loop {
            let from = self.at;
            self.skip(|byte| byte >= b' ' && byte != b'"' && byte != b'\\');
            text.push_str(&self.text[from..self.at]);
            if self.eat(b'"') {
                return Ok(text);
            }
            if !self.eat(b'\\') {
                return Err(self.wrong());
            }
            text.push(self.escaped().ok_or_else(|| self.wrong())?);
        }
    }

    /// What stands after a backslash.
    fn escaped(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += 1;
        Some(match letter {
            b'"' | b'\\' | b'/' => char::from(letter),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let unit = self.unit()?;
                // Characters beyond 2^16 are two units.
                let low = match unit {
                    0xd800..0xdc00 if self.eat(b'\\') && self.eat(b'u') => Some(self.unit()?),
                    _ => None,
                };
                let units = [unit, low.unwrap_or_default()];
                let count = 1 + usize::from(low.is_some());
                char::decode_utf16(units.into_iter().take(count)).next()?.ok()?
            }
            _ => return None,
        })
    }

    /// Four hexadecimal digits.
    fn unit(&mut self) -> Option<u16> {
        let from = self.at;
        while self.at < from + 4 && self.peek().is_some_and(|byte| byte.is_ascii_hexdigit()) {
            self.at += 1;
        }
        let digits = &self.text[from..self.at];
        u16::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 4)
    }
}

#[cfg(test)]
mod tests;
