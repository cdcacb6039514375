//! Numbers that a reader may change: where each stands on its slider, and how Python writes it.

use napkin_trace::trace::Slider;

use super::questions::number;

/// Without a step of its own a slider has about so many places.
const PLACES: f64 = 300.0;
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
pub fn slider_id(slider: &Slider) -> String {
    match slider.function_name.as_str() {
        "" => slider.name.clone(),
        function => format!("{function}.{}", slider.name),
    }
}

impl Scale {
    /// That of a slider.
    pub fn new(slider: &Slider) -> Self {
        let (min, max) = (slider.min, slider.max.max(slider.min));
        let is_whole = slider.value.replace('_', "").parse::<i64>().is_ok();
        let is_wide = min > 0.0 && max >= WIDE * min;
        let step = slider.step.filter(|step| *step > 0.0);
        let step = step.or((is_whole && max - min <= PLACES).then_some(1.0));
        let count = step.map_or(PLACES, |step| ((max - min) / step + 1e-9).floor().min(MOST_PLACES)) as u32;
        let value = |place: f64| match step {
            Some(step) => min + step * place,
            None if is_wide => digits(min * (max / min).powf(place / PLACES), 3),
            None => min + (max - min) * place / PLACES,
        };
        let values = (0..=count).map(|place| value(f64::from(place))).chain([max]);
        let tidy = values.map(|value| digits(value, 12).clamp(min, max));
        let mut values: Vec<f64> = tidy.map(|value| if is_whole { value.round() } else { value }).collect();
        values.dedup();
        Self { name: slider.name.clone(), min, max, is_whole, values }
    }

    /// The last place; the first is 0.
    pub fn last(&self) -> usize {
        self.values.len().saturating_sub(1)
    }

    /// The number at a place, as Python writes it.
    pub fn at(&self, place: usize) -> String {
        self.literal(self.values.get(place.min(self.last())).copied().unwrap_or(self.min))
    }

    /// The place nearest to a number.
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
            let nearest = self.literal(value.round().clamp(*min, *max));
            return Err((format!("{name} is a whole number, not {}", text.trim()), Some(nearest)));
        }
        if !(*min..=*max).contains(&value) {
            let (from, to) = (self.literal(*min), self.literal(*max));
            let nearest = self.literal(value.clamp(*min, *max));
            return Err((format!("{name} goes from {from} to {to}, not to {}", text.trim()), Some(nearest)));
        }
        Ok(self.literal(value))
    }

    fn literal(&self, value: f64) -> String {
        if self.is_whole {
            return format!("{value:.0}");
        }
        if value != 0.0 && !(1e-4..1e6).contains(&value.abs()) {
            return format!("{value:e}");
        }
        // Python knows a float by its point.
        let text = value.to_string();
        if text.contains('.') { text } else { text + ".0" }
    }
}

/// A number with so many significant digits.
fn digits(value: f64, count: usize) -> f64 {
    format!("{value:.*e}", count.saturating_sub(1)).parse().unwrap_or(value)
}
