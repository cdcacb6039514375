//! Shapes by themselves: their sizes, strides, and what they broadcast to.

use crate::error::{Error, Result};
use crate::size::written;

/// Largest number of elements that a shape may have, as a power of two: counts stay exact in an f64,
/// and in a browser, whose addresses have 32 bits, an index stays one with a sign.
const MAX_NUMEL_LOG2: u32 = if usize::BITS > 53 { 53 } else { usize::BITS - 1 };

/// Largest number of elements that a shape may have.
pub const MAX_NUMEL: u128 = (1 << MAX_NUMEL_LOG2) - 1;

/// Row-major strides of a shape; a size of 0 counts as 1, as in PyTorch.
pub(super) fn contiguous_strides(shape: &[usize]) -> Vec<usize> {
    let mut strides = vec![1; shape.len()];
    for d in (1..shape.len()).rev() {
        strides[d - 1] = strides[d] * shape[d].max(1);
    }
    strides
}

/// Wraps a negative dimension; a scalar accepts −1 and 0.
///
/// # Errors
/// If the dimension is out of range.
pub fn wrap_dim(op: &'static str, dim: isize, rank: usize) -> Result<usize> {
    let span = rank.max(1).cast_signed();
    if dim < -span || dim >= span {
        return Err(Error::index(
            op,
            format!(
                "Dimension out of range (expected to be in range of [{}, {}], but got {dim})",
                -span,
                span - 1
            ),
        ));
    }
    Ok(if dim < 0 { dim + span } else { dim }.cast_unsigned())
}

/// Number of elements of a shape.
///
/// # Errors
/// Beyond [`MAX_NUMEL`].
pub fn checked_numel(shape: &[usize]) -> Result<usize> {
    // Sizes of 0 are left out so that the strides cannot overflow either.
    let span =
        shape.iter().try_fold(1u128, |n, &s| n.checked_mul(s.max(1) as u128).filter(|n| *n <= MAX_NUMEL));
    match span {
        Some(_) if shape.contains(&0) => Ok(0),
        Some(n) => usize::try_from(n).map_err(|_| too_large(shape)),
        None => Err(too_large(shape)),
    }
}

fn too_large(shape: &[usize]) -> Error {
    let numel = shape.iter().fold(1u128, |numel, size| numel.saturating_mul(*size as u128));
    Error::shape(
        "empty",
        format!(
            "a tensor of shape [{}] has 2^{MAX_NUMEL_LOG2} elements or more, {} in float32: make one of its sizes smaller, \
             fewer can be numbered here",
            join(shape.iter()),
            written(numel.saturating_mul(4)),
        ),
    )
}

/// The shape that two shapes broadcast to.
///
/// # Errors
/// If two sizes differ and neither is 1.
pub fn broadcast_shapes(a: &[usize], b: &[usize]) -> Result<Vec<usize>> {
    let rank = a.len().max(b.len());
    let size = |s: &[usize], d: usize| (d + s.len()).checked_sub(rank).map_or(1, |d| s[d]);
    let mut out = vec![0; rank];
    // The last dimensions are compared first.
    for d in (0..rank).rev() {
        out[d] = match (size(a, d), size(b, d)) {
            (x, y) if x == y || y == 1 => x,
            (1, y) => y,
            (x, y) => {
                return Err(Error::shape(
                    "broadcast",
                    format!(
                        "The size of tensor a ({x}) must match the size of tensor b ({y}) at non-singleton \
                         dimension {d}"
                    ),
                ));
            }
        };
    }
    Ok(out)
}

/// Fills in a −1 and checks the number of elements.
pub(super) fn infer_shape(op: &'static str, shape: &[isize], numel: usize) -> Result<Vec<usize>> {
    let invalid =
        || Error::shape(op, format!("shape '[{}]' is invalid for input of size {numel}", join(shape.iter())));
    let mut known: usize = 1;
    let mut inferred = None;
    for (d, &size) in shape.iter().enumerate() {
        match size {
            -1 if inferred.is_some() => return Err(Error::shape(op, "only one dimension can be inferred")),
            -1 => inferred = Some(d),
            _ => {
                let size = usize::try_from(size).map_err(|_| {
                    let shape = join(shape.iter());
                    Error::shape(
                        op,
                        format!("invalid shape dimension {size} at index {d} of shape [{shape}]"),
                    )
                })?;
                known = known.checked_mul(size).ok_or_else(invalid)?;
            }
        }
    }
    let mut out: Vec<usize> = shape.iter().map(|&s| usize::try_from(s).unwrap_or(0)).collect();
    if let Some(d) = inferred {
        if known == 0 && numel == 0 {
            return Err(Error::shape(
                op,
                format!(
                    "cannot reshape tensor of 0 elements into shape [{}] because the unspecified dimension \
                     size -1 can be any value and is ambiguous",
                    join(shape.iter())
                ),
            ));
        }
        if !numel.is_multiple_of(known) {
            return Err(invalid());
        }
        out[d] = numel / known;
    } else if known != numel {
        return Err(invalid());
    }
    // Without elements every size would do, but strides of huge ones do not exist.
    checked_numel(&out)?;
    Ok(out)
}

/// `1, 2, 3`.
pub(crate) fn join<T: std::fmt::Display>(items: impl Iterator<Item = T>) -> String {
    items.map(|i| i.to_string()).collect::<Vec<_>>().join(", ")
}
