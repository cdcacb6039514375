//! Timing without being fooled: warmed up, samples long enough for the clock, the median of several.

use serde::{Deserialize, Serialize};
use web_time::Instant;

use crate::backend::Backend;
use crate::{Error, Result};

/// A sample of less than this many seconds would measure launching and waiting.
const SAMPLE_SECS: f64 = 0.005;

/// A sample lasts at least this many of the smallest steps of the clock, which in a browser may be 0.1 ms.
const SAMPLE_STEPS: f64 = 50.0;

/// A sample lasts at least this many times as long as waiting for nothing, which in a browser may be 0.1 s.
const SAMPLE_WAITS: f64 = 10.0;

/// However coarse the clock is, no sample need be longer.
const LONGEST_SAMPLE_SECS: f64 = 0.5;

/// Runs of one sample, at most about.
const MAX_RUNS: usize = 100_000;

/// Samples are taken until the budget is spent, but not more than this.
const MAX_SAMPLES: usize = 50;

/// Fewer make no median.
const FEW_SAMPLES: usize = 3;

/// They are taken unless that would last longer than this, or than so many budgets.
const PATIENCE_SECS: f64 = 1.0;
const PATIENCE: f64 = 4.0;

/// Samples by the device's clock: what disturbs the others does not reach them.
const MAX_STAMPS: usize = 10;

/// Whose clock it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Clock {
    /// This program's, around handing work over and waiting for it.
    Fence,
    /// The device's own: the time inside kernels.
    Timestamp,
}

/// Samples of how long something takes. Seconds are per run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// By which clock.
    pub by: Clock,
    /// Samples taken.
    pub samples: usize,
    /// Runs back to back in one sample, so that it is long enough to measure.
    pub runs_per_sample: usize,
    /// The sample in the middle, or the mean of the two there.
    pub median_secs: f64,
    /// The fastest sample.
    pub min_secs: f64,
    /// The slowest sample.
    pub max_secs: f64,
}

impl Timing {
    /// `secs` per run, at least one.
    fn of(by: Clock, mut secs: Vec<f64>, runs_per_sample: usize) -> Option<Self> {
        secs.sort_by(f64::total_cmp);
        let (samples, half) = (secs.len(), secs.len() / 2);
        let (min_secs, max_secs) = (*secs.first()?, *secs.last()?);
        let median_secs = if samples % 2 == 1 { secs[half] } else { (secs[half - 1] + secs[half]) / 2.0 };
        Some(Self { by, samples, runs_per_sample, median_secs, min_secs, max_secs })
    }
}

/// The smallest step of this program's clock that could be seen, in seconds.
#[must_use]
pub fn clock_step_secs() -> f64 {
    // A clock that has not moved after so many looks is not looked at any longer.
    const LOOKS: usize = 2_000_000;
    let step = || {
        let start = Instant::now();
        let mut steps = (0..LOOKS).map(|_| start.elapsed().as_secs_f64());
        steps.find(|&secs| secs > 0.0).unwrap_or(LONGEST_SAMPLE_SECS)
    };
    (0..5).map(|_| step()).fold(f64::INFINITY, f64::min)
}

/// Seconds that a sample must last by this program's clock.
fn clock_sample_secs() -> f64 {
    thread_local! {
        static SECS: f64 = (SAMPLE_STEPS * clock_step_secs()).clamp(SAMPLE_SECS, LONGEST_SAMPLE_SECS);
    }
    SECS.with(|secs| *secs)
}

/// Seconds that a sample must last on a device, so that neither the clock nor waiting shows.
///
/// # Errors
/// If the device fails.
pub(crate) async fn sample_secs(device: &dyn Backend) -> Result<f64> {
    device.synchronize().await?;
    let start = Instant::now();
    device.synchronize().await?;
    let wait_secs = start.elapsed().as_secs_f64();
    Ok(clock_sample_secs().max(SAMPLE_WAITS * wait_secs).min(LONGEST_SAMPLE_SECS))
}

