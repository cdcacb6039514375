//! Lines over two axes, each of which may be logarithmic.

use crate::scale::Scale;
use crate::svg::{Anchor, Svg, number, rectangle, width_of};
use crate::{Caption, Tick};

/// Points that belong together, in the order in which to connect them.
#[derive(Debug, Clone)]
pub struct Line {
    /// What it is.
    pub label: String,
    /// x and y; where one of them is not finite, or has no place on a logarithmic axis, is a gap.
    pub points: Vec<(f64, f64)>,
}

/// An axis.
#[derive(Clone, Copy)]
pub struct Axis<'a> {
    /// What it is of; may be empty.
    pub label: &'a str,
    /// Whether equal distances are equal ratios.
    pub is_log: bool,
    /// How its numbers are written.
    pub tick: Tick<'a>,
}

impl Axis<'_> {
    fn has(&self, value: f64) -> bool {
        value.is_finite() && (!self.is_log || value > 0.0)
    }

    fn scale(&self, values: impl Iterator<Item = f64>, start: f64, end: f64) -> Scale {
        let (least, most) = values
            .filter(|value| self.has(*value))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| {
                (least.min(value), most.max(value))
            });
        match (least <= most, self.is_log) {
            (false, true) => Scale::decades(1.0, 10.0, start, end),
            (false, false) => Scale::linear(0.0, 1.0, start, end),
            (true, true) => Scale::decades(least, most, start, end),
            (true, false) => Scale::linear(least, most, start, end),
        }
    }
}

const HEIGHT: f64 = 240.0;
const TOP: f64 = 22.0;

/// Lines by name.
#[must_use]
pub fn line_plot(caption: Caption<'_>, lines: &[Line], [across, up]: [Axis<'_>; 2]) -> String {
    let mut svg = Svg::new(caption);
    let points = || lines.iter().flat_map(|line| line.points.iter().copied());
    let y = up.scale(points().filter(|(x, _)| across.has(*x)).map(|(_, y)| y), HEIGHT, TOP);
    let y_ticks = y.ticks(6);
    let margin = y_ticks.iter().map(|&tick| width_of(&(up.tick)(tick))).fold(0.0, f64::max) + 10.0;
    let right = caption.width - 14.0;
    let x = across.scale(points().filter(|(_, y)| up.has(*y)).map(|(x, _)| x), margin, right);
    for tick in y_ticks {
        svg.rule("chart-grid", (margin, y.at(tick)), (right, y.at(tick)));
        svg.text("chart-tick", margin - 6.0, y.at(tick) + 4.0, Anchor::End, &(up.tick)(tick));
    }
    for tick in x.ticks((caption.width / 80.0) as usize) {
        svg.rule("chart-grid", (x.at(tick), TOP), (x.at(tick), HEIGHT));
        svg.text("chart-tick", x.at(tick), HEIGHT + 16.0, Anchor::Middle, &(across.tick)(tick));
    }
    svg.rule("chart-axis", (margin, HEIGHT), (right, HEIGHT));
    svg.text("chart-label", 0.0, 12.0, Anchor::Start, up.label);
    svg.text("chart-label", right, HEIGHT + 34.0, Anchor::End, across.label);
    for (series, line) in lines.iter().enumerate() {
        let is_good = |&&(px, py): &&(f64, f64)| across.has(px) && up.has(py);
        let pieces = line.points.split(|point| !is_good(&point)).filter(|piece| !piece.is_empty());
        for piece in pieces {
            let path: Vec<String> =
                piece.iter().map(|(px, py)| format!("{} {}", number(x.at(*px)), number(y.at(*py)))).collect();
            // A point alone is to be seen as well.
            let end = if path.len() == 1 { "h0.01" } else { "" };
            svg.line(series, &format!("M{}{end}", path.join("L")), series);
        }
    }
    let keys: Vec<(usize, String)> =
        lines.iter().enumerate().map(|(series, line)| (series, line.label.clone())).collect();
    let height = if keys.len() > 1 { svg.legend(HEIGHT + 46.0, &keys) } else { HEIGHT + 42.0 };
    svg.finish(height)
}

/// How many values lie between two edges each; `edges` has one more than `counts`.
#[must_use]
pub fn histogram(
    caption: Caption<'_>,
    edges: &[f64],
    counts: &[f64],
    [value, count]: [Tick<'_>; 2],
) -> String {
    let mut svg = Svg::new(caption);
    let is_good = |value: &&f64| value.is_finite() && **value > 0.0;
    let most = counts.iter().filter(is_good).copied().fold(0.0, f64::max);
    let y = Scale::linear(0.0, most, HEIGHT, TOP);
    let ticks = y.ticks(5);
    let margin = ticks.iter().map(|&tick| width_of(&count(tick))).fold(0.0, f64::max) + 10.0;
    let right = caption.width - 14.0;
    let ends = edges.first().zip(edges.last()).filter(|(first, last)| first.is_finite() && last.is_finite());
    let (first, last) = ends.map_or((0.0, 1.0), |(first, last)| (*first, *last));
    let x = Scale::linear(first, last, margin, right);
    for tick in ticks {
        svg.rule("chart-grid", (margin, y.at(tick)), (right, y.at(tick)));
        svg.text("chart-tick", margin - 6.0, y.at(tick) + 4.0, Anchor::End, &count(tick));
    }
    for (index, amount) in counts.iter().enumerate().filter(|(_, amount)| is_good(amount)) {
        let (Some(from), Some(to)) = (edges.get(index), edges.get(index + 1)) else { break };
        if !(from.is_finite() && to.is_finite()) {
            continue;
        }
        // Values that are all the same have a bar of no width.
        let wide = (x.at(*to) - x.at(*from)).max(4.0);
        let path = rectangle(x.at(*from), y.at(*amount), wide, HEIGHT - y.at(*amount));
        svg.area(0, &path, &format!("{} to {}: {}", value(*from), value(*to), count(*amount)));
    }
    for tick in x.ticks((caption.width / 80.0) as usize) {
        svg.text("chart-tick", x.at(tick), HEIGHT + 16.0, Anchor::Middle, &value(tick));
    }
    svg.rule("chart-axis", (margin, HEIGHT), (right, HEIGHT));
    svg.finish(HEIGHT + 24.0)
}
