//! Twin of shaders/cross_entropy.wgsl.

use crate::rows::CrossEntropy;

/// The losses of rows and their shares in a mean; of a label that is no class NaN.
#[must_use]
pub fn cross_entropy(
    how: CrossEntropy,
    logits: &[f64],
    labels: &[i64],
    weight: Option<&[f64]>,
    columns: usize,
) -> (Vec<f64>, Vec<f64>) {
    let weight = |c: usize| weight.map_or(1.0, |weight| weight[c]);
    let one = |(row, &label): (&[f64], &i64)| {
        let Some(class) = usize::try_from(label).ok().filter(|&class| class < columns) else {
            return if label == how.ignore_index { (0.0, 0.0) } else { (f64::NAN, weight(0)) };
        };
        if label == how.ignore_index {
            return (0.0, 0.0);
        }
        let lse = log_sum_exp(row);
        let all: f64 = row.iter().enumerate().map(|(c, x)| weight(c) * (lse - x)).sum();
        let own = (1.0 - how.label_smoothing) * weight(class) * (lse - row[class]);
        (own + how.label_smoothing / columns as f64 * all, weight(class))
    };
    logits.chunks(columns.max(1)).zip(labels).map(one).unzip()
}

/// The gradient of the logits from that of each loss.
#[must_use]
pub fn cross_entropy_backward(
    how: CrossEntropy,
    g: &[f64],
    logits: &[f64],
    labels: &[i64],
    weight: Option<&[f64]>,
    columns: usize,
) -> Vec<f64> {
    let weight = |c: usize| weight.map_or(1.0, |weight| weight[c]);
    let mut out = Vec::with_capacity(logits.len());
    for ((row, &label), g) in logits.chunks(columns.max(1)).zip(labels).zip(g) {
        let class = usize::try_from(label).ok().filter(|&class| class < columns);
        if label == how.ignore_index || class.is_none() {
            let value = if label == how.ignore_index { 0.0 } else { f64::NAN };
            out.extend(row.iter().map(|_| value));
            continue;
        }
        let lse = log_sum_exp(row);
        let spread = how.label_smoothing / columns as f64;
        // What the target gives to each class; together it pulls all probabilities.
        let target = |c: usize| {
            let own = if class == Some(c) { (1.0 - how.label_smoothing) * weight(c) } else { 0.0 };
            own + spread * weight(c)
        };
        let all: f64 = (0..columns).map(target).sum();
        out.extend(row.iter().enumerate().map(|(c, x)| g * (all * (x - lse).exp() - target(c))));
    }
    out
}

fn log_sum_exp(row: &[f64]) -> f64 {
    let top = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    top + row.iter().map(|x| (x - top).exp()).sum::<f64>().ln()
}
