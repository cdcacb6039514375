//! Rates over arithmetic intensity, under the roofs of devices.

use napkin_accounting::calc::{Point, Roof, Roofline};
use napkin_accounting::{Unit, format};

use crate::scale::{Scale, ends};
use crate::svg::{LETTER, Svg, width_of, wrapped};
use crate::{Caption, Chart};

const HEIGHT: f64 = 320.0;
const TOP: f64 = 14.0;
/// Height of a line below the chart, and where it begins.
const KEY: f64 = 18.0;
const KEYS: f64 = 32.0;

/// Roofs and points on two logarithmic axes, the points with numbers, and their names below.
pub fn roofline(caption: Caption<'_>, of: &Roofline) -> Chart {
    let rate = |rate| format::short(rate, Unit::FLOP.per(Unit::SECOND));
    let intensity = |intensity| format::short(intensity, Unit::NONE);
    let mut svg = Svg::new(caption);
    let is_good = |value: f64| value.is_finite() && value > 0.0;
    let is_good_roof =
        |roof: &&Roof| is_good(roof.peak_flop_per_sec) && is_good(roof.bandwidth_bytes_per_sec);
    let is_good_point =
        |point: &&Point| is_good(point.intensity_flop_per_byte) && is_good(point.flop_per_sec);
    let roofs: Vec<&Roof> = of.roofs.iter().filter(is_good_roof).collect();
    let points: Vec<&Point> = of.points.iter().filter(is_good_point).collect();
    let ridge = |roof: &Roof| roof.peak_flop_per_sec / roof.bandwidth_bytes_per_sec;
    let across =
        roofs.iter().map(|roof| ridge(roof)).chain(points.iter().map(|point| point.intensity_flop_per_byte));
    let (least, most) = ends(across).unwrap_or((1.0, 100.0));
    // The slope is to be seen on the left, the roof on the right.
    let (least, most) = (least / 2.0, most * 8.0);
    let up =
        roofs.iter().map(|roof| roof.peak_flop_per_sec).chain(points.iter().map(|point| point.flop_per_sec));
    let lowest = roofs.iter().map(|roof| roof.bandwidth_bytes_per_sec * least);
    let (low, high) = ends(up.chain(lowest)).unwrap_or((1.0, 100.0));
    let y = Scale::decades(low, high * 1.2, HEIGHT, TOP);
    let (left, right) = svg.y_axis(y, 7, &rate);
    let x = Scale::decades(least, most, left, right);
    svg.x_axis(x, (Some(TOP), HEIGHT), (caption.width / 70.0) as usize, &intensity);
    svg.text("chart-label", (left + right) / 2.0, HEIGHT + 34.0, "middle", "FLOPs per byte moved");
    let mut labels = LabelPositions::default();
    let mut below = HEIGHT + 60.0;
    for (series, roof) in roofs.iter().enumerate() {
        let knee = ridge(roof);
        // From where the slope comes in at the bottom or the left.
        let start = x.ends().0.max(y.ends().0 / roof.bandwidth_bytes_per_sec);
        let height = y.at(roof.peak_flop_per_sec);
        let path = format!(
            "M{:.2} {:.2}L{:.2} {height:.2}H{right:.2}",
            x.at(start),
            y.at(start * roof.bandwidth_bytes_per_sec),
            x.at(knee),
        );
        svg.line(series, &path, usize::from(roof.is_measured));
        let kind = if roof.is_measured { "measured" } else { "promised" };
        let text = format!("{}, {kind}: {}", roof.label, rate(roof.peak_flop_per_sec));
        if width_of(&text) < right - left {
            let at = labels.place(right - width_of(&text), height - 6.0, width_of(&text));
            svg.text("chart-label", right, at, "end", &text);
        } else {
            // Its name stands below, after a piece of its line.
            svg.line(series, &format!("M4 {:.2}H24", below - 4.0), usize::from(roof.is_measured));
            key(&mut svg, &mut below, &text);
        }
        svg.rule("chart-ridge", (x.at(knee), height), (x.at(knee), height + 8.0));
        let text = format!("ridge {}", intensity(knee));
        let across = (x.at(knee) + 4.0).min(svg.caption.width - width_of(&text));
        // Where there is no room on the right it begins left of the corner, below the slope.
        let steepness =
            (y.at(start * roof.bandwidth_bytes_per_sec) - height) / (x.at(knee) - x.at(start)).max(1.0);
        let under = height + steepness * (x.at(knee) - across).max(0.0);
        let at = labels.place(across, under + 18.0, width_of(&text));
        svg.text("chart-tick", across, at, "start", &text);
    }
    for (index, point) in points.iter().enumerate() {
        let (across, height) = (x.at(point.intensity_flop_per_byte), y.at(point.flop_per_sec));
        let said = format!(
            "{}: {} at {}",
            point.label,
            rate(point.flop_per_sec),
            intensity(point.intensity_flop_per_byte)
        );
        svg.dot(across, height, point.is_measured, &said);
        // Below the slope there is room.
        let number = (index + 1).to_string();
        let at = labels.place(across + 6.0, height + 13.0, width_of(&number));
        svg.text("chart-name", across + 6.0, at, "start", &number);
        svg.text("chart-name", 24.0, below, "end", &number);
        key(&mut svg, &mut below, &said);
    }
    svg.finish(below - 10.0)
}

fn key(svg: &mut Svg<'_>, below: &mut f64, text: &str) {
    for line in wrapped(text, svg.caption.width - KEYS) {
        svg.text("chart-key", KEYS, *below, "start", &line);
        *below += KEY;
    }
}

/// Where labels are already, so that none covers another.
#[derive(Default)]
struct LabelPositions(Vec<(f64, f64, f64)>);

impl LabelPositions {
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
