//! The reader's program as text: a shape, named views, and writes.

use napkin_accounting::decimal;
use napkin_engine::layout::{Layout, checked_numel};
use napkin_engine::view_expr::{IndexItem, ViewExpr, ViewOp, parse};
use napkin_engine::{Error, Result as EngineResult};

/// Most dimensions that are drawn.
const MAX_RANK: usize = 5;

/// Most views beside `x`.
pub const MAX_VIEWS: usize = 6;

/// The tensor that everything begins with.
pub const FIRST: &str = "x";

/// `y = x.transpose(0, 1)`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Left of the sign.
    pub name: String,
    /// Right of the sign, as typed.
    pub source: String,
    /// The same, understood.
    pub expr: ViewExpr,
}

/// `y[0, 1] = 100`
#[derive(Debug, Clone, PartialEq)]
pub struct Write {
    /// The tensor through which it goes.
    pub name: String,
    /// One index for each dimension.
    pub index: Vec<usize>,
    /// What is written.
    pub value: f32,
}

/// A shape: sizes with commas or × between them, perhaps in brackets.
pub fn read_shape(text: &str) -> Result<Vec<usize>, String> {
    let bare = text.trim();
    let bare = bare.strip_prefix("torch.Size").unwrap_or(bare);
    let bare = bare.trim_matches(['(', ')', '[', ']', ' ']).trim_end_matches(',');
    if bare.trim().is_empty() {
        let is_scalar = text.contains(['(', '[']);
        return if is_scalar { Ok(Vec::new()) } else { Err("Shape needs sizes, such as 2, 3.".to_owned()) };
    }
    let mut shape = Vec::new();
    for size in bare.split([',', 'x', '×', '*']).map(str::trim) {
        let digits = size.replace('_', "");
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number {
            let what = if size.starts_with('-') { "no size is negative" } else { "sizes are whole numbers" };
            return Err(format!("Shape: {size:?} is not a size; {what}, with commas between them."));
        }
        let beyond = |_| format!("Shape: {size} elements are more than can be indexed.");
        shape.push(digits.parse().map_err(beyond)?);
    }
    if shape.len() > MAX_RANK {
        return Err(format!("Shape has {} dimensions; at most {MAX_RANK} can be drawn.", shape.len()));
    }
    checked_numel(&shape).map_err(|error| format!("Shape: {error}."))?;
    Ok(shape)
}

/// Statements with semicolons or line ends between them.
pub fn read_views(text: &str) -> Result<Vec<Statement>, String> {
    let mut views: Vec<Statement> = Vec::new();
    for statement in text.split([';', '\n']).map(str::trim).filter(|statement| !statement.is_empty()) {
        let (name, source) = statement
            .split_once('=')
            .map(|(name, source)| (name.trim(), source.trim()))
            .ok_or_else(|| format!("A view is written as y = x.T, not {statement:?}."))?;
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !is_name {
            return Err(format!("{name:?} is not a name for a view."));
        }
        let is_known = |known: &str| known == FIRST || views.iter().any(|view| view.name == known);
        if is_known(name) {
            return Err(format!("There is a tensor {name} already; a view needs a name of its own."));
        }
        let expr = parse(source).map_err(|error| explain(source, &error))?;
        if !is_known(&expr.name) {
            return Err(format!("{name} is made from {}, which does not exist (yet).", expr.name));
        }
        if views.len() == MAX_VIEWS {
            return Err(format!("There are at most {MAX_VIEWS} views at a time."));
        }
        views.push(Statement { name: name.to_owned(), source: source.to_owned(), expr });
    }
    Ok(views)
}

/// The statements as one text.
pub fn write_views(views: &[(String, String)]) -> String {
    views.iter().map(|(name, source)| format!("{name} = {source}")).collect::<Vec<_>>().join("; ")
}

/// A typo with its place marked: the position alone says little in a field.
fn explain(source: &str, error: &Error) -> String {
    match error {
        Error::Parse { position, message } => {
            let (before, after) = source.split_at_checked(*position).unwrap_or((source, ""));
            let before: String =
                before.chars().rev().take(16).collect::<Vec<_>>().into_iter().rev().collect();
            let after: String = after.chars().take(16).collect();
            format!("At “{before}▸{after}”: {message}.")
        }
        other => other.to_string(),
    }
}

/// Writes with semicolons between them.
pub fn read_writes(text: &str) -> Result<Vec<Write>, String> {
    let statements = text.split([';', '\n']).map(str::trim).filter(|statement| !statement.is_empty());
    statements.map(read_write).collect()
}

