//! How a number comes about, on the page.

use maud::{Markup, PreEscaped, html};
use napkin_accounting::catalogue::Mark;
use napkin_accounting::{Derivation, Input, Source, format};

use crate::words::headed;

type Write = fn(&Derivation) -> String;

/// Forms in which a derivation is copied: id, name, and what is copied.
pub(crate) const FORMS: [(&str, &str, Write); 6] = [
    ("value", "value", |derivation| format::full(derivation.value, derivation.unit)),
    ("text", "text", Derivation::to_text),
    ("python", "Python", Derivation::to_python),
    ("markdown", "Markdown", Derivation::to_markdown),
    ("tex", "TeX", Derivation::to_tex),
    ("json", "JSON", |derivation| serde_json::to_string_pretty(&derivation.in_order()).unwrap_or_default()),
];

/// What the dialog holds.
pub(crate) fn dialog(key: &str, of: &Derivation) -> Markup {
    html! {
        div.derivation-sheet {
            header.derivation-head {
                h2 id="derivation-title" { (headed(&of.title)) }
                button.round type="button" aria-label="Close" data-do="close" { "×" }
            }
            p.derivation-value { strong { (of.short()) } " " span { (of.exact()) } }
            (steps(of))
            p.buttons {
                @for (id, label, _) in FORMS {
                    button type="button" data-do="copy" data-form=(id) data-of=(key) { "Copy " (label) }
                }
            }
        }
    }
}

/// Every step that leads to a number, in order.
pub(crate) fn steps(of: &Derivation) -> Markup {
    let mut told: Vec<&str> = Vec::new();
    // A number that several steps use is given with the first.
    let with_new_inputs = of.in_order().into_iter().map(|step| {
        let inputs = step.inputs().into_iter().filter(|input| !told.contains(&input.name));
        let inputs: Vec<&Input> = inputs.collect();
        told.extend(inputs.iter().map(|input| input.name));
        (step, inputs)
    });
    html! {
        ol.steps-of-number {
            @for (step, inputs) in with_new_inputs {
                li {
                    p.step-of-number { (headed(&step.title)) }
                    div.scroll tabindex="0" role="group" aria-label="Formula" { (PreEscaped(step.to_mathml())) }
                    @if !inputs.is_empty() { ul.given { @for input in inputs { (given(input)) } } }
                    (sources(&step.sources))
                }
            }
        }
    }
}

fn given(input: &Input) -> Markup {
    html! {
        li {
            (symbol(input.symbol)) " = " (format::full(input.value, input.unit)) ", " (input.title)
            @if let Some(mark) = input.mark {
                " " span.mark.is-doubtful[matches!(mark, Mark::Unverified | Mark::Conflict)] { (mark.describe()) }
            }
            (sources(&input.sources))
        }
    }
}

/// "N" or "d" with its index, as in the formulas.
pub(crate) fn symbol(symbol: &str) -> Markup {
    let (base, below) = symbol.split_once('_').unwrap_or((symbol, ""));
    html! { var { (base) } @if !below.is_empty() { sub { (below) } } }
}

fn sources(sources: &[Source]) -> Markup {
    html! {
        @if !sources.is_empty() {
            ul.sources { @for source in sources { li { (cited(source)) } } }
        }
    }
}

fn cited(source: &Source) -> Markup {
    html! {
        @if source.url.is_empty() { (source.title) } @else { a href=(source.url) rel="noreferrer" { (source.title) } }
        @if !source.date.is_empty() { ", " (source.date) }
        @if !source.note.is_empty() { " (" (source.note) ")" }
    }
}
