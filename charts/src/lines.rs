//! Lines over two axes, each of which may be logarithmic.

use crate::scale::{Scale, ends};
use crate::svg::{Svg, rectangle};
use crate::{Caption, Chart, Tick};

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
    fn name<'a>(&'a self, letter: &'a str) -> &'a str {
        if self.label.is_empty() { letter } else { self.label }
    }

    fn has(&self, value: f64) -> bool {
        value.is_finite() && (!self.is_log || value > 0.0)
    }

    fn scale(&self, values: impl Iterator<Item = f64>, start: f64, end: f64) -> Scale {
        match (ends(values.filter(|value| self.has(*value))), self.is_log) {
            (Some((least, most)), true) => Scale::decades(least, most, start, end),
            (Some((least, most)), false) => Scale::linear(least, most, start, end),
            (None, true) => Scale::decades(1.0, 10.0, start, end),
            (None, false) => Scale::linear(0.0, 1.0, start, end),
        }
    }
}

const HEIGHT: f64 = 240.0;
const TOP: f64 = 22.0;

/// Lines by name.
pub fn line_plot(caption: Caption<'_>, lines: &[Line], [across, up]: [Axis<'_>; 2]) -> Chart {
    let mut svg = Svg::new(caption);
    let points = || lines.iter().flat_map(|line| line.points.iter().copied());
    let y = up.scale(points().filter(|(x, _)| across.has(*x)).map(|(_, y)| y), HEIGHT, TOP);
    let (left, right) = svg.y_axis(y, 6, up.tick);
    let x = across.scale(points().filter(|(_, y)| up.has(*y)).map(|(x, _)| x), left, right);
    svg.x_axis(x, (Some(TOP), HEIGHT), (caption.width / 80.0) as usize, across.tick);
    svg.rule("chart-axis", (left, HEIGHT), (right, HEIGHT));
    svg.text("chart-label", 0.0, 12.0, "start", up.label);
    svg.text("chart-label", right, HEIGHT + 34.0, "end", across.label);
    for (series, line) in lines.iter().enumerate() {
        let is_good = |&(px, py): &(f64, f64)| across.has(px) && up.has(py);
        let pieces = line.points.split(|point| !is_good(point)).filter(|piece| !piece.is_empty());
        for piece in pieces {
            let place = |(px, py): &(f64, f64)| format!("{:.2} {:.2}", x.at(*px), y.at(*py));
            let path: Vec<String> = piece.iter().map(place).collect();
            // A point alone is to be seen as well.
            let end = if path.len() == 1 { "h0.01" } else { "" };
            svg.line(series, &format!("M{}{end}", path.join("L")), series);
        }
        for (px, py) in line.points.iter().copied().filter(is_good) {
            let says = format!(
                "{}: {} {} at {} {}",
                line.label,
                up.name("y"),
                (up.tick)(py),
                across.name("x"),
                (across.tick)(px)
            );
            svg.mark([x.at(px), y.at(py), 0.0, 0.0], says);
        }
    }
    let keys = lines.iter().map(|line| line.label.clone()).enumerate();
    let height = if lines.len() > 1 { svg.legend(HEIGHT + 46.0, keys) } else { HEIGHT + 42.0 };
    svg.finish(height)
}

/// How many values lie between two edges each; `edges` has one more than `counts`.
pub fn histogram(
    caption: Caption<'_>,
    edges: &[f64],
    counts: &[f64],
    [value, count]: [Tick<'_>; 2],
) -> Chart {
    let mut svg = Svg::new(caption);
    let is_good = |value: &&f64| value.is_finite() && **value > 0.0;
    let most = counts.iter().filter(is_good).copied().fold(0.0, f64::max);
    let y = Scale::linear(0.0, most, HEIGHT, TOP);
    let (left, right) = svg.y_axis(y, 5, count);
    let ends = edges.first().zip(edges.last()).filter(|(first, last)| first.is_finite() && last.is_finite());
    let (first, last) = ends.map_or((0.0, 1.0), |(first, last)| (*first, *last));
    let x = Scale::linear(first, last, left, right);
    svg.x_axis(x, (None, HEIGHT), (caption.width / 80.0) as usize, value);
    for (index, amount) in counts.iter().enumerate().filter(|(_, amount)| is_good(amount)) {
        let (Some(from), Some(to)) = (edges.get(index), edges.get(index + 1)) else { break };
        if !(from.is_finite() && to.is_finite()) {
            continue;
        }
        // Values that are all the same have a bar of no width.
        let wide = (x.at(*to) - x.at(*from)).max(4.0);
        let path = rectangle(x.at(*from), y.at(*amount), wide, HEIGHT - y.at(*amount));
        let says = format!("{} to {}: {}", value(*from), value(*to), count(*amount));
        svg.area(0, &path, &says);
        // A low bar is found over all of its height.
        svg.mark([x.at(*from), TOP, wide, HEIGHT - TOP], says);
    }
    svg.rule("chart-axis", (left, HEIGHT), (right, HEIGHT));
    svg.finish(HEIGHT + 24.0)
}
