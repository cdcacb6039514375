//! How a number comes about: step by step below an answer, and in a dialog for every figure.

use leptos::html::Dialog;
use leptos::prelude::*;
use napkin_accounting::calc::Figure;
use napkin_accounting::catalogue::Mark;
use napkin_accounting::{Derivation, Input, Source, format};
use napkin_charts::capitalised;

use super::calculators::Answer;
use crate::components::ProvenanceSign;
use crate::page::{DialogHead, copy, use_announcer, use_live};

type Write = fn(&Derivation) -> String;

/// Forms in which a derivation is copied: what it is called, and what is copied.
const FORMS: [(&str, Write); 6] = [
    ("value", |derivation| format::full(derivation.value, derivation.unit)),
    ("text", Derivation::to_text),
    ("Python", Derivation::to_python),
    ("Markdown", Derivation::to_markdown),
    ("TeX", Derivation::to_tex),
    ("JSON", |derivation| serde_json::to_string_pretty(&derivation.in_order()).unwrap_or_default()),
];

/// What the page's dialog of derivations shows; a copy is the same dialog.
#[derive(Debug, Clone, Copy)]
pub struct Derivations {
    /// How the figure with that index in an answer comes about; nothing while the dialog is closed.
    pub(super) shown: RwSignal<Option<(Memo<Answer>, usize)>>,
}

impl Derivations {
    /// Puts it into the context of the page, which also has a [`DerivationDialog`].
    pub fn provide() -> Self {
        let derivations = Self { shown: RwSignal::new(None) };
        provide_context(derivations);
        derivations
    }

    fn figure(self) -> Option<Figure> {
        let (answer, index) = self.shown.get()?;
        // A calculator that has left the page has no answers.
        answer.try_with(|answer| answer.sheet.as_ref()?.figures().get(index).copied().cloned()).flatten()
    }
}

#[component]
pub fn DerivationDialog() -> impl IntoView {
    let derivations = expect_context::<Derivations>();
    let close = move || derivations.shown.set(None);
    let live = use_live();
    let dialog = NodeRef::<Dialog>::new();
    Effect::new(move || {
        let is_shown = derivations.figure().is_some();
        let Some(dialog) = dialog.get() else { return };
        match (is_shown, dialog.open()) {
            // A dialog that is not open can be opened.
            (true, false) => drop(dialog.show_modal()),
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    view! {
        <dialog
            class="derivation"
            aria-labelledby="derivation-title"
            node_ref=dialog
            on:click=move |event| {
                // The dialog itself is hit only beside what it holds.
                if event.target() == event.current_target() {
                    close();
                }
            }
            on:close=move |_| close()
        >
            {move || derivations.figure().zip(live.parts()).map(|(figure, parts)| (parts.derivation)(figure))}
        </dialog>
    }
}

/// How a figure comes about, and ways to copy it.
pub fn derivation(figure: Figure) -> AnyView {
    let announcer = use_announcer();
    let buttons = FORMS.map(|(label, write)| {
        let figure = figure.clone();
        view! {
            <button type="button" on:click=move |_| copy(announcer, capitalised(label), write(&figure))>
                {format!("Copy {label}")}
            </button>
        }
    });
    view! {
        <div class="derivation-sheet">
            <DialogHead id="derivation-title" title=capitalised(&figure.title) />
            <p class="derivation-value">
                <strong>{figure.short()}</strong>
                " "
                <span>{figure.exact()}</span>
            </p>
            {steps(&figure)}
            <p class="buttons">{buttons}</p>
        </div>
    }
    .into_any()
}

/// Every step that leads to a number, in order.
pub(super) fn steps(of: &Derivation) -> impl IntoView + use<> {
    let mut told: Vec<&str> = Vec::new();
    let steps: Vec<_> = of
        .in_order()
        .into_iter()
        .map(|step| {
            // A number that several steps use is given with the first.
            let inputs = step.inputs().into_iter().filter(|input| !told.contains(&input.name));
            let inputs: Vec<&Input> = inputs.collect();
            told.extend(inputs.iter().map(|input| input.name));
            let given = (!inputs.is_empty())
                .then(|| view! { <ul class="given">{inputs.into_iter().map(given).collect_view()}</ul> });
            view! {
                <li>
                    <p class="step-of-number">{capitalised(&step.title)}</p>
                    <div class="scroll" tabindex="0" role="group" aria-label="Formula" inner_html=step.to_mathml()></div>
                    {given}
                    {sources(&step.sources)}
                </li>
            }
        })
        .collect();
    view! { <ol class="steps-of-number">{steps}</ol> }
}

fn given(input: &Input) -> impl IntoView + use<> {
    let mark = input.mark.map(|mark| {
        let is_doubtful = matches!(mark, Mark::Unverified | Mark::Conflict);
        view! {
            " "
            <span class="mark" class:is-doubtful=is_doubtful>{mark.describe()}</span>
        }
    });
    view! {
        <li>
            {symbol(input.symbol)} {format!(" = {}, {} ", format::full(input.value, input.unit), input.title)}
            {input.provenance.map(|of| view! { <ProvenanceSign of /> })} {mark}
            {sources(&input.sources)}
        </li>
    }
}

/// "N" or "d" with its index, as in the formulas.
pub(super) fn symbol(symbol: &str) -> impl IntoView + use<> {
    let (base, below) = symbol.split_once('_').unwrap_or((symbol, ""));
    let below = (!below.is_empty()).then(|| view! { <sub>{below.to_owned()}</sub> });
    view! {
        <var>{base.to_owned()}</var>
        {below}
    }
}

fn sources(sources: &[Source]) -> impl IntoView + use<> {
    let items = sources.iter().map(|Source { title, url, date, note }| {
        let title = match url.is_empty() {
            true => title.clone().into_any(),
            false => view! { <a href=url.clone() rel="noreferrer">{title.clone()}</a> }.into_any(),
        };
        let date = if date.is_empty() { String::new() } else { format!(", {date}") };
        let note = if note.is_empty() { String::new() } else { format!(" ({note})") };
        // A text that is empty is written as a space by the build, and as nothing in the browser.
        let more = Some(date + &note).filter(|more| !more.is_empty());
        view! { <li>{title} {more}</li> }
    });
    (!sources.is_empty()).then(|| view! { <ul class="sources">{items.collect_view()}</ul> })
}
