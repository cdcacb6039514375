//! Expressions over shapes as people type them: `softmax(4096x4096)`, `[8, 64] @ [64, 8] + 1`.

use crate::cursor::Cursor;
use crate::error::Result;
use crate::view_expr::suggest::nearest;

use super::functions::{FUNCTIONS, Function, Options};

/// Longer expressions are refused.
const MAX_LENGTH: usize = 1000;

/// Deeper ones as well: reading and computing call themselves.
const MAX_DEPTH: usize = 32;

/// A tensor has at most this many elements: beyond, what is counted no longer fits into 64 bits.
const MAX_NUMEL: usize = 1 << 31;

/// What an expression is made of.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expr {
    /// The input of that number.
    Tensor(usize),
    /// A number.
    Number(f64),
    /// `-x`
    Negative(Box<Expr>),
    /// `a + b` and the like, by the operator.
    Binary(Operator, Box<[Expr; 2]>),
    /// A function of its arguments.
    Call(&'static Function, Vec<Expr>, Options),
}

/// What stands between two arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Sub,
    Mul,
    Div,
    Matmul,
    Pow,
}

/// A parsed expression and the shapes of its inputs, in the order in which they stand there.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parsed {
    pub(super) expr: Expr,
    pub(super) shapes: Vec<Vec<usize>>,
}

/// Reads an expression in which a shape, `8x128x64` or `[8, 128, 64]`, stands for a tensor of its own. A single number
/// is a shape where a function wants a tensor, `relu(4096)`, and a number everywhere else.
///
/// # Errors
/// [`crate::Error::Parse`] with the place where reading stopped and a sentence that names the argument and the rule.
pub(super) fn parse(text: &str) -> Result<Parsed> {
    let mut reader = Reader { cursor: Cursor::new(text, MAX_LENGTH)?, shapes: Vec::new(), depth: 0 };
    let expr = reader.sum()?;
    reader.cursor.spaces();
    if !reader.cursor.rest().is_empty() {
        let found = reader.cursor.found();
        return reader.cursor.fail(format!("expected an operator or the end, found {found}"));
    }
    if matches!(expr, Expr::Number(_)) {
        return reader
            .cursor
            .fail_at(0, "a number alone has nothing to measure: write a shape such as [4096] or 8x64");
    }
    Ok(Parsed { expr, shapes: reader.shapes })
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    shapes: Vec<Vec<usize>>,
    depth: usize,
}

/// An argument of a function, and where it begins.
enum Argument {
    Value(Expr),
    Text(String),
}

