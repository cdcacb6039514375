//! Axes by their names; `einops` in Python says what was asked for when these refuse.

use std::str::FromStr;

use napkin_engine::Error;
use napkin_engine::einops::{Reduction, einsum, rearrange, reduce, repeat};
use rustpython_vm::PyResult;

use super::{Operation, operations};
use crate::torch::arguments::Bound;

/// Names apart by spaces, and their sizes.
fn sized(a: &Bound<'_>, at: usize) -> PyResult<(String, Vec<usize>)> {
    Ok((a.text(at)?, a.shape(at + 1)?))
}

fn pairs((names, sizes): &(String, Vec<usize>)) -> Vec<(&str, usize)> {
    names.split_whitespace().zip(sizes.iter().copied()).collect()
}

pub(super) const OPERATIONS: &[Operation] = operations! {
    "_rearrange(Tensor x, str pattern, str names, int[] sizes)" => |a| {
        rearrange(&a.tensor(0)?, &a.text(1)?, &pairs(&sized(a, 2)?))
    };
    "_repeat(Tensor x, str pattern, str names, int[] sizes)" => |a| {
        repeat(&a.tensor(0)?, &a.text(1)?, &pairs(&sized(a, 2)?))
    };
    "_reduce(Tensor x, str pattern, str reduction, str names, int[] sizes)" => |a| {
        let (x, pattern, sizes) = (a.tensor(0)?, a.text(1)?, sized(a, 3)?);
        let reduction: Result<Reduction, Error> = Reduction::from_str(&a.text(2)?);
        reduction.and_then(|reduction| reduce(&x, &pattern, reduction, &pairs(&sizes)))
    };
    "_einops_einsum(str pattern, Tensor[] tensors)" => |a| {
        einsum(&a.text(0)?, &a.tensors(1)?.iter().collect::<Vec<_>>())
    };
};
