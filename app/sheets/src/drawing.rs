//! Charts of an answer.

use napkin_accounting::calc::{Areas, Body, Heat, Part, Roofline, Stacks};
use napkin_accounting::{Unit, format};
use napkin_charts::{
    Band, Bar, Caption, HeatRow, Layer, Level, Point, Roof, heat_map, roofline, stacked_areas, stacked_bars,
};

use crate::words::headed;

/// The chart of a part, if it is one; `id` is unique in the page.
pub(crate) fn drawing(id: &str, part: &Part, width: f64) -> Option<String> {
    match &part.body {
        Body::Stacks(stacks) => Some(stacked(id, &part.title, stacks, width)),
        Body::Roofline(roofs) => Some(roofs_and_points(id, &part.title, roofs, width)),
        Body::Heat(heat) => Some(shares(id, &part.title, heat, width)),
        Body::Areas(areas) => Some(over_time(id, &part.title, areas, width)),
        _ => None,
    }
}

fn shares(id: &str, title: &str, of: &Heat, width: f64) -> String {
    let square = |figure: &napkin_accounting::calc::Figure| (figure.value.to_f64(), figure.short());
    let rows: Vec<HeatRow> = of
        .rows
        .iter()
        .map(|row| HeatRow {
            label: row.label.clone(),
            squares: row.cells.iter().map(|cell| cell.as_ref().map(square)).collect(),
        })
        .collect();
    let caption =
        Caption { id, title: named(title, "Shares"), description: "Shares by row and column.", width };
    heat_map(caption, &of.columns, &rows)
}

fn over_time(id: &str, title: &str, of: &Areas, width: f64) -> String {
    let layers: Vec<Layer> = of
        .layers
        .iter()
        .map(|layer| Layer { label: layer.label.clone(), values: layer.values.clone() })
        .collect();
    let bands: Vec<Band> =
        of.bands.iter().map(|band| Band { label: band.label.clone(), start: band.start }).collect();
    let level = of.limit.as_ref().map(|limit| Level {
        label: format!("{}: {}", headed(&limit.title), limit.short()),
        value: limit.value.to_f64(),
    });
    let caption = Caption {
        id,
        title: named(title, "Over time"),
        description: "What is held, change by change.",
        width,
    };
    let time = |value| format::short(value, Unit::NONE);
    let amount = |value| format::short(value, of.unit);
    stacked_areas(caption, &of.times, &layers, &bands, level.as_ref(), [&time, &amount])
}

fn stacked(id: &str, title: &str, stacks: &Stacks, width: f64) -> String {
    let part = |figure: &napkin_accounting::calc::Figure| napkin_charts::Part {
        label: headed(&figure.title),
        value: figure.value.to_f64(),
        text: figure.short(),
    };
    let bars: Vec<Bar> = stacks
        .bars
        .iter()
        .map(|(label, parts)| Bar { label: label.clone(), parts: parts.iter().map(part).collect() })
        .collect();
    let limit = stacks.limit.as_ref().map(part);
    let unit =
        stacks.bars.iter().flat_map(|(_, parts)| parts).next().map_or(Unit::NONE, |figure| figure.unit);
    let description = match &limit {
        Some(limit) => format!("Parts of a whole beside {}, {}.", limit.label, limit.text),
        None => "Parts of a whole.".to_owned(),
    };
    let caption = Caption { id, title: named(title, "Parts"), description: &description, width };
    stacked_bars(caption, &bars, limit.as_ref(), &|value| format::short(value, unit))
}

fn roofs_and_points(id: &str, title: &str, of: &Roofline, width: f64) -> String {
    let roofs: Vec<Roof> = of
        .roofs
        .iter()
        .map(|roof| Roof {
            label: roof.label.clone(),
            peak: roof.peak_flop_per_sec,
            bandwidth: roof.bandwidth_bytes_per_sec,
            is_measured: roof.is_measured,
        })
        .collect();
    let points: Vec<Point> = of
        .points
        .iter()
        .map(|point| Point {
            label: point.label.clone(),
            intensity: point.intensity_flop_per_byte,
            rate: point.flop_per_sec,
            is_measured: point.is_measured,
        })
        .collect();
    let description = format!(
        "Rate over arithmetic intensity, both in powers of ten: {} roofs, {} computations below them.",
        roofs.len(),
        points.len()
    );
    let caption = Caption { id, title: named(title, "Roofline"), description: &description, width };
    let rate = |value| format::short(value, Unit::FLOP.per(Unit::SECOND));
    roofline(caption, &roofs, &points, &|value| format::short(value, Unit::NONE), &rate)
}

fn named<'a>(title: &'a str, or: &'a str) -> &'a str {
    if title.is_empty() { or } else { title }
}
