//! Answers as one JSON object.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::sheet::{Body, Roofline, Sheet};
use super::table::{Cell, Figure, Table};
use super::{Calculator, Inputs, Kind};

/// An answer with its question, for programs: `value` and `unit` of the first result at full precision, `inputs` as
/// they were read, `derivation` step by step, `sources`, every result under its name, tables, remarks.
#[derive(Debug)]
pub struct Document<'a> {
    /// What was asked.
    pub calculator: &'a Calculator,
    /// With which assumptions.
    pub inputs: &'a Inputs,
    /// The answer.
    pub sheet: &'a Sheet,
}

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("calculator", self.calculator.id)?;
        if let Some(headline) = self.sheet.headline() {
            map.serialize_entry("result", headline.name)?;
            map.serialize_entry("value", &headline.value)?;
            map.serialize_entry("unit", &headline.unit)?;
            map.serialize_entry("display", &headline.short())?;
        }
        map.serialize_entry("inputs", &Assumed(self))?;
        // Tables have the same name in many rows; at the top stands the first.
        let mut told: Vec<&str> = Vec::new();
        for figure in self.sheet.figures() {
            if !told.contains(&figure.name) {
                told.push(figure.name);
                map.serialize_entry(figure.name, &figure.value)?;
            }
        }
        if let Some(headline) = self.sheet.headline() {
            map.serialize_entry("derivation", &headline.in_order())?;
            map.serialize_entry("python", &headline.to_python())?;
            map.serialize_entry("sources", &headline.all_sources())?;
        }
        map.serialize_entry("tables", &Tables(self.sheet))?;
        let rooflines: Vec<&Roofline> = self
            .sheet
            .parts
            .iter()
            .filter_map(|part| match &part.body {
                Body::Roofline(roofline) => Some(roofline),
                _ => None,
            })
            .collect();
        if let [roofline] = rooflines[..] {
            map.serialize_entry("roofline", roofline)?;
        }
        map.serialize_entry("remarks", &self.sheet.remarks)?;
        map.end()
    }
}

struct Assumed<'a>(&'a Document<'a>);

impl Serialize for Assumed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Document { calculator, inputs, sheet } = self.0;
        let mut map = serializer.serialize_map(None)?;
        for field in calculator.fields {
            let text = inputs.text(field);
            match field.kind {
                Kind::Switch => map.serialize_entry(field.name, &inputs.switch(field).unwrap_or(false))?,
                _ if text.is_empty() => {}
                Kind::Number(_) => match sheet.input(field.python) {
                    Some(input) => map.serialize_entry(field.name, &input.value)?,
                    None => map.serialize_entry(field.name, text)?,
                },
                _ => map.serialize_entry(field.name, text)?,
            }
        }
        map.end()
    }
}

struct Tables<'a>(&'a Sheet);

impl Serialize for Tables<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let tables = self.0.parts.iter().filter_map(|part| match &part.body {
            Body::Table(table) => Some((part.id, Rows(table))),
            _ => None,
        });
        serializer.collect_map(tables)
    }
}

struct Rows<'a>(&'a Table);

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.rows.iter().map(|row| Line {
            label: &row.label,
            columns: &self.0.columns,
            cells: &row.cells,
        }))
    }
}

struct Line<'a> {
    label: &'a str,
    columns: &'a [String],
    cells: &'a [Cell],
}

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("label", self.label)?;
        for (column, cell) in self.columns.iter().skip(1).zip(self.cells) {
            match cell {
                Cell::Figure(figure) => map.serialize_entry(column, &Brief(figure))?,
                Cell::Formula(figure) => map.serialize_entry(column, &figure.equation())?,
                Cell::Text(text) => map.serialize_entry(column, text)?,
            }
        }
        map.end()
    }
}

struct Brief<'a>(&'a Figure);

impl Serialize for Brief<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("name", self.0.name)?;
        map.serialize_entry("value", &self.0.value)?;
        map.serialize_entry("unit", &self.0.unit)?;
        map.end()
    }
}
