//! The header of a .npy file, versions 1 to 3: `\x93NUMPY`, the version, the header's length, and a Python
//! dictionary with `descr`, `fortran_order` and `shape` (numpy.lib.format). Of all arrays that NumPy saves
//! only those that can be tokens are taken.

use super::Element;

/// As many bytes as tell where the header ends.
pub const PREAMBLE: u64 = 12;

const MAGIC: &[u8] = b"\x93NUMPY";

/// NumPy itself refuses headers beyond 10,000 bytes unless it is told to trust them.
const MAX_HEADER: u64 = 10_000;

/// A one-dimensional array of whole numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Array {
    /// How a number is stored.
    pub element: Element,
    /// How many there are.
    pub len: u64,
}

/// The byte at which the header ends and the numbers begin, from the first [`PREAMBLE`] bytes of a file.
///
/// # Errors
/// A sentence if it is no .npy file, of an unknown version, or cut short.
pub fn header_end(head: &[u8]) -> Result<u64, String> {
    let rest = head.strip_prefix(MAGIC).ok_or("is no .npy file: it does not begin with \\x93NUMPY")?;
    let (start, length): (u64, u64) = match *rest {
        [1, _, a, b, ..] => (10, u16::from_le_bytes([a, b]).into()),
        [2 | 3, _, a, b, c, d, ..] => (12, u32::from_le_bytes([a, b, c, d]).into()),
        [1..=3, ..] | [] => return Err("ends within its header".into()),
        [major, ..] => return Err(format!("is a .npy file of version {major}; 1, 2 and 3 are read")),
    };
    if length > MAX_HEADER {
        return Err(format!("has a header of {length} bytes; at most {MAX_HEADER} are read"));
    }
    Ok(start + length)
}

/// Reads the bytes up to [`header_end`].
///
/// # Errors
/// A sentence if the header does not parse, or tells of an array that cannot be tokens.
pub fn parse(head: &[u8]) -> Result<Array, String> {
    let end = header_end(head)?;
    let start = if head.get(MAGIC.len()) == Some(&1) { 10 } else { 12 };
    let text =
        usize::try_from(end).ok().and_then(|end| head.get(start..end)).ok_or("ends within its header")?;
    let text = str::from_utf8(text).map_err(|_| "has a header that is no text")?;
    let (mut descr, mut is_fortran, mut shape) = (None, None, None);
    let mut reader = Reader { rest: text };
    reader.expect("{")?;
    while !reader.take("}") {
        let key = reader.quoted()?;
        reader.expect(":")?;
        match key {
            "descr" if reader.starts("[") => {
                return Err("holds records of several fields; tokens are whole numbers".into());
            }
            "descr" => descr = Some(reader.quoted()?),
            "fortran_order" => is_fortran = Some(reader.truth()?),
            "shape" => shape = Some(reader.tuple()?),
            _ => return Err(format!("has a header with an unknown entry '{key}'")),
        }
        if !reader.take(",") && !reader.starts("}") {
            return Err(reader.fault("a comma or }"));
        }
    }
    if !reader.rest.trim().is_empty() {
        return Err(reader.fault("the end"));
    }
    let (Some(descr), Some(is_fortran), Some(shape)) = (descr, is_fortran, shape) else {
        return Err("has a header without descr, fortran_order or shape".into());
    };
    let element = element(descr)?;
    match (shape.as_slice(), is_fortran) {
        // NumPy never says so of one dimension, in which both orders are the same.
        (_, true) => Err("is in Fortran's order; tokens are read in C's".into()),
        (&[len], false) => Ok(Array { element, len }),
        (shape, _) => Err(format!("has {} dimensions; tokens have one", shape.len())),
    }
}

fn element(descr: &str) -> Result<Element, String> {
    let (order, kind) = descr.split_at_checked(1).unwrap_or_default();
    match (order, kind) {
        ("|" | "<" | ">" | "=", "u1") => Ok(Element::U8),
        ("<" | "=", "u2") => Ok(Element::U16),
        ("<" | "=", "u4") => Ok(Element::U32),
        ("<" | "=", "i4") => Ok(Element::I32),
        ("<" | "=", "i8") => Ok(Element::I64),
        (">", "u2" | "u4" | "i4" | "i8") => {
            Err(format!("holds big-endian numbers ('{descr}'); little-endian ones are read"))
        }
        _ => Err(format!("holds '{descr}'; tokens are u1, u2, u4, i4 or i8")),
    }
}

/// Reads the few kinds of Python literals that are in a header.
struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn take(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn starts(&self, token: &str) -> bool {
        self.rest.trim_start().starts_with(token)
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.take(token) { Ok(()) } else { Err(self.fault(token)) }
    }

    fn fault(&self, expected: &str) -> String {
        let found: String = self.rest.trim_start().chars().take(20).collect();
        format!("has a header that does not parse: expected {expected}, found '{}'", found.escape_debug())
    }

    fn quoted(&mut self) -> Result<&'a str, String> {
        for quote in ["'", "\""] {
            if self.take(quote) {
                let (text, rest) = self.rest.split_once(quote).ok_or_else(|| self.fault(quote))?;
                self.rest = rest;
                return Ok(text);
            }
        }
        Err(self.fault("a text in quotes"))
    }

    fn truth(&mut self) -> Result<bool, String> {
        if self.take("True") {
            return Ok(true);
        }
        if self.take("False") { Ok(false) } else { Err(self.fault("True or False")) }
    }

    fn tuple(&mut self) -> Result<Vec<u64>, String> {
        self.expect("(")?;
        let mut sizes = Vec::new();
        while !self.take(")") {
            let text = self.rest.trim_start();
            let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
            let (digits, rest) = text.split_at(end);
            sizes.push(digits.parse().map_err(|_| self.fault("a size"))?);
            // Python 2 wrote long numbers so.
            self.rest = rest.strip_prefix('L').unwrap_or(rest);
            if !self.take(",") && !self.starts(")") {
                return Err(self.fault("a comma or )"));
            }
        }
        Ok(sizes)
    }
}
