//! Twin of shaders/matmul_lanes.wgsl.

use super::Product;

/// `a @ b`, one invocation after the other: `tm` rows and `tn` columns that are `wx` apart.
#[must_use]
pub fn matmul_lanes(p: Product<'_>, tm: usize, tn: usize, wx: usize) -> Vec<f64> {
    let mut out = vec![0.0; p.m * p.n];
    for m0 in (0..p.m).step_by(tm) {
        for n0 in (0..p.n).step_by(tn * wx) {
            for lane in 0..wx {
                for col in (n0 + lane..p.n.min(n0 + tn * wx)).step_by(wx) {
                    p.accumulate(m0..p.m.min(m0 + tm), col..col + 1, &(0..p.k), &mut out);
                }
            }
        }
    }
    out
}
