//! What a reader has typed, read by a calculator's fields.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::field::{Field, Kind, listed};
use super::{Calculator, ChosenModel, fields};
use crate::hardware::{self, Device};
use crate::{BytesPerSec, Error, Expr, Number, Quantity, Result, Rule, Unit, Value, parse};

/// Texts by field; what is absent has its default.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    texts: BTreeMap<String, String>,
    data: BTreeMap<String, String>,
    naming: Naming,
    /// Options other than the fields' names, by the fields' keys.
    spelt: BTreeMap<&'static str, &'static str>,
}

/// How sentences call a field.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Naming {
    /// `--gpus`
    #[default]
    Option,
    /// "GPUs"
    Label,
}

impl Inputs {
    /// Texts by the fields' keys. A model brings its parameters, and its tokens if its record names them, unless they are
    /// typed.
    #[must_use]
    pub fn new(naming: Naming, texts: BTreeMap<String, String>) -> Self {
        Self { texts, naming, ..Self::default() }
    }

    fn is_brought(&self, field: &Field) -> bool {
        let model = || self.texts.get(fields::MODEL.key).map_or("", |text| text.trim());
        match field.key {
            key if key == fields::PARAMS.key => !model().is_empty(),
            key if key == fields::TOKENS.key => !model().is_empty() && ChosenModel::names_tokens(model()),
            _ => false,
        }
    }