/// Times what `queue` queues on a device, for about `budget_secs`: by fence, and by timestamps where there are any.
///
/// # Errors
/// Those of `queue`, and if the device fails.
pub(crate) async fn time(
    device: &dyn Backend,
    budget_secs: f64,
    queue: &mut dyn FnMut() -> Result<()>,
) -> Result<(Timing, Option<Timing>)> {
    // The first wait may choose another kernel, which the second run compiles.
    for _ in 0..2 {
        queue()?;
        device.synchronize().await?;
    }
    let fence = sampled(sample_secs(device).await?, budget_secs, async |runs| {
        for _ in 0..runs {
            queue()?;
        }
        device.synchronize().await
    });
    let fence = fence.await?;
    // In runs of their own: timing splits what is submitted.
    let mut stamps = Vec::new();
    let begin = Instant::now();
    while stamps.len() < fence.samples.min(MAX_STAMPS) && begin.elapsed().as_secs_f64() < budget_secs {
        device.begin_timing();
        for _ in 0..fence.runs_per_sample {
            queue()?;
        }
        match device.end_timing().await? {
            Some(secs) => stamps.push(secs / fence.runs_per_sample as f64),
            None => break,
        }
    }
    Ok((fence, Timing::of(Clock::Timestamp, stamps, fence.runs_per_sample)))
}

/// Times what makes so many runs and waits for the last of them.
///
/// # Errors
/// Those of the runs.
pub(crate) async fn time_waits(
    budget_secs: f64,
    mut runs: impl AsyncFnMut(usize) -> Result<()>,
) -> Result<Timing> {
    runs(1).await?;
    sampled(clock_sample_secs(), budget_secs, runs).await
}

/// Samples of at least `sample_secs` seconds of what has run before: it is compiled, caches and pools are full.
///
/// # Errors
/// Those of the runs.
pub(crate) async fn sampled(
    sample_secs: f64,
    budget_secs: f64,
    mut runs: impl AsyncFnMut(usize) -> Result<()>,
) -> Result<Timing> {
    let (mut per_sample, mut secs) = (1, Vec::new());
    let begin = Instant::now();
    loop {
        let start = Instant::now();
        runs(per_sample).await?;
        let sample = start.elapsed().as_secs_f64();
        // Also a later sample: the first ones may have been disturbed.
        if sample < sample_secs / 2.0 && per_sample < MAX_RUNS {
            let missing = (sample_secs / sample.max(1e-9)).clamp(2.0, 16.0);
            per_sample = ((per_sample as f64 * missing) as usize).min(MAX_RUNS);
            secs.clear();
            continue;
        }
        secs.push(sample / per_sample as f64);
        let few = secs.len() < FEW_SAMPLES;
        let budget_secs = if few { (PATIENCE * budget_secs).max(PATIENCE_SECS) } else { budget_secs };
        if secs.len() >= MAX_SAMPLES || begin.elapsed().as_secs_f64() >= budget_secs {
            break;
        }
    }
    Timing::of(Clock::Fence, secs, per_sample)
        .ok_or_else(|| Error::Value { op: "measure", message: "no sample was taken".to_owned() })
}

#[cfg(test)]
mod tests {
    use super::{Clock, Timing};

    #[test]
    fn medians_and_extremes() {
        for (secs, want) in [
            (vec![3.0], [3.0, 3.0, 3.0]),
            (vec![4.0, 1.0], [2.5, 1.0, 4.0]),
            (vec![5.0, 1.0, 2.0], [2.0, 1.0, 5.0]),
            (vec![8.0, 1.0, 2.0, 4.0], [3.0, 1.0, 8.0]),
        ] {
            let t = Timing::of(Clock::Fence, secs.clone(), 7).unwrap();
            assert_eq!([t.median_secs, t.min_secs, t.max_secs], want);
            assert_eq!((t.samples, t.runs_per_sample), (secs.len(), 7));
        }
        assert_eq!(Timing::of(Clock::Timestamp, Vec::new(), 1), None);
    }
}
