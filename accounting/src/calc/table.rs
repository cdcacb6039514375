//! Results in rows and columns, and whatever an answer shows as such a table.

use std::iter::once;
use std::sync::Arc;

use super::sheet::{Areas, Body, Figure};
use crate::{Derived, Unit, format};

/// Results in rows and columns.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// Headings; that of the row labels first.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Debug, Clone)]
pub struct Row {
    /// What it is about.
    pub label: String,
    /// One per further column.
    pub cells: Vec<Cell>,
    /// Whether it sums up those above.
    pub is_total: bool,
}

/// A cell of a table.
#[derive(Debug, Clone)]
pub enum Cell {
    /// A result.
    Figure(Figure),
    /// How a result is computed, and what the symbols mean.
    Formula(Figure),
    /// Words.
    Text(String),
}

impl Table {
    /// A table without rows.
    #[must_use]
    pub fn new(columns: &[&str]) -> Self {
        Self { columns: columns.iter().map(|&column| column.to_owned()).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, label: impl Into<String>, cells: Vec<Cell>) {
        self.rows.push(Row { label: label.into(), cells, is_total: false });
    }

    /// Adds a row that sums up.
    pub fn total(&mut self, label: impl Into<String>, cells: Vec<Cell>) {
        self.rows.push(Row { label: label.into(), cells, is_total: true });
    }

    /// Whether a column has words; shares and the like stand where numbers do.
    #[must_use]
    pub fn has_words(&self, column: usize) -> bool {
        let mut cells = self.rows.iter().filter_map(|row| row.cells.get(column.checked_sub(1)?));
        cells.any(|cell| match cell {
            Cell::Figure(_) => false,
            Cell::Formula(_) => true,
            Cell::Text(text) => text.starts_with(|c: char| !c.is_ascii_digit() && !"+-−–".contains(c)),
        })
    }
}

impl<Q> From<&Derived<Q>> for Cell {
    fn from(derived: &Derived<Q>) -> Self {
        Self::Figure(derived.clone().into())
    }
}

impl From<&Figure> for Cell {
    fn from(figure: &Figure) -> Self {
        Self::Figure(Arc::clone(figure))
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl Body {
    /// What it shows, in rows and columns.
    #[must_use]
    pub fn to_table(&self) -> Table {
        match self {
            Self::Figures(figures) => {
                let mut table = Table::new(&["", "", ""]);
                for figure in figures {
                    table.row(figure.title.to_string(), vec![figure.into(), figure.exact().into()]);
                }
                table
            }
            Self::Table(table) => table.clone(),
            Self::Stacks(stacks) => {
                let mut table = Table::new(&["", "Part", "Size"]);
                let bars = stacks.bars.iter();
                let parts = bars.flat_map(|(label, parts)| parts.iter().map(move |part| (&**label, part)));
                for (label, part) in parts.chain(stacks.limit.iter().map(|limit| ("", limit))) {
                    table.row(label, vec![part.title.to_string().into(), part.into()]);
                }
                table
            }
            Self::Heat(heat) => {
                let mut table = with_columns(heat.columns.iter().cloned());
                for row in &heat.rows {
                    let cell = |cell: &Option<Figure>| cell.as_ref().map_or_else(|| "–".into(), Cell::from);
                    table.row(&row.label, row.cells.iter().map(cell).collect());
                }
                table
            }
            Self::Areas(areas) => highest(areas),
            Self::Roofline(roofline) => {
                let mut table = Table::new(&["Computation", "Intensity", "Rate"]);
                for point in &roofline.points {
                    let intensity = format::short(point.intensity_flop_per_byte, Unit::FLOP.per(Unit::BYTE));
                    let rate = format::short(point.flop_per_sec, Unit::FLOP.per(Unit::SECOND));
                    let rate = if point.is_measured { rate + " measured" } else { rate };
                    table.row(&point.label, vec![intensity.into(), rate.into()]);
                }
                table
            }
        }
    }
}

/// The highest amounts of each stretch of time, and what happened there.
fn highest(areas: &Areas) -> Table {
    let layers = areas.layers.iter().map(|layer| layer.label.clone());
    let mut table = with_columns(layers.chain(["together".to_owned(), "at".to_owned()]));
    for (band, at) in areas.bands.iter().filter_map(|band| Some((band, areas.highest(band)?))) {
        let layers = areas.layers.iter().map(|layer| layer.values.get(at).copied().unwrap_or(0.0));
        let amounts = layers.chain([areas.total(at)]).map(|amount| format::short(amount, areas.unit).into());
        let cause = areas.causes.get(at).cloned().unwrap_or_default();
        table.row(&band.label, amounts.chain([cause.into()]).collect());
    }
    table
}

fn with_columns(columns: impl Iterator<Item = String>) -> Table {
    Table { columns: once(String::new()).chain(columns).collect(), rows: Vec::new() }
}