impl Reader<'_> {
    fn sum(&mut self) -> Result<Expr> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.cursor.fail(format!("the expression is nested deeper than {MAX_DEPTH} levels"));
        }
        let mut left = self.product()?;
        loop {
            let operator = match () {
                () if self.cursor.take_after_spaces('+') => Operator::Add,
                () if self.cursor.take('-') => Operator::Sub,
                () => break,
            };
            left = binary(operator, left, self.product()?);
        }
        self.depth -= 1;
        Ok(left)
    }

    fn product(&mut self) -> Result<Expr> {
        let mut left = self.signed()?;
        loop {
            let operator = match () {
                () if self.cursor.take_after_spaces('*') => Operator::Mul,
                () if self.cursor.take('/') => Operator::Div,
                () if self.cursor.take('@') => Operator::Matmul,
                () => return Ok(left),
            };
            left = binary(operator, left, self.signed()?);
        }
    }

    fn signed(&mut self) -> Result<Expr> {
        let mut is_negative = false;
        while self.cursor.take_after_spaces('-') {
            is_negative = !is_negative;
        }
        let base = self.primary()?;
        self.cursor.spaces();
        let value = if self.cursor.rest().starts_with("**") {
            self.cursor.at += 2;
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return self.cursor.fail(format!("the expression is nested deeper than {MAX_DEPTH} levels"));
            }
            let exponent = self.signed()?;
            self.depth -= 1;
            binary(Operator::Pow, base, exponent)
        } else {
            base
        };
        Ok(match (is_negative, value) {
            (false, value) => value,
            (true, Expr::Number(number)) => Expr::Number(-number),
            (true, value) => Expr::Negative(Box::new(value)),
        })
    }

    fn primary(&mut self) -> Result<Expr> {
        self.cursor.spaces();
        let start = self.cursor.at;
        if self.cursor.take('(') {
            let inner = self.sum()?;
            if !self.cursor.take_after_spaces(')') {
                let found = self.cursor.found();
                return self
                    .cursor
                    .fail(format!("expected an operator or a closing parenthesis, found {found}"));
            }
            return Ok(inner);
        }
        if self.cursor.take('[') {
            let sizes = self.list()?;
            return self.tensor(start, sizes);
        }
        if self.cursor.rest().starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            return self.number_or_shape();
        }
        let name = self.cursor.name();
        if name.is_empty() {
            let found = self.cursor.found();
            return self
                .cursor
                .fail(format!("expected a shape such as 8x128x64, a number or a function, found {found}"));
        }
        let Some(function) = FUNCTIONS.iter().find(|function| function.names.contains(&name)) else {
            return self.cursor.fail_at(start, unknown(name));
        };
        if !self.cursor.take_after_spaces('(') {
            return self.cursor.fail(format!("{name} is a function: it needs parentheses"));
        }
        self.call(function, name, start)
    }

    /// `[8, 128, 64` up to and with the closing bracket.
    fn list(&mut self) -> Result<Vec<usize>> {
        let mut sizes = Vec::new();
        loop {
            if self.cursor.take_after_spaces(']') {
                return Ok(sizes);
            }
            sizes.push(self.size()?);
            if !self.cursor.take_after_spaces(',') && !self.cursor.rest().starts_with(']') {
                let found = self.cursor.found();
                return self.cursor.fail(format!("expected a comma or a closing bracket, found {found}"));
            }
        }
    }

    fn size(&mut self) -> Result<usize> {
        let start = self.cursor.at;
        let digits = self.cursor.take_while(|c| c.is_ascii_digit() || c == '_').replace('_', "");
        if digits.is_empty() {
            let found = self.cursor.found();
            return self.cursor.fail(format!("expected a size, a whole number above 0, found {found}"));
        }
        match digits.parse() {
            Ok(size) => Ok(size),
            Err(_) => self
                .cursor
                .fail_at(start, format!("the size {digits} is too large: at most {MAX_NUMEL} elements")),
        }
    }

    /// `8x128x64`, or a number as Python writes it.
    fn number_or_shape(&mut self) -> Result<Expr> {
        let start = self.cursor.at;
        let digits = self.cursor.take_while(|c| c.is_ascii_digit() || c == '_');
        if !digits.is_empty() && self.cursor.rest().starts_with(['x', '×']) {
            self.cursor.at = start;
            let mut sizes = vec![self.size()?];
            while self.cursor.take('x') || self.cursor.take('×') {
                sizes.push(self.size()?);
            }
            return self.tensor(start, sizes);
        }
        self.cursor.take('.');
        self.cursor.take_while(|c| c.is_ascii_digit() || c == '_');
        if self.cursor.take('e') || self.cursor.take('E') {
            let _ = self.cursor.take('-') || self.cursor.take('+');
            self.cursor.take_while(|c| c.is_ascii_digit());
        }
        let written = &self.cursor.text[start..self.cursor.at];
        match written.replace('_', "").parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Expr::Number(number)),
            _ => self.cursor.fail_at(start, format!("{written:?} is no finite number")),
        }
    }

    fn tensor(&mut self, start: usize, sizes: Vec<usize>) -> Result<Expr> {
        let numel = sizes.iter().try_fold(1usize, |all, &size| all.checked_mul(size));
        if numel == Some(0) {
            return self
                .cursor
                .fail_at(start, "a tensor without elements has nothing to measure: sizes are above 0");
        }
        if numel.is_none_or(|numel| numel > MAX_NUMEL) {
            let message =
                format!("a tensor of shape {sizes:?}: at most {MAX_NUMEL} elements can be measured");
            return self.cursor.fail_at(start, message);
        }
        self.shapes.push(sizes);
        Ok(Expr::Tensor(self.shapes.len() - 1))
    }

    /// The arguments of a function, up to and with the closing parenthesis.
    fn call(&mut self, function: &'static Function, name: &str, start: usize) -> Result<Expr> {
        let (mut values, mut options) = (Vec::new(), Options::default());
        while !self.cursor.take_after_spaces(')') {
            let at = self.cursor.at;
            match self.argument(function, name, &mut options)? {
                // A number where a tensor belongs is the size of its one dimension.
                Some(Argument::Value(Expr::Number(_))) if values.is_empty() || !function.takes_number => {
                    let written = self.cursor.text[at..self.cursor.at].trim();
                    let Ok(size) = written.replace('_', "").parse() else {
                        let message = format!("{name}() takes tensors here: {written} is no shape");
                        return self.cursor.fail_at(at, message);
                    };
                    values.push(self.tensor(at, vec![size])?);
                }
                Some(Argument::Value(value)) => values.push(value),
                Some(Argument::Text(text)) if function.takes_pattern && options.pattern.is_empty() => {
                    options.pattern = text;
                }
                Some(Argument::Text(_)) => {
                    return self.cursor.fail_at(at, format!("{name}() takes no text here"));
                }
                None => {}
            }
            if !self.cursor.take_after_spaces(',') && !self.cursor.rest().starts_with(')') {
                let found = self.cursor.found();
                return self.cursor.fail(format!("expected a comma or a closing parenthesis, found {found}"));
            }
        }
        let (least, most) = function.tensors;
        if !(least..=most).contains(&values.len()) {
            let rule = match (least, most) {
                (1, 1) => "1 tensor".to_owned(),
                (least, most) if least == most => format!("{least} tensors"),
                (least, _) => format!("at least {least} and at most {most} tensors"),
            };
            return self.cursor.fail_at(start, format!("{name}() takes {rule}, got {}", values.len()));
        }
        if function.takes_pattern && options.pattern.is_empty() {
            let message =
                format!("{name}() needs a pattern in quotes, such as {name}(\"i k, k j -> i j\", 8x4, 4x2)");
            return self.cursor.fail_at(start, message);
        }
        Ok(Expr::Call(function, values, options))
    }

    /// A tensor, a text, or `name=value`, which goes into the options.
    fn argument(
        &mut self,
        function: &Function,
        name: &str,
        options: &mut Options,
    ) -> Result<Option<Argument>> {
        self.cursor.spaces();
        let start = self.cursor.at;
        if self.cursor.rest().starts_with(['"', '\'']) {
            return Ok(Some(Argument::Text(self.text()?)));
        }
        let key = self.cursor.name();
        if key.is_empty() || !self.cursor.take_after_spaces('=') {
            self.cursor.at = start;
            return Ok(Some(Argument::Value(self.sum()?)));
        }
        if !function.options.contains(&key) {
            let takes = if function.options.is_empty() {
                "no options".to_owned()
            } else {
                function.options.join(", ")
            };
            return self.cursor.fail_at(start, format!("{name}() has no option {key:?}: it takes {takes}"));
        }
        self.cursor.spaces();
        let at = self.cursor.at;
        match key {
            "dim" => {
                let is_negative = self.cursor.take('-');
                let digits = self.cursor.take_while(|c| c.is_ascii_digit());
                match digits.parse::<isize>() {
                    Ok(dim) => options.dim = Some(if is_negative { -dim } else { dim }),
                    Err(_) => return self.cursor.fail_at(at, "dim is a whole number such as -1"),
                }
            }
            "is_causal" => match self.cursor.name() {
                "True" => options.is_causal = true,
                "False" => options.is_causal = false,
                _ => return self.cursor.fail_at(at, "is_causal is True or False"),
            },
            _ => match self.text()?.as_str() {
                "tanh" => options.is_tanh = true,
                "none" => options.is_tanh = false,
                _ => return self.cursor.fail_at(at, "approximate is \"none\" or \"tanh\""),
            },
        }
        Ok(None)
    }

    /// What stands between two quotes.
    fn text(&mut self) -> Result<String> {
        let start = self.cursor.at;
        for quote in ['"', '\''] {
            if self.cursor.take(quote) {
                let text = self.cursor.take_while(|c| c != quote);
                if self.cursor.take(quote) {
                    return Ok(text.to_owned());
                }
                return self.cursor.fail_at(start, "a text ends with the quote that it begins with");
            }
        }
        self.cursor.fail("expected a text in quotes")
    }
}

/// Two numbers make a number.
fn binary(operator: Operator, left: Expr, right: Expr) -> Expr {
    match (operator, &left, &right) {
        (Operator::Matmul, ..) => {}
        (_, Expr::Number(a), Expr::Number(b)) => {
            return Expr::Number(match operator {
                Operator::Add => a + b,
                Operator::Sub => a - b,
                Operator::Mul => a * b,
                Operator::Div => a / b,
                Operator::Matmul | Operator::Pow => a.powf(*b),
            });
        }
        _ => {}
    }
    Expr::Binary(operator, Box::new([left, right]))
}

fn unknown(name: &str) -> String {
    let names: Vec<&str> = FUNCTIONS.iter().flat_map(|function| function.names).copied().collect();
    match nearest(name, &names) {
        Some(meant) => format!("there is no function {name:?}; did you mean {meant:?}?"),
        None => format!("there is no function {name:?}; there are {}", names.join(", ")),
    }
}
