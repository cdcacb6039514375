//! Twin of shaders/matmul_skinny.wgsl.

use super::Product;

/// `a @ b`, where every element is the sum of `deep` parts, each of every `deep`-th k.
#[must_use]
pub fn matmul_skinny(p: Product<'_>, deep: usize) -> Vec<f64> {
    let mut out = vec![0.0; p.m * p.n];
    for slice in 0..deep {
        let mut part = vec![0.0; p.m * p.n];
        p.accumulate(0..p.m, 0..p.n, &(slice..p.k).step_by(deep), &mut part);
        out.iter_mut().zip(part).for_each(|(o, p)| *o += p);
    }
    out
}
