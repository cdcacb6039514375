//! Draws that are kept or thrown away: Bernoulli's, and the truncated normal distribution.

use super::real::{Real, uniform};
use super::{Generator, Source};
use crate::layout::checked_numel;
use crate::room::{collect, filled};
use crate::scalar::Scalar;
use crate::tensor::Tensor;
use crate::{DType, Device, Error, Result};

impl Source for Generator {
    /// Drawn in main memory by [`Generator::bernoulli_`].
    fn mask(&mut self, p: f64, shape: &[usize], device: &Device) -> Result<Tensor> {
        let drawn = self.bernoulli_(p, checked_numel(shape)?)?;
        Tensor::from_values(drawn.into_iter().map(Scalar::Bool), shape, DType::Bool, device)
    }
}

/// Draws per element after which nothing more is hoped for; PyTorch would go on for ever.
const MOST_ROUNDS: usize = 100_000;

impl Generator {
    /// `torch.empty(n).bernoulli_(p)`: true with probability p, by one float64 each, whatever the dtype.
    ///
    /// # Errors
    /// If p is no probability, or memory does not allow it.
    pub fn bernoulli_(&mut self, p: f64, n: usize) -> Result<Vec<bool>> {
        super::check_probability(p)?;
        collect(n, (0..n).map(|_| uniform::<f64>(&mut self.engine) < p))
    }

    /// `torch.bernoulli(probabilities)`: one draw of their dtype each.
    ///
    /// # Errors
    /// If one is no probability.
    pub fn bernoulli<T: Real>(&mut self, probabilities: &[T]) -> Result<Vec<bool>> {
        if !probabilities.iter().all(|&p| (0.0..=1.0).contains(&p.into())) {
            let message =
                "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be \
                           improved?  If so, please report an enhancement request to PyTorch.)"
                    .into();
            return Err(Error::Value { op: "bernoulli", message });
        }
        collect(probabilities.len(), probabilities.iter().map(|&p| uniform::<T>(&mut self.engine) < p))
    }

    /// `torch.nn.init.trunc_normal_(tensor, mean, std, a, b)`: normal numbers, those outside [a, b] drawn again.
    /// Where fewer than three in ten would lie inside, uniform numbers from there are kept by the odds of the normal
    /// density.
    ///
    /// # Errors
    /// If std is not above 0 or a is not below b; or if [a, b] lies so far from the mean that hardly any draw is kept.
    pub fn trunc_normal_<T: Real>(
        &mut self,
        out: &mut [T],
        mean: f64,
        std: f64,
        [a, b]: [f64; 2],
    ) -> Result<()> {
        if !(mean.is_finite() && std > 0.0 && std.is_finite() && a < b) {
            let message =
                format!("no truncated normal distribution has mean {mean}, std {std}, a {a}, b {b}");
            return Err(Error::Value { op: "trunc_normal_", message });
        }
        let below = |x: f64| (1.0 + libm::erf((x - mean) / std / std::f64::consts::SQRT_2)) / 2.0;
        if below(b) - below(a) > 0.3 {
            let (low, high) = (T::rounded(a), T::rounded(b));
            self.normal_(out, mean, std)?;
            let mut again = filled(out.len(), T::default())?;
            while out.iter().any(|&x| x < low || x > high) {
                self.normal_(&mut again, mean, std)?;
                for (x, &other) in out.iter_mut().zip(&again) {
                    if *x < low || *x > high {
                        *x = other;
                    }
                }
            }
            return Ok(());
        }
        self.by_odds(out, mean, std, [a, b])
    }

    /// Each round draws a candidate and a chance for every element, as PyTorch does, needed or not.
    fn by_odds<T: Real>(&mut self, out: &mut [T], mean: f64, std: f64, [a, b]: [f64; 2]) -> Result<()> {
        let mode = mean.clamp(a, b);
        let log_density = |x: f64| -0.5 * ((x - mean) / std).powi(2);
        let log_peak = log_density(mode);
        let (low, high) = (T::rounded(a), T::rounded(b));
        let mut candidates = filled(out.len(), T::default())?;
        let mut pending = filled(out.len(), true)?;
        for _ in 0..MOST_ROUNDS {
            if !pending.contains(&true) {
                return Ok(());
            }
            self.uniform_(&mut candidates, low, high)?;
            for (i, &candidate) in candidates.iter().enumerate() {
                let chance: f64 = uniform::<T>(&mut self.engine).into();
                if pending[i] {
                    out[i] = candidate;
                    pending[i] = chance.ln() > log_density(candidate.into()) - log_peak;
                }
            }
        }
        let message = format!("[{a}, {b}] is too far from mean {mean} with std {std} to be drawn from");
        Err(Error::Value { op: "trunc_normal_", message })
    }
}
