//! Values that a reader can change, as text in fields and in the address.

pub use napkin_accounting::Scale;
use napkin_accounting::calc::Slider;
use napkin_accounting::format::typed;
use napkin_accounting::{Quantity, parse};

/// What came of reading a text: the value, with a sentence where it is only the nearest that is allowed; or the sentence
/// that says which rule the text breaks.
pub type Reading<T> = Result<(T, Option<String>), String>;

/// A type of values, each with the rule that one parameter follows.
pub trait Value: Clone + PartialEq + Send + Sync + 'static {
    /// Range, choices or check.
    type Rule: Copy + Send + Sync + 'static;
    /// Reads what a person typed or an address says.
    fn read(text: &str, rule: Self::Rule) -> Reading<Self>;
    /// What reads back as this value.
    fn write(&self, rule: Self::Rule) -> String;
}

/// The range of a number and how its slider moves.
#[derive(Debug, Clone, Copy)]
pub struct NumberRule {
    /// What the field is called, and its name in messages.
    pub label: &'static str,
    /// Its slider goes from the least to the most.
    pub slider: Slider,
    read: fn(&str, &str) -> Result<f64, String>,
}

impl NumberRule {
    /// A number that is read as the quantity `Q` is: "70B", "1_000", "15e12".
    pub const fn of<Q: Quantity>(label: &'static str, min: f64, max: f64, scale: Scale) -> Self {
        let read = |field: &str, text: &str| match parse::<Q>(field, text) {
            Ok(quantity) => Ok(quantity.number().to_f64()),
            Err(error) => Err(error.to_string()),
        };
        Self { label, slider: Slider { min, max, scale }, read }
    }
}

impl Value for f64 {
    type Rule = NumberRule;

    fn read(text: &str, rule: NumberRule) -> Reading<Self> {
        let NumberRule { label, slider: Slider { min, max, .. }, read } = rule;
        Ok(match read(label, text)? {
            value if value > max => (max, Some(format!("{label} is at most {} here.", typed(max)))),
            value if value < min => (min, Some(format!("{label} is at least {} here.", typed(min)))),
            value => (value, None),
        })
    }

    fn write(&self, _: NumberRule) -> String {
        typed(*self)
    }
}

/// A choice among named options: an index into them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice(pub usize);

/// The options of a choice.
#[derive(Debug, Clone, Copy)]
pub struct ChoiceRule {
    pub label: &'static str,
    /// Pairs of the name in addresses and the words on the page.
    pub options: &'static [(&'static str, &'static str)],
}

impl Value for Choice {
    type Rule = ChoiceRule;

    fn read(text: &str, rule: ChoiceRule) -> Reading<Self> {
        let ids: Vec<_> = rule.options.iter().map(|(id, _)| *id).collect();
        match ids.iter().position(|id| id.eq_ignore_ascii_case(text)) {
            Some(index) => Ok((Self(index), None)),
            None => Err(format!("{} must be one of {}, not {text:?}.", rule.label, ids.join(", "))),
        }
    }

    fn write(&self, rule: ChoiceRule) -> String {
        rule.options[self.0].0.to_owned()
    }
}

/// A text and the check that it has to pass.
#[derive(Debug, Clone, Copy)]
pub struct TextRule {
    pub label: &'static str,
    /// Says which rule a text breaks.
    pub check: fn(&str) -> Result<(), String>,
}

impl Value for String {
    type Rule = TextRule;

    fn read(text: &str, rule: TextRule) -> Reading<Self> {
        (rule.check)(text).map(|()| (text.to_owned(), None))
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

    #[test]
    fn numbers_read_as_people_type_them() {
        assert_eq!(f64::read("70B", PARAMS), Ok((70e9, None)));
        assert_eq!(f64::read("15T", PARAMS), Ok((1e13, Some("Parameters is at most 10T here.".into()))));
        assert_eq!(f64::read("1", PARAMS), Ok((1e6, Some("Parameters is at least 1M here.".into()))));
        for bad in ["", "abc", "0", "-3", "1e400", "NaN", "inf", "--", "1.2.3", "70 bananas"] {
            let sentence = f64::read(bad, PARAMS).unwrap_err();
            assert!(sentence.contains("Parameters"), "{bad:?}: {sentence}");
        }
        assert!(f64::read("2.5", WIDTH).is_err(), "sizes are whole");
        let any = NumberRule::of::<Mfu>("x", 0.0, f64::MAX, Scale::Linear(1.0));
        for value in [1.0, 0.05, 1024.0, 70e9, 1.5e12, 6.3e24, 1e-8, 123_456_789_012.0, 0.1 + 0.2] {
            assert_eq!(f64::read(&typed(value), any), Ok((value, None)), "as it was written");
        }
    }

    #[test]
    fn a_choice_names_its_rule() {
        let rule = ChoiceRule { label: "dtype", options: &[("fp32", "FP32"), ("bf16", "bfloat16")] };
        assert_eq!(Choice::read("BF16", rule), Ok((Choice(1), None)));
        assert_eq!(Choice(1).write(rule), "bf16");
        let sentence = Choice::read("fp99", rule).unwrap_err();
        assert!(sentence.contains("fp32, bf16") && sentence.contains("fp99"), "{sentence}");
    }
}
