//! From values to coordinates.

#[derive(Debug, Clone, Copy)]
pub(crate) struct Scale {
    from: f64,
    to: f64,
    start: f64,
    end: f64,
    is_log: bool,
}

impl Scale {
    /// Equal distances are equal differences.
    pub(crate) fn linear(from: f64, to: f64, start: f64, end: f64) -> Self {
        // A double so large that 1 more is the same one needs a wider span.
        let to = if to > from { to } else { from + (from.abs() * 1e-3).max(1.0) };
        Self { from, to, start, end, is_log: false }
    }

    /// Equal distances are equal ratios; from a whole power of ten to another.
    pub(crate) fn decades(least: f64, most: f64, start: f64, end: f64) -> Self {
        let from = least.log10().floor();
        let to = most.log10().ceil().max(from + 1.0);
        Self { from, to, start, end, is_log: true }
    }

    pub(crate) fn at(self, value: f64) -> f64 {
        let value = if self.is_log { value.log10() } else { value };
        // By halves: the span of the two largest doubles is no double.
        let share = (value / 2.0 - self.from / 2.0) / (self.to / 2.0 - self.from / 2.0);
        self.start + share * (self.end - self.start)
    }

    pub(crate) fn ends(self) -> (f64, f64) {
        if self.is_log { (10f64.powf(self.from), 10f64.powf(self.to)) } else { (self.from, self.to) }
    }

    /// Round values, at most about so many.
    pub(crate) fn ticks(self, most: usize) -> Vec<f64> {
        let most = most.max(2) as f64;
        if self.is_log {
            let every = ((self.to - self.from) / most).ceil().max(1.0);
            let count = ((self.to - self.from) / every).floor() as u32;
            let powers = (0..=count).map(|i| 10f64.powf(self.from + f64::from(i) * every));
            return powers.filter(|at| at.is_finite() && *at > 0.0).collect();
        }
        let rough = (self.to / most) - (self.from / most);
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|times| times * power).find(|step| *step >= rough);
        let step = step.unwrap_or(rough);
        let first = (self.from / step).ceil();
        let count = (self.to / step - first + 1e-9).floor().min(most + 1.0) as u32;
        (0..=count).map(|i| (first + f64::from(i)) * step).collect()
    }
}

/// The least and the most of some values, if there are any.
pub(crate) fn ends(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.map(|value| (value, value)).reduce(|(least, most), (value, _)| (least.min(value), most.max(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(Scale::linear(0.0, 80e9, 0.0, 1.0).ticks(5), [0.0, 20e9, 40e9, 60e9, 80e9]);
        assert_eq!(Scale::linear(0.0, 3.0, 0.0, 1.0).ticks(5), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(Scale::decades(0.3, 295.0, 0.0, 1.0).ticks(10), [0.1, 1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(Scale::decades(1.0, 1e12, 0.0, 1.0).ticks(5), [1.0, 1e3, 1e6, 1e9, 1e12]);
    }

    #[test]
    fn the_ends_of_doubles_have_places() {
        let scales = [
            Scale::linear(1e20, 1e20, 0.0, 1.0),
            Scale::linear(-1e308, 1e308, 0.0, 1.0),
            Scale::linear(-1e20, -1e20, 0.0, 1.0),
            Scale::decades(5e-324, 1.0, 0.0, 1.0),
            Scale::decades(1e303, 1.7e308, 0.0, 1.0),
        ];
        for scale in scales {
            let ticks = scale.ticks(5);
            assert!(!ticks.is_empty(), "{scale:?}");
            for tick in ticks {
                assert!((-0.01..=1.01).contains(&scale.at(tick)), "{scale:?}: {tick}");
            }
        }
    }
}
