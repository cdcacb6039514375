//! Numbers that a reader may change: how the slider of each goes, and how Python writes it.

use napkin_accounting::Scale;
use napkin_accounting::calc;
use napkin_trace::trace::Slider;

use super::questions::number;

/// Without a step of its own a slider has at most about so many places.
const PLACES: f64 = 300.0;
/// From this quotient of both ends on, equal ways are equal factors.
const WIDE: f64 = 50.0;

/// The numbers that an assignment may have.
#[derive(Debug, Clone)]
pub struct SliderRange {
    name: String,
    is_whole: bool,
    pub slider: calc::Slider,
}

/// What an address and the worker call a slider within its file: `function.name`, or `name` outside all functions.
pub fn slider_id(slider: &Slider) -> String {
    match slider.function_name.as_str() {
        "" => slider.name.clone(),
        function => format!("{function}.{}", slider.name),
    }
}

impl SliderRange {
    pub fn new(slider: &Slider) -> Self {
        let (min, max) = (slider.min, slider.max.max(slider.min));
        let is_whole = slider.value.replace('_', "").parse::<i64>().is_ok();
        let is_wide = min > 0.0 && max >= WIDE * min;
        let scale = match slider.step.filter(|step| *step > 0.0) {
            Some(step) => Scale::Linear(step),
            None if is_whole && max - min <= PLACES => Scale::Linear(1.0),
            // People count in powers of two, and measure in powers of ten.
            None if is_wide && is_whole => Scale::Doubling(1),
            None if is_wide => Scale::Decades,
            None if is_whole => Scale::Linear(((max - min) / PLACES).ceil()),
            None => Scale::Linear((max - min) / PLACES),
        };
        Self { name: slider.name.clone(), is_whole, slider: calc::Slider { min, max, scale } }
    }

    /// What a reader wrote, as Python writes it.
    ///
    /// # Errors
    /// With a sentence, and the nearest number that will do if there is one.
    pub fn read(&self, text: &str) -> Result<String, (String, Option<String>)> {
        let Self { name, slider: calc::Slider { min, max, .. }, .. } = self;
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

    /// A number as Python writes it.
    pub fn literal(&self, value: f64) -> String {
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
