//! A number in a format, and the bits between them.

use leptos::prelude::*;
use napkin_engine::format::Format;

use super::decimal::{read, typed};
use crate::state::{Choice, ChoiceRule, Param, TextRule, use_scope};

/// The formats as the address and the page name them, in the order of [`Format::ALL`].
const FORMAT: ChoiceRule = ChoiceRule {
    label: "Format",
    options: &[
        ("fp32", "fp32"),
        ("tf32", "tf32"),
        ("fp16", "fp16"),
        ("bf16", "bf16"),
        ("e4m3", "fp8_e4m3"),
        ("e5m2", "fp8_e5m2"),
        ("e2m1", "fp4"),
    ],
};

pub fn name(format: Format) -> &'static str {
    FORMAT.options[index(format)].1
}

fn index(format: Format) -> usize {
    Format::ALL.iter().position(|have| *have == format).unwrap_or(0)
}

/// The number; a copy is the same one.
#[derive(Clone, Copy)]
pub struct Number {
    choice: Param<Choice>,
    /// What the reader typed, or what the bits say.
    pub text: Param<String>,
    /// The pattern, where the reader flipped bits: a NaN has many.
    bits: Param<String>,
}

fn check_bits(text: &str) -> Result<(), String> {
    if text.is_empty() || u32::from_str_radix(text, 16).is_ok() {
        return Ok(());
    }
    Err(format!("Bits are at most eight hexadecimal digits, not {text:?}."))
}

impl Number {
    pub fn new(value: f64, format: Format) -> Self {
        let scope = use_scope();
        let number = TextRule { label: "Number", check: |text| read(text).map(drop) };
        Self {
            choice: scope.param("format", Choice(index(format)), FORMAT),
            text: scope.param("number", typed(value), number),
            bits: scope.param("bits", String::new(), TextRule { label: "Bits", check: check_bits }),
        }
    }

    pub fn format(self) -> Format {
        Format::ALL[self.choice.get().0]
    }

    pub fn set_format(self, format: Format) {
        self.bits.set(String::new());
        self.choice.set(Choice(index(format)));
    }

    pub fn value(self) -> f64 {
        read(&self.text.get()).unwrap_or(f64::NAN)
    }

    pub fn pattern(self) -> u32 {
        let (format, value) = (self.format(), self.value());
        let flipped = u32::from_str_radix(&self.bits.get(), 16).ok().filter(|bits| {
            let says = format.decode(*bits);
            bits.checked_shr(format.bits()).unwrap_or(0) == 0
                && (says.to_bits() == value.to_bits() || says.is_nan() && value.is_nan())
        });
        flipped.unwrap_or_else(|| format.store(value).0)
    }

    pub fn set_pattern(self, pattern: u32) {
        let value = untrack(|| self.format()).decode(pattern);
        self.text.set(typed(value));
        self.bits.set(format!("{pattern:x}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Scope, Values};

    fn with_number(test: impl FnOnce(Number)) {
        Owner::new().with(|| {
            Values::provide();
            provide_context(Scope::new("dtypes"));
            test(Number::new(1.0, Format::FP16));
        });
    }

    #[test]
    fn every_pattern_can_be_set_and_stays() {
        with_number(|number| {
            for format in Format::ALL {
                number.set_format(format);
                let patterns = match format.bits() {
                    bits @ 0..=8 => (0..1 << bits).collect(),
                    32 => vec![0, 1, 0x7f80_0000, 0x7f80_0001, 0xffc0_1234, 0x8000_0000, 0x3f80_0000],
                    _ => Vec::new(),
                };
                for pattern in patterns {
                    number.set_pattern(pattern);
                    assert_eq!(number.pattern(), pattern, "{} {pattern:b}", format.name);
                }
            }
        });
    }

    #[test]
    fn a_typed_number_and_another_format_lead_to_new_bits() {
        with_number(|number| {
            number.set_pattern(0x3c01);
            for (text, format, pattern) in [("2", Format::FP16, 0x4000), ("1e-8", Format::BF16, 0x322c)] {
                number.text.set(text.to_owned());
                number.set_format(format);
                assert_eq!(number.pattern(), pattern, "{text}");
            }
        });
    }

    #[test]
    fn the_options_are_the_formats() {
        let ids = FORMAT.options.iter().map(|(id, _)| (*id).to_owned());
        assert!(ids.eq(Format::ALL.iter().map(|format| format.name.to_lowercase())));
    }
}
