//! A table whose values are shades as well.

use crate::Caption;
use crate::svg::{Anchor, Svg, width_of};

/// A row of a [`heat_map`].
#[derive(Debug, Clone)]
pub struct HeatRow {
    /// What it is about.
    pub label: String,
    /// A share and its text for each column; `None` for what was not measured. A share above 1 is as dark as 1.
    pub squares: Vec<Option<(f64, String)>>,
}

const SQUARE: f64 = 34.0;

/// Shares from 0 to 1 by rows and columns, each with its number on it. Where columns are too many for their texts to
/// stand side by side, they become the rows.
#[must_use]
pub fn heat_map(caption: Caption<'_>, columns: &[String], rows: &[HeatRow]) -> String {
    let margin = rows.iter().map(|row| width_of(&row.label)).fold(0.0, f64::max) + 10.0;
    let wide = ((caption.width - margin) / columns.len().max(1) as f64).max(1.0);
    let texts = rows.iter().flat_map(|row| row.squares.iter().flatten().map(|(_, text)| text)).chain(columns);
    if columns.len() > rows.len() && texts.map(|text| width_of(text)).fold(0.0, f64::max) > wide {
        let (columns, rows) = turned(columns, rows);
        return heat_map(caption, &columns, &rows);
    }
    let mut svg = Svg::new(caption);
    for (index, column) in columns.iter().enumerate() {
        svg.text("chart-tick", margin + (index as f64 + 0.5) * wide, 14.0, Anchor::Middle, column);
    }
    for (line, row) in rows.iter().enumerate() {
        let y = 22.0 + line as f64 * SQUARE;
        svg.text("chart-label", margin - 8.0, y + SQUARE / 2.0 + 4.0, Anchor::End, &row.label);
        for (index, square) in row.squares.iter().take(columns.len()).enumerate() {
            let x = margin + index as f64 * wide;
            let Some((share, text)) = square.as_ref().filter(|(share, _)| share.is_finite()) else {
                svg.text("chart-tick", x + wide / 2.0, y + SQUARE / 2.0 + 4.0, Anchor::Middle, "–");
                continue;
            };
            svg.shade(0, [x + 1.0, y + 1.0, wide - 2.0, SQUARE - 2.0], share.clamp(0.0, 1.0));
            // On the dark half letters are light.
            let class = if *share > 0.55 { "chart-inside" } else { "chart-label" };
            svg.text(class, x + wide / 2.0, y + SQUARE / 2.0 + 4.0, Anchor::Middle, text);
        }
    }
    svg.finish(26.0 + rows.len() as f64 * SQUARE)
}

/// Values from −1 to 1 as squares without texts, as many as there are: what is negative has another colour, and a dash
/// across it. `None` is empty.
#[must_use]
pub fn shades(caption: Caption<'_>, rows: &[Vec<Option<f64>>]) -> String {
    let mut svg = Svg::new(caption);
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let side = (caption.width / columns as f64).min(SQUARE);
    // Squares too small for a gap touch.
    let gap = if side > 6.0 { 1.0 } else { 0.0 };
    for (line, row) in rows.iter().enumerate() {
        for (index, share) in row.iter().enumerate() {
            let Some(share) = share.filter(|share| share.is_finite()) else { continue };
            let (x, y) = (index as f64 * side, line as f64 * side);
            let size = share.abs().min(1.0);
            svg.shade(usize::from(share < 0.0), [x, y, side - gap, side - gap], size);
            if share < 0.0 && side > 12.0 {
                svg.rule("chart-axis", (x + side * 0.35, y + side / 2.0), (x + side * 0.65, y + side / 2.0));
            }
        }
    }
    svg.finish((rows.len() as f64 * side).max(1.0))
}

/// Columns for rows.
fn turned(columns: &[String], rows: &[HeatRow]) -> (Vec<String>, Vec<HeatRow>) {
    let row = |(at, label): (usize, &String)| HeatRow {
        label: label.clone(),
        squares: rows.iter().map(|row| row.squares.get(at).cloned().flatten()).collect(),
    };
    (rows.iter().map(|row| row.label.clone()).collect(), columns.iter().enumerate().map(row).collect())
}
