//! Amounts over time, one upon the other.

use crate::scale::Scale;
use crate::svg::{Anchor, Svg, number, width_of};
use crate::{Caption, Tick};

/// An amount at each time.
#[derive(Debug, Clone)]
pub struct Layer {
    /// What it is.
    pub label: String,
    /// One for each time; what is missing or not finite counts as nothing.
    pub values: Vec<f64>,
}

/// A stretch of time with a name.
#[derive(Debug, Clone)]
pub struct Band {
    /// What goes on.
    pub label: String,
    /// When it begins.
    pub start: f64,
}

/// A level to compare with.
#[derive(Debug, Clone)]
pub struct Level {
    /// What it is.
    pub label: String,
    /// How much.
    pub value: f64,
}

const HEIGHT: f64 = 240.0;
/// Room for the names of bands.
const TOP: f64 = 20.0;

/// Layers over `times`, the first at the bottom, `bands` with their names above, `level` as a line across; the ticks
/// write times and amounts. An amount lasts until the next time: it is a number of bytes that
/// are held, and not a rate.
#[must_use]
pub fn stacked_areas(
    caption: Caption<'_>,
    times: &[f64],
    layers: &[Layer],
    bands: &[Band],
    level: Option<&Level>,
    [time, amount]: [Tick<'_>; 2],
) -> String {
    let mut svg = Svg::new(caption);
    let times: Vec<f64> = times.iter().copied().take_while(|time| time.is_finite()).collect();
    let value = |layer: &Layer, at: usize| {
        layer.values.get(at).copied().filter(|value| value.is_finite() && *value > 0.0).unwrap_or(0.0)
    };
    let sums = (0..times.len()).map(|at| layers.iter().map(|layer| value(layer, at)).sum::<f64>());
    let level = level.filter(|level| level.value.is_finite() && level.value > 0.0);
    let most = sums.fold(level.map_or(0.0, |level| level.value), f64::max);
    let ticks = Scale::linear(0.0, most, 0.0, 1.0).ticks(5);
    let margin = ticks.iter().map(|&tick| width_of(&amount(tick))).fold(0.0, f64::max) + 10.0;
    let y = Scale::linear(0.0, most, HEIGHT, TOP);
    let ends = (times.first().copied().unwrap_or(0.0), times.last().copied().unwrap_or(1.0));
    let x = Scale::linear(ends.0, ends.1, margin, caption.width - 12.0);
    for tick in ticks {
        svg.rule("chart-grid", (margin, y.at(tick)), (caption.width - 12.0, y.at(tick)));
        svg.text("chart-tick", margin - 6.0, y.at(tick) + 4.0, Anchor::End, &amount(tick));
    }
    for tick in x.ticks((caption.width / 110.0) as usize) {
        svg.text("chart-tick", x.at(tick), HEIGHT + 16.0, Anchor::Middle, &time(tick));
    }
    let mut floor = vec![0.0; times.len()];
    for (series, layer) in layers.iter().enumerate() {
        let ceiling: Vec<f64> = (0..times.len()).map(|at| floor[at] + value(layer, at)).collect();
        if let Some(path) = band(&times, &floor, &ceiling, x, y) {
            svg.area(series, &path, &layer.label);
        }
        floor = ceiling;
    }
    for band in bands.iter().filter(|band| band.start.is_finite()) {
        let at = x.at(band.start);
        svg.rule("chart-grid", (at, 4.0), (at, HEIGHT));
        let (place, anchor) = match at + 4.0 + width_of(&band.label) > caption.width {
            true => (at - 4.0, Anchor::End),
            false => (at + 4.0, Anchor::Start),
        };
        svg.text("chart-tick", place, 13.0, anchor, &band.label);
    }
    if let Some(level) = level {
        let at = y.at(level.value);
        svg.rule("chart-limit", (margin, at), (caption.width - 12.0, at));
    }
    svg.rule("chart-axis", (margin, HEIGHT), (caption.width - 12.0, HEIGHT));
    let keys: Vec<(usize, String)> =
        layers.iter().enumerate().rev().map(|(series, layer)| (series, layer.label.clone())).collect();
    let mut height = svg.legend(HEIGHT + 30.0, &keys);
    if let Some(level) = level {
        svg.rule("chart-limit", (margin, height + 4.0), (margin + 24.0, height + 4.0));
        svg.text("chart-label", margin + 30.0, height + 8.0, Anchor::Start, &level.label);
        height += 20.0;
    }
    svg.finish(height)
}

/// The path around what lies between two stairs.
fn band(times: &[f64], floor: &[f64], ceiling: &[f64], x: Scale, y: Scale) -> Option<String> {
    let first = times.first()?;
    let mut path = format!("M{} {}", number(x.at(*first)), number(y.at(*ceiling.first()?)));
    for (at, time) in times.iter().enumerate().skip(1) {
        path += &format!("H{}V{}", number(x.at(*time)), number(y.at(ceiling[at])));
    }
    path += &format!("V{}", number(y.at(*floor.last()?)));
    for at in (1..times.len()).rev() {
        path += &format!("V{}H{}", number(y.at(floor[at - 1])), number(x.at(times[at - 1])));
    }
    Some(path + "z")
}
