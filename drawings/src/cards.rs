//! Prose, cards, references, and doors to the cells of the workbench.

use std::fmt::Write;

use maud::{Markup, html};
use napkin_accounting::{Unit, decimal};
use napkin_notebook::trace::Json;

use crate::number::Python;
use crate::values::data as drawn;
use crate::{figures, text, tree};

/// The cells of the workbench that can be opened from a lecture, and what their doors say.
pub const CELLS: [(&str, &str); 16] = [
    ("time", "Change the assumptions"),
    ("size", "Change the assumptions"),
    ("reality", "Compare other runs"),
    ("tensor", "Try another shape"),
    ("dtypes", "Flip the bits"),
    ("strides", "Try another view"),
    ("flops", "Try another product"),
    ("machine", "Measure this machine"),
    ("roofline", "Change the assumptions"),
    ("backward", "Change the sizes"),
    ("transformer", "Try another model"),
    ("count", "Count a step here"),
    ("memory", "Change the assumptions"),
    ("kv", "Change the assumptions"),
    ("parallel", "Change the assumptions"),
    ("optimal", "Change the assumptions"),
];

/// A button that opens a cell with these parameters in its address.
fn door<'a>(cell: &str, query: impl IntoIterator<Item = (&'a str, &'a str)>) -> Markup {
    let Some((cell, label)) = CELLS.iter().find(|(known, _)| *known == cell) else { return html! {} };
    let mut address = (*cell).to_owned();
    for (at, (key, value)) in query.into_iter().enumerate() {
        address.push(if at == 0 { '?' } else { '&' });
        encode(key, &mut address);
        address.push('=');
        encode(value, &mut address);
    }
    html! { p.door { button type="button" data-embed=(address) { (label) } } }
}

fn encode(text: &str, out: &mut String) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
}

fn entries(json: Option<&Json>) -> impl Iterator<Item = (&str, &str)> {
    let entries = json.map_or(&[][..], Json::entries);
    entries.iter().filter_map(|(key, value)| Some((key.as_str(), value.text()?)))
}

/// Prose that somebody has read, or else its own letters, paragraph by paragraph.
pub(crate) fn prose(markdown: &Json, prepared: &Json) -> Markup {
    match (prepared, markdown.text()) {
        (Json::List(_), _) => tree::draw(prepared),
        (_, Some(text)) => html! { @for part in text.split("\n\n") { p.is-raw { (part) } } },
        _ => drawn(markdown, Unit::NONE),
    }
}

/// A claim with an error in it, and on request the truth.
pub(crate) fn slip(of: &Json, prepared: &Json) -> Option<Markup> {
    let part = |name| Some(prose(of.get(name)?, prepared.get(name).unwrap_or(&Json::Null)));
    let (claim, right, why) = (part("claim")?, part("right")?, part("why")?);
    Some(html! {
        section.slip aria-label="Find the error" {
            p.slip-head { "Find the error" }
            div.claim { (claim) }
            details { summary { "What is wrong?" } div.right { (right) } div.why { (why) } }
        }
    })
}

/// How a format is called in the workbench's addresses, where it has it.
const FORMATS: [(&str, &str); 7] = [
    ("fp32", "fp32"),
    ("tf32", "tf32"),
    ("fp16", "fp16"),
    ("bf16", "bf16"),
    ("fp8_e4m3", "e4m3"),
    ("fp8_e5m2", "e5m2"),
    ("fp4", "e2m1"),
];

