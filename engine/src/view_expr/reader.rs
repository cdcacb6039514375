//! Reading expressions, letter by letter.

use super::suggest::nearest;
use super::{IndexItem, ViewExpr, ViewOp};
use crate::cursor::Cursor as Reader;
use crate::error::Result;

/// Longer expressions are refused.
const MAX_LENGTH: usize = 1000;

/// Methods and attributes, with the names of their arguments; `*` takes any number of sizes.
const METHODS: [(&str, &[&str]); 12] = [
    ("view", &["*shape"]),
    ("reshape", &["*shape"]),
    ("transpose", &["dim0", "dim1"]),
    ("permute", &["*dims"]),
    ("expand", &["*sizes"]),
    ("narrow", &["dim", "start", "length"]),
    ("select", &["dim", "index"]),
    ("squeeze", &["dim"]),
    ("unsqueeze", &["dim"]),
    ("contiguous", &[]),
    ("t", &[]),
    ("slice", &[]),
];

/// Reads an expression such as `x.transpose(0, 1)[::2, 1:]`.
///
/// # Errors
/// [`Error::Parse`] with the place where reading stopped and what was expected there.
pub fn parse(text: &str) -> Result<ViewExpr> {
    let mut reader = Reader::new(text, MAX_LENGTH)?;
    reader.spaces();
    let name = reader.name();
    if name.is_empty() {
        return reader.fail("an expression begins with the name of a tensor, such as x");
    }
    let mut expr = ViewExpr { name: name.to_owned(), ops: Vec::new() };
    loop {
        reader.spaces();
        let start = reader.at;
        let op = if reader.take('.') {
            reader.method()?
        } else if reader.take('[') {
            reader.index()?
        } else if reader.rest().is_empty() {
            return Ok(expr);
        } else {
            return reader.fail(format!("expected .method(…), [index] or the end, found {}", reader.found()));
        };
        expr.ops.push((op, text[start..reader.at].to_owned()));
    }
}

/// An argument: its name if it was given one, its place, and its value.
struct Argument<'a> {
    name: Option<&'a str>,
    at: usize,
    value: Value,
}

enum Value {
    Number(isize),
    List(Vec<isize>),
}

