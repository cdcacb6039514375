//! Twin of shaders/reduce.wgsl.

use super::Number;
use crate::backend::Reduction;
use crate::layout::Layout;
use crate::program::Binary;

/// Combines the dimensions `dims` of a view and scales the results, which come in row-major order of
/// the other dimensions.
#[must_use]
pub fn reduce<T: Number>(
    op: Reduction,
    scale: f64,
    storage: &[T],
    layout: &Layout,
    dims: &[usize],
) -> Vec<T> {
    let kept: Vec<usize> = (0..layout.rank()).filter(|d| !dims.contains(d)).collect();
    let results = kept.iter().map(|&d| layout.shape()[d]).product();
    let combine = match op {
        Reduction::Sum => Binary::Add,
        Reduction::Prod => Binary::Mul,
        Reduction::Max => Binary::Max,
        Reduction::Min => Binary::Min,
    };
    let mut out = vec![T::identity(op); results];
    let mut index = vec![0; layout.rank()];
    for at in layout.storage_indices() {
        let slot = kept.iter().fold(0, |slot, &d| slot * layout.shape()[d] + index[d]);
        out[slot] = T::binary(combine, out[slot], storage[at]);
        for d in (0..index.len()).rev() {
            index[d] += 1;
            if index[d] < layout.shape()[d] {
                break;
            }
            index[d] = 0;
        }
    }
    out.iter_mut().for_each(|x| *x = x.scaled(scale));
    out
}
