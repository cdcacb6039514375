//! Twin of shaders/matmul_register.wgsl.

use super::Product;

/// `a @ b`, one tile of `tm × tn` after the other, each along the whole of k.
#[must_use]
pub fn matmul_register(p: Product<'_>, tm: usize, tn: usize) -> Vec<f64> {
    let mut out = vec![0.0; p.m * p.n];
    for m0 in (0..p.m).step_by(tm) {
        for n0 in (0..p.n).step_by(tn) {
            p.accumulate(m0..p.m.min(m0 + tm), n0..p.n.min(n0 + tn), &(0..p.k), &mut out);
        }
    }
    out
}
