//! Products of float64 and of whole numbers: row by row, without blocks. Lectures multiply such matrices to
//! look at them, not to train on them.

use super::{Matrix, Multiply, Scratch, Size};
use crate::Result;

impl Multiply for f64 {
    fn product(
        _: &Scratch,
        size: Size,
        a: Matrix<'_, Self>,
        b: Matrix<'_, Self>,
        c: &mut [Self],
    ) -> Result<()> {
        rows(size, a, b, c, 0.0, |sum, a, b| sum + a * b);
        Ok(())
    }
}

impl Multiply for i64 {
    fn product(
        _: &Scratch,
        size: Size,
        a: Matrix<'_, Self>,
        b: Matrix<'_, Self>,
        c: &mut [Self],
    ) -> Result<()> {
        rows(size, a, b, c, 0, |sum, a, b| sum.wrapping_add(a.wrapping_mul(b)));
        Ok(())
    }
}

#[inline(always)]
fn rows<T: Copy>(
    size: Size,
    a: Matrix<'_, T>,
    b: Matrix<'_, T>,
    c: &mut [T],
    zero: T,
    add: impl Fn(T, T, T) -> T,
) {
    for (i, row) in c.chunks_exact_mut(size.n).enumerate() {
        row.fill(zero);
        for p in 0..size.k {
            let left = a.data[i * a.row_stride + p * a.col_stride];
            let start = p * b.row_stride;
            if b.col_stride == 1 {
                for (sum, &right) in row.iter_mut().zip(&b.data[start..][..size.n]) {
                    *sum = add(*sum, left, right);
                }
            } else {
                for (j, sum) in row.iter_mut().enumerate() {
                    *sum = add(*sum, left, b.data[start + j * b.col_stride]);
                }
            }
        }
    }
}