impl<'a> Reader<'a> {
    /// `-12`, `1_000`; `None` where no number begins.
    fn number(&mut self) -> Result<Option<isize>> {
        self.spaces();
        let start = self.at;
        let is_negative = self.take('-');
        if is_negative {
            self.spaces();
        } else {
            self.take('+');
        }
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(rest.len());
        let digits = &rest[..end];
        if digits.is_empty() && self.at == start {
            return Ok(None);
        }
        let is_split_well = !digits.starts_with('_') && !digits.ends_with('_') && !digits.contains("__");
        if digits.is_empty() || !is_split_well {
            return self.fail(format!("expected digits, found {}", self.found()));
        }
        self.at += end;
        if self.rest().starts_with(['.', 'e', 'E']) && !self.rest().starts_with("...") {
            return self.fail_at(start, "sizes, dimensions and indices are whole numbers");
        }
        let digits = digits.replace('_', "");
        match format!("{}{digits}", if is_negative { "-" } else { "" }).parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) => {
                let most = isize::MAX;
                self.fail_at(
                    start,
                    format!("{digits} is too large for a size or an index: at most {most} here"),
                )
            }
        }
    }

    fn method(&mut self) -> Result<ViewOp> {
        self.spaces();
        let start = self.at;
        let name = self.name();
        let is_called = self.take_after_spaces('(');
        match (name, is_called) {
            ("", _) => return self.fail_at(start, "expected the name of a method after the dot"),
            ("T", false) => return Ok(ViewOp::T),
            ("mT", false) => return Ok(ViewOp::MatrixT),
            ("T" | "mT", true) => {
                return self.fail_at(start, format!(".{name} is an attribute: it has no parentheses"));
            }
            ("slice", _) => {
                return self.fail_at(start, "a slice is written in brackets, such as x[1:3] or x[:, ::2]");
            }
            _ => {}
        }
        let Some((_, names)) = METHODS.iter().find(|(method, _)| *method == name) else {
            return self.fail_at(start, unknown(name));
        };
        if !is_called {
            return self.fail(format!(".{name} is a method: it needs parentheses"));
        }
        let arguments = self.arguments()?;
        self.build(name, names, start, arguments)
    }

    /// What stands between `(` and `)`, the latter included.
    fn arguments(&mut self) -> Result<Vec<Argument<'a>>> {
        let mut arguments = Vec::new();
        loop {
            if self.take_after_spaces(')') {
                return Ok(arguments);
            }
            let at = self.at;
            let name = self.name();
            let name = if name.is_empty() {
                None
            } else if self.take_after_spaces('=') {
                self.spaces();
                Some(name)
            } else {
                return self.fail_at(at, format!("expected a number or a list of numbers, found {name:?}"));
            };
            let value = match self.number()? {
                Some(number) => Value::Number(number),
                None if self.take('(') => Value::List(self.list(')')?),
                None if self.take('[') => Value::List(self.list(']')?),
                None => {
                    return self
                        .fail(format!("expected a number or a closing parenthesis, found {}", self.found()));
                }
            };
            arguments.push(Argument { name, at, value });
            if !self.take_after_spaces(',') && !self.rest().starts_with(')') {
                return self
                    .fail(format!("expected a comma or a closing parenthesis, found {}", self.found()));
            }
        }
    }

    fn list(&mut self, close: char) -> Result<Vec<isize>> {
        let mut numbers = Vec::new();
        loop {
            if self.take_after_spaces(close) {
                return Ok(numbers);
            }
            match self.number()? {
                Some(number) => numbers.push(number),
                None => return self.fail(format!("expected a number or {close:?}, found {}", self.found())),
            }
            if !self.take_after_spaces(',') && !self.rest().starts_with(close) {
                return self.fail(format!("expected a comma or {close:?}, found {}", self.found()));
            }
        }
    }

    fn build(&self, method: &str, names: &[&str], start: usize, given: Vec<Argument>) -> Result<ViewOp> {
        if let [name] = names
            && let Some(name) = name.strip_prefix('*')
        {
            if given.is_empty() {
                return self.fail_at(start, format!("{method}() needs {name}, such as {method}(1, -1)"));
            }
            let sizes = self.sizes(method, name, given)?;
            return match method {
                "view" => Ok(ViewOp::View(sizes)),
                "reshape" => Ok(ViewOp::Reshape(sizes)),
                "permute" => Ok(ViewOp::Permute(sizes)),
                _ => Ok(ViewOp::Expand(sizes)),
            };
        }
        let mut values: Vec<Option<isize>> = vec![None; names.len()];
        for (place, argument) in given.iter().enumerate() {
            let Value::Number(number) = argument.value else {
                return self.fail_at(argument.at, format!("{method}() takes numbers here, not a list"));
            };
            let slot = match argument.name {
                Some(name) => names.iter().position(|have| *have == name),
                None => Some(place),
            };
            let Some(value) = slot.and_then(|slot| values.get_mut(slot)) else {
                let takes = if names.is_empty() { "no arguments".to_owned() } else { names.join(", ") };
                return self.fail_at(argument.at, format!("{method}() takes {takes}"));
            };
            if value.replace(number).is_some() {
                return self.fail_at(argument.at, format!("{method}() gets this argument twice"));
            }
        }
        match (method, values.as_slice()) {
            ("transpose", [Some(dim0), Some(dim1)]) => Ok(ViewOp::Transpose(*dim0, *dim1)),
            ("narrow", [Some(dim), Some(start), Some(length)]) => {
                Ok(ViewOp::Narrow { dim: *dim, start: *start, length: *length })
            }
            ("select", [Some(dim), Some(index)]) => Ok(ViewOp::Select { dim: *dim, index: *index }),
            ("squeeze", [dim]) => Ok(ViewOp::Squeeze(*dim)),
            ("unsqueeze", [Some(dim)]) => Ok(ViewOp::Unsqueeze(*dim)),
            ("contiguous", []) => Ok(ViewOp::Contiguous),
            ("t", []) => Ok(ViewOp::T),
            _ => {
                let missing = names.iter().zip(&values).find(|(_, value)| value.is_none());
                let missing = missing.map_or("", |(name, _)| name);
                self.fail_at(start, format!("{method}({}) lacks {missing}", names.join(", ")))
            }
        }
    }

    /// Sizes as numbers of their own, or as one list.
    fn sizes(&self, method: &str, name: &str, given: Vec<Argument>) -> Result<Vec<isize>> {
        let count = given.len();
        let mut sizes = Vec::with_capacity(count);
        for argument in given {
            if argument.name.is_some_and(|given| given != name && given != "size") {
                return self.fail_at(argument.at, format!("{method}() takes {name}"));
            }
            match argument.value {
                Value::Number(number) if argument.name.is_none() => sizes.push(number),
                Value::List(list) if count == 1 => return Ok(list),
                _ => {
                    return self
                        .fail_at(argument.at, format!("{method}() takes numbers, or one list of numbers"));
                }
            }
        }
        Ok(sizes)
    }

    /// What stands between `[` and `]`, the latter included.
    fn index(&mut self) -> Result<ViewOp> {
        let mut items = Vec::new();
        loop {
            self.spaces();
            if !items.is_empty() && self.take(']') {
                return Ok(ViewOp::Index(items));
            }
            items.push(self.index_item()?);
            if !self.take_after_spaces(',') && !self.rest().starts_with(']') {
                return self.fail(format!("expected a comma or ']', found {}", self.found()));
            }
        }
    }

    fn index_item(&mut self) -> Result<IndexItem> {
        if self.rest().starts_with("...") {
            self.at += 3;
            return Ok(IndexItem::Ellipsis);
        }
        let at = self.at;
        match self.name() {
            "" => {}
            "None" => return Ok(IndexItem::NewAxis),
            "Ellipsis" => return Ok(IndexItem::Ellipsis),
            name => {
                return self.fail_at(at, format!("an index is a number, a slice, None or ..., not {name:?}"));
            }
        }
        let start = self.number()?;
        if !self.take_after_spaces(':') {
            return match start {
                Some(index) => Ok(IndexItem::At(index)),
                None if self.rest().starts_with(['[', '(']) => self
                    .fail("an index with a list copies elements; a view takes numbers, slices, None or ..."),
                None => self.fail(format!(
                    "expected an index such as 0, 1:3, ::2, None or ..., found {}",
                    self.found()
                )),
            };
        }
        let end = self.number()?;
        let step = if self.take_after_spaces(':') { self.number()? } else { None };
        Ok(IndexItem::Slice { start, end, step: step.unwrap_or(1) })
    }
}

fn unknown(name: &str) -> String {
    let mut names: Vec<&str> =
        METHODS.iter().map(|(name, _)| *name).filter(|name| *name != "slice").collect();
    names.extend(["T", "mT"]);
    match nearest(name, &names) {
        Some(meant) => format!("there is no view operation {name:?}; did you mean {meant:?}?"),
        None => format!("there is no view operation {name:?}; there are {}", names.join(", ")),
    }
}
