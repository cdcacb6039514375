//! A table whose values are shades as well.

use napkin_accounting::calc::{Heat, HeatRow};

use crate::svg::{Svg, width_of};
use crate::{Caption, Chart};

const SQUARE: f64 = 34.0;

/// Shares from 0 to 1 by rows and columns, each with its number on it; one above 1 is as dark as 1. Where columns are too
/// many for their texts to stand side by side, they become the rows.
pub fn heat_map(caption: Caption<'_>, heat: &Heat) -> Chart {
    let Heat { columns, rows } = heat;
    let margin = rows.iter().map(|row| width_of(&row.label)).fold(0.0, f64::max) + 10.0;
    let wide = ((caption.width - margin) / columns.len().max(1) as f64).max(1.0);
    let texts = rows.iter().flat_map(|row| &row.cells).flatten().map(|share| share.short());
    let widest = texts.chain(columns.iter().cloned()).map(|text| width_of(&text)).fold(0.0, f64::max);
    if columns.len() > rows.len() && widest > wide {
        return heat_map(caption, &turned(heat));
    }
    let mut svg = Svg::new(caption);
    for (index, column) in columns.iter().enumerate() {
        svg.text("chart-tick", margin + (index as f64 + 0.5) * wide, 14.0, "middle", column);
    }
    for (line, row) in rows.iter().enumerate() {
        let y = 22.0 + line as f64 * SQUARE;
        svg.text("chart-label", margin - 8.0, y + SQUARE / 2.0 + 4.0, "end", &row.label);
        for (index, cell) in row.cells.iter().take(columns.len()).enumerate() {
            let x = margin + index as f64 * wide;
            let share = cell.as_ref().map_or(f64::NAN, |cell| cell.value.to_f64());
            let text = cell.as_ref().filter(|_| share.is_finite()).map(|cell| cell.short());
            if text.is_some() {
                svg.shade(0, [x + 1.0, y + 1.0, wide - 2.0, SQUARE - 2.0], share.clamp(0.0, 1.0));
            }
            let class = match share {
                // On the dark half letters are light.
                share if share > 0.55 => "chart-inside",
                share if share.is_finite() => "chart-label",
                _ => "chart-tick",
            };
            let text = text.as_deref().unwrap_or("–");
            svg.text(class, x + wide / 2.0, y + SQUARE / 2.0 + 4.0, "middle", text);
        }
    }
    svg.finish(26.0 + rows.len() as f64 * SQUARE)
}

/// Values as squares without texts, as many as there are, the largest magnitude the darkest: what is negative has another
/// colour, and a dash across it. `None` is empty; `says` tells a value of a row and a column in words.
pub fn shades(
    caption: Caption<'_>,
    rows: &[Vec<Option<f64>>],
    says: &dyn Fn(usize, usize, f64) -> String,
) -> Chart {
    let sizes = rows.iter().flatten().flatten().map(|value| value.abs()).filter(|size| size.is_finite());
    let largest = Some(sizes.fold(0.0, f64::max)).filter(|largest| *largest > 0.0).unwrap_or(1.0);
    let mut svg = Svg::new(caption);
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let side = (caption.width / columns as f64).min(SQUARE);
    // Squares too small for a gap touch.
    let gap = if side > 6.0 { 1.0 } else { 0.0 };
    for (line, row) in rows.iter().enumerate() {
        for (index, value) in row.iter().enumerate() {
            let Some(value) = value.filter(|value| value.is_finite()) else { continue };
            let (x, y) = (index as f64 * side, line as f64 * side);
            let area = [x, y, side - gap, side - gap];
            svg.shade(usize::from(value < 0.0), area, value.abs() / largest);
            svg.mark(area, says(line, index, value));
            if value < 0.0 && side > 12.0 {
                svg.rule("chart-axis", (x + side * 0.35, y + side / 2.0), (x + side * 0.65, y + side / 2.0));
            }
        }
    }
    svg.finish((rows.len() as f64 * side).max(1.0))
}

fn turned(heat: &Heat) -> Heat {
    let row = |(at, label): (usize, &String)| HeatRow {
        label: label.clone(),
        cells: heat.rows.iter().map(|row| row.cells.get(at).cloned().flatten()).collect(),
    };
    Heat {
        columns: heat.rows.iter().map(|row| row.label.clone()).collect(),
        rows: heat.columns.iter().enumerate().map(row).collect(),
    }
}
