//! Tables as data, and their cells as text.

use napkin_accounting::Unit;
use napkin_accounting::calc::csv_line;
use napkin_trace::trace::Json;

use super::number::{exact, unit_of};

#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    pub title: String,
    /// Heads, and what the numbers below count.
    pub columns: Vec<(String, Unit)>,
    /// Cells, the first of each row its name.
    pub rows: Vec<Vec<Json>>,
}

impl Grid {
    /// Rows under heads whose ends say the units: `read_bytes`.
    pub fn new(title: &str, columns: &[impl AsRef<str>], rows: Vec<Vec<Json>>) -> Self {
        let columns = columns.iter().map(|name| (name.as_ref().to_owned(), unit_of(name.as_ref()))).collect();
        Self { title: title.to_owned(), columns, rows }
    }

    /// As a file; numbers with all their digits.
    pub fn csv(&self) -> String {
        let heads = self.columns.iter().map(|(name, _)| name.clone()).collect();
        let rows = self.rows.iter().map(|row| row.iter().map(plain).collect::<Vec<_>>());
        std::iter::once(heads).chain(rows).map(|cells| csv_line(&cells)).collect()
    }
}

/// Data as a text without markup, as Python prints it.
pub fn plain(data: &Json) -> String {
    match data {
        Json::Null => "None".to_owned(),
        Json::Bool(value) => if *value { "True" } else { "False" }.to_owned(),
        Json::Number(number) => exact(number),
        Json::String(text) => text.clone(),
        data => data.to_string(),
    }
}
