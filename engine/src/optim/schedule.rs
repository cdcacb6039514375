//! `torch.optim.lr_scheduler`: the learning rate as a function of the steps taken.

use std::f64::consts::PI;

/// How a learning rate goes on from that which an optimizer was made with; formulas and names are PyTorch's.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Schedule {
    /// Stays.
    Constant,
    /// `StepLR`: times `gamma` every `step_size` steps.
    Step {
        /// Steps between two changes.
        step_size: u64,
        /// Factor.
        gamma: f64,
    },
    /// `MultiStepLR`: times `gamma` at each milestone.
    MultiStep {
        /// Steps after which it changes.
        milestones: Vec<u64>,
        /// Factor.
        gamma: f64,
    },
    /// `ExponentialLR`: times `gamma` after every step.
    Exponential {
        /// Factor.
        gamma: f64,
    },
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
    /// `OneCycleLR`: up to `max_lr` and down again, both along cosines (Smith and Topin 2019). What the optimizer was made
    /// with plays no part. After its end it stays.
    OneCycle {
        /// Highest learning rate.
        max_lr: f64,
        /// Steps in all.
        total_steps: u64,
        /// Share of them that goes up; PyTorch's default is 0.3.
        pct_start: f64,
        /// `max_lr` over the first learning rate; PyTorch's default is 25.
        div_factor: f64,
        /// The first learning rate over the last one; PyTorch's default is 1e4.
        final_div_factor: f64,
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
        let reached = |milestones: &[u64]| milestones.iter().filter(|&&milestone| milestone <= steps).count();
        match self {
            Self::Constant => initial,
            Self::Step { step_size, gamma } => initial * power(*gamma, steps / (*step_size).max(1)),
            Self::MultiStep { milestones, gamma } => initial * power(*gamma, reached(milestones) as u64),
            Self::Exponential { gamma } => initial * power(*gamma, steps),
            Self::Linear { start_factor, end_factor, total_iters } => {
                let part = if steps < *total_iters { steps as f64 / *total_iters as f64 } else { 1.0 };
                initial * (start_factor + (end_factor - start_factor) * part)
            }
            Self::CosineAnnealing { t_max, eta_min } => {
                cosine(initial, *eta_min, steps as f64 / (*t_max).max(1) as f64)
            }
            &Self::OneCycle { max_lr, total_steps, pct_start, div_factor, final_div_factor } => {
                let first = max_lr / div_factor;
                let (top, end) = (pct_start * total_steps as f64 - 1.0, total_steps as f64 - 1.0);
                let step = (steps as f64).min(end);
                if step <= top {
                    cosine(first, max_lr, step / top.max(f64::MIN_POSITIVE))
                } else {
                    let part = (step - top) / (end - top).max(f64::MIN_POSITIVE);
                    cosine(max_lr, first / final_div_factor, part)
                }
            }
            Self::Sequential { schedules, milestones } => {
                let at = reached(milestones).min(schedules.len().saturating_sub(1));
                let began = at.checked_sub(1).map_or(0, |before| milestones[before]);
                schedules
                    .get(at)
                    .map_or(initial, |schedule| schedule.lr(initial, steps.saturating_sub(began)))
            }
        }
    }
}

fn power(gamma: f64, times: u64) -> f64 {
    gamma.powi(i32::try_from(times).unwrap_or(i32::MAX))
}

/// From `a` at 0 to `b` at 1 along half a cosine.
fn cosine(a: f64, b: f64, part: f64) -> f64 {
    b + (a - b) / 2.0 * (1.0 + (PI * part).cos())
}
