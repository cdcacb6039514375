//! Twin of shaders/softmax.wgsl.

use crate::rows::Softmax;

/// Whether a causal mask leaves that element.
fn is_seen(how: Softmax, at: usize, columns: usize, height: usize) -> bool {
    !how.is_causal || at % columns <= at / columns % height
}

/// Softmax of rows of `columns`, `height` of which make a matrix. `added` is a mask to be added, of the shape of x; for
/// a mask of truth values −∞ where it is false.
#[must_use]
pub fn softmax(how: Softmax, x: &[f64], added: Option<&[f64]>, columns: usize, height: usize) -> Vec<f64> {
    let score = |i: usize| match added {
        _ if !is_seen(how, i, columns, height) => f64::NEG_INFINITY,
        Some(added) => how.scale * x[i] + added[i],
        None => how.scale * x[i],
    };
    let scores: Vec<f64> = (0..x.len()).map(score).collect();
    let mut out = Vec::with_capacity(x.len());
    for row in scores.chunks(columns.max(1)) {
        let top = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = row.iter().map(|s| (s - top).exp()).sum();
        let nothing = how.is_safe && row.iter().all(|s| *s == f64::NEG_INFINITY);
        out.extend(row.iter().map(|s| match how.is_log {
            _ if nothing => 0.0,
            true => (s - top) - total.ln(),
            false => (s - top).exp() / total,
        }));
    }
    out
}

/// The gradient of x from that of the result y.
#[must_use]
pub fn softmax_backward(how: Softmax, g: &[f64], y: &[f64], columns: usize, height: usize) -> Vec<f64> {
    let mut out = Vec::with_capacity(g.len());
    for row in 0..g.len() / columns.max(1) {
        let at = row * columns..(row + 1) * columns;
        let seen = || at.clone().filter(|&i| is_seen(how, i, columns, height));
        let total: f64 = seen().map(|i| if how.is_log { g[i] } else { g[i] * y[i] }).sum();
        out.extend(at.clone().map(|i| match how.is_log {
            _ if !is_seen(how, i, columns, height) => 0.0,
            true => how.scale * (g[i] - y[i].exp() * total),
            false => how.scale * y[i] * (g[i] - total),
        }));
    }
    out
}
