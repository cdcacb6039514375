//! Answers as tables of text, for the terminal, Markdown and CSV.

use std::iter::once;

use super::Calculator;
use super::Inputs;
use super::sheet::{Body, Part, Sheet};
use super::table::Cell;
use crate::notation::plain_symbol;

/// A table of text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Block {
    /// Heading; may be empty.
    pub title: String,
    /// Headings of the columns; those of numbers begin with `>`.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl Sheet {
    /// The parts as tables of text, with four digits, and single results with all of them besides. A chart without a
    /// heading says what a table beside it says, and is left out.
    #[must_use]
    pub fn to_blocks(&self) -> Vec<Block> {
        let is_chart =
            |part: &Part| matches!(part.body, Body::Stacks(_) | Body::Roofline(_) | Body::Areas(_));
        let told = self.parts.iter().filter(|part| !is_chart(part) || !part.title.is_empty());
        told.map(block).collect()
    }

    /// Every result with all digits, for a spreadsheet: name, title, value, unit.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut out = csv_line(&["name", "title", "value", "unit"]);
        for figure in self.figures() {
            let value = figure.value.decimal().plain();
            let fields = [figure.name, &figure.title, &value, &figure.unit.to_string()];
            out += &csv_line(&fields);
        }
        out
    }
}

/// An answer in Markdown: assumptions, results, remarks, and the derivation of the first result.
#[must_use]
pub fn to_markdown(calculator: &Calculator, inputs: &Inputs, sheet: &Sheet) -> String {
    let mut out = format!("## {}\n\n", calculator.title);
    let assumed = calculator.fields.iter().filter(|field| !inputs.text(field).is_empty());
    for field in assumed {
        out += &format!("- {}: {}\n", field.label, crate::error::line(inputs.text(field)));
    }
    for block in sheet.to_blocks() {
        out += "\n";
        if !block.title.is_empty() {
            out += &format!("### {}\n\n", block.title);
        }
        let heads: Vec<String> =
            block.columns.iter().map(|head| in_table(head.trim_start_matches('>'))).collect();
        let rules: Vec<&str> =
            block.columns.iter().map(|head| if head.starts_with('>') { "--:" } else { ":--" }).collect();
        out += &format!("| {} |\n| {} |\n", heads.join(" | "), rules.join(" | "));
        for row in &block.rows {
            let cells: Vec<String> = row.iter().map(|cell| in_table(cell)).collect();
            out += &format!("| {} |\n", cells.join(" | "));
        }
    }
    for remark in &sheet.remarks {
        out += &format!("\n> {}\n", remark.text);
    }
    if let Some(headline) = sheet.headline() {
        out += &format!("\n{}\n", headline.to_markdown());
    }
    out
}

/// A cell of a table in Markdown, which a bar would end.
fn in_table(cell: &str) -> String {
    cell.replace('|', "\\|")
}

fn block(part: &Part) -> Block {
    let table = part.body.to_table();
    let head = |(at, name): (usize, &String)| {
        let is_number = at > 0 && !table.has_words(at);
        if is_number { format!(">{name}") } else { name.clone() }
    };
    let rows =
        table.rows.iter().map(|row| once(row.label.clone()).chain(row.cells.iter().map(cell)).collect());
    Block {
        title: part.title.clone(),
        columns: table.columns.iter().enumerate().map(head).collect(),
        rows: rows.collect(),
    }
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Figure(figure) => figure.short(),
        Cell::Formula(figure) => {
            let symbols = figure.symbols();
            let meaning = |(symbol, title): &(&str, String)| format!("{} {title}", plain_symbol(symbol));
            let meanings: Vec<String> = symbols.iter().map(meaning).collect();
            [figure.equation(), meanings.join("; ")].join("  ").trim_end().to_owned()
        }
        Cell::Text(text) => text.clone(),
    }
}

/// Cells as a line of CSV with its end: quoted where they need to be, as in RFC 4180.
#[must_use]
pub fn csv_line(cells: &[impl AsRef<str>]) -> String {
    let quoted = |cell: &str| match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    };
    cells.iter().map(|cell| quoted(cell.as_ref())).collect::<Vec<_>>().join(",") + "\n"
}
