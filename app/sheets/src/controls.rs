//! The controls of a calculator's fields.

use maud::{Markup, html};
use napkin_accounting::calc::{Field, Kind, Range, listed};
use napkin_accounting::{Number, Unit, format, hardware, models};

use crate::derivation::symbol;
use crate::own;

/// A field as it stands.
pub(crate) struct Control<'a> {
    pub(crate) field: &'static Field,
    /// An id for the page.
    pub(crate) id: String,
    /// What stands in it.
    pub(crate) text: String,
    /// What is assumed.
    pub(crate) state: &'a str,
    /// The value that another field gives it.
    pub(crate) given: Option<(Number, Unit)>,
    /// What is wrong with it.
    pub(crate) problem: Option<String>,
    /// Whether the reader describes the device or model.
    pub(crate) is_own: bool,
}

pub(crate) fn control(of: &Control<'_>) -> Markup {
    match of.field.kind {
        Kind::Number(range) => number(of, range),
        Kind::Choice(choices) => html! {
            div.choose.is-bad[of.problem.is_some()] {
                (label(of))
                (select(of, choices.iter().map(|choice| (choice.id, choice.label))))
                (message(of))
            }
        },
        Kind::Switch => html! {
            div.switch-field {
                label.switch title=(of.field.help) {
                    input type="checkbox" role="switch" data-field=(of.field.key) autocomplete="off"
                        aria-describedby={ (of.id) "-message" }
                        checked[!["", "off", "0", "false"].contains(&of.state)];
                    span { (of.field.label) }
                }
                (message(of))
            }
        },
        Kind::Device => {
            let id = hardware::device(of.state).map_or("", |device| device.id.as_str());
            let devices = hardware::catalogue().devices.iter();
            picker(of, id, false, devices.map(|device| (device.id.as_str(), device.name.as_str())).collect())
        }
        Kind::Model => {
            let id = models::preset(of.state).map_or("", |model| model.id.as_str());
            let presets = models::catalogue().iter();
            picker(of, id, true, presets.map(|model| (model.id.as_str(), model.name.as_str())).collect())
        }
        _ => html! {
            div.text.is-bad[of.problem.is_some()] {
                (label(of))
                (line(of, ""))
                @let known = known(of);
                @if !known.is_empty() {
                    datalist id={ (of.id) "-known" } {
                        @for (text, name) in known { option value=(text) { (name) } }
                    }
                }
                (message(of))
            }
        },
    }
}

/// Texts that the catalogue offers for a field, with their names.
fn known(of: &Control<'_>) -> Vec<(String, &'static str)> {
    let catalogue = hardware::catalogue();
    match of.field.kind {
        Kind::Link => {
            catalogue.networks.iter().map(|network| (network.id.clone(), network.name.as_str())).collect()
        }
        // One more than there are.
        Kind::Devices => {
            let listed: Vec<&str> = listed(of.state).collect();
            let others = catalogue.devices.iter().filter(|device| !listed.contains(&device.id.as_str()));
            let longer = |id| listed.iter().copied().chain([id]).collect::<Vec<_>>().join(", ");
            others.map(|device| (longer(device.id.as_str()), device.name.as_str())).collect()
        }
        _ => Vec::new(),
    }
}

fn label(of: &Control<'_>) -> Markup {
    html! {
        label for=(of.id) title=(of.field.help) {
            (of.field.label)
            @if !of.field.symbol.is_empty() { " " span aria-hidden="true" { (symbol(of.field.symbol)) } }
        }
    }
}

fn message(of: &Control<'_>) -> Markup {
    html! { p.message id={ (of.id) "-message" } role="status" { @if let Some(problem) = &of.problem { (problem) "." } } }
}

fn line(of: &Control<'_>, placeholder: &str) -> Markup {
    let is_number = matches!(of.field.kind, Kind::Number(_));
    let known = matches!(of.field.kind, Kind::Link | Kind::Devices).then(|| format!("{}-known", of.id));
    html! {
        input type="text" id=(of.id) data-field=(of.field.key) value=(of.text) autocomplete="off" spellcheck="false"
            autocapitalize="off" list=[known] inputmode=[is_number.then_some("decimal")] placeholder=[Some(placeholder).filter(|text| !text.is_empty())]
            aria-invalid=(of.problem.is_some()) aria-describedby={ (of.id) "-message" };
    }
}

