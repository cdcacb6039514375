//! Twin of shaders/matmul_tiled.wgsl.

use super::Product;

/// `a @ b`, one tile of `bm × bn` after the other, each slice of `bk` by slice.
#[must_use]
pub fn matmul_tiled(p: Product<'_>, bm: usize, bn: usize, bk: usize) -> Vec<f64> {
    let mut out = vec![0.0; p.m * p.n];
    for m0 in (0..p.m).step_by(bm) {
        for n0 in (0..p.n).step_by(bn) {
            for k0 in (0..p.k).step_by(bk) {
                let (rows, cols) = (m0..p.m.min(m0 + bm), n0..p.n.min(n0 + bn));
                p.accumulate(rows, cols, &(k0..p.k.min(k0 + bk)), &mut out);
            }
        }
    }
    out
}
