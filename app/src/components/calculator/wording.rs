//! Values in words, and the command that computes the same in a terminal.

use napkin_accounting::calc::{Calculator, Field, Figure, Kind};
use napkin_accounting::{Error, Number, Unit, hardware, models};

use super::Texts;

pub(super) fn is_on(text: &str) -> bool {
    !["", "off", "0", "false"].contains(&text)
}

/// What a field's text means, for a sentence.
pub(super) fn value(field: &Field, text: &str) -> String {
    let word = match field.kind {
        Kind::Switch if is_on(text) => "on",
        Kind::Switch => "off",
        Kind::Device | Kind::Model if text.starts_with('{') => "your own",
        _ if text.is_empty() => "none",
        _ => option(field, text).map_or(text, |(_, name)| name),
    };
    word.to_owned()
}

/// What a field offers: ids and names.
pub(super) fn offered(field: &Field) -> Vec<(&'static str, &'static str)> {
    match field.kind {
        Kind::Choice(choices) => choices.iter().map(|choice| (choice.id, choice.label)).collect(),
        Kind::Device | Kind::Devices => {
            hardware::catalogue().devices.iter().map(|it| (&*it.id, &*it.name)).collect()
        }
        Kind::Link => hardware::catalogue().networks.iter().map(|it| (&*it.id, &*it.name)).collect(),
        Kind::Model => models::catalogue().iter().map(|it| (&*it.id, &*it.name)).collect(),
        _ => Vec::new(),
    }
}

/// The option that a text names: its id in full, and its name.
pub(super) fn option(field: &Field, text: &str) -> Option<(&'static str, &'static str)> {
    match field.kind {
        Kind::Choice(_) => field.choice(text).map(|choice| (choice.id, choice.label)),
        Kind::Device => hardware::device(text).ok().map(|device| (device.id.as_str(), device.name.as_str())),
        Kind::Model => models::preset(text).ok().map(|model| (model.id.as_str(), model.name.as_str())),
        Kind::Link => hardware::network(text).ok().map(|link| (link.id.as_str(), link.name.as_str())),
        _ => None,
    }
}

/// The number of that Python name that a figure rests on.
pub(super) fn number_in(figure: &Figure, python: &str) -> Option<(Number, Unit)> {
    let step = figure.in_order().into_iter().find(|step| step.name == python);
    let input = || figure.all_inputs().into_iter().find(|input| input.name == python);
    step.map(|step| (step.value, step.unit)).or_else(|| input().map(|input| (input.value, input.unit)))
}

pub(super) fn is_about(error: &Error, about: &Field) -> bool {
    matches!(error, Error::Input { field, .. } | Error::Missing { field, .. } | Error::Named { field, .. }
        if field == about.label)
}

/// The command that prints the same figures in a terminal.
pub(super) fn command(calculator: &Calculator, texts: &Texts) -> String {
    let mut line = calculator.command().to_owned();
    for field in calculator.fields {
        let Some(text) = texts.get(field.key) else { continue };
        match field.kind {
            Kind::Switch if is_on(text) => line += &format!(" --{}", field.name),
            Kind::Switch => {}
            _ => line += &format!(" --{} {}", field.name, quoted(text)),
        }
    }
    line
}

fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-+:,/%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}
