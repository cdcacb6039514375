//! Twin of shaders/arg_extreme.wgsl.

use std::cmp::Ordering;

use super::{Number, lanes};

/// Where in each lane along `dim` the largest (or smallest) element is, the first of equal ones and NaN before all, of
/// row-major elements.
#[must_use]
pub fn arg_extreme<T: Number>(is_largest: bool, input: &[T], shape: &[usize], dim: usize) -> Vec<i64> {
    let better = if is_largest { Ordering::Greater } else { Ordering::Less };
    let best_of = |lane: Vec<usize>| {
        let mut best = 0;
        for i in 1..lane.len() {
            let (new, have) = (input[lane[i]], input[lane[best]]);
            if !have.is_nan() && (new.is_nan() || new.order(have) == better) {
                best = i;
            }
        }
        best as i64
    };
    lanes(shape, dim).into_iter().map(best_of).collect()
}