fn read_write(text: &str) -> Result<Write, String> {
    let fault = || format!("A write is written as x[0, 1] = 100, not {text:?}.");
    let (target, value) = text.split_once('=').ok_or_else(fault)?;
    let expr = parse(target).map_err(|error| explain(target, &error))?;
    let mut index = Vec::new();
    for (op, _) in &expr.ops {
        let ViewOp::Index(items) = op else { return Err(fault()) };
        for item in items {
            let IndexItem::At(at) = item else { return Err(fault()) };
            index.push(usize::try_from(*at).map_err(|_| fault())?);
        }
    }
    Ok(Write { name: expr.name, index, value: read_value(value)? })
}

/// The writes as one text.
pub fn write_writes(writes: &[Write]) -> String {
    let one = |write: &Write| {
        format!("{}[{}] = {}", write.name, join(&write.index), decimal::shortest_f32(write.value))
    };
    writes.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// A value for an element.
pub fn read_value(text: &str) -> Result<f32, String> {
    let text = text.trim();
    match decimal::read(text) {
        Some(value) if (value as f32).is_finite() => Ok(value as f32),
        Some(_) => Err(format!("The value must be finite and at most 3.4e38, the largest fp32; not {text}.")),
        None => Err(format!("The value must be a number such as 100 or -2.5, not {text:?}.")),
    }
}

/// `1, 2`
pub fn join(numbers: &[usize]) -> String {
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}

/// Sizes or strides as Python prints them: `(4, 1)`, `(4,)`, `()`.
pub fn tuple(numbers: &[usize]) -> String {
    match numbers {
        [one] => format!("({one},)"),
        _ => format!("({})", join(numbers)),
    }
}

/// The layout of `x`.
pub fn first_layout(shape: &[usize]) -> EngineResult<Layout> {
    Layout::contiguous(shape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_read_as_people_write_them() {
        for text in ["2, 3", "2,3", "(2, 3)", "[2, 3]", "2x3", "2 × 3", "torch.Size([2, 3])", " 2 , 3 ,"] {
            assert_eq!(read_shape(text), Ok(vec![2, 3]), "{text}");
        }
        assert_eq!(read_shape("()"), Ok(vec![]));
        assert_eq!(read_shape("0, 3"), Ok(vec![0, 3]));
        assert_eq!(read_shape("49_152, 12288"), Ok(vec![49152, 12288]));
        for (text, words) in [
            ("", "needs sizes"),
            ("abc", "\"abc\" is not a size"),
            ("2, -3", "negative"),
            ("2.5", "whole numbers"),
            ("1e400", "whole numbers"),
            ("2,,3", "\"\" is not a size"),
            ("1,1,1,1,1,1", "6 dimensions"),
            ("134217728, 134217728", "elements"),
            ("99999999999999999999999", "elements"),
        ] {
            let sentence = read_shape(text).unwrap_err();
            assert!(sentence.starts_with("Shape") && sentence.contains(words), "{text}: {sentence}");
        }
    }

    #[test]
    fn programs_read_back_as_they_are_written() {
        let views = read_views("y = x.T;z=y[0]\nw = z").unwrap();
        let names: Vec<_> = views.iter().map(|view| view.name.as_str()).collect();
        assert_eq!(names, ["y", "z", "w"]);
        let pairs: Vec<_> = views.iter().map(|view| (view.name.clone(), view.source.clone())).collect();
        let text = write_views(&pairs);
        assert_eq!(text, "y = x.T; z = y[0]; w = z");
        assert_eq!(read_views(&text), Ok(views));
        let writes = read_writes("x[0][0] = 100; y[1, 2]=-2.5").unwrap();
        let text = write_writes(&writes);
        assert_eq!(text, "x[0, 0] = 100; y[1, 2] = -2.5");
        assert_eq!(read_writes(&text), Ok(writes));
    }

    #[test]
    fn faults_are_named() {
        for (text, words) in [
            ("x.T", "y = x.T"),
            ("2y = x", "not a name"),
            ("x = x.T", "already"),
            ("y = x; y = x", "already"),
            ("y = z", "does not exist"),
            ("y = x.tranpose(0, 1)", "At “x.▸tranpose(0, 1)”: there is no view operation"),
            ("a=x;b=x;c=x;d=x;e=x;f=x;g=x", "at most 6"),
        ] {
            let sentence = read_views(text).unwrap_err();
            assert!(sentence.contains(words), "{text}: {sentence}");
        }
        for text in ["x = 1", "x[0]", "x[:] = 1", "x[-1] = 1", "x[0] = abc", "x[0] = 1e400", "x[0] = NaN"] {
            assert_eq!(read_writes(text).is_err(), text != "x = 1", "{text}");
        }
    }
}
