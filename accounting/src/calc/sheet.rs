//! What a calculator answers: figures with their derivations, tables of them, charts and remarks.

use std::iter::once;
use std::sync::Arc;

use serde::Serialize;

use super::table::{Cell, Figure, Table};
use crate::catalogue::Mark;
use crate::{Input, Unit, format};

/// The answer of a calculator.
#[derive(Debug, Clone, Default)]
pub struct Sheet {
    /// The parts in the order in which to show them; the first figure of all is what the calculator is about.
    pub parts: Vec<Part>,
    /// What to know about the answer.
    pub remarks: Vec<Remark>,
}

/// Part of an answer.
#[derive(Debug, Clone)]
pub struct Part {
    /// What steps light: `total`.
    pub id: &'static str,
    /// Heading; may be empty.
    pub title: String,
    /// What it holds.
    pub body: Body,
}

/// What a part of an answer holds.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Body {
    /// Results, one below the other.
    Figures(Vec<Figure>),
    /// Results in rows and columns.
    Table(Table),
    /// Parts of a whole, as one bar each.
    Stacks(Stacks),
    /// Rates over arithmetic intensity.
    Roofline(Roofline),
    /// Shares by rows and columns.
    Heat(Heat),
    /// Amounts over time, one upon the other.
    Areas(Areas),
}

/// Bars of parts.
#[derive(Debug, Clone)]
pub struct Stacks {
    /// What one bar is about, and its parts.
    pub bars: Vec<(String, Vec<Figure>)>,
    /// A line to compare with, such as the memory of a device.
    pub limit: Option<Figure>,
}

/// Shares, mostly from 0 to 1, by rows and columns.
#[derive(Debug, Clone)]
pub struct Heat {
    /// Headings of the columns.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<HeatRow>,
}

/// A row of shares.
#[derive(Debug, Clone)]
pub struct HeatRow {
    /// What it is about.
    pub label: String,
    /// A share for each column; nothing where there is none.
    pub cells: Vec<Option<Figure>>,
}

/// Roofs and points under them.
#[derive(Debug, Clone, Serialize)]
pub struct Roofline {
    /// Peak and bandwidth of devices.
    pub roofs: Vec<Roof>,
    /// Computations.
    pub points: Vec<Point>,
}

/// What a device promises or reaches.
#[derive(Debug, Clone, Serialize)]
pub struct Roof {
    /// Whose it is.
    pub label: String,
    /// The horizontal part.
    pub peak_flop_per_sec: f64,
    /// The slope.
    pub bandwidth_bytes_per_sec: f64,
    /// Whether it was measured here.
    pub is_measured: bool,
}

/// A computation below a roof.
#[derive(Debug, Clone, Serialize)]
pub struct Point {
    /// Which it is.
    pub label: String,
    /// FLOPs per byte.
    pub intensity_flop_per_byte: f64,
    /// The rate that was measured, or the roof's at that intensity.
    pub flop_per_sec: f64,
    /// Whether it was measured.
    pub is_measured: bool,
}

/// Amounts over time, one upon the other. An amount lasts until the next time.
#[derive(Debug, Clone)]
pub struct Areas {
    /// When amounts changed.
    pub times: Vec<f64>,
    /// What of, the first at the bottom.
    pub layers: Vec<Layer>,
    /// Stretches of time with a name, one after the other.
    pub bands: Vec<Band>,
    /// What happened at each time.
    pub causes: Vec<String>,
    /// What the amounts are of.
    pub unit: Unit,
    /// A line to compare with, such as what a formula says of the peak.
    pub limit: Option<Figure>,
}

/// An amount at each time.
#[derive(Debug, Clone)]
pub struct Layer {
    /// What it is.
    pub label: String,
    /// One for each time.
    pub values: Vec<f64>,
}

/// A stretch of time.
#[derive(Debug, Clone, PartialEq)]
pub struct Band {
    /// What goes on.
    pub label: String,
    /// The first of its times.
    pub start: f64,
    /// The first that is not.
    pub end: f64,
}

/// What to know about an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// How serious it is.
    pub kind: RemarkKind,
    /// A sentence or two.
    pub text: String,
}

/// How serious a remark is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RemarkKind {
    /// Worth knowing.
    Note,
    /// The answer rests on something doubtful.
    Warning,
}

