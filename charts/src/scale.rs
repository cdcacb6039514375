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
        Self { from, to: if to > from { to } else { from + 1.0 }, start, end, is_log: false }
    }

    /// Equal distances are equal ratios; from a whole power of ten to another.
    pub(crate) fn decades(least: f64, most: f64, start: f64, end: f64) -> Self {
        let from = least.log10().floor();
        let to = most.log10().ceil().max(from + 1.0);
        Self { from, to, start, end, is_log: true }
    }

    pub(crate) fn at(self, value: f64) -> f64 {
        let value = if self.is_log { value.log10() } else { value };
        self.start + (value - self.from) / (self.to - self.from) * (self.end - self.start)
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
            return (0..=count).map(|i| 10f64.powf(self.from + f64::from(i) * every)).collect();
        }
        let rough = (self.to - self.from) / most;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|times| times * power).find(|step| *step >= rough);
        let step = step.unwrap_or(rough);
        let first = (self.from / step).ceil();
        let count = (self.to / step - first + 1e-9).floor() as u32;
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
}
