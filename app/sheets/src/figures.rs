//! Figures, tables and remarks of an answer.

use std::sync::Arc;

use maud::{Markup, html};
use napkin_accounting::calc::{self, Body, Figure, Part, RemarkKind, Sheet, Table};
use napkin_accounting::{Unit, format};

use crate::book::Answer;
use crate::words::headed;

/// A part of an answer as figures or as a table.
pub(crate) fn body(id: &str, answer: &Answer, part: &Part) -> Markup {
    let numbers = Numbers { id, answer };
    match &part.body {
        Body::Figures(figures) => html! {
            div.figures { @for figure in figures { (numbers.large(figure)) } }
        },
        Body::Table(table) => {
            let words: Vec<bool> = (0..table.columns.len()).map(|column| has_words(table, column)).collect();
            let rows = table.rows.iter().map(|row| {
                html! {
                    tr.is-total[row.is_total] {
                        (row_header(&row.label))
                        @for (column, cell) in (1..).zip(&row.cells) {
                            @match cell {
                                calc::Cell::Figure(figure) => td { (numbers.small(figure)) },
                                calc::Cell::Text(text) => td.is-words[words[column]] { (text) },
                            }
                        }
                    }
                }
            });
            let columns = table.columns.iter().cloned().zip(words.iter().copied());
            grid(&part.title, columns, rows)
        }
        Body::Stacks(stacks) => {
            let limit = stacks.limit.iter().map(|limit| (String::new(), limit));
            let parts =
                stacks.bars.iter().flat_map(|(label, parts)| parts.iter().map(|part| (label.clone(), part)));
            let rows = parts.chain(limit).map(|(label, figure)| html! {
                tr { (row_header(&label)) td.is-words { (headed(&figure.title)) } td { (numbers.small(figure)) } }
            });
            let columns = [("", true), ("Part", true), ("Size", false)];
            grid(&part.title, columns.map(|(column, is_words)| (column.to_owned(), is_words)), rows)
        }
        Body::Roofline(roofline) => {
            let rate = Unit::FLOP.per(Unit::SECOND);
            let rows = roofline.points.iter().map(|point| {
                html! {
                    tr {
                        (row_header(&point.label))
                        td { (format::short(point.intensity_flop_per_byte, Unit::FLOP.per(Unit::BYTE))) }
                        td { (format::short(point.flop_per_sec, rate)) @if point.is_measured { " measured" } }
                    }
                }
            });
            let columns = ["Computation", "Intensity", "Rate"].map(|column| (column.to_owned(), false));
            grid(&part.title, columns, rows)
        }
        Body::Heat(heat) => {
            let columns = std::iter::once(String::new()).chain(heat.columns.iter().cloned());
            let columns = columns.map(|column| (column, false));
            let rows = heat.rows.iter().map(|row| {
                html! {
                    tr {
                        (row_header(&row.label))
                        @for cell in &row.cells {
                            @match cell {
                                Some(figure) => td { (numbers.small(figure)) },
                                None => td { "–" },
                            }
                        }
                    }
                }
            });
            grid(&part.title, columns, rows)
        }
        Body::Areas(areas) => {
            let amount = |value| format::short(value, areas.unit);
            let rows = areas.bands.iter().filter_map(|band| {
                let at = areas.highest(band)?;
                Some(html! {
                    tr {
                        (row_header(&band.label))
                        @for layer in &areas.layers { td { (amount(layer.values.get(at).copied().unwrap_or(0.0))) } }
                        td { (amount(areas.total(at))) }
                    }
                })
            });
            let layers = areas.layers.iter().map(|layer| layer.label.clone());
            let columns = std::iter::once(String::new()).chain(layers).chain(["together".to_owned()]);
            let columns = columns.map(|column| (column, false));
            grid(&part.title, columns, rows)
        }
        _ => html! {},
    }
}

/// What to know about an answer.
pub(crate) fn remarks(sheet: &Sheet) -> Markup {
    html! {
        @for remark in &sheet.remarks {
            p.remark.is-warning[remark.kind == RemarkKind::Warning] { (remark.text) }
        }
    }
}

/// Whether a column has words; shares and the like stand where numbers do.
fn has_words(table: &Table, column: usize) -> bool {
    let cells = table.rows.iter().filter_map(|row| row.cells.get(column.checked_sub(1)?));
    cells.into_iter().any(|cell| match cell {
        calc::Cell::Figure(_) => false,
        calc::Cell::Text(text) => text.starts_with(|c: char| !c.is_ascii_digit() && !"+-−–".contains(c)),
    })
}

/// What a row is of; a row of nothing in particular has no header.
fn row_header(label: &str) -> Markup {
    html! { @if label.is_empty() { td {} } @else { th scope="row" { (label) } } }
}

/// A table of columns, each with whether it has words.
fn grid(
    title: &str,
    columns: impl IntoIterator<Item = (String, bool)>,
    rows: impl Iterator<Item = Markup>,
) -> Markup {
    html! {
        div.scroll tabindex="0" role="group" aria-label=(if title.is_empty() { "Table" } else { title }) {
            table.sheet-table {
                thead { tr { @for (column, is_words) in columns {
                    @if column.is_empty() { td {} } @else { th.is-words[is_words] scope="col" { (column) } }
                } } }
                tbody { @for row in rows { (row) } }
            }
        }
    }
}

struct Numbers<'a> {
    id: &'a str,
    answer: &'a Answer,
}

impl Numbers<'_> {
    /// What the button of a number carries, and what the number was before the last change.
    fn place(&self, figure: &Figure) -> (String, Option<&str>) {
        let sheet = self.answer.sheet.as_ref();
        let index =
            sheet.and_then(|sheet| sheet.figures().into_iter().position(|one| Arc::ptr_eq(one, figure)));
        let index = index.unwrap_or(usize::MAX);
        let was = self.answer.moved.iter().find(|(moved, _)| *moved == index);
        (format!("{}:{index}", self.id), was.map(|(_, was)| was.as_str()))
    }

    /// A number for itself.
    fn large(&self, figure: &Figure) -> Markup {
        let (key, was) = self.place(figure);
        let title = headed(&figure.title);
        html! {
            div.figure.is-moved[was.is_some()] role="group" aria-label=(title) {
                span.figure-label { (title) }
                span.figure-line {
                    button.figure-value type="button" aria-haspopup="dialog" data-do="derive" data-of=(key) {
                        span.figure-short { (figure.short()) }
                        span.figure-exact { (figure.exact()) }
                    }
                    span.figure-was { @if let Some(was) = was { "was " (was) } }
                }
            }
        }
    }

    /// A number in a table.
    fn small(&self, figure: &Figure) -> Markup {
        let (key, was) = self.place(figure);
        html! {
            button.cell-value.is-moved[was.is_some()] type="button" aria-haspopup="dialog" data-do="derive" data-of=(key)
                title=(figure.exact())
            {
                (figure.short())
                @if let Some(was) = was { span.figure-was { "was " (was) } }
            }
        }
    }
}