/// Sign, exponent and fraction of a number.
pub(crate) fn bits(of: &Json, prepared: &Json) -> Option<Markup> {
    let format = of.get("format")?.text()?;
    let value = of.get("value")?;
    let typed = match value {
        Json::Int(value) => Python::Int(*value).exact(),
        Json::Float(value) => Python::Float(*value).exact(),
        other => other.text()?.to_owned(),
    };
    let parts = [("sign", "sign"), ("exponent", "exponent"), ("fraction", "fraction")];
    let all: Vec<&str> = parts.iter().map(|(name, _)| text(prepared, name)).collect();
    let in_workbench = FORMATS.iter().find(|(known, _)| *known == format).map(|(_, id)| *id);
    Some(html! {
        figure.drawing.bits {
            figcaption { (drawn(value, Unit::NONE)) " in " (format) }
            @if !all[0].is_empty() {
                div.bit-fields role="img" aria-label={ "sign " (all[0]) ", exponent " (all[1]) ", fraction " (all[2]) } {
                    @for ((name, label), digits) in parts.iter().zip(&all) { @if !digits.is_empty() {
                        div class={ "bit-field is-" (name) } {
                            span.digits { @for digit in digits.chars().take(64) { span.bit { (digit) } } }
                            span.label { (label) }
                        }
                    } }
                }
            }
            @if let Some(stored) = prepared.get("stored") { p.stored { "It is stored as " strong { (exact(stored)) } "." } }
            @if let Some(id) = in_workbench { (door("dtypes", [("dtypes.format", id), ("dtypes.number", &typed)])) }
        }
    })
}

/// A number with all its digits.
fn exact(number: &Json) -> String {
    match number {
        Json::Float(value) => Python::Float(*value).exact(),
        Json::Int(value) => Python::Int(*value).exact(),
        other => other.text().unwrap_or_default().to_owned(),
    }
}

/// What each format reaches: as bars between the powers of ten, and as a table.
pub(crate) fn number_line(of: &Json, prepared: &Json) -> Option<Markup> {
    let names: Vec<&str> = of.get("formats")?.items().iter().filter_map(Json::text).collect();
    let limits = prepared.items();
    let power = |limit: &Json, name: &str| {
        limit.get(name).and_then(Json::number).filter(|value| *value > 0.0).map(f64::log10)
    };
    let reach: Vec<(&str, [f64; 3])> = limits
        .iter()
        .filter_map(|limit| {
            let [least, normal, most] = ["smallest", "tiny", "max"].map(|name| power(limit, name));
            Some((text(limit, "format"), [least?, normal?, most?]))
        })
        .collect();
    let (from, to) = reach
        .iter()
        .fold((0.0_f64, 1.0_f64), |(from, to), (_, [least, _, most])| (from.min(*least), to.max(*most)));
    let at = |power: f64| decimal::fixed((power - from) / (to - from) * 300.0, 1);
    let columns = ["format", "smallest", "smallest normal", "largest", "after 1"];
    let rows = limits.iter().map(|limit| {
        let number = |name| drawn(limit.get(name).unwrap_or(&Json::Null), Unit::NONE);
        vec![
            html! { (text(limit, "format")) },
            number("smallest"),
            number("tiny"),
            number("max"),
            number("eps"),
        ]
    });
    Some(html! {
        figure.drawing.number-line {
            figcaption { "From the smallest to the largest positive number: " (names.join(", ")) }
            @for (name, [least, normal, most]) in &reach {
                div.range {
                    span { (name) }
                    svg viewBox="0 0 300 16" role="img" aria-label={ (name) ": 1e" (decimal::fixed(*least, 0)) " to 1e" (decimal::fixed(*most, 0)) } {
                        path.axis d="M0 8H300" {}
                        path.subnormal d={ "M" (at(*least)) " 8H" (at(*normal)) } {}
                        path.normal d={ "M" (at(*normal)) " 8H" (at(*most)) } {}
                        path.one d={ "M" (at(0.0)) " 2V14" } {}
                    }
                }
            }
            @if !reach.is_empty() {
                p.note { "Thin are subnormal numbers, which lose digits; the tick is 1. Equal distances are equal ratios." }
                (figures::grid("Limits of formats", columns, rows))
            }
            (door("dtypes", []))
        }
    })
}

