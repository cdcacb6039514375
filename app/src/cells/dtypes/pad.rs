//! What the parts of the cell share: a format, a number, and the bits between them.

use leptos::prelude::*;
use napkin_engine::format::Format;

use super::decimal::{read, typed};
use crate::state::{CellContext, Choice, ChoiceRule, Param, TextRule};

/// The formats as the address and the page name them, in the order of [`Format::ALL`].
const OPTIONS: &[(&str, &str)] = &[
    ("fp32", "fp32"),
    ("tf32", "tf32"),
    ("fp16", "fp16"),
    ("bf16", "bf16"),
    ("e4m3", "fp8 E4M3"),
    ("e5m2", "fp8 E5M2"),
    ("e2m1", "fp4 E2M1"),
];

/// The name of a format on the page.
pub fn name(format: Format) -> &'static str {
    let index = Format::ALL.iter().position(|have| *have == format);
    index.and_then(|index| OPTIONS.get(index)).map_or(format.name, |(_, words)| words)
}

/// The pad; a copy is the same one.
#[derive(Clone, Copy)]
pub struct Pad {
    choice: Param<Choice>,
    /// What the reader typed, or what the bits say.
    pub number: Param<String>,
    /// The pattern, where the reader flipped bits: a NaN has many.
    bits: Param<String>,
}

fn check_number(text: &str) -> Result<(), String> {
    read(text).map(drop)
}

fn check_bits(text: &str) -> Result<(), String> {
    if text.is_empty() || u32::from_str_radix(text, 16).is_ok() {
        return Ok(());
    }
    Err(format!("Bits are at most eight hexadecimal digits, not {text:?}."))
}

impl Pad {
    /// The pad of the cell that is being built.
    pub fn new(cell: CellContext) -> Self {
        Self {
            choice: cell.choice("format", 2, ChoiceRule { label: "Format", options: OPTIONS }),
            number: cell.text("number", "1", TextRule { label: "Number", check: check_number }),
            bits: cell.text("bits", "", TextRule { label: "Bits", check: check_bits }),
        }
    }

    /// The format whose bits are shown; tracked.
    pub fn format(self) -> Format {
        Format::ALL.get(self.choice.get().0).copied().unwrap_or(Format::FP32)
    }

    /// Shows another format's bits of the same number.
    pub fn set_format(self, format: Format) {
        if let Some(index) = Format::ALL.iter().position(|have| *have == format) {
            self.bits.set(String::new());
            self.choice.set(Choice(index));
        }
    }

    /// The number that the reader asks about; tracked.
    pub fn value(self) -> f64 {
        read(&self.number.get()).unwrap_or(f64::NAN)
    }

    /// The pattern of the number in the format; tracked.
    pub fn pattern(self) -> u32 {
        let (format, value) = (self.format(), self.value());
        let flipped = u32::from_str_radix(&self.bits.get(), 16).ok().filter(|bits| {
            let says = format.decode(*bits);
            bits.checked_shr(format.bits()).unwrap_or(0) == 0
                && (says.to_bits() == value.to_bits() || says.is_nan() && value.is_nan())
        });
        flipped.unwrap_or_else(|| format.store(value).0)
    }

    /// Takes a pattern of the format.
    pub fn set_pattern(self, pattern: u32) {
        let value = untrack(|| self.format()).decode(pattern);
        self.number.set(typed(value));
        self.bits.set(format!("{pattern:x}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Outline, State, Step};

    const STEPS: &[Step] = &[Step { title: "", text: "", part: "", set: &[] }];

    fn with_pad(test: impl FnOnce(Pad)) {
        Owner::new().with(|| {
            let state = State::provide(&[Outline { id: "dtypes", steps: STEPS }]);
            test(Pad::new(CellContext::new(state, 0)));
        });
    }

    #[test]
    fn every_pattern_can_be_set_and_stays() {
        with_pad(|pad| {
            for format in Format::ALL.into_iter().filter(|format| format.bits() <= 8) {
                pad.set_format(format);
                for pattern in 0..1 << format.bits() {
                    pad.set_pattern(pattern);
                    assert_eq!(pad.pattern(), pattern, "{} {pattern:b}", format.name);
                }
            }
            pad.set_format(Format::FP32);
            for pattern in [0, 1, 0x7f80_0000, 0x7f80_0001, 0xffc0_1234, 0x8000_0000, 0x3f80_0000] {
                pad.set_pattern(pattern);
                assert_eq!(pad.pattern(), pattern, "{pattern:x}");
            }
        });
    }

    #[test]
    fn a_typed_number_and_another_format_lead_to_new_bits() {
        with_pad(|pad| {
            assert_eq!(pad.pattern(), 0x3c00, "1 in fp16");
            pad.set_pattern(0x3c01);
            pad.number.set("2".to_owned());
            assert_eq!(pad.pattern(), 0x4000);
            pad.set_format(Format::BF16);
            assert_eq!(pad.pattern(), 0x4000, "2 in bf16 has the same pattern");
            pad.number.set("1e-8".to_owned());
            assert_eq!(pad.pattern(), 0x322c);
        });
    }

    #[test]
    fn the_options_are_the_formats() {
        assert_eq!(OPTIONS.len(), Format::ALL.len());
        for (format, (id, _)) in Format::ALL.iter().zip(OPTIONS) {
            assert_eq!(format.name.to_lowercase(), *id);
        }
    }
}
