//! Twin of shaders/sort.wgsl.

use super::{Number, lanes};

/// Where along `dim` each element of the sorted lanes was, of row-major elements; equal ones keep their order, and NaN is
/// the largest.
#[must_use]
pub fn sort<T: Number>(descending: bool, input: &[T], shape: &[usize], dim: usize) -> Vec<i64> {
    let mut out = vec![0; input.len()];
    for lane in lanes(shape, dim) {
        let mut places: Vec<usize> = (0..lane.len()).collect();
        places.sort_by(|&a, &b| {
            let order = input[lane[a]].order(input[lane[b]]);
            if descending { order.reverse() } else { order }
        });
        for (&at, place) in lane.iter().zip(places) {
            out[at] = place as i64;
        }
    }
    out
}