fn number(of: &Control<'_>, range: Range) -> Markup {
    let given = of.given.map(|(value, unit)| format::short(value, unit)).unwrap_or_default();
    // The slider stands where the assumption is, whatever is being typed.
    let value = match of.given {
        Some((value, _)) => Some(value.to_f64()),
        None => napkin_accounting::calc::Inputs::default()
            .with(of.field, of.state)
            .number(of.field)
            .ok()
            .map(Number::to_f64),
    };
    html! {
        div.number.is-bad[of.problem.is_some()] {
            (label(of))
            span.number-field { (line(of, &given)) }
            @if let Some(slider) = range.slider {
                input type="range" data-slider=(of.field.key) autocomplete="off" aria-label={ (of.field.label) ", slider" } min="0"
                    max=(slider.scale.tick_of(slider.max, slider.min)) step="1"
                    value=(value.map_or(0, |value| slider.scale.tick_of(value.clamp(slider.min, slider.max), slider.min)))
                    aria-valuetext=(if given.is_empty() { of.state } else { &given });
            }
            @if !given.is_empty() { p.hint { (given) " unless you type another" } }
            (message(of))
        }
    }
}

fn select<'a>(of: &Control<'_>, options: impl Iterator<Item = (&'a str, &'a str)>) -> Markup {
    html! {
        select id=(of.id) data-field=(of.field.key) autocomplete="off" aria-describedby={ (of.id) "-message" } aria-invalid=(of.problem.is_some()) {
            @for (id, label) in options {
                option value=(id) selected[id.eq_ignore_ascii_case(of.state)] { (label) }
            }
        }
    }
}

/// A list of records, and a place for one of the reader's own.
fn picker(of: &Control<'_>, chosen: &str, may_be_none: bool, records: Vec<(&str, &str)>) -> Markup {
    let mut groups: Vec<(&str, Vec<(&str, &str)>)> = Vec::new();
    for (id, name) in records {
        let maker = name.split(|c: char| !c.is_alphabetic()).next().unwrap_or(name);
        match groups.iter_mut().find(|(known, _)| *known == maker) {
            Some((_, members)) => members.push((id, name)),
            None => groups.push((maker, vec![(id, name)])),
        }
    }
    let characters = own::link_characters(of.state);
    html! {
        div.choose.is-bad[of.problem.is_some()] {
            (label(of))
            select id=(of.id) data-pick=(of.field.key) autocomplete="off" aria-describedby={ (of.id) "-message" } aria-invalid=(of.problem.is_some()) {
                @if may_be_none { option value="" selected[of.state.is_empty() && !of.is_own] { "none" } }
                @for (maker, members) in groups {
                    optgroup label=(maker) {
                        @for (id, name) in members {
                            option value=(id) selected[id == chosen && !of.is_own] { (name) }
                        }
                    }
                }
                optgroup label="Elsewhere" { option value=(own::ID) selected[of.is_own] { "your own …" } }
            }
            @if of.is_own {
                label.visually-hidden for={ (of.id) "-own" } { "Your own " (of.field.label) ", in JSON" }
                textarea.is-code id={ (of.id) "-own" } data-field=(of.field.key) rows="9" spellcheck="false" autocomplete="off"
                    aria-invalid=(of.problem.is_some()) aria-describedby={ (of.id) "-message" } { "\n" (of.text) }
                p.hint {
                    "Paste, drop or "
                    label.file { "open a file" input.visually-hidden type="file" accept=".json,application/json" data-file=(of.field.key); }
                    @if may_be_none { ": a config.json of Hugging Face." } @else { ": a record as in the catalogue, rates in FLOP/s." }
                    @if of.state.starts_with('{') {
                        " It takes " (characters) " characters of a link"
                        @if characters > own::LONG_LINK { ", more than most servers and browsers take (" (own::LONG_LINK) ")." }
                        @else if characters > own::SHORT_LINK { "; some programs pass on no more than " (own::SHORT_LINK) "." }
                        @else { "." }
                    }
                }
            }
            (message(of))
        }
    }
}