    /// Fields of a calculator that have their default, because nobody has typed anything.
    #[must_use]
    pub fn assumed(&self, calculator: &Calculator) -> Vec<&'static Field> {
        let is_assumed =
            |field: &&&Field| !self.texts.contains_key(field.key) && !self.text(field).is_empty();
        calculator.fields.iter().filter(is_assumed).copied().collect()
    }

    /// With what a calculator does not ask a reader for, such as the record of a measurement, as JSON.
    #[must_use]
    pub fn with_data(mut self, key: &str, json: String) -> Self {
        self.data.insert(key.to_owned(), json);
        self
    }

    /// With the option that a field was typed as, such as an alias of it.
    #[must_use]
    pub fn spelt(mut self, field: &Field, option: &'static str) -> Self {
        self.spelt.insert(field.key, option);
        self
    }

    /// What was handed over under that key.
    #[must_use]
    pub fn data(&self, key: &str) -> Option<&str> {
        self.data.get(key).map(String::as_str)
    }

    /// How sentences call that field.
    #[must_use]
    pub fn called(&self, field: &Field) -> String {
        match self.naming {
            Naming::Option => format!("--{}", self.spelt.get(field.key).unwrap_or(&field.name)),
            Naming::Label => field.label.to_owned(),
        }
    }

    /// What was typed, or the default where no model brings a value.
    #[must_use]
    pub fn text(&self, field: &Field) -> &str {
        let unless_typed = || if self.is_brought(field) { "" } else { field.default };
        self.texts.get(field.key).map_or_else(unless_typed, String::as_str).trim()
    }

    /// Whether the reader has typed anything.
    #[must_use]
    pub fn is_given(&self, field: &Field) -> bool {
        self.texts.get(field.key).is_some_and(|text| !text.trim().is_empty())
    }

    /// The same with other words for one field.
    #[must_use]
    pub fn with(mut self, field: &Field, text: &str) -> Self {
        self.texts.insert(field.key.to_owned(), text.to_owned());
        self
    }

    /// An error about a field.
    #[must_use]
    pub fn refuse(&self, field: &Field, rule: &str) -> Error {
        Error::input(&self.called(field), rule, self.text(field))
    }

    /// The error with the field's name before it.
    #[must_use]
    pub fn about(&self, field: &Field, error: Error) -> Error {
        Error::Named { field: self.called(field), error: Box::new(error) }
    }

    /// A quantity.
    ///
    /// # Errors
    /// A sentence that names the field and the rule.
    pub fn quantity<Q: Quantity>(&self, field: &Field) -> Result<Q> {
        Ok(Q::of(self.read(field, Q::UNIT, Q::RULE)?))
    }

    /// The number of a field in its own unit, whatever that is.
    ///
    /// # Errors
    /// As [`Inputs::quantity`]; for a field that takes no number, too.
    pub fn number(&self, field: &Field) -> Result<Number> {
        match field.kind {
            Kind::Number(range) => self.read(field, range.unit, range.rule),
            _ => Err(self.refuse(field, "a number")),
        }
    }

    fn read(&self, field: &Field, unit: Unit, rule: Rule) -> Result<Number> {
        let (text, called) = (self.text(field), self.called(field));
        if text.is_empty() {
            let example = if field.default.is_empty() { "512 or 70e9" } else { field.default };
            return Err(Error::Missing {
                field: called,
                what: format!("it takes a number such as {example}").into(),
            });
        }
        let number = parse::number(&called, text, unit, rule)?;
        let range = match field.kind {
            Kind::Number(range) => range,
            Kind::Link => fields::BANDWIDTH,
            _ => return Ok(number),
        };
        if !(range.min..=range.max).contains(&number.to_f64()) {
            let ends = [range.min, range.max].map(|end| crate::format::short(end, range.unit));
            return Err(Error::input(&called, format!("from {} to {}", ends[0], ends[1]), text));
        }
        Ok(number)
    }

    /// Whether whatever was typed can be read, needed or not.
    ///
    /// # Errors
    /// As [`Inputs::check`].
    pub(super) fn check_given(&self, calculator: &Calculator) -> Result<()> {
        calculator.fields.iter().filter(|field| self.is_given(field)).try_for_each(|field| self.check(field))
    }

    /// Whether the text of a field can be read at all; whether it goes with the others is the calculators' business.
    ///
    /// # Errors
    /// A sentence that names the field and the rule.
    pub fn check(&self, field: &Field) -> Result<()> {
        match field.kind {
            Kind::Number(_) => self.number(field).map(drop),
            Kind::Choice(_) => self.choice(field).map(drop),
            Kind::Switch => self.switch(field).map(drop),
            Kind::Device => self.device(field).map(drop),
            Kind::Model => self.model(field).map(drop),
            Kind::Devices => self.devices(field).map(drop),
            Kind::Link => self.network(field, "bytes_per_sec", "w").map(drop),
            Kind::Text => Ok(()),
        }
    }

    /// A quantity for use in formulas.
    ///
    /// # Errors
    /// As [`Inputs::quantity`].
    pub fn value<Q: Quantity>(&self, field: &Field) -> Result<Value<Q>> {
        Value::given(field.python, field.symbol, field.help, self.quantity::<Q>(field)?)
    }

    /// A quantity for use in formulas, if there is one.
    ///
    /// # Errors
    /// As [`Inputs::quantity`].
    pub fn maybe<Q: Quantity>(&self, field: &Field) -> Result<Option<Value<Q>>> {
        if self.text(field).is_empty() { Ok(None) } else { self.value(field).map(Some) }
    }

    /// A whole number without unit.
    ///
    /// # Errors
    /// As [`Inputs::quantity`].
    pub fn whole(&self, field: &Field) -> Result<u64> {
        match self.quantity::<crate::Count>(field)?.number() {
            Number::Whole(whole) => u64::try_from(whole).map_err(|_| self.refuse(field, "below 2^53")),
            Number::Double(_) => Err(self.refuse(field, "a whole number")),
        }
    }

    /// As [`Inputs::whole`], for use in formulas.
    ///
    /// # Errors
    /// As [`Inputs::quantity`].
    pub fn size(&self, field: &Field) -> Result<Expr> {
        Ok(Expr::size(field.python, field.symbol, field.help, self.whole(field)?))
    }

    /// The id of a choice, as the field's list has it; formats also by their names in PyTorch.
    ///
    /// # Errors
    /// A sentence that lists the choices.
    pub fn choice(&self, field: &Field) -> Result<&'static str> {
        field.choice(self.text(field)).map(|choice| choice.id).ok_or_else(|| {
            let ids: Vec<&str> = field.choices().iter().map(|choice| choice.id).collect();
            self.refuse(field, &format!("one of {}", ids.join(", ")))
        })
    }

    /// A switch.
    ///
    /// # Errors
    /// A sentence about what is neither on nor off.
    pub fn switch(&self, field: &Field) -> Result<bool> {
        match self.text(field) {
            "" | "false" | "off" | "0" => Ok(false),
            "true" | "on" | "1" => Ok(true),
            _ => Err(self.refuse(field, "on or off")),
        }
    }

    /// A device: of the catalogue by its id, or one that the reader describes in JSON.
    ///
    /// # Errors
    /// A sentence about an unknown id or a record that breaks a rule.
    pub fn device(&self, field: &Field) -> Result<Cow<'static, Device>> {
        let text = self.text(field);
        let device = if text.starts_with('{') {
            Device::from_json(text).map(Cow::Owned)
        } else {
            hardware::device(text).map(Cow::Borrowed)
        };
        device.map_err(|error| self.about(field, error))
    }

    /// Devices of the catalogue.
    pub(super) fn devices(&self, field: &Field) -> Result<Vec<&'static Device>> {
        let named = |id| hardware::device(id).map_err(|error| self.about(field, error));
        listed(self.text(field)).map(named).collect()
    }

    /// The bandwidth of a network: of the catalogue, or as typed.
    pub(super) fn network(
        &self,
        field: &Field,
        name: &'static str,
        symbol: &'static str,
    ) -> Result<Value<BytesPerSec>> {
        let text = self.text(field);
        if text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) {
            return Value::given(
                name,
                symbol,
                field.label.to_lowercase(),
                self.quantity::<BytesPerSec>(field)?,
            );
        }
        let network = hardware::network(text).map_err(|error| self.about(field, error))?;
        network.bandwidth().value(name, symbol)
    }

    /// A model: of the catalogue by its id, or a config.json; `None` if none is named.
    ///
    /// # Errors
    /// A sentence about an unknown id or a config that breaks a rule.
    pub fn model(&self, field: &Field) -> Result<Option<ChosenModel>> {
        let text = self.text(field);
        if text.is_empty() {
            return Ok(None);
        }
        ChosenModel::read(text).map(Some).map_err(|error| self.about(field, error))
    }
}
