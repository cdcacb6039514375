//! What a calculator asks for: the same field is an option in the terminal, a control in the page and a key in its
//! address.

use crate::{DType, Rule, Scale, Unit};

/// An assumption that a reader can change. A field that several calculators share is one assumption.
#[derive(Debug)]
pub struct Field {
    /// Name in options and JSON: `d-model`.
    pub name: &'static str,
    /// What tells assumptions apart, in addresses: as the name, but where calculators mean different things by it.
    pub key: &'static str,
    /// Name for people.
    pub label: &'static str,
    /// What it is, in a sentence without a full stop.
    pub help: &'static str,
    /// Python name, with the unit in it where there is one.
    pub python: &'static str,
    /// Symbol in formulas.
    pub symbol: &'static str,
    /// What may be typed.
    pub kind: Kind,
    /// What it is unless the reader says otherwise; empty where nothing is assumed.
    pub default: &'static str,
    /// Other spellings of the option.
    pub aliases: &'static [&'static str],
}

/// What may be typed into a field.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Kind {
    /// A quantity.
    Number(Range),
    /// One of a few.
    Choice(&'static [Choice]),
    /// On or off.
    Switch,
    /// A device of the catalogue, or the record of one in JSON.
    Device,
    /// Devices of the catalogue, with commas between them.
    Devices,
    /// A model of the catalogue, or a config.json.
    Model,
    /// A network of the catalogue, or a bandwidth.
    Link,
    /// Anything, such as the shapes of a tensor.
    Text,
}

/// The ids in the text of [`Kind::Devices`].
pub fn listed(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|id| !id.is_empty())
}

/// A choice with its name.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// What is typed: `full`.
    pub id: &'static str,
    /// What it means.
    pub label: &'static str,
}

/// Which numbers a field takes.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    /// Its unit.
    pub unit: Unit,
    /// Finite and positive, or whole.
    pub rule: Rule,
    /// The smallest allowed.
    pub min: f64,
    /// The largest allowed.
    pub max: f64,
    /// Ends and steps of the slider.
    pub slider: Option<Slider>,
}

/// A slider's track, within the range.
#[derive(Debug, Clone, Copy)]
pub struct Slider {
    /// Left end.
    pub min: f64,
    /// Right end.
    pub max: f64,
    /// How its steps go.
    pub scale: Scale,
}

impl Slider {
    /// The last step; the first is 0.
    #[must_use]
    pub fn last(self) -> u32 {
        self.tick_of(self.max)
    }

    /// The step nearest to a value; of what is no number the first.
    #[must_use]
    pub fn tick_of(self, value: f64) -> u32 {
        self.scale.tick_of(value.max(self.min).min(self.max), self.min)
    }

    /// The value at a step, and never beyond the ends.
    #[must_use]
    pub fn value_at(self, tick: u32) -> f64 {
        self.scale.value_at(tick, self.min, self.max)
    }
}

impl Field {
    /// What is on its list.
    #[must_use]
    pub fn choices(&self) -> &'static [Choice] {
        match self.kind {
            Kind::Choice(choices) => choices,
            _ => &[],
        }
    }

    /// What a text chooses, by its id or its label; formats also by their names in PyTorch.
    #[must_use]
    pub fn choice(&self, text: &str) -> Option<&'static Choice> {
        let named = |name: &str| {
            let is = |known: &str| known.eq_ignore_ascii_case(name);
            let by_id = self.choices().iter().find(|choice| is(choice.id));
            by_id.or_else(|| self.choices().iter().find(|choice| is(choice.label)))
        };
        named(text).or_else(|| named(DType::parse("", text).ok()?.name()))
    }
}
