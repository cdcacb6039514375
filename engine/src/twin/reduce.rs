//! Twin of shaders/reduce.wgsl.

use crate::backend::Reduction;
use crate::layout::Layout;

/// Combines the dimensions `dims` of a view and scales the results, which come in row-major order of
/// the other dimensions.
#[must_use]
pub fn reduce(op: Reduction, scale: f64, storage: &[f64], layout: &Layout, dims: &[usize]) -> Vec<f64> {
    let kept: Vec<usize> = (0..layout.rank()).filter(|d| !dims.contains(d)).collect();
    let results = kept.iter().map(|&d| layout.shape()[d]).product();
    let identity = match op {
        Reduction::Sum => 0.0,
        Reduction::Prod => 1.0,
        Reduction::Max => f64::NEG_INFINITY,
        Reduction::Min => f64::INFINITY,
    };
    let mut out = vec![identity; results];
    let mut index = vec![0; layout.rank()];
    for at in layout.storage_indices() {
        let slot = kept.iter().fold(0, |slot, &d| slot * layout.shape()[d] + index[d]);
        let (have, new): (f64, f64) = (out[slot], storage[at]);
        out[slot] = match op {
            Reduction::Sum => have + new,
            Reduction::Prod => have * new,
            Reduction::Max if have.is_nan() || have > new => have,
            Reduction::Min if have.is_nan() || have < new => have,
            Reduction::Max | Reduction::Min => new,
        };
        for d in (0..index.len()).rev() {
            index[d] += 1;
            if index[d] < layout.shape()[d] {
                break;
            }
            index[d] = 0;
        }
    }
    out.iter_mut().for_each(|x| *x *= scale);
    out
}
