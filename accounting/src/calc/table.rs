//! Results in rows and columns.

use std::sync::Arc;

use crate::{Derivation, Derived};

/// A result with its derivation.
pub type Figure = Arc<Derivation>;

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
