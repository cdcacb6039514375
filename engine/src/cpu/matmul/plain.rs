//! Products of whole numbers, and in the browser of float64: row by row, without blocks. Lectures multiply such
//! matrices to look at them, not to train on them.

use super::{Matrix, Size};
use crate::cpu::elements::Number;

/// `c = a @ b`, all of it overwritten; `c` is row-major.
#[inline(always)]
pub(super) fn product<T: Number>(
    size: Size,
    a: Matrix<'_, T>,
    b: Matrix<'_, T>,
    c: &mut [T],
    multiply_add: impl Fn(T, T, T) -> T,
) {
    for (i, row) in c.chunks_exact_mut(size.n).enumerate() {
        row.fill(T::zeroed());
        for p in 0..size.k {
            let left = a.data[i * a.row_stride + p * a.col_stride];
            let start = p * b.row_stride;
            if b.col_stride == 1 {
                for (sum, &right) in row.iter_mut().zip(&b.data[start..][..size.n]) {
                    *sum = multiply_add(*sum, left, right);
                }
            } else {
                for (j, sum) in row.iter_mut().enumerate() {
                    *sum = multiply_add(*sum, left, b.data[start + j * b.col_stride]);
                }
            }
        }
    }
}
