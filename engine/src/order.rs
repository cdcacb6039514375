//! Putting in order.

use std::cmp::Ordering;

/// The numbers below `count` in the order that `compare` gives them; equal ones stay as they are. Every type that the
/// standard library sorts brings a sort of its own into the worker, of 9 KB: most of the engine makes do with this one.
pub(crate) fn order(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| compare(a, b));
    order
}
