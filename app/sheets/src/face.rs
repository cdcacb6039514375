//! A cell of calculators as HTML.

use maud::{Markup, PreEscaped, html};
use napkin_accounting::calc::{Body, Calculator, Field, Sheet};

use crate::book::{Answer, Book, Cell, is_about};
use crate::controls::{Control, control};
use crate::{derivation, drawing, export, figures, own, words};

impl Book {
    /// What a cell holds.
    #[must_use]
    pub fn html(&self, id: &str) -> String {
        let Some(cell) = self.cells.iter().find(|cell| cell.id == id) else { return String::new() };
        let fields = cell.fields();
        let groups = cell.groups();
        let markup = html! {
            section class={ "part part-inputs" @if cell.lit == "inputs" { " is-lit" } } {
                h3 { "Assumptions" }
                @for (calculator, own) in &groups {
                    fieldset.group aria-label=[(groups.len() == 1).then_some("Assumptions")] {
                        @if groups.len() > 1 { legend { (calculator.title) } }
                        div.controls { @for field in own { (self.control(cell, field)) } }
                    }
                }
                @let changed = fields.iter().any(|field| !self.state(field).is_empty());
                div.under-controls {
                    (self.change_in_words(cell))
                    button type="button" data-do="reset" disabled[!changed] { "Back to the defaults" }
                }
            }
            @for calculator in &cell.calculators {
                @if let Some(answer) = self.answer_of(calculator.id) { (self.answer(cell, calculator, answer)) }
            }
        };
        markup.into_string()
    }

    fn control(&self, cell: &Cell, field: &'static Field) -> Markup {
        let draft = self.draft(field);
        let given = self.given_by_others(field);
        let inputs = self.inputs();
        let text = match (draft, &given) {
            (Some(draft), _) => draft.text.clone(),
            (None, Some(_)) => String::new(),
            (None, None) if self.is_own(field) => own::spread(inputs.text(field)),
            (None, None) => inputs.text(field).to_owned(),
        };
        let problem = draft.and_then(|draft| draft.problem.clone()).or_else(|| self.problem_at(cell, field));
        control(&Control {
            field,
            id: format!("{}-{}", cell.id, field.key),
            text,
            state: inputs.text(field),
            given,
            problem,
            is_own: self.is_own(field),
        })
    }

    fn answer(&self, cell: &Cell, calculator: &Calculator, answer: &Answer) -> Markup {
        let elsewhere = answer
            .problem
            .as_ref()
            .filter(|error| !calculator.fields.iter().any(|field| is_about(error, field)));
        let mut bad = calculator.fields.iter().filter(|field| {
            self.draft(field).is_some_and(|draft| draft.problem.is_some())
                || self.problem_at(cell, field).is_some()
        });
        let is_old = answer.problem.is_some() || bad.clone().next().is_some();
        html! {
            section role="group" class={ "part sheet part-" (calculator.id) (lit(cell, calculator, answer, None)) @if is_old { " is-old" } }
                aria-label=(calculator.title)
            {
                h3 { (calculator.title) }
                p.message role="status" {
                    @if let Some(error) = elsewhere { (error) "." }
                    @else if let Some(field) = bad.next() {
                        (field.label) " cannot be used as it is"
                        @if answer.sheet.is_some() { "; these are the figures of before" } "."
                    }
                }
                @if let Some(sheet) = &answer.sheet {
                    @for (index, part) in sheet.parts.iter().enumerate() {
                        div class={ "part part-" (part.id) (lit(cell, calculator, answer, Some(part.id))) } {
                            @if !part.title.is_empty() { h4 { (part.title) } }
                            @match drawing::drawing(&format!("{}-{}-{index}", cell.id, calculator.id), part, self.width) {
                                Some(drawing) => {
                                    (PreEscaped(drawing))
                                    details.table-view { summary { "As a table" } (figures::body(calculator.id, answer, part)) }
                                }
                                None => (figures::body(calculator.id, answer, part)),
                            }
                        }
                    }
                    (figures::remarks(sheet))
                    @if let Some(headline) = sheet.headline() {
                        details.working {
                            summary { "How " (headline.title) " comes about" }
                            (derivation::steps(headline))
                        }
                    }
                    @if !sheet.parts.is_empty() { (self.take_away(calculator, sheet)) }
                }
            }
        }
    }

    fn take_away(&self, calculator: &Calculator, sheet: &Sheet) -> Markup {
        let is_chart = |body: &Body| {
            matches!(body, Body::Stacks(_) | Body::Roofline(_) | Body::Heat(_) | Body::Areas(_))
        };
        let has_chart = sheet.parts.iter().any(|part| is_chart(&part.body));
        html! {
            details.take-away {
                summary { "Take away" }
                p.code-line { code { (words::command(calculator, &self.texts)) } }
                p.buttons {
                    button type="button" data-do="copy-command" data-of=(calculator.id) { "Copy the command" }
                    @for form in export::Form::ALL.into_iter().filter(|form| has_chart || *form != export::Form::Svg) {
                        button type="button" data-do="export" data-form=(form.id()) data-of=(calculator.id) {
                            "Save as " (form.label())
                        }
                    }
                }
            }
        }
    }

    fn change_in_words(&self, cell: &Cell) -> Markup {
        let Some(change) = &self.change else { return html! { p.moves role="status" {} } };
        let count = |cell: &Cell| -> usize {
            let answers = cell.calculators.iter().filter_map(|calculator| self.answer_of(calculator.id));
            answers.map(|answer| answer.moved.len()).sum()
        };
        let others = self.cells.iter().filter(|other| other.id != cell.id);
        let others: Vec<(&Cell, usize)> = others.map(|other| (other, count(other))).collect();
        change.sentence(cell, count(cell), &others)
    }
}

/// Whether the reader is to look at a sheet, or at a part of it. A step names either, or both as `machine/roofline`:
/// then the sheet stands for a part that it does not have yet.
fn lit(cell: &Cell, calculator: &Calculator, answer: &Answer, part: Option<&str>) -> &'static str {
    let parts = answer.sheet.iter().flat_map(|sheet| &sheet.parts);
    let is_lit = match (cell.lit.split_once('/'), part) {
        (None, part) => cell.lit == part.unwrap_or(calculator.id),
        (Some((sheet, lit)), Some(part)) => (sheet, lit) == (calculator.id, part),
        (Some((sheet, lit)), None) => sheet == calculator.id && parts.into_iter().all(|part| part.id != lit),
    };
    if is_lit { " is-lit" } else { "" }
}
