//! Twin of shaders/dot.wgsl.

/// `a @ b` of row-major whole numbers, a of `m × k` and b of `k × n`.
#[must_use]
pub fn dot(a: &[i64], b: &[i64], [m, n, k]: [usize; 3]) -> Vec<i64> {
    let sum = |i: usize| {
        let terms = (0..k).map(|p| a[i / n * k + p].wrapping_mul(b[p * n + i % n]));
        terms.fold(0i64, i64::wrapping_add)
    };
    (0..m * n).map(sum).collect()
}
