//! How the result of an operation on elements lies in memory.

use super::Layout;
use super::shape::contiguous_strides;

impl Layout {
    /// Of the result of an operation on the elements of tensors that lie so, all of one shape; as PyTorch's TensorIterator
    /// has it (`aten/src/ATen/TensorIterator.cpp`, `reorder_dimensions`). Row-major where all inputs are; as they lie where
    /// that is without gaps and the same for all; else without gaps, with the dimensions in the order of the inputs' steps,
    /// of which the first input that tells two of them apart decides.
    pub(crate) fn of_result(inputs: &[&Self]) -> Self {
        let Some(first) = inputs.first() else { return Self { shape: vec![], strides: vec![], offset: 0 } };
        let shape = first.shape.clone();
        if inputs.iter().all(|input| input.is_contiguous()) {
            let strides = contiguous_strides(&shape);
            return Self { shape, strides, offset: 0 };
        }
        if first.is_dense() && inputs.iter().all(|input| input.strides == first.strides) {
            return Self { shape, strides: first.strides.clone(), offset: 0 };
        }
        // Innermost first; sorted by insertion, since what cannot be told apart has no order.
        let mut order: Vec<usize> = (0..shape.len()).rev().collect();
        for from in 1..order.len() {
            let mut at = from;
            for before in (0..from).rev() {
                match is_outside(inputs, order[before], order[at]) {
                    Some(true) => {
                        order.swap(before, at);
                        at = before;
                    }
                    Some(false) => break,
                    None => {}
                }
            }
        }
        let mut strides = vec![0; shape.len()];
        let mut step = 1;
        for dim in order {
            strides[dim] = step;
            step *= shape[dim].max(1);
        }
        Self { shape, strides, offset: 0 }
    }
}

/// Whether dimension `a` has the larger steps.
fn is_outside(inputs: &[&Layout], a: usize, b: usize) -> Option<bool> {
    inputs.iter().find_map(|input| match (input.strides[a], input.strides[b]) {
        (0, _) | (_, 0) => None,
        (a_step, b_step) if a_step != b_step => Some(a_step > b_step),
        _ => (input.shape[a] > input.shape[b]).then_some(true),
    })
}
