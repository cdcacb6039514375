//! `torch.optim.lr_scheduler`: the learning rate as a function of the steps taken.

use std::f64::consts::PI;

/// How a learning rate goes on from that which an optimizer was made with; formulas and names are PyTorch's.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Schedule {
    /// `LinearLR`: the factor goes from `start_factor` to `end_factor` in `total_iters` steps, and stays.
    Linear {
        /// At the beginning; PyTorch's default is 1/3.
        start_factor: f64,
        /// At the end; PyTorch's default is 1.
        end_factor: f64,
        /// Steps between; PyTorch's default is 5.
        total_iters: u64,
    },
    /// `CosineAnnealingLR`: down to `eta_min` after `t_max` steps along half a cosine (Loshchilov and Hutter 2017), and up
    /// again if one goes on.
    CosineAnnealing {
        /// Steps of half a period.
        t_max: u64,
        /// Lowest learning rate.
        eta_min: f64,
    },
    /// `SequentialLR`: each schedule begins anew at its milestone.
    Sequential {
        /// One more than milestones.
        schedules: Vec<Schedule>,
        /// Steps at which the next one begins, ascending.
        milestones: Vec<u64>,
    },
}

impl Schedule {
    /// Up from `lr / warmup` in equal parts, then along half a cosine down to `eta_min` at `total` steps:
    /// `SequentialLR` of `LinearLR` and `CosineAnnealingLR`.
    #[must_use]
    pub fn warmup_cosine(warmup: u64, total: u64, eta_min: f64) -> Self {
        let start_factor = 1.0 / warmup.max(1) as f64;
        let up = Self::Linear { start_factor, end_factor: 1.0, total_iters: warmup.saturating_sub(1) };
        let down = Self::CosineAnnealing { t_max: total.saturating_sub(warmup), eta_min };
        Self::Sequential { schedules: vec![up, down], milestones: vec![warmup] }
    }

    /// The learning rate after `steps` steps, of one that begins with `initial`.
    #[must_use]
    pub fn lr(&self, initial: f64, steps: u64) -> f64 {
        match self {
            Self::Linear { start_factor, end_factor, total_iters } => {
                let part = if steps < *total_iters { steps as f64 / *total_iters as f64 } else { 1.0 };
                initial * (start_factor + (end_factor - start_factor) * part)
            }
            Self::CosineAnnealing { t_max, eta_min } => {
                cosine(initial, *eta_min, steps as f64 / (*t_max).max(1) as f64)
            }
            Self::Sequential { schedules, milestones } => {
                let reached = milestones.iter().filter(|&&milestone| milestone <= steps).count();
                let at = reached.min(schedules.len().saturating_sub(1));
                let began = at.checked_sub(1).map_or(0, |before| milestones[before]);
                schedules
                    .get(at)
                    .map_or(initial, |schedule| schedule.lr(initial, steps.saturating_sub(began)))
            }
        }
    }
}

/// From `a` at 0 to `b` at 1 along half a cosine.
fn cosine(a: f64, b: f64, part: f64) -> f64 {
    b + (a - b) / 2.0 * (1.0 + (PI * part).cos())
}
