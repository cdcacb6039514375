//! Rates over arithmetic intensity, under the roofs of devices.

use crate::scale::Scale;
use crate::svg::{Anchor, LETTER, Svg, number, width_of, wrapped};
use crate::{Caption, Tick};

/// The most that a device promises or reaches.
#[derive(Debug, Clone)]
pub struct Roof {
    /// Whose it is.
    pub label: String,
    /// FLOP/s, the horizontal part.
    pub peak: f64,
    /// Bytes per second, the slope.
    pub bandwidth: f64,
    /// Whether it was measured; else it is promised.
    pub is_measured: bool,
}

/// A computation.
#[derive(Debug, Clone)]
pub struct Point {
    /// Which.
    pub label: String,
    /// FLOPs per byte.
    pub intensity: f64,
    /// FLOP/s.
    pub rate: f64,
    /// Whether it was measured; else it lies on its roof.
    pub is_measured: bool,
}

const HEIGHT: f64 = 320.0;
const TOP: f64 = 14.0;
/// Height of a line below the chart, and where it begins.
const KEY: f64 = 18.0;
const KEYS: f64 = 32.0;

/// Roofs and points on two logarithmic axes, the points with numbers and names below. `intensity` and `rate` write the numbers of the axes.
#[must_use]
pub fn roofline(
    caption: Caption<'_>,
    roofs: &[Roof],
    points: &[Point],
    intensity: Tick<'_>,
    rate: Tick<'_>,
) -> String {
    let mut svg = Svg::new(caption);
    let is_good = |value: f64| value.is_finite() && value > 0.0;
    let roofs: Vec<&Roof> =
        roofs.iter().filter(|roof| is_good(roof.peak) && is_good(roof.bandwidth)).collect();
    let points: Vec<&Point> =
        points.iter().filter(|point| is_good(point.intensity) && is_good(point.rate)).collect();
    let ridge = |roof: &Roof| roof.peak / roof.bandwidth;
    let across = roofs.iter().map(|roof| ridge(roof)).chain(points.iter().map(|point| point.intensity));
    let (least, most) = ends(across);
    // The slope is to be seen on the left, the roof on the right.
    let (least, most) = (least / 2.0, most * 8.0);
    let up = roofs.iter().map(|roof| roof.peak).chain(points.iter().map(|point| point.rate));
    let lowest = roofs.iter().map(|roof| roof.bandwidth * least);
    let (low, high) = ends(up.chain(lowest));
    let y = Scale::decades(low, high * 1.2, HEIGHT, TOP);
    let y_ticks = y.ticks(7);
    let margin = y_ticks.iter().map(|&tick| width_of(&rate(tick))).fold(0.0, f64::max) + 10.0;
    let right = caption.width - 14.0;
    let x = Scale::decades(least, most, margin, right);
    for tick in y_ticks {
        svg.rule("chart-grid", (margin, y.at(tick)), (right, y.at(tick)));
        svg.text("chart-tick", margin - 6.0, y.at(tick) + 4.0, Anchor::End, &rate(tick));
    }
    for tick in x.ticks((caption.width / 70.0) as usize) {
        svg.rule("chart-grid", (x.at(tick), TOP), (x.at(tick), HEIGHT));
        let text = intensity(tick);
        let is_last = x.at(tick) + width_of(&text) / 2.0 > caption.width;
        let (at, anchor) = if is_last { (caption.width, Anchor::End) } else { (x.at(tick), Anchor::Middle) };
        svg.text("chart-tick", at, HEIGHT + 16.0, anchor, &text);
    }
    svg.text("chart-label", (margin + right) / 2.0, HEIGHT + 34.0, Anchor::Middle, "FLOPs per byte moved");
    let mut shelf = Shelf::default();
    let mut below = HEIGHT + 60.0;
    for (series, roof) in roofs.iter().enumerate() {
        let knee = ridge(roof);
        // From where the slope comes in at the bottom or the left.
        let start = x.ends().0.max(y.ends().0 / roof.bandwidth);
        let path = format!(
            "M{} {}L{} {}H{}",
            number(x.at(start)),
            number(y.at(start * roof.bandwidth)),
            number(x.at(knee)),
            number(y.at(roof.peak)),
            number(right),
        );
        svg.line(series, &path, usize::from(roof.is_measured));
        let height = y.at(roof.peak);
        let kind = if roof.is_measured { "measured" } else { "promised" };
        let text = format!("{}, {kind}: {}", roof.label, rate(roof.peak));
        if width_of(&text) < right - margin {
            let at = shelf.place(right - width_of(&text), height - 6.0, width_of(&text));
            svg.text("chart-label", right, at, Anchor::End, &text);
        } else {
            // Its name stands below, after a piece of its line.
            svg.line(series, &format!("M4 {}H24", number(below - 4.0)), usize::from(roof.is_measured));
            key(&mut svg, &mut below, &text);
        }
        svg.rule("chart-ridge", (x.at(knee), height), (x.at(knee), height + 12.0));
        let text = format!("ridge {}", intensity(knee));
        let at = shelf.place(x.at(knee) + 4.0, height + 18.0, width_of(&text));
        svg.text("chart-tick", x.at(knee) + 4.0, at, Anchor::Start, &text);
    }
    for (index, point) in points.iter().enumerate() {
        let (across, height) = (x.at(point.intensity), y.at(point.rate));
        let said = format!("{}: {} at {}", point.label, rate(point.rate), intensity(point.intensity));
        svg.dot(across, height, point.is_measured, &said);
        // Below the slope there is room.
        let number = (index + 1).to_string();
        let at = shelf.place(across + 6.0, height + 13.0, width_of(&number));
        svg.text("chart-name", across + 6.0, at, Anchor::Start, &number);
        svg.text("chart-name", 24.0, below, Anchor::End, &number);
        key(&mut svg, &mut below, &said);
    }
    svg.finish(below - 10.0)
}

/// Writes a name below the chart, in as many lines as it takes.
fn key(svg: &mut Svg<'_>, below: &mut f64, text: &str) {
    for line in wrapped(text, svg.width() - KEYS) {
        svg.text("chart-key", KEYS, *below, Anchor::Start, &line);
        *below += KEY;
    }
}

/// The least and the most of them; two decades where there is nothing.
fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (least, most) =
        values.fold((f64::INFINITY, 0.0_f64), |(least, most), value| (least.min(value), most.max(value)));
    if least <= most { (least, most) } else { (1.0, 100.0) }
}

/// Where labels are already, so that none covers another.
#[derive(Default)]
struct Shelf(Vec<(f64, f64, f64)>);

impl Shelf {
    /// The height for a label that wants to be at `y`: there, or as little below as there is room.
    fn place(&mut self, x: f64, mut y: f64, wide: f64) -> f64 {
        let covers = |y: f64, &(other_x, other_y, other_wide): &(f64, f64, f64)| {
            (y - other_y).abs() < LETTER + 1.0 && x < other_x + other_wide && other_x < x + wide
        };
        // Each label in the way moves it once at most.
        for _ in 0..self.0.len() {
            let Some(&(_, other, _)) = self.0.iter().find(|other| covers(y, other)) else { break };
            y = other + LETTER + 2.0;
        }
        self.0.push((x, y, wide));
        y
    }
}
