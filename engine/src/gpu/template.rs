//! The expander behind shaders/*.wgsl. WGSL has no unrolled loops and no arrays of registers that
//! every driver keeps in registers, so tiles are written with loops that are unrolled here.
//!
//! A line whose first word starts with `#` is a directive; the others are copied with every
//! `${expression}` replaced.
//!
//! ```text
//! #for i in 0..TM          repeats to `#end`, i = 0, 1, …
//! #if VECTOR && K > 4      … #else … #end
//! #let half = TN / 2       a variable, up to the end of the enclosing #for
//! ```
//! Expressions are integers with `+ - * / % == != < > <= >= && || !` and parentheses; a name alone may
//! also stand for a text. An expression that ends in `[i]` on a quoted text takes its i-th character:
//! `"xyzw"[i]`.

use std::collections::HashMap;

use crate::error::{Error, Result};

/// What a template variable stands for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// A number; conditions are 0 and 1.
    Int(i64),
    /// WGSL text, inserted as it is.
    Text(String),
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Self::Int(value.into())
    }
}

impl From<usize> for Value {
    fn from(value: usize) -> Self {
        Self::Int(value as i64)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Int(value.into())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

/// The variables a template is expanded with.
#[derive(Debug, Clone, Default)]
pub(crate) struct Variables(HashMap<String, Value>);

impl Variables {
    /// The same variables and one more.
    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }
}

/// Expands `source`, the text of shaders/`name`.wgsl.
///
/// # Errors
/// [`Error::Gpu`] with file and line if the template is malformed or a variable is missing.
pub(crate) fn expand(name: &str, source: &str, variables: &Variables) -> Result<String> {
    let lines: Vec<&str> = source.lines().collect();
    let mut expander = Expander { name, lines: &lines, variables: variables.0.clone(), out: String::new() };
    let end = expander.block(0, true)?;
    if end < lines.len() {
        return Err(expander.fault(end, "#end or #else without #for or #if"));
    }
    Ok(expander.out)
}

struct Expander<'a> {
    name: &'a str,
    lines: &'a [&'a str],
    variables: HashMap<String, Value>,
    out: String,
}

impl Expander<'_> {
    /// Expands (or, when not `live`, only skips) up to the `#end` or `#else` that closes this block;
    /// returns its line.
    fn block(&mut self, mut at: usize, live: bool) -> Result<usize> {
        while let Some(line) = self.lines.get(at) {
            let trimmed = line.trim_start();
            let Some(directive) = trimmed.strip_prefix('#') else {
                if live {
                    self.text(at, line)?;
                }
                at += 1;
                continue;
            };
            let (word, rest) = directive.split_once(char::is_whitespace).unwrap_or((directive, ""));
            at = match word {
                "end" | "else" => return Ok(at),
                "for" => self.repeat(at, rest, live)?,
                "if" => self.choose(at, rest, live)?,
                "let" if live => {
                    let (name, expression) =
                        rest.split_once('=').ok_or_else(|| self.fault(at, "#let needs name = expression"))?;
                    let value = self.value(at, expression)?;
                    self.variables.insert(name.trim().to_owned(), value);
                    at + 1
                }
                "let" => at + 1,
                _ => return Err(self.fault(at, "unknown directive")),
            };
        }
        Ok(at)
    }

    fn repeat(&mut self, at: usize, rest: &str, live: bool) -> Result<usize> {
        let (from, to, variable) = if live {
            let parts =
                rest.split_once(" in ").and_then(|(v, range)| Some((v.trim(), range.split_once("..")?)));
            let (variable, (from, to)) =
                parts.ok_or_else(|| self.fault(at, "#for needs name in from..to"))?;
            (self.int(at, from)?, self.int(at, to)?, variable)
        } else {
            (0, 0, "")
        };
        let mut end = None;
        for i in from..to {
            let shadowed = self.variables.clone();
            self.variables.insert(variable.to_owned(), Value::Int(i));
            end = Some(self.block(at + 1, true)?);
            self.variables = shadowed;
        }
        let end = match end {
            Some(end) => end,
            None => self.block(at + 1, false)?,
        };
        self.expect_end(at, end)
    }

    fn choose(&mut self, at: usize, rest: &str, live: bool) -> Result<usize> {
        let holds = live && self.int(at, rest)? != 0;
        let mut end = self.block(at + 1, holds)?;
        if self.lines.get(end).is_some_and(|l| l.trim() == "#else") {
            end = self.block(end + 1, live && !holds)?;
        }
        self.expect_end(at, end)
    }

    fn expect_end(&self, at: usize, end: usize) -> Result<usize> {
        match self.lines.get(end) {
            Some(line) if line.trim() == "#end" => Ok(end + 1),
            _ => Err(self.fault(at, "no #end")),
        }
    }

    fn text(&mut self, at: usize, line: &str) -> Result<()> {
        let mut rest = line;
        while let Some((before, after)) = rest.split_once("${") {
            let (expression, tail) = after.split_once('}').ok_or_else(|| self.fault(at, "${ without }"))?;
            self.out.push_str(before);
            match self.value(at, expression)? {
                Value::Int(i) => self.out.push_str(&i.to_string()),
                Value::Text(text) => self.out.push_str(&text),
            }
            rest = tail;
        }
        self.out.push_str(rest);
        self.out.push('\n');
        Ok(())
    }

    fn int(&self, at: usize, expression: &str) -> Result<i64> {
        match self.value(at, expression)? {
            Value::Int(i) => Ok(i),
            Value::Text(_) => Err(self.fault(at, "a number is needed here, not a text")),
        }
    }

    fn value(&self, at: usize, expression: &str) -> Result<Value> {
        let mut reader = Reader { text: expression.trim(), variables: &self.variables };
        let value = reader.binary(0).ok_or_else(|| self.fault(at, "expression not understood"))?;
        if reader.text.trim().is_empty() { Ok(value) } else { Err(self.fault(at, "text after expression")) }
    }

    fn fault(&self, at: usize, what: &str) -> Error {
        let line = self.lines.get(at).copied().unwrap_or("").trim();
        Error::Gpu(format!("shaders/{}.wgsl:{}: {what}: {line}", self.name, at + 1))
    }
}