impl Sheet {
    /// The result that the calculator is about.
    #[must_use]
    pub fn headline(&self) -> Option<&Figure> {
        self.figures().into_iter().next()
    }

    /// Every result, each once, in order of appearance.
    #[must_use]
    pub fn figures(&self) -> Vec<&Figure> {
        let mut all: Vec<&Figure> = Vec::new();
        let mut push = |figure| {
            if !all.iter().any(|known: &&Figure| Arc::ptr_eq(known, figure)) {
                all.push(figure);
            }
        };
        for part in &self.parts {
            match &part.body {
                Body::Figures(figures) => figures.iter().for_each(&mut push),
                Body::Table(table) => {
                    for cell in table.rows.iter().flat_map(|row| &row.cells) {
                        if let Cell::Figure(figure) = cell {
                            push(figure);
                        }
                    }
                }
                Body::Stacks(stacks) => {
                    stacks.bars.iter().flat_map(|(_, parts)| parts).chain(&stacks.limit).for_each(&mut push);
                }
                Body::Heat(heat) => heat.rows.iter().flat_map(|row| &row.cells).flatten().for_each(&mut push),
                Body::Areas(areas) => areas.limit.iter().for_each(&mut push),
                Body::Roofline(_) => {}
            }
        }
        all
    }

    /// A given number that a result rests on, by its Python name.
    #[must_use]
    pub fn input(&self, name: &str) -> Option<&Input> {
        let all = self.figures().into_iter().flat_map(|figure| figure.all_inputs());
        all.into_iter().find(|input| input.name == name)
    }

    /// Warns of every number below the results that nobody vouches for, or about which sources disagree.
    pub(super) fn warn_of_doubts(&mut self) {
        let mut doubts: Vec<String> = Vec::new();
        for figure in self.figures() {
            for input in figure.all_inputs() {
                let Some(mark @ (Mark::Unverified | Mark::Conflict)) = input.mark else { continue };
                let value = format::full(input.value, input.unit);
                doubts.push(format!("{}, {value}: {}.", input.title, mark.describe()));
            }
        }
        doubts.into_iter().for_each(|doubt| self.warn(doubt));
    }

    /// With one more part.
    #[must_use]
    pub fn with(mut self, id: &'static str, title: impl Into<String>, body: impl Into<Body>) -> Self {
        self.parts.push(Part { id, title: title.into(), body: body.into() });
        self
    }

    /// Tells the reader something.
    pub fn note(&mut self, text: impl Into<String>) {
        self.remark(RemarkKind::Note, text.into());
    }

    /// Warns the reader.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.remark(RemarkKind::Warning, text.into());
    }

    fn remark(&mut self, kind: RemarkKind, text: String) {
        if !self.remarks.iter().any(|known| known.text == text) {
            self.remarks.push(Remark { kind, text });
        }
    }
}

impl From<Vec<Figure>> for Body {
    fn from(figures: Vec<Figure>) -> Self {
        Self::Figures(figures)
    }
}

impl From<Table> for Body {
    fn from(table: Table) -> Self {
        Self::Table(table)
    }
}

impl From<Stacks> for Body {
    fn from(stacks: Stacks) -> Self {
        Self::Stacks(stacks)
    }
}

impl From<Heat> for Body {
    fn from(heat: Heat) -> Self {
        Self::Heat(heat)
    }
}

impl From<Areas> for Body {
    fn from(areas: Areas) -> Self {
        Self::Areas(areas)
    }
}

impl Areas {
    /// The number among the times at which the most is held within a stretch of them.
    #[must_use]
    pub fn highest(&self, within: &Band) -> Option<usize> {
        let within = (0..self.times.len()).filter(|&at| (within.start..within.end).contains(&self.times[at]));
        within.max_by(|&a, &b| self.total(a).total_cmp(&self.total(b)))
    }

    /// What is held together at that number among the times.
    #[must_use]
    pub fn total(&self, at: usize) -> f64 {
        self.layers.iter().filter_map(|layer| layer.values.get(at)).sum()
    }
}

impl From<Roofline> for Body {
    fn from(roofline: Roofline) -> Self {
        Self::Roofline(roofline)
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
