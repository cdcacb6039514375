//! Twin of shaders/norm.wgsl.

/// y, and of each row rstd and mean (0 where it is not centred); weight and bias have one value per column.
#[must_use]
pub fn norm(
    centred: bool,
    eps: f64,
    x: &[f64],
    weight: Option<&[f64]>,
    bias: Option<&[f64]>,
    columns: usize,
) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let (mut y, mut rstds, mut means) = (Vec::new(), Vec::new(), Vec::new());
    for row in x.chunks(columns.max(1)) {
        let count = columns as f64;
        let mean = if centred { row.iter().sum::<f64>() / count } else { 0.0 };
        let square = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / count;
        let rstd = 1.0 / (square + eps).sqrt();
        y.extend(row.iter().enumerate().map(|(c, x)| {
            (x - mean) * rstd * weight.map_or(1.0, |weight| weight[c]) + bias.map_or(0.0, |bias| bias[c])
        }));
        rstds.push(rstd);
        means.push(mean);
    }
    (y, rstds, means)
}

/// The gradient of x.
#[must_use]
pub fn norm_backward(
    g: &[f64],
    x: &[f64],
    rstds: &[f64],
    means: Option<&[f64]>,
    weight: Option<&[f64]>,
    columns: usize,
) -> Vec<f64> {
    let mut out = Vec::with_capacity(x.len());
    for (row, &rstd) in rstds.iter().enumerate() {
        let at = row * columns..(row + 1) * columns;
        let u: Vec<f64> =
            at.clone().map(|i| g[i] * weight.map_or(1.0, |weight| weight[i - at.start])).collect();
        let h: Vec<f64> = x[at].iter().map(|x| (x - means.map_or(0.0, |means| means[row])) * rstd).collect();
        let level = if means.is_some() { u.iter().sum::<f64>() / columns as f64 } else { 0.0 };
        let along = u.iter().zip(&h).map(|(u, h)| u * h).sum::<f64>() / columns as f64;
        out.extend(u.iter().zip(&h).map(|(u, h)| rstd * (u - level - h * along)));
    }
    out
}
