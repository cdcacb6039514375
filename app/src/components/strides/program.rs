//! The reader's program as text: a shape, named views, and writes.

use std::num::{IntErrorKind, ParseIntError};

use napkin_engine::layout::checked_numel;
use napkin_engine::view_expr::{IndexItem, ViewExpr, ViewOp, parse};
use napkin_engine::{DType, Error};
use napkin_trace::trace::Map;

use crate::components::number::join;

const MAX_RANK: usize = 5;

/// Most views beside the tensors that everything begins with.
pub const MAX_VIEWS: usize = 6;

/// The tensor that everything begins with, unless the explorer was given others.
pub const FIRST: &str = "x";

/// `y = x.transpose(0, 1)`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    pub name: String,
    pub source: String,
    /// The same, understood.
    pub expr: ViewExpr,
}

/// `y[0, 1] = 100`
#[derive(Debug, Clone, PartialEq)]
pub struct Write {
    pub name: String,
    pub index: Vec<usize>,
    pub value: f64,
}

/// A shape: sizes with commas or × between them, perhaps in brackets.
pub fn read_shape(text: &str) -> Result<Vec<usize>, String> {
    let bare = text.trim().trim_start_matches("torch.Size");
    let bare = bare.trim_matches(['(', ')', '[', ']', ' ']).trim_end_matches(',').trim();
    if bare.is_empty() {
        let is_scalar = text.contains(['(', '[']);
        return if is_scalar { Ok(Vec::new()) } else { Err("Shape needs sizes, such as 2, 3.".to_owned()) };
    }
    let read = |size: &str| {
        size.replace('_', "").parse().map_err(|error: ParseIntError| match error.kind() {
            IntErrorKind::PosOverflow => format!("Shape: {size} elements are more than can be indexed."),
            _ => {
                let rule =
                    if size.starts_with('-') { "no size is negative" } else { "sizes are whole numbers" };
                format!("Shape: {size:?} is not a size; {rule}, with commas between them.")
            }
        })
    };
    let sizes = bare.split([',', 'x', '×', '*']).map(str::trim);
    let shape = sizes.map(read).collect::<Result<Vec<usize>, _>>()?;
    if shape.len() > MAX_RANK {
        return Err(format!("Shape has {} dimensions; at most {MAX_RANK} can be drawn.", shape.len()));
    }
    checked_numel(&shape).map_err(|error| format!("Shape: {error}."))?;
    Ok(shape)
}

/// What stands between semicolons or line ends.
fn statements(text: &str) -> impl Iterator<Item = &str> {
    text.split([';', '\n']).map(str::trim).filter(|statement| !statement.is_empty())
}

/// Statements with semicolons or line ends between them. What each is made from has to be among those before it only
/// for [`check_names`].
pub fn read_views(text: &str) -> Result<Vec<Statement>, String> {
    let read = |statement: &str| {
        let parts = statement.split_once('=').map(|(name, source)| (name.trim(), source.trim()));
        let (name, source) =
            parts.ok_or_else(|| format!("A view is written as y = x.T, not {statement:?}."))?;
        if !parse(name).is_ok_and(|expr| expr.ops.is_empty()) {
            return Err(format!("{name:?} is not a name for a view."));
        }
        let expr = parse(source).map_err(|error| explain(source, &error))?;
        Ok(Statement { name: name.to_owned(), source: source.to_owned(), expr })
    };
    let views = statements(text).map(read).collect::<Result<Vec<_>, _>>()?;
    if views.len() > MAX_VIEWS {
        return Err(format!("There are at most {MAX_VIEWS} views at a time."));
    }
    Ok(views)
}

/// Checks that every view has a name of its own and is made from what is `known` before it.
pub fn check_names(mut known: Vec<String>, views: &[Statement]) -> Result<(), String> {
    for Statement { name, expr, .. } in views {
        if known.contains(name) {
            return Err(format!("There is a tensor {name} already; a view needs a name of its own."));
        }
        if !known.contains(&expr.name) {
            return Err(format!("{name} is made from {}, which does not exist (yet).", expr.name));
        }
        known.push(name.clone());
    }
    Ok(())
}

/// The views by name, each with its source, as [`read_views`] reads them.
pub fn write_views(views: &Map<String>) -> String {
    views.iter().map(|(name, source)| format!("{name} = {source}")).collect::<Vec<_>>().join("; ")
}

/// A typo with its place marked: the position alone says little in a field.
fn explain(source: &str, error: &Error) -> String {
    match error {
        Error::Parse { position, message } => {
            let (before, after) = source.split_at_checked(*position).unwrap_or((source, ""));
            let before: String = before.chars().skip(before.chars().count().saturating_sub(16)).collect();
            format!("At “{before}▸{after:.16}”: {message}.")
        }
        other => other.to_string(),
    }
}

pub fn read_writes(text: &str) -> Result<Vec<Write>, String> {
    statements(text).map(read_write).collect()
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

pub fn write_writes(writes: &[Write]) -> String {
    let one = |Write { name, index, value }: &Write| format!("{name}[{}] = {value}", join(index));
    writes.iter().map(one).collect::<Vec<_>>().join("; ")
}

pub fn read_value(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let value = text.parse().ok().filter(|value: &f64| value.is_finite());
    value.ok_or_else(|| format!("The value must be a finite number such as 100 or -2.5, not {text:?}."))
}

/// What a tensor of that dtype keeps of a number.
pub fn stored(dtype: DType, value: f64) -> f64 {
    match (dtype, dtype.format()) {
        (DType::F64, _) => value,
        (DType::Bool, _) => f64::from(u8::from(value != 0.0)),
        (_, Some(format)) => format.decode(format.store(value).0),
        (_, None) => value.trunc(),
    }
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
        let sources = views.into_iter().map(|view| (view.name, view.source)).collect();
        assert_eq!(write_views(&sources), "y = x.T; z = y[0]; w = z");
        let writes = read_writes("x[0][0] = 100; y[1, 2]=-2.5").unwrap();
        assert_eq!(write_writes(&writes), "x[0, 0] = 100; y[1, 2] = -2.5");
    }

    #[test]
    fn a_dtype_keeps_what_it_can() {
        for (dtype, value, kept) in [
            (DType::F32, 0.1, f64::from(0.1_f32)),
            (DType::F64, 0.1, 0.1),
            (DType::BF16, 1.01, 1.0078125),
            (DType::F16, 70000.0, f64::INFINITY),
            (DType::I64, -2.5, -2.0),
            (DType::Bool, -2.5, 1.0),
        ] {
            assert_eq!(stored(dtype, value), kept, "{dtype:?} {value}");
        }
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
            let checked = read_views(text).and_then(|views| check_names(vec!["x".to_owned()], &views));
            let sentence = checked.unwrap_err();
            assert!(sentence.contains(words), "{text}: {sentence}");
        }
        for text in ["x = 1", "x[0]", "x[:] = 1", "x[-1] = 1", "x[0] = abc", "x[0] = 1e400", "x[0] = NaN"] {
            assert_eq!(read_writes(text).is_err(), text != "x = 1", "{text}");
        }
    }
}
