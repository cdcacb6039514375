//! Values and titles in words.

use napkin_accounting::calc::{Calculator, Field, Figure, Kind};
use napkin_accounting::{Number, Unit, hardware, models};

use crate::Texts;

/// What a field's text means, for a sentence.
pub(crate) fn value(field: &Field, text: &str) -> String {
    let named = match field.kind {
        Kind::Switch => {
            return if ["", "off", "0", "false"].contains(&text) { "off" } else { "on" }.to_owned();
        }
        Kind::Device | Kind::Model if text.starts_with('{') => return "your own".to_owned(),
        Kind::Choice(choices) => {
            choices.iter().find(|choice| choice.id.eq_ignore_ascii_case(text)).map(|choice| choice.label)
        }
        Kind::Device => hardware::device(text).ok().map(|device| device.name.as_str()),
        Kind::Model => models::preset(text).ok().map(|model| model.name.as_str()),
        Kind::Link => hardware::network(text).ok().map(|network| network.name.as_str()),
        _ => None,
    };
    match (named, text) {
        (Some(name), _) => name.to_owned(),
        (None, "") => "none".to_owned(),
        (None, text) => text.to_owned(),
    }
}

/// The number of that Python name that a figure rests on.
pub(crate) fn value_of(figure: &Figure, python: &str) -> Option<(Number, Unit)> {
    let steps = figure.in_order();
    let step = steps.iter().find(|step| step.name == python).map(|step| (step.value, step.unit));
    step.or_else(|| {
        let inputs = figure.all_inputs();
        inputs.into_iter().find(|input| input.name == python).map(|input| (input.value, input.unit))
    })
}

/// A title at the beginning of a line.
pub(crate) fn headed(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The command that prints the same figures in a terminal.
pub(crate) fn command(calculator: &Calculator, texts: &Texts) -> String {
    let mut line = calculator.command().to_owned();
    for field in calculator.fields {
        let Some(text) = texts.get(field.key) else { continue };
        match field.kind {
            Kind::Switch if value(field, text) == "off" => {}
            Kind::Switch => line += &format!(" --{}", field.name),
            _ => line += &format!(" --{} {}", field.name, quoted(text)),
        }
    }
    line
}

/// As a shell takes it for one word.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-+:,/%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}
