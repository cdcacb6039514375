//! Twin of shaders/norm_parameters.wgsl.

/// The gradients of weight and bias.
#[must_use]
pub fn norm_parameters(
    g: &[f64],
    x: &[f64],
    rstds: &[f64],
    means: Option<&[f64]>,
    columns: usize,
) -> (Vec<f64>, Vec<f64>) {
    let (mut dweight, mut dbias) = (vec![0.0; columns], vec![0.0; columns]);
    for (row, &rstd) in rstds.iter().enumerate() {
        let mean = means.map_or(0.0, |means| means[row]);
        for (c, (weight, bias)) in dweight.iter_mut().zip(&mut dbias).enumerate() {
            let i = row * columns + c;
            *weight += g[i] * (x[i] - mean) * rstd;
            *bias += g[i];
        }
    }
    (dweight, dbias)
}
