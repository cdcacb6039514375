//! Numbers that a reader may change: where each stands on its slider, and how Python writes it.

use napkin_accounting::decimal;
use napkin_notebook::trace::Slider;

/// Without a step of its own a slider has about so many places.
const PLACES: u32 = 300;
/// A step that leads to more places than this is too fine for any hand.
const MOST_PLACES: f64 = 10_000.0;
/// From this quotient of both ends on, equal ways are equal factors.
const WIDE: f64 = 1000.0;

/// The places of a slider.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    name: String,
    min: f64,
    max: f64,
    is_whole: bool,
    values: Vec<f64>,
}

/// What an address and the worker call a slider within its file: `function.name`, or `name` outside all functions.
#[must_use]
pub fn id(slider: &Slider) -> String {
    match slider.function_name.as_str() {
        "" => slider.name.clone(),
        function => format!("{function}.{}", slider.name),
    }
}

impl Scale {
    /// That of a slider.
    #[must_use]
    pub fn new(slider: &Slider) -> Self {
        let (min, max) = (slider.min, slider.max.max(slider.min));
        let is_whole = slider.value.replace('_', "").parse::<i64>().is_ok();
        let between = |count: u32, at: &dyn Fn(f64) -> f64| -> Vec<f64> {
            (0..=count).map(|place| at(f64::from(place) / f64::from(count.max(1)))).collect()
        };
        let mut values = match slider.step.filter(|step| *step > 0.0) {
            Some(step) => {
                let count = ((max - min) / step + 1e-9).floor().min(MOST_PLACES) as u32;
                (0..=count).map(|place| min + step * f64::from(place)).collect()
            }
            None if min > 0.0 && max >= WIDE * min => {
                between(PLACES, &|part| digits(min * (max / min).powf(part), 3))
            }
            None if is_whole && max - min <= f64::from(PLACES) => {
                (0..=(max - min) as u32).map(|place| min + f64::from(place)).collect()
            }
            None => between(PLACES, &|part| min + (max - min) * part),
        };
        values.push(max);
        for value in &mut values {
            *value = within(digits(*value, 12), min, max);
            if is_whole {
                *value = value.round();
            }
        }
        values.dedup();
        Self { name: slider.name.clone(), min, max, is_whole, values }
    }

    /// The last place; the first is 0.
    #[must_use]
    pub fn last(&self) -> usize {
        self.values.len().saturating_sub(1)
    }

    /// The number at a place, as Python writes it.
    #[must_use]
    pub fn at(&self, place: usize) -> String {
        self.literal(self.values.get(place.min(self.last())).copied().unwrap_or(self.min))
    }

    /// The place nearest to a number.
    #[must_use]
    pub fn place(&self, written: &str) -> usize {
        let value = number(written).unwrap_or(self.min);
        let after = self.values.partition_point(|known| *known < value).min(self.last());
        let before = after.saturating_sub(1);
        let away = |place: usize| self.values.get(place).map_or(f64::INFINITY, |known| (known - value).abs());
        if away(before) < away(after) { before } else { after }
    }

    /// What a reader wrote, as Python writes it.
    ///
    /// # Errors
    /// With a sentence, and the nearest number that will do if there is one.
    pub fn read(&self, text: &str) -> Result<String, (String, Option<String>)> {
        let Self { name, min, max, .. } = self;
        let Some(value) = number(text) else {
            return Err((format!("{name} is a number, not “{}”", text.trim()), None));
        };
        if self.is_whole && value.fract() != 0.0 {
            let nearest = self.literal(within(value.round(), *min, *max));
            return Err((format!("{name} is a whole number, not {}", text.trim()), Some(nearest)));
        }
        if !(*min..=*max).contains(&value) {
            let (from, to) = (self.literal(*min), self.literal(*max));
            let nearest = self.literal(within(value, *min, *max));
            return Err((format!("{name} goes from {from} to {to}, not to {}", text.trim()), Some(nearest)));
        }
        Ok(self.literal(value))
    }

    fn literal(&self, value: f64) -> String {
        if self.is_whole {
            return decimal::fixed(value, 0);
        }
        if value != 0.0 && !(1e-4..1e6).contains(&value.abs()) {
            return decimal::shortest_scientific(value);
        }
        // Python knows a float by its point.
        let text = decimal::shortest(value);
        if text.contains('.') { text } else { text + ".0" }
    }
}

fn number(text: &str) -> Option<f64> {
    decimal::read(&text.trim().replace(['_', ','], "")).filter(|value| value.is_finite())
}

/// A number with so many significant digits.
fn digits(value: f64, count: usize) -> f64 {
    decimal::read(&decimal::scientific(value, count.saturating_sub(1))).unwrap_or(value)
}

/// The nearest number between both; `clamp` would bring all that writes doubles, for its panic.
fn within(value: f64, min: f64, max: f64) -> f64 {
    value.max(min).min(max)
}
