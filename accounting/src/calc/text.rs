//! Answers as tables of text, for the terminal, Markdown and CSV.

use super::Calculator;
use super::Inputs;
use super::sheet::{Areas, Band, Body, Cell, Figure, Part, Sheet};
use crate::format;

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
        told.map(|part| Block { title: part.title.clone(), ..block(&part.body) }).collect()
    }

    /// Every result with all digits, for a spreadsheet: name, title, value, unit.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut out = "name,title,value,unit\n".to_owned();
        for figure in self.figures() {
            let value = figure.value.decimal().plain();
            let fields = [figure.name, &figure.title, &value, &figure.unit.to_string()];
            out += &(fields.map(csv_field).join(",") + "\n");
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
        out += &format!("- {}: {}\n", field.label, inputs.text(field));
    }
    for block in sheet.to_blocks() {
        out += "\n";
        if !block.title.is_empty() {
            out += &format!("### {}\n\n", block.title);
        }
        let heads: Vec<&str> = block.columns.iter().map(|head| head.trim_start_matches('>')).collect();
        let rules: Vec<&str> =
            block.columns.iter().map(|head| if head.starts_with('>') { "--:" } else { ":--" }).collect();
        out += &format!("| {} |\n| {} |\n", heads.join(" | "), rules.join(" | "));
        for row in &block.rows {
            out += &format!("| {} |\n", row.join(" | "));
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

fn block(body: &Body) -> Block {
    let columns = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    match body {
        Body::Figures(figures) => Block {
            columns: columns(&["", ">", ">"]),
            rows: figures.iter().map(figure_row).collect(),
            ..Block::default()
        },
        Body::Table(table) => {
            let head = |(i, name): (usize, &String)| if i == 0 { name.clone() } else { format!(">{name}") };
            Block {
                columns: table.columns.iter().enumerate().map(head).collect(),
                rows: table
                    .rows
                    .iter()
                    .map(|row| std::iter::once(row.label.clone()).chain(row.cells.iter().map(cell)).collect())
                    .collect(),
                ..Block::default()
            }
        }
        Body::Stacks(stacks) => Block {
            columns: columns(&["", "", ">"]),
            rows: stacks
                .bars
                .iter()
                .flat_map(|(label, parts)| {
                    parts.iter().map(move |part| vec![label.clone(), part.title.to_string(), part.short()])
                })
                .chain(
                    stacks
                        .limit
                        .iter()
                        .map(|limit| vec![String::new(), limit.title.to_string(), limit.short()]),
                )
                .collect(),
            ..Block::default()
        },
        Body::Heat(heat) => Block {
            columns: std::iter::once(String::new())
                .chain(heat.columns.iter().map(|column| format!(">{column}")))
                .collect(),
            rows: heat
                .rows
                .iter()
                .map(|row| {
                    let cells = row
                        .cells
                        .iter()
                        .map(|cell| cell.as_ref().map_or_else(|| "–".to_owned(), |figure| figure.short()));
                    std::iter::once(row.label.clone()).chain(cells).collect()
                })
                .collect(),
            ..Block::default()
        },
        Body::Areas(areas) => Block {
            columns: columns(&["", ">most at a time", "at"]),
            rows: areas.bands.iter().filter_map(|band| highest(areas, band)).collect(),
            ..Block::default()
        },
        Body::Roofline(roofline) => Block {
            columns: columns(&["", ">FLOP/byte", ">FLOP/s"]),
            rows: roofline
                .points
                .iter()
                .map(|point| {
                    vec![
                        point.label.clone(),
                        format::short(point.intensity_flop_per_byte, crate::Unit::NONE),
                        format::short(point.flop_per_sec, crate::Unit::FLOP.per(crate::Unit::SECOND)),
                    ]
                })
                .collect(),
            ..Block::default()
        },
    }
}

/// The highest point of a stretch of time.
fn highest(areas: &Areas, band: &Band) -> Option<Vec<String>> {
    let at = areas.highest(band)?;
    let cause = areas.causes.get(at).cloned().unwrap_or_default();
    Some(vec![band.label.clone(), format::short(areas.total(at), areas.unit), cause])
}

fn figure_row(figure: &Figure) -> Vec<String> {
    vec![figure.title.to_string(), figure.short(), figure.exact()]
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Figure(figure) => figure.short(),
        Cell::Text(text) => text.clone(),
    }
}

fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
