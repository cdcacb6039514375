//! Amounts over time, one upon the other.

use napkin_accounting::calc::{Areas, Layer};
use napkin_accounting::{Unit, format};

use crate::scale::Scale;
use crate::sheet::capitalised;
use crate::svg::{Svg, width_of};
use crate::{Caption, Chart};

const HEIGHT: f64 = 240.0;
const TOP: f64 = 20.0;

/// Layers, the first at the bottom, the bands with their names above, the limit as a line across. An amount lasts until
/// the next time: it is a number of bytes that are held, and not a rate. One that is missing or not finite counts as
/// nothing.
pub fn stacked_areas(caption: Caption<'_>, areas: &Areas) -> Chart {
    let Areas { times, layers, bands, limit, unit, .. } = areas;
    let mut svg = Svg::new(caption);
    let times: Vec<f64> = times.iter().copied().take_while(|time| time.is_finite()).collect();
    let value = |layer: &Layer, at: usize| {
        layer.values.get(at).copied().filter(|value| value.is_finite() && *value > 0.0).unwrap_or(0.0)
    };
    let sums = (0..times.len()).map(|at| layers.iter().map(|layer| value(layer, at)).sum::<f64>());
    let level = limit.as_ref().filter(|limit| limit.value.to_f64().is_finite());
    let y =
        Scale::linear(0.0, sums.fold(level.map_or(0.0, |limit| limit.value.to_f64()), f64::max), HEIGHT, TOP);
    let (left, right) = svg.y_axis(y, 5, &|amount| format::short(amount, *unit));
    let ends = (times.first().copied().unwrap_or(0.0), times.last().copied().unwrap_or(1.0));
    let x = Scale::linear(ends.0, ends.1, left, right);
    svg.x_axis(x, (None, HEIGHT), (caption.width / 110.0) as usize, &|time| format::short(time, Unit::NONE));
    let mut floor = vec![0.0; times.len()];
    for (series, layer) in layers.iter().enumerate() {
        let ceiling: Vec<f64> = (0..times.len()).map(|at| floor[at] + value(layer, at)).collect();
        if let Some(path) = between(&times, &floor, &ceiling, x, y) {
            svg.area(series, &path, &layer.label);
        }
        floor = ceiling;
    }
    for band in bands.iter().filter(|band| band.start.is_finite()) {
        let at = x.at(band.start);
        svg.rule("chart-grid", (at, 4.0), (at, HEIGHT));
        let (place, anchor) = match at + 4.0 + width_of(&band.label) > caption.width {
            true => (at - 4.0, "end"),
            false => (at + 4.0, "start"),
        };
        svg.text("chart-tick", place, 13.0, anchor, &band.label);
    }
    svg.rule("chart-axis", (left, HEIGHT), (right, HEIGHT));
    let keys = layers.iter().map(|layer| layer.label.clone()).enumerate();
    let mut height = svg.legend(HEIGHT + 30.0, keys.rev());
    if let Some(level) = level {
        let at = y.at(level.value.to_f64());
        svg.rule("chart-limit", (left, at), (right, at));
        svg.rule("chart-limit", (left, height + 4.0), (left + 24.0, height + 4.0));
        let label = format!("{}: {}", capitalised(&level.title), level.short());
        svg.text("chart-label", left + 30.0, height + 8.0, "start", &label);
        height += 20.0;
    }
    svg.finish(height)
}

fn between(times: &[f64], floor: &[f64], ceiling: &[f64], x: Scale, y: Scale) -> Option<String> {
    let mut path = format!("M{:.2} {:.2}", x.at(*times.first()?), y.at(*ceiling.first()?));
    for (time, ceiling) in times.iter().zip(ceiling).skip(1) {
        path += &format!("H{:.2}V{:.2}", x.at(*time), y.at(*ceiling));
    }
    path += &format!("V{:.2}", y.at(*floor.last()?));
    for (time, floor) in times.iter().zip(floor).rev().skip(1) {
        path += &format!("V{:.2}H{:.2}", y.at(*floor), x.at(*time));
    }
    Some(path + "z")
}
