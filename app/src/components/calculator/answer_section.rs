//! The answer of one calculator: figures, charts, remarks, how the first is computed, exports.

use std::time::Duration;

use leptos::leptos_dom::helpers::debounce;
use leptos::prelude::*;
use leptos::web_sys::HtmlDetailsElement;
use napkin_accounting::calc::{Body, Calculator, Document, Inputs, Part, RemarkKind, Sheet, to_markdown};
use napkin_charts::sheet_part;

use super::derivation::steps;
use super::figures::Figures;
use super::group::Group;
use super::wording;
use crate::components::save;
use crate::page::{copy, use_announcer};

const CHART_WIDTH: f64 = 760.0;
/// The forms in which an answer is saved: name, and the end of the file's name.
pub(super) const FORMS: [(&str, &str); 4] =
    [("Markdown", "md"), ("CSV", "csv"), ("JSON", "json"), ("SVG", "svg")];

/// A hand that has not moved for this long rests.
const REST: Duration = Duration::from_millis(300);

/// The answer of a calculator. It stays while a field cannot be read, and says so.
#[component]
pub(super) fn AnswerSection(group: Group, calculator: &'static Calculator) -> impl IntoView {
    let problem = Memo::new(move |_| problem(group, calculator));
    let sheet = Signal::derive(move || group.shown().sheet(calculator.id));
    let is_open = RwSignal::new(false);
    // Where nobody looks, it follows once the reader's hand rests.
    let settled = RwSignal::new(sheet.get_untracked());
    let mut settle = debounce(REST, move |()| settled.set(sheet.get_untracked()));
    Effect::new(move || {
        sheet.track();
        if is_open.get() { settled.set(sheet.get_untracked()) } else { settle(()) }
    });
    let working = move || {
        let sheet = settled.get()?;
        let headline = sheet.headline()?;
        Some(view! {
            <details class="working" on:toggle=move |event| is_open.set(event_target::<HtmlDetailsElement>(&event).open())>
                <summary>{format!("How this is computed: {}", headline.title)}</summary>
                {steps(headline)}
            </details>
        })
    };
    let moved = Memo::new(move |_| group.shown().moved(calculator.id));
    let parts = move || {
        let (sheet, answer) = sheet.get().zip(group.shown().answer(calculator.id))?;
        let figures = Figures { answer, all: sheet.figures(), moved: moved.get() };
        let width = group.chart_width.get();
        let parts = sheet.parts.iter().enumerate().map(|(index, part)| {
            part_view(&format!("{}-{}-{index}", group.id(), calculator.id), part, width, &figures)
        });
        let remarks = sheet.remarks.iter().map(|remark| {
            let is_warning = remark.kind == RemarkKind::Warning;
            view! { <p class="remark" class:is-warning=is_warning>{remark.text.clone()}</p> }
        });
        let remarks = remarks.collect_view();
        Some(view! { {parts.collect_view()} {remarks} })
    };
    view! {
        <section
            role="group"
            class=format!("part sheet part-{}", calculator.id)
            class:is-old=move || problem.with(Option::is_some)
            aria-label=calculator.title
        >
            <h3>{calculator.title}</h3>
            <p class="message" role="status">{move || problem.get()}</p>
            {parts}
            {working}
            <Export group calculator/>
        </section>
    }
}

/// Why the answer is not that to what stands in the fields, if it is not; tracked.
fn problem(group: Group, calculator: &Calculator) -> Option<String> {
    let state = group.shown();
    let (error, has_sheet) =
        state.answer(calculator.id)?.with(|answer| (answer.problem.clone(), answer.sheet.is_some()));
    let drafts = state.drafts.read();
    let bad = calculator.fields.iter().find(|field| {
        drafts.get(field.key).is_some_and(|draft| draft.problem.is_some())
            || error.as_ref().is_some_and(|error| wording::is_about(error, field))
    });
    // What is said at a field need not be said again.
    match (bad, has_sheet) {
        (Some(bad), true) => {
            Some(format!("{} cannot be used as it is; these are the figures of before.", bad.label))
        }
        (Some(bad), false) => Some(format!("{} cannot be used as it is.", bad.label)),
        (None, _) => error.map(|error| format!("{error}.")),
    }
}

fn part_view(id: &str, part: &Part, width: f64, figures: &Figures) -> impl IntoView + use<> {
    let title = (!part.title.is_empty()).then(|| view! { <h4>{part.title.clone()}</h4> });
    let numbers = figures.part(part);
    let content = match sheet_part(id, part, width) {
        Some(chart) => view! {
            <div inner_html=chart.svg></div>
            <details class="table-view">
                <summary>"As a table"</summary>
                {numbers}
            </details>
        }
        .into_any(),
        None => numbers,
    };
    view! { <div class=format!("part part-{}", part.id)>{title} {content}</div> }
}

/// Names and texts of the files of an answer: one, but for charts, of which each is a file.
pub(super) fn files(
    calculator: &Calculator,
    inputs: &Inputs,
    sheet: &Sheet,
    extension: &str,
) -> Vec<(String, String)> {
    let text = match extension {
        "md" => to_markdown(calculator, inputs, sheet),
        "csv" => sheet.to_csv(),
        "json" => serde_json::to_string_pretty(&Document { calculator, inputs, sheet }).unwrap_or_default(),
        _ => {
            let charts = sheet.parts.iter().filter_map(|part| {
                let chart = sheet_part(calculator.id, part, CHART_WIDTH)?;
                Some((format!("napkin-{}-{}.svg", calculator.id, part.id), chart.svg))
            });
            return charts.collect();
        }
    };
    vec![(format!("napkin-{}.{extension}", calculator.id), text)]
}

/// The command that computes the same, and the answer as files.
#[component]
pub(super) fn Export(group: Group, calculator: &'static Calculator) -> impl IntoView {
    let announcer = use_announcer();
    let command = move || group.shown().texts.with(|texts| wording::command(calculator, texts));
    let sheet = move || group.shown().sheet(calculator.id);
    let is_chart = |part: &Part| !matches!(part.body, Body::Figures(_) | Body::Table(_));
    let has_chart = Memo::new(move |_| sheet().is_some_and(|sheet| sheet.parts.iter().any(is_chart)));
    let has_parts = Memo::new(move |_| sheet().is_some_and(|sheet| !sheet.parts.is_empty()));
    let button = move |(label, extension): (&'static str, &'static str)| {
        let save_as = move |_| {
            let Some(sheet) = untrack(sheet) else { return };
            for (name, text) in files(calculator, &untrack(|| group.shown().inputs()), &sheet, extension) {
                save(announcer, &name, &text);
            }
        };
        view! {
            <button type="button" hidden=move || extension == "svg" && !has_chart.get() on:click=save_as>
                {format!("Save as {label}")}
            </button>
        }
    };
    view! {
        <details class="take-away" hidden=move || !has_parts.get()>
            <summary>"Export"</summary>
            <p class="code-line">
                <code>{command}</code>
            </p>
            <p class="buttons">
                <button type="button" on:click=move |_| copy(announcer, "The command", untrack(command))>
                    "Copy the command"
                </button>
                {FORMS.map(button)}
            </p>
        </details>
    }
}
