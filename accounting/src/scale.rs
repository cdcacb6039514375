//! How the steps of a slider go.

use crate::decimal;

/// How a slider's track maps to values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scale {
    /// Equal distances are equal differences; one step is this much.
    Linear(f64),
    /// Equal distances are equal ratios; so many steps to a doubling.
    Doubling(u32),
    /// Equal distances are equal ratios; the steps are 1, 1.5, 2, 3, 5, 7, 10, ….
    Decades,
}

/// Where the steps of [`Scale::Decades`] stand within one decade.
const DECADE: [f64; 6] = [1.0, 1.5, 2.0, 3.0, 5.0, 7.0];

impl Scale {
    /// The step nearest to a value, counted from `min`.
    #[must_use]
    pub fn tick_of(self, value: f64, min: f64) -> u32 {
        let position = match self {
            Self::Linear(step) => (value - min) / step,
            Self::Doubling(steps) => (value / min).log2() * f64::from(steps),
            Self::Decades => decade_position(value) - decade_position(min),
        };
        // Saturates; a reader's value may lie off the steps, and the last step may be a short one.
        position.round() as u32
    }

    /// The value at a step, counted from `min`, and never beyond the ends.
    #[must_use]
    pub fn value_at(self, tick: u32, min: f64, max: f64) -> f64 {
        let tick = f64::from(tick);
        let value = match self {
            // A multiple of 0.05 is written as a person would write it, not as 0.15000000000000002.
            Self::Linear(step) => ((min + tick * step) * 1e12).round() / 1e12,
            Self::Doubling(steps) => (min * (tick / f64::from(steps)).exp2()).round_ties_even(),
            Self::Decades => decade_value(decade_position(min).round() + tick),
        };
        value.max(min).min(max)
    }
}

fn decade_position(value: f64) -> f64 {
    let exponent = value.log10().floor();
    let mantissa = value / 10f64.powf(exponent);
    let below = DECADE.iter().rposition(|step| *step <= mantissa * (1.0 + 1e-12)).unwrap_or(0);
    let next = DECADE.get(below + 1).copied().unwrap_or(10.0);
    let part = (mantissa / DECADE[below]).ln() / (next / DECADE[below]).ln();
    exponent * DECADE.len() as f64 + below as f64 + part
}

fn decade_value(position: f64) -> f64 {
    let steps = DECADE.len() as f64;
    let exponent = (position / steps).floor();
    let within = (position - exponent * steps).round() as usize;
    // Through text, so that 7e12 is the double that a reader types.
    let text = decimal::shortest(DECADE[within.min(DECADE.len() - 1)]);
    decimal::read(&format!("{text}e{}", exponent as i32)).unwrap_or(f64::INFINITY)
}
