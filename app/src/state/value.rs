//! Values that a reader can change, as text in fields and in the address.

pub use napkin_accounting::Scale;
pub use napkin_accounting::format::typed as plain;
use napkin_accounting::{Quantity, parse};

/// What came of reading a text.
#[derive(Debug, Clone, PartialEq)]
pub enum Read<T> {
    /// The value.
    Good(T),
    /// The nearest value that is allowed, and the sentence that says so.
    Clamped(T, String),
    /// The sentence that says which rule the text breaks.
    Bad(String),
}

/// A type of values, each with the rule that one parameter follows.
pub trait Value: Clone + PartialEq + Send + Sync + 'static {
    /// Range, choices or check.
    type Rule: Copy + Send + Sync + 'static;
    /// Reads what a person typed or an address says.
    fn read(text: &str, rule: Self::Rule) -> Read<Self>;
    /// What reads back as this value.
    fn write(&self, rule: Self::Rule) -> String;
}

/// The range of a number and how its slider moves.
#[derive(Debug, Clone, Copy)]
pub struct NumberRule {
    /// What the field is called, and its name in messages.
    pub label: &'static str,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
    /// Unit shown behind the field; may be empty.
    pub unit: &'static str,
    /// How a step of the slider goes.
    pub scale: Scale,
    read: fn(&str, &str) -> Result<f64, String>,
}

impl NumberRule {
    /// A number that is read as the quantity `Q` is: "70B", "1_000", "15e12".
    #[must_use]
    pub const fn of<Q: Quantity>(label: &'static str, min: f64, max: f64, scale: Scale) -> Self {
        Self { label, min, max, unit: "", scale, read: read_as::<Q> }
    }

    /// With a unit behind the field.
    #[must_use]
    pub const fn unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    /// Number of steps of the slider.
    #[must_use]
    pub fn ticks(self) -> u32 {
        self.tick_of(self.max)
    }

    /// The step nearest to a value.
    #[must_use]
    pub fn tick_of(self, value: f64) -> u32 {
        self.scale.tick_of(value, self.min)
    }

    /// The value at a step.
    #[must_use]
    pub fn value_at(self, tick: u32) -> f64 {
        self.scale.value_at(tick, self.min, self.max)
    }
}

fn read_as<Q: Quantity>(field: &str, text: &str) -> Result<f64, String> {
    parse::<Q>(field, text).map(|quantity| quantity.number().to_f64()).map_err(|error| error.to_string())
}

impl Value for f64 {
    type Rule = NumberRule;

    fn read(text: &str, rule: NumberRule) -> Read<Self> {
        match (rule.read)(rule.label, text) {
            Err(sentence) => Read::Bad(sentence),
            Ok(value) if (rule.min..=rule.max).contains(&value) => Read::Good(value),
            Ok(value) => {
                let nearest = value.max(rule.min).min(rule.max);
                let side = if value > nearest { "at most" } else { "at least" };
                Read::Clamped(nearest, format!("{} is {side} {} here.", rule.label, plain(nearest)))
            }
        }
    }

    fn write(&self, _: NumberRule) -> String {
        plain(*self)
    }
}

/// A choice among named options: an index into them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice(pub usize);

/// The options of a choice.
#[derive(Debug, Clone, Copy)]
pub struct ChoiceRule {
    /// What the choice is called.
    pub label: &'static str,
    /// Pairs of the name in addresses and the words on the page.
    pub options: &'static [(&'static str, &'static str)],
}

impl Value for Choice {
    type Rule = ChoiceRule;

    fn read(text: &str, rule: ChoiceRule) -> Read<Self> {
        match rule.options.iter().position(|(id, _)| id.eq_ignore_ascii_case(text)) {
            Some(index) => Read::Good(Self(index)),
            None => {
                let ids: Vec<_> = rule.options.iter().map(|(id, _)| *id).collect();
                Read::Bad(format!("{} must be one of {}, not {text:?}.", rule.label, ids.join(", ")))
            }
        }
    }

    fn write(&self, rule: ChoiceRule) -> String {
        rule.options.get(self.0).map_or_else(String::new, |(id, _)| (*id).to_owned())
    }
}

/// What a switch is called.
#[derive(Debug, Clone, Copy)]
pub struct SwitchRule {
    /// The words beside the switch.
    pub label: &'static str,
}

impl Value for bool {
    type Rule = SwitchRule;

