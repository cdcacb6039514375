//! What rearrange, reduce and repeat do: split the dimensions into axes, permute them, combine the ones that
//! go, add new ones, and join them to dimensions.

use std::collections::{BTreeMap, BTreeSet};

use super::Reduction;
use super::pattern::{Axis, Group, Rules, parse, refused_name, sides};
use crate::error::{Error, Result};
use crate::layout::checked_numel;
use crate::{DType, Tensor};

/// Which of the three it is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Operation {
    Rearrange,
    Reduce(Reduction),
    Repeat,
}

impl Operation {
    fn name(self) -> &'static str {
        match self {
            Self::Rearrange => "rearrange",
            Self::Reduce(_) => "reduce",
            Self::Repeat => "repeat",
        }
    }

    fn fault(self, message: impl Into<String>) -> Error {
        Error::shape(self.name(), message)
    }
}

/// `pattern` applied to `x`; `sizes` are those of axes that the shape does not tell.
///
/// # Errors
/// With einops' message if the pattern does not parse, is none of this operation, or does not fit the shape.
pub(super) fn transform(op: Operation, x: &Tensor, pattern: &str, sizes: &[(&str, usize)]) -> Result<Tensor> {
    let (left, (right, start)) = sides(pattern)?;
    let left = parse(left, 0, Rules::default())?;
    let right = parse(right, start, Rules::default())?;
    check_sides(op, pattern, &left, &right, sizes)?;
    let covered = covered(op, &left, x.shape().len())?;
    let (left, right) = (spread(left, &covered), spread(right, &covered));
    let lengths = lengths(op, &left, &right, x.shape(), sizes)?;
    // Every axis has a length by now: only a dimension without parts counts 1.
    let length = |axis: &Axis| lengths.get(axis).copied().unwrap_or(1);

    let before: Vec<&Axis> = flat(&left).collect();
    let after: Vec<&Axis> = flat(&right).collect();
    let mut out = x.clone();
    if left.iter().any(|group| group.axes.len() != 1) {
        out = out.reshape(&signed(before.iter().map(|axis| length(axis)))?)?;
    }
    let kept = after.iter().filter_map(|axis| place(&before, axis));
    let gone = (0..before.len()).filter(|&d| before.get(d).is_some_and(|axis| !after.contains(axis)));
    let order: Vec<usize> = kept.chain(gone).collect();
    if !order.is_sorted() {
        out = out.permute(&order.iter().map(|d| d.cast_signed()).collect::<Vec<_>>())?;
    }
    let is_new = |axis: &&Axis| !before.contains(axis);
    let rank = after.iter().filter(|axis| !is_new(axis)).count();
    if let Operation::Reduce(reduction) = op
        && rank < before.len()
    {
        out = combine(&out, reduction, rank)?;
    }
    if after.iter().any(is_new) {
        for (d, _) in after.iter().enumerate().filter(|(_, axis)| is_new(axis)) {
            out = out.unsqueeze(d.cast_signed())?;
        }
        out = out.expand(&signed(after.iter().map(|axis| length(axis)))?)?;
    }
    if right.iter().any(|group| group.axes.len() != 1) {
        out = out.reshape(&signed(right.iter().map(|group| group.axes.iter().map(length).product()))?)?;
    }
    Ok(out)
}

fn flat(groups: &[Group]) -> impl Iterator<Item = &Axis> {
    groups.iter().flat_map(|group| &group.axes)
}

fn place(axes: &[&Axis], axis: &Axis) -> Option<usize> {
    axes.iter().position(|other| *other == axis)
}

/// Combines the dimensions from `rank` on.
fn combine(x: &Tensor, reduction: Reduction, rank: usize) -> Result<Tensor> {
    let dims: Vec<isize> = (rank..x.shape().len()).map(usize::cast_signed).collect();
    match reduction {
        Reduction::Min => x.amin(&dims, false),
        Reduction::Max => x.amax(&dims, false),
        Reduction::Sum => x.sum_dims(&dims, false),
        Reduction::Mean if !matches!(x.dtype(), DType::F64 | DType::F32 | DType::F16 | DType::BF16) => {
            let message = "reduce_mean is not available for non-floating tensors".into();
            Err(Error::DType { op: "reduce", message })
        }
        Reduction::Mean => x.mean_dims(&dims, false),
        Reduction::Prod => dims.iter().rev().try_fold(x.clone(), |x, &dim| x.prod(Some(dim), false)),
        Reduction::Any => x.any(&dims, false),
        Reduction::All => x.all(&dims, false),
    }
}

