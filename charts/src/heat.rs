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

/// Shares from 0 to 1 by rows and columns, each with its number on it.
#[must_use]
pub fn heat_map(caption: Caption<'_>, columns: &[String], rows: &[HeatRow]) -> String {
    let mut svg = Svg::new(caption);
    let margin = rows.iter().map(|row| width_of(&row.label)).fold(0.0, f64::max) + 10.0;
    let wide = ((caption.width - margin) / columns.len().max(1) as f64).max(1.0);
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
            svg.shade(x + 1.0, y + 1.0, wide - 2.0, SQUARE - 2.0, share.clamp(0.0, 1.0));
            // On the dark half letters are light.
            let class = if *share > 0.55 { "chart-inside" } else { "chart-label" };
            svg.text(class, x + wide / 2.0, y + SQUARE / 2.0 + 4.0, Anchor::Middle, text);
        }
    }
    svg.finish(26.0 + rows.len() as f64 * SQUARE)
}