/// Binary operators by binding strength, weakest first; two-character ones before their prefixes.
const OPERATORS: [&[&str]; 5] =
    [&["||"], &["&&"], &["==", "!=", "<=", ">=", "<", ">"], &["+", "-"], &["*", "/", "%"]];

struct Reader<'a> {
    text: &'a str,
    variables: &'a HashMap<String, Value>,
}

impl Reader<'_> {
    fn take(&mut self, token: &str) -> bool {
        let rest = self.text.trim_start().strip_prefix(token);
        if let Some(rest) = rest {
            self.text = rest;
        }
        rest.is_some()
    }

    fn binary(&mut self, strength: usize) -> Option<Value> {
        let Some(operators) = OPERATORS.get(strength) else {
            return self.unary();
        };
        let mut left = self.binary(strength + 1)?;
        while let Some(operator) = operators.iter().find(|o| self.take(o)) {
            let right = self.binary(strength + 1)?;
            left = match (left, right) {
                (Value::Int(a), Value::Int(b)) => Value::Int(apply(operator, a, b)?),
                (Value::Text(a), Value::Text(b)) if *operator == "==" => (a == b).into(),
                (Value::Text(a), Value::Text(b)) if *operator == "!=" => (a != b).into(),
                _ => return None,
            };
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<Value> {
        if self.take("!") {
            return match self.unary()? {
                Value::Int(i) => Some((i == 0).into()),
                Value::Text(_) => None,
            };
        }
        if self.take("(") {
            let inner = self.binary(0)?;
            return self.take(")").then_some(inner);
        }
        if self.take("\"") {
            let (text, rest) = self.text.split_once('"')?;
            let text = text.to_owned();
            self.text = rest;
            if !self.take("[") {
                return Some(Value::Text(text));
            }
            let Value::Int(index) = self.binary(0)? else { return None };
            let character = text.chars().nth(usize::try_from(index).ok()?)?;
            return self.take("]").then(|| Value::Text(character.to_string()));
        }
        let text = self.text.trim_start();
        let length = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
        let (word, rest) = text.split_at(length);
        self.text = rest;
        word.parse().ok().map(Value::Int).or_else(|| self.variables.get(word).cloned())
    }
}

fn apply(operator: &str, a: i64, b: i64) -> Option<i64> {
    Some(match operator {
        "||" => (a != 0 || b != 0).into(),
        "&&" => (a != 0 && b != 0).into(),
        "==" => (a == b).into(),
        "!=" => (a != b).into(),
        "<=" => (a <= b).into(),
        ">=" => (a >= b).into(),
        "<" => (a < b).into(),
        ">" => (a > b).into(),
        "+" => a.checked_add(b)?,
        "-" => a.checked_sub(b)?,
        "*" => a.checked_mul(b)?,
        "/" => a.checked_div(b)?,
        _ => a.checked_rem(b)?,
    })
}

#[cfg(test)]
mod tests {
    use super::{Variables, expand};

    fn check(source: &str, expected: &str) {
        let variables = Variables::default().with("N", 3usize).with("T", "f32").with("YES", true);
        assert_eq!(expand("test", source, &variables).unwrap().trim_end(), expected, "{source}");
    }

    #[test]
    fn directives_and_expressions() {
        check("a ${N * (2 + N) % 4}u: ${T}", "a 3u: f32");
        check(
            "#for i in 1..N\n x${i}\n  #for j in 0..2\ny${i * 2 + j}\n  #end\n#end",
            " x1\ny2\ny3\n x2\ny4\ny5",
        );
        check("#if N == 3 && !(N < 3)\nyes\n#else\nno\n#end", "yes");
        check("#if T == \"f16\"\nyes\n#else\nno\n#end", "no");
        check("#if !YES\n#for i in 0..missing\n#end\n#else\n#let h = N / 2\n${h}\n#end", "1");
        check("${\"xyzw\"[N - 1]}", "z");
        check("#for i in 0..0\nnever\n#end\nend", "end");
    }

    #[test]
    fn faults_name_file_and_line() {
        for (source, at) in [
            ("fine\n${missing}", ":2:"),
            ("#for i in 0..2\nx", ":1:"),
            ("#end", ":1:"),
            ("${1 +}", ":1:"),
            ("${1 / 0}", ":1:"),
            ("#what", ":1:"),
            ("${N", ":1:"),
            ("#for i in T..2\n#end", ":1:"),
            ("${1 2}", ":1:"),
        ] {
            let error = expand("test", source, &Variables::default().with("N", 1usize).with("T", "f32"));
            let text = error.unwrap_err().to_string();
            assert!(text.contains("shaders/test.wgsl") && text.contains(at), "{source}: {text}");
        }
    }
}
