//! How the elements of a tensor are distributed.

use napkin_engine::Tensor;

use crate::wait::wait;

const BINS: usize = 40;

/// Elements by their size.
pub(crate) struct Histogram {
    /// Ends of the bins, one more than there are bins.
    pub(crate) edges: Vec<f64>,
    /// Elements in each.
    pub(crate) counts: Vec<usize>,
    /// Elements that are NaN.
    pub(crate) nan: usize,
    /// Elements that are infinite.
    pub(crate) infinite: usize,
}

/// # Errors
/// If the device fails.
pub(crate) fn histogram(tensor: &Tensor) -> napkin_engine::Result<Histogram> {
    let elements: Vec<f64> =
        wait(tensor.corner(tensor.shape()))?.into_iter().map(napkin_engine::Scalar::as_f64).collect();
    let nan = elements.iter().filter(|value| value.is_nan()).count();
    let finite: Vec<f64> = elements.iter().copied().filter(|value| value.is_finite()).collect();
    let infinite = elements.len() - nan - finite.len();
    let low = finite.iter().copied().fold(f64::INFINITY, f64::min);
    let high = finite.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if finite.is_empty() {
        return Ok(Histogram { edges: Vec::new(), counts: Vec::new(), nan, infinite });
    }
    // Halves, so that the largest double minus the smallest is a number.
    let width = if low < high { (high / 2.0 - low / 2.0) / BINS as f64 * 2.0 } else { 0.0 };
    if width == 0.0 {
        return Ok(Histogram { edges: vec![low, high], counts: vec![finite.len()], nan, infinite });
    }
    let mut counts = vec![0; BINS];
    for value in finite {
        counts[(((value - low) / width) as usize).min(BINS - 1)] += 1;
    }
    let edges = (0..=BINS).map(|bin| low + bin as f64 * width).collect();
    Ok(Histogram { edges, counts, nan, infinite })
}