    fn read(text: &str, rule: SwitchRule) -> Read<Self> {
        match text {
            "1" => Read::Good(true),
            "0" => Read::Good(false),
            _ => Read::Bad(format!("{} must be 0 or 1, not {text:?}.", rule.label)),
        }
    }

    fn write(&self, _: SwitchRule) -> String {
        if *self { "1" } else { "0" }.to_owned()
    }
}

/// A text and the check that it has to pass.
#[derive(Debug, Clone, Copy)]
pub struct TextRule {
    /// What the field is called.
    pub label: &'static str,
    /// Says which rule a text breaks.
    pub check: fn(&str) -> Result<(), String>,
}

impl Value for String {
    type Rule = TextRule;

    fn read(text: &str, rule: TextRule) -> Read<Self> {
        match (rule.check)(text) {
            Ok(()) => Read::Good(text.to_owned()),
            Err(sentence) => Read::Bad(sentence),
        }
    }

    fn write(&self, _: TextRule) -> String {
        self.clone()
    }
}

#[cfg(test)]
mod tests {
    use napkin_accounting::{Count, Mfu, Params};

    use super::*;

    const PARAMS: NumberRule = NumberRule::of::<Params>("Parameters", 1e6, 1e13, Scale::Decades);
    const WIDTH: NumberRule = NumberRule::of::<Count>("D", 1.0, 65536.0, Scale::Doubling(1));
    const MFU: NumberRule = NumberRule::of::<Mfu>("MFU", 0.05, 1.0, Scale::Linear(0.05));

    #[test]
    fn numbers_read_as_people_type_them() {
        assert_eq!(f64::read("70B", PARAMS), Read::Good(70e9));
        assert_eq!(f64::read("15T", PARAMS), Read::Clamped(1e13, "Parameters is at most 10T here.".into()));
        assert_eq!(f64::read("1e9", PARAMS), Read::Good(1e9));
        assert_eq!(f64::read("1", PARAMS), Read::Clamped(1e6, "Parameters is at least 1M here.".into()));
        for bad in ["", "abc", "0", "-3", "1e400", "NaN", "inf", "--", "1.2.3", "70 bananas"] {
            let Read::Bad(sentence) = f64::read(bad, PARAMS) else { panic!("{bad:?} was read") };
            assert!(sentence.contains("Parameters"), "{bad:?}: {sentence}");
        }
        assert!(matches!(f64::read("2.5", WIDTH), Read::Bad(_)), "sizes are whole");
    }

    #[test]
    fn numbers_read_back_as_they_were_written() {
        for value in
            [1.0, 0.05, 1024.0, 33_554_432.0, 70e9, 1.5e12, 6.3e24, 1e-8, 123_456_789_012.0, 0.1 + 0.2]
        {
            let text = plain(value);
            let rule = NumberRule::of::<Mfu>("x", 0.0, f64::MAX, Scale::Linear(1.0));
            assert_eq!(f64::read(&text, rule), Read::Good(value), "{text}");
        }
        assert_eq!(plain(70e9), "70B");
        assert_eq!(plain(1024.0), "1024");
        assert_eq!(plain(1e-8), "1e-8");
    }

    #[test]
    fn every_step_of_a_slider_is_its_own_value() {
        for rule in [PARAMS, WIDTH, MFU] {
            let mut last = f64::NEG_INFINITY;
            for tick in 0..=rule.ticks() {
                let value = rule.value_at(tick);
                assert!(value > last && value <= rule.max, "{tick}: {value} after {last}");
                assert_eq!(rule.tick_of(value), tick, "{value}");
                last = value;
            }
            assert_eq!((rule.value_at(0), last), (rule.min, rule.max));
        }
        assert_eq!(MFU.value_at(2), 0.15);
        assert_eq!(PARAMS.value_at(PARAMS.tick_of(70e9)), 70e9);
    }

    #[test]
    fn choices_and_switches_name_their_rule() {
        let rule = ChoiceRule { label: "dtype", options: &[("fp32", "FP32"), ("bf16", "bfloat16")] };
        assert_eq!(Choice::read("BF16", rule), Read::Good(Choice(1)));
        assert_eq!(Choice(1).write(rule), "bf16");
        let Read::Bad(sentence) = Choice::read("fp99", rule) else { panic!() };
        assert!(sentence.contains("fp32, bf16") && sentence.contains("fp99"), "{sentence}");
        assert!(matches!(bool::read("yes", SwitchRule { label: "sparse" }), Read::Bad(_)));
    }
}
