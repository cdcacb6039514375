//! The charts of a calculator's answer.

use napkin_accounting::calc::{self, Body, Figure};
use napkin_accounting::{Unit, format};

use crate::{Bar, Caption, Chart, Part, heat_map, roofline, stacked_areas, stacked_bars};

/// The chart of a part of an answer, if it has one; `id` is unique in the page.
pub fn sheet_part(id: &str, part: &calc::Part, width: f64) -> Option<Chart> {
    let caption = |title, description| {
        let title = if part.title.is_empty() { title } else { &*part.title };
        Caption { id, title, description, width }
    };
    Some(match &part.body {
        Body::Heat(heat) => heat_map(caption("Shares", "Shares by row and column."), heat),
        Body::Areas(areas) => stacked_areas(caption("Over time", "What is held, change by change."), areas),
        Body::Roofline(of) => {
            let (roofs, points) = (of.roofs.len(), of.points.len());
            let description = format!(
                "Rate over arithmetic intensity, both in powers of ten: {roofs} roofs, {points} computations below them."
            );
            roofline(caption("Roofline", &description), of)
        }
        Body::Stacks(stacks) => {
            let of = |figure: &Figure| Part {
                label: capitalised(&figure.title),
                value: figure.value.to_f64(),
                text: figure.short(),
            };
            let bar = |(label, parts): &(String, Vec<Figure>)| Bar {
                label: label.clone(),
                parts: parts.iter().map(of).collect(),
            };
            let bars: Vec<Bar> = stacks.bars.iter().map(bar).collect();
            let limit = stacks.limit.as_ref().map(of);
            let description = match &limit {
                Some(limit) => format!("Parts of a whole beside {}, {}.", limit.label, limit.text),
                None => "Parts of a whole.".to_owned(),
            };
            let first = stacks.bars.iter().flat_map(|(_, parts)| parts).next();
            let unit = first.map_or(Unit::NONE, |figure| figure.unit);
            let tick = |value| format::short(value, unit);
            stacked_bars(caption("Parts", &description), &bars, limit.as_ref(), &tick)
        }
        _ => return None,
    })
}

/// A title at the beginning of a line.
pub fn capitalised(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
