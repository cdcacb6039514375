//! Figures, tables and remarks of an answer.

use std::sync::Arc;

use leptos::prelude::*;
use napkin_accounting::Provenance;
use napkin_accounting::calc::{Body, Cell, Figure, Part, Table};
use napkin_charts::capitalised;

use super::calculators::Answer;
use super::changes::Moved;
use super::derivation::{Derivations, symbol};
use crate::components::ProvenanceSign;

pub(super) struct Figures<'a> {
    pub(super) answer: Memo<Answer>,
    pub(super) all: Vec<&'a Figure>,
    pub(super) moved: Moved,
}

impl Figures<'_> {
    /// The number of a figure in the answer, and what it was before the last change.
    fn find(&self, figure: &Figure) -> (usize, Option<String>) {
        let index = self.all.iter().position(|one| Arc::ptr_eq(one, figure));
        let index = index.unwrap_or(usize::MAX);
        let was = self.moved.iter().find(|(moved, _)| *moved == index);
        (index, was.map(|(_, was)| format!("was {was}")))
    }

    fn open(&self, index: usize) -> impl Fn(leptos::ev::MouseEvent) + use<> {
        let (derivations, answer) = (use_context::<Derivations>(), self.answer);
        move |_| {
            if let Some(derivations) = derivations {
                derivations.shown.set(Some((answer, index)));
            }
        }
    }

    /// A number for itself.
    fn large(&self, figure: &Figure) -> impl IntoView + use<> {
        let (index, was) = self.find(figure);
        let is_moved = was.is_some();
        let title = capitalised(&figure.title);
        let label = title.clone();
        view! {
            <div class="figure" class:is-moved=is_moved role="group" aria-label=title>
                <span class="figure-label">{label} " " <ProvenanceSign of=figure.provenance() /></span>
                <span class="figure-line">
                    <button class="figure-value" type="button" aria-haspopup="dialog" on:click=self.open(index)>
                        <span class="figure-short">{figure.short()}</span>
                        <span class="figure-exact">{figure.exact()}</span>
                    </button>
                    <span class="figure-was">{was}</span>
                </span>
            </div>
        }
    }

    /// A number in a table.
    fn small(&self, figure: &Figure) -> impl IntoView + use<> {
        let (index, was) = self.find(figure);
        let is_moved = was.is_some();
        let was = was.map(|was| view! { <span class="figure-was">{was}</span> });
        view! {
            <button
                class="cell-value"
                class:is-moved=is_moved
                type="button"
                aria-haspopup="dialog"
                title=figure.exact()
                on:click=self.open(index)
            >
                {figure.short()}
                {was}
            </button>
        }
    }

    /// A part of an answer as figures or as a table.
    pub(super) fn part(&self, part: &Part) -> AnyView {
        match &part.body {
            Body::Figures(figures) => {
                let figures = figures.iter().map(|figure| self.large(figure)).collect_view();
                view! { <div class="figures">{figures}</div> }.into_any()
            }
            body => self.table(&part.title, &body.to_table()),
        }
    }

    fn table(&self, title: &str, table: &Table) -> AnyView {
        let words: Vec<bool> = (0..table.columns.len()).map(|column| table.has_words(column)).collect();
        let rows = table.rows.iter().map(|row| {
            let cells = row.cells.iter().zip(words.iter().skip(1)).map(|(cell, is_words)| match cell {
                Cell::Figure(figure) => {
                    // Most are computed: in a table only what is not says so.
                    let provenance = Some(figure.provenance()).filter(|it| *it != Provenance::Computed);
                    let sign = provenance.map(|of| view! { " " <ProvenanceSign of /> });
                    view! { <td>{self.small(figure)} {sign}</td> }.into_any()
                }
                Cell::Formula(figure) => view! {
                    <td class="is-words">
                        <span inner_html=figure.equation_in_mathml()></span>
                        <span class="symbols">{symbols(figure)}</span>
                    </td>
                }
                .into_any(),
                Cell::Text(text) => view! { <td class:is-words=*is_words>{text.clone()}</td> }.into_any(),
            });
            // A row of nothing in particular has no header.
            let header = match row.label.clone() {
                label if label.is_empty() => view! { <td></td> }.into_any(),
                label => view! { <th scope="row">{label}</th> }.into_any(),
            };
            view! { <tr class:is-total=row.is_total>{header} {cells.collect_view()}</tr> }
        });
        let columns = table.columns.iter().zip(&words).map(|(column, is_words)| match column.is_empty() {
            true => view! { <td></td> }.into_any(),
            false => view! { <th class:is-words=*is_words scope="col">{column.clone()}</th> }.into_any(),
        });
        let label = if title.is_empty() { "Table" } else { title }.to_owned();
        view! {
            <div class="scroll" tabindex="0" role="group" aria-label=label>
                <table class="sheet-table">
                    <thead>
                        <tr>{columns.collect_view()}</tr>
                    </thead>
                    <tbody>{rows.collect_view()}</tbody>
                </table>
            </div>
        }
        .into_any()
    }
}

/// What the symbols of a formula mean.
fn symbols(figure: &Figure) -> impl IntoView + use<> {
    let symbols = figure.symbols().into_iter().enumerate();
    let meaning = |(index, (sign, title))| {
        let between = if index > 0 { "; " } else { "" };
        view! { {between} {symbol(sign)} {format!(" {title}")} }
    };
    symbols.map(meaning).collect_view()
}
