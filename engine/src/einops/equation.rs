//! The two notations of einsum, named axes and letters, and what both say.

use super::pattern::{Axis, Rules, parse, sides};
use crate::error::{Error, Result};

/// Most axes that PyTorch's letters can tell apart.
const MOST_AXES: usize = 52;

/// One entry of an operand's list.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Subscript {
    /// An axis, by its name.
    Label(String),
    /// The dimensions that no label takes.
    Ellipsis,
}

/// What einsum is asked for.
#[derive(Debug, PartialEq)]
pub(super) struct Equation {
    pub(super) inputs: Vec<Vec<Subscript>>,
    /// `None`: the ellipsis, then the labels that stand once.
    pub(super) output: Option<Vec<Subscript>>,
}

impl Equation {
    /// `a b, b c -> a c`.
    ///
    /// # Errors
    /// With einops' message if it does not parse.
    pub(super) fn named(pattern: &str) -> Result<Self> {
        if !pattern.contains("->") {
            let message = "Einsum pattern must contain '->'.".into();
            return Err(Error::Parse { position: pattern.len(), message });
        }
        let (left, (right, start)) = sides(pattern)?;
        let mut inputs = Vec::new();
        let mut names: Vec<Subscript> = Vec::new();
        let mut at = 0;
        for operand in left.split(',') {
            let subscripts = subscripts(operand, at, Rules { underscore: true, duplicates: true })?;
            at += operand.len() + 1;
            for subscript in subscripts.iter().filter(|s| **s != Subscript::Ellipsis) {
                if !names.contains(subscript) {
                    names.push(subscript.clone());
                }
            }
            inputs.push(subscripts);
        }
        if names.len() > MOST_AXES {
            return Err(Error::shape("einsum", "Too many axes in einsum."));
        }
        let output = subscripts(right, start, Rules { underscore: true, duplicates: false })?;
        for subscript in &output {
            if let Subscript::Label(name) = subscript
                && !names.contains(subscript)
            {
                return Err(Error::shape(
                    "einsum",
                    format!("Unknown axis {name} on right side of einsum {pattern}."),
                ));
            }
        }
        Ok(Self { inputs, output: Some(output) })
    }

    /// `ab,bc->ac`, or `ab,bc`.
    ///
    /// # Errors
    /// With PyTorch's message if it does not parse.
    pub(super) fn lettered(equation: &str) -> Result<Self> {
        let (left, right) = match equation.split_once("->") {
            Some((left, right)) => (left, Some(right)),
            None => (equation, None),
        };
        let mut inputs = Vec::new();
        let mut at = 0;
        for (i, operand) in left.split(',').enumerate() {
            let place = format!("operand {i}");
            inputs.push(letters(operand, at, &place, "for which an ellipsis was already found", "ellipsis")?);
            at += operand.len() + 1;
        }
        let already = "but an ellipsis (...) was already found";
        let output = right
            .map(|right| letters(right, left.len() + 2, "output", already, "ellipsis (...)"))
            .transpose()?;
        Ok(Self { inputs, output })
    }
}

/// The names of one operand, which stands at byte `start` of the pattern.
fn subscripts(operand: &str, start: usize, rules: Rules) -> Result<Vec<Subscript>> {
    let one = |group: super::pattern::Group| {
        let refused = |message| Err(Error::shape("einsum", message));
        match group.axes.as_slice() {
            [] => refused("Singleton () axes are not yet supported in einsum."),
            [Axis::Name(name)] => Ok(Subscript::Label(name.clone())),
            [Axis::Ellipsis] if !group.in_parentheses => Ok(Subscript::Ellipsis),
            [Axis::Number { .. }] => refused("Anonymous axes are not yet supported in einsum."),
            _ => refused("Shape rearrangement is not yet supported in einsum."),
        }
    };
    parse(operand, start, rules)?.into_iter().map(one).collect()
}

/// The letters of one operand or of the output, which stands at byte `start` of the equation.
fn letters(text: &str, start: usize, place: &str, already: &str, ellipsis: &str) -> Result<Vec<Subscript>> {
    let fault = |message: String| Err(Error::shape("einsum", format!("einsum(): {message}")));
    let mut out = Vec::new();
    let mut rest = text.char_indices();
    while let Some((i, c)) = rest.next() {
        match c {
            ' ' => {}
            '.' if out.contains(&Subscript::Ellipsis) => {
                return fault(format!("found '.' for {place} {already}"));
            }
            '.' => {
                if !rest.as_str().starts_with("..") {
                    return fault(format!("found '.' for {place} that is not part of any {ellipsis}"));
                }
                rest.nth(1);
                out.push(Subscript::Ellipsis);
            }
            _ if c.is_ascii_alphabetic() => out.push(Subscript::Label(c.into())),
            _ => {
                return fault(format!(
                    "invalid subscript given at index {} in the equation string, subscripts must be in [a-zA-Z]",
                    start + i
                ));
            }
        }
    }
    Ok(out)
}