/// The question to a calculator, and its answer if somebody has asked.
pub(crate) fn calculator(kind: &str, of: &Json, prepared: &Json) -> Option<Markup> {
    let which = of.get("which")?.text()?;
    let title = match text(prepared, "title") {
        "" if kind == "count" => format!("A step of a {which} model, counted"),
        "" => format!("Calculator: {which}"),
        title => title.to_owned(),
    };
    let figures = prepared.get("figures").map_or(&[][..], Json::items);
    let derivation = prepared.get("steps").map_or(&[][..], Json::items);
    let remarks = prepared.get("remarks").map_or(&[][..], Json::items);
    let asked = of.get("options").map_or(&[][..], Json::entries);
    Some(html! {
        section.calculator aria-label=(title) {
            p.calculator-head { (title) }
            @if !asked.is_empty() { dl.facts { @for (name, value) in asked { div { dt { (name) } dd { (drawn(value, Unit::NONE)) } } } } }
            @if let Some(error) = prepared.get("error").and_then(Json::text) { p.remark.is-warning { (error) } }
            @for (at, figure) in figures.iter().enumerate() {
                p.answer.is-main[at == 0] { span { (text(figure, "title")) } " " strong title=(text(figure, "exact")) { (text(figure, "short")) } }
            }
            @for remark in remarks { p.remark { (remark.text().unwrap_or_default()) } }
            @if !derivation.is_empty() {
                details { summary { "How it comes about" } ol.derivation { @for step in derivation { (step_of(step)) } } }
            }
            @if !text(prepared, "command").is_empty() { p.note { "In a terminal: " code { (text(prepared, "command")) } } }
            (door(text(prepared, "cell"), entries(prepared.get("query"))))
        }
    })
}

fn step_of(step: &Json) -> Markup {
    let list = |name| step.get(name).map_or(&[][..], Json::items);
    html! {
        li {
            p { (text(step, "title")) }
            div.scroll tabindex="0" role="group" aria-label="Formula" { (tree::draw(step.get("math").unwrap_or(&Json::Null))) }
            @if !list("given").is_empty() { ul.given { @for given in list("given") { li { (given.text().unwrap_or_default()) } } } }
            @if !list("sources").is_empty() { ul.sources { @for source in list("sources") { li { (tree::draw(source)) } } } }
        }
    }
}

/// Nothing is known of the machine that the reader sits at before it is measured.
pub(crate) fn machine() -> Markup {
    html! {
        section.calculator aria-label="This machine" {
            p.calculator-head { "This machine" }
            p { "Ten seconds of multiply-adds, copies and launches say how fast it computes and how fast it fetches, and draw its roofline." }
            (door("machine", []))
        }
    }
}

/// An image is not fetched: it is a link.
pub(crate) fn image(of: &Json) -> Option<Markup> {
    let address = of.text()?;
    Some(html! { p.image { "Image: " (link(address, address)) } })
}

fn link(address: &str, label: &str) -> Markup {
    html! {
        @if tree::is_address(address) { a href=(address) rel="noopener noreferrer" { (label) } } @else { (label) }
    }
}

/// A reference beside a drawing.
pub(crate) fn reference(of: &Json) -> Markup {
    let address = of.text().unwrap_or_else(|| text(of, "url"));
    if address.is_empty() {
        return html! {};
    }
    let title = if text(of, "title").is_empty() { address } else { text(of, "title") };
    let authors: Vec<&str> =
        of.get("authors").map_or(&[][..], Json::items).iter().filter_map(Json::text).collect();
    html! {
        p.reference {
            (link(address, title))
            @if !authors.is_empty() { ". " (authors.join(", ")) }
            @for more in ["organization", "date"] { @if !text(of, more).is_empty() { ", " (text(of, more)) } }
            @for more in ["description", "notes"] { @if !text(of, more).is_empty() { span.note { (text(of, more)) } } }
        }
    }
}

/// A place in the code, for whoever shows the code to go to.
pub(crate) fn place(of: &Json) -> Markup {
    let (path, line) = (text(of, "path"), of.get("line_number").and_then(Json::number));
    html! {
        @if let Some(line) = line.filter(|line| *line >= 1.0) {
            p.reference { button type="button" data-path=(path) data-line=(line as u32) {
                @if path.is_empty() { "line " } @else { (path) ":" } (line as u32)
            } }
        }
    }
}
