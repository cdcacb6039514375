//! Twin of shaders/scan.wgsl.

use super::{Number, lanes};
use crate::backend::{Reduction, Scan};
use crate::program::Binary;

/// The running sum or product along `dim` of row-major elements.
#[must_use]
pub fn scan<T: Number>(op: Scan, input: &[T], shape: &[usize], dim: usize) -> Vec<T> {
    let (combine, identity) = match op {
        Scan::Sum => (Binary::Add, T::identity(Reduction::Sum)),
        Scan::Prod => (Binary::Mul, T::identity(Reduction::Prod)),
    };
    let mut out = input.to_vec();
    for lane in lanes(shape, dim) {
        let mut total = identity;
        for at in lane {
            total = T::binary(combine, total, input[at]);
            out[at] = total;
        }
    }
    out
}
