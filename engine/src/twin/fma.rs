//! Twin of shaders/fma.wgsl.

use crate::measure::Chains;

/// The total of the chains of each lane.
#[must_use]
pub fn fma(chains: &Chains, beside: usize) -> Vec<f64> {
    let (a, b) = (f64::from(chains.a), f64::from(chains.b));
    let chain = |start: usize| (0..chains.steps()).fold((start % 64) as f64, |x, _| a * x + b);
    let lane = |i: usize| (0..beside).map(|c| chain(i + c)).sum::<f64>() * chains.width as f64;
    (0..chains.lanes).map(lane).collect()
}