/// Whether the sides agree: new axes are repeat's, and axes that go are reduce's.
fn check_sides(
    op: Operation,
    pattern: &str,
    left: &[Group],
    right: &[Group],
    sizes: &[(&str, usize)],
) -> Result<()> {
    let (before, after): (BTreeSet<&Axis>, BTreeSet<&Axis>) = (flat(left).collect(), flat(right).collect());
    let refused = |what: &str, axes: Vec<&Axis>| {
        if axes.is_empty() { Ok(()) } else { Err(op.fault(format!("{what}: {}", set(axes)))) }
    };
    if after.contains(&Axis::Ellipsis) && !before.contains(&Axis::Ellipsis) {
        return Err(
            op.fault(format!("Ellipsis found in right side, but not left side of a pattern {pattern}"))
        );
    }
    if left.iter().any(|group| group.in_parentheses && group.axes.contains(&Axis::Ellipsis)) {
        return Err(
            op.fault(format!("Ellipsis inside parenthesis in the left side is not allowed: {pattern}"))
        );
    }
    match op {
        Operation::Rearrange => {
            if before.union(&after).any(|axis| matches!(axis, Axis::Number { .. })) {
                return Err(op.fault(
                    "Non-unitary anonymous axes are not supported in rearrange (exception is length 1)",
                ));
            }
            refused(
                "Identifiers only on one side of expression (should be on both)",
                before.symmetric_difference(&after).copied().collect(),
            )
        }
        Operation::Repeat => {
            refused(
                "Unexpected identifiers on the left side of repeat",
                before.difference(&after).copied().collect(),
            )?;
            let has_no_size = |axis: &&&Axis| match axis {
                Axis::Name(name) => !sizes.iter().any(|(given, _)| given == name),
                _ => false,
            };
            refused(
                "Specify sizes for new axes in repeat",
                after.difference(&before).filter(has_no_size).copied().collect(),
            )
        }
        Operation::Reduce(reduction) => refused(
            &format!("Unexpected identifiers on the right side of reduce {}", reduction.name()),
            after.difference(&before).copied().collect(),
        ),
    }
}

/// The dimensions that the ellipsis of the left side stands for.
fn covered(op: Operation, left: &[Group], rank: usize) -> Result<Vec<Axis>> {
    let count = left.len();
    if flat(left).any(|axis| *axis == Axis::Ellipsis) {
        let others = count.saturating_sub(1);
        let Some(count) = rank.checked_sub(others) else {
            return Err(
                op.fault(format!("Wrong shape: expected >={others} dims. Received {rank}-dim tensor."))
            );
        };
        return Ok((0..count).map(Axis::Covered).collect());
    }
    if count == rank {
        Ok(Vec::new())
    } else {
        Err(op.fault(format!("Wrong shape: expected {count} dims. Received {rank}-dim tensor.")))
    }
}

/// The side with `covered` in the place of its ellipsis: dimensions of their own, or parts of one.
fn spread(side: Vec<Group>, covered: &[Axis]) -> Vec<Group> {
    let mut out = Vec::new();
    for Group { axes, in_parentheses } in side {
        if !in_parentheses && axes.contains(&Axis::Ellipsis) {
            out.extend(covered.iter().map(|axis| Group { axes: vec![axis.clone()], in_parentheses }));
            continue;
        }
        let axes = axes.into_iter().flat_map(|axis| match axis {
            Axis::Ellipsis => covered.to_vec(),
            _ => vec![axis],
        });
        out.push(Group { axes: axes.collect(), in_parentheses });
    }
    out
}

/// The length of every axis: a number, given, or what the others leave of a dimension.
fn lengths(
    op: Operation,
    left: &[Group],
    right: &[Group],
    shape: &[usize],
    sizes: &[(&str, usize)],
) -> Result<BTreeMap<Axis, usize>> {
    let numbers = flat(left).chain(flat(right)).filter_map(|axis| match axis {
        Axis::Number { length, .. } => Some((axis.clone(), *length)),
        _ => None,
    });
    let mut lengths: BTreeMap<Axis, usize> = numbers.collect();
    for &(name, length) in sizes {
        let axis = Axis::Name(name.into());
        if refused_name(name).is_some() {
            return Err(op.fault(format!("Invalid name for an axis: {name}")));
        }
        if !flat(left).chain(flat(right)).any(|other| *other == axis) {
            return Err(op.fault(format!("Axis {name} is not used in transform")));
        }
        if lengths.insert(axis, length).is_some() {
            return Err(op.fault(format!("keyword argument repeated: {name}")));
        }
    }
    for (group, &length) in left.iter().zip(shape) {
        let (mut unknown, mut known) = (Vec::new(), 1u128);
        for axis in &group.axes {
            match lengths.get(axis) {
                Some(&length) => known = known.saturating_mul(length as u128),
                None => unknown.push(axis),
            }
        }
        let whole = length as u128;
        match unknown.as_slice() {
            [] if known == whole => {}
            [] => return Err(op.fault(format!("Shape mismatch, {length} != {known}"))),
            [axis] => {
                let part = whole.checked_div(known).filter(|part| part * known == whole);
                let part = part.and_then(|part| usize::try_from(part).ok()).ok_or_else(|| {
                    op.fault(format!(
                        "Shape mismatch, can't divide axis of length {length} in chunks of {known}"
                    ))
                })?;
                lengths.insert((*axis).clone(), part);
            }
            _ => return Err(op.fault(format!("Could not infer sizes for {}", set(unknown)))),
        }
    }
    Ok(lengths)
}

/// `{'a', 'b'}`, sorted.
fn set(axes: Vec<&Axis>) -> String {
    let mut names: Vec<String> = axes.into_iter().map(ToString::to_string).collect();
    names.sort();
    format!("{{{}}}", names.join(", "))
}

/// A shape as the tensor's operations take it.
fn signed(shape: impl Iterator<Item = usize>) -> Result<Vec<isize>> {
    let shape: Vec<usize> = shape.collect();
    checked_numel(&shape)?;
    Ok(shape.into_iter().map(usize::cast_signed).collect())
}
