//! The loss curve: drawn on a canvas, logarithmic upwards.

use std::ops::Range;

use napkin_notebook::LossPoint;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::prelude::*;
use plotters_canvas::CanvasBackend;
use web_sys::HtmlCanvasElement;

/// Colours of the page's current theme.
#[derive(Clone, Copy, PartialEq)]
pub struct Palette {
    /// Behind everything.
    pub ground: RGBColor,
    /// Words and axes.
    pub ink: RGBColor,
    /// Lines that help the eye.
    pub grid: RGBColor,
    /// The curve.
    pub curve: RGBColor,
}

/// Draws all points. `scale` is the number of device pixels per CSS pixel; the canvas has its size already.
///
/// # Errors
/// The browser's reason, where the canvas cannot be drawn on.
pub fn draw(
    canvas: &HtmlCanvasElement,
    points: &[LossPoint],
    palette: Palette,
    scale: f64,
) -> Result<(), String> {
    let px = |css: f64| (css * scale).round().max(1.0) as u32;
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let backend = CanvasBackend::with_canvas_object(canvas.clone()).ok_or("the browser has no 2d canvas")?;
    let area = backend.into_drawing_area();
    area.fill(&palette.ground).map_err(|e| text(&e))?;

    let axes = Axes::around(points);
    let width = f64::from(canvas.width()) / scale;
    let label =
        FontDesc::new(FontFamily::Name("system-ui, sans-serif"), f64::from(px(12.0)), FontStyle::Normal)
            .color(&palette.ink);
    let mut chart = ChartBuilder::on(&area)
        .margin_top(px(10.0))
        .margin_right(px(18.0))
        .margin_left(px(2.0))
        .x_label_area_size(px(36.0))
        .y_label_area_size(px(52.0))
        .build_cartesian_2d(
            Axis { range: 0.0..axes.last_step, ticks: axes.step_ticks((width / 90.0) as u32) },
            Axis { range: f64::from(axes.low)..f64::from(axes.high), ticks: axes.power_ticks() },
        )
        .map_err(|e| text(&e))?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(palette.grid.stroke_width(px(1.0)))
        .axis_style(palette.grid.stroke_width(px(1.0)))
        .label_style(label.clone())
        .axis_desc_style(label)
        .x_desc("step")
        .y_desc("loss")
        .x_label_formatter(&|step| step_label(*step))
        .y_label_formatter(&|power| power_label(*power))
        .draw()
        .map_err(|e| text(&e))?;

    let at = |point: &LossPoint| (point.step as f64, log10(point.loss).max(f64::from(axes.low)));
    let line = palette.curve.stroke_width(px(2.0));
    chart.draw_series(LineSeries::new(points.iter().map(at), line)).map_err(|e| text(&e))?;
    if let Some(last) = points.last() {
        let dot = Circle::new(at(last), px(3.5), palette.curve.filled());
        chart.draw_series([dot]).map_err(|e| text(&e))?;
    }
    area.present().map_err(|e| text(&e))
}

/// A loss of exactly 0 has no logarithm; it is drawn on the lowest line, below every positive f32.
fn log10(loss: f32) -> f64 {
    f64::from(loss).max(1e-46).log10()
}

/// What the axes span: steps from 0, losses between whole powers of ten.
#[derive(Debug, PartialEq)]
struct Axes {
    last_step: f64,
    low: i32,
    high: i32,
}

impl Axes {
    fn around(points: &[LossPoint]) -> Self {
        let last_step = points.last().map_or(10, |point| point.step.max(10)) as f64;
        let positive = || points.iter().filter(|point| point.loss > 0.0).map(|point| log10(point.loss));
        let low = positive().fold(f64::INFINITY, f64::min);
        let high = positive().fold(f64::NEG_INFINITY, f64::max);
        if low > high {
            return Self { last_step, low: -1, high: 1 };
        }
        let (low, high) = (low.floor() as i32, high.ceil() as i32);
        Self { last_step, low, high: high.max(low + 1) }
    }

    /// At most six whole powers of ten.
    fn power_ticks(&self) -> Vec<f64> {
        let stride = (self.high - self.low).div_euclid(6) + 1;
        (self.low..=self.high).filter(|power| power.rem_euclid(stride) == 0).map(f64::from).collect()
    }

    /// Round numbers of steps, at most `most` beside 0.
    fn step_ticks(&self, most: u32) -> Vec<f64> {
        let rough = self.last_step / f64::from(most.max(1));
        let power = 10f64.powf(rough.log10().floor());
        let rounds = [1.0, 2.0, 5.0].map(|m| m * power).into_iter();
        let stride = rounds.filter(|s| *s >= rough.max(1.0)).fold(10.0 * power, f64::min);
        (0..=(self.last_step / stride) as u32).map(|i| f64::from(i) * stride).collect()
    }
}

/// A linear axis with ticks of our own choice.
struct Axis {
    range: Range<f64>,
    ticks: Vec<f64>,
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let share = (value - self.range.start) / (self.range.end - self.range.start);
        limit.0 + (share * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks.clone() }
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

fn step_label(step: f64) -> String {
    match step {
        s if s >= 1e6 => format!("{} M", s / 1e6),
        s if s >= 1e4 => format!("{} k", s / 1e3),
        s => format!("{s}"),
    }
}

/// 10⁻³
fn power_label(power: f64) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |c: char| c.to_digit(10).map_or('⁻', |digit| DIGITS[digit as usize]);
    format!("10{}", format!("{power:.0}").chars().map(raised).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(losses: &[(u64, f32)]) -> Vec<LossPoint> {
        losses.iter().map(|&(step, loss)| LossPoint { step, loss }).collect()
    }

    #[test]
    fn axes_span_whole_powers_of_ten() {
        let axes = Axes::around(&curve(&[(1, 350.0), (400, 2e-5)]));
        assert_eq!(axes, Axes { last_step: 400.0, low: -5, high: 3 });
        assert_eq!(axes.power_ticks(), [-4.0, -2.0, 0.0, 2.0]);
        assert_eq!(axes.step_ticks(4), [0.0, 100.0, 200.0, 300.0, 400.0]);
        assert_eq!(axes.step_ticks(3), [0.0, 200.0, 400.0]);
        assert_eq!(axes.step_ticks(1), [0.0]);
    }

    #[test]
    fn empty_flat_and_zero_curves_have_axes() {
        assert_eq!(Axes::around(&[]), Axes { last_step: 10.0, low: -1, high: 1 });
        assert_eq!(Axes::around(&curve(&[(1, 0.0)])), Axes { last_step: 10.0, low: -1, high: 1 });
        assert_eq!(Axes::around(&curve(&[(1, 100.0)])), Axes { last_step: 10.0, low: 2, high: 3 });
        assert!(Axes::around(&curve(&[(1, 1e-45), (2, 3e38)])).power_ticks().len() <= 7);
    }

    #[test]
    fn labels_are_short() {
        assert_eq!(power_label(-12.0), "10⁻¹²");
        assert_eq!(power_label(0.0), "10⁰");
        assert_eq!(step_label(250.0), "250");
        assert_eq!(step_label(25_000.0), "25 k");
        assert_eq!(step_label(1_500_000.0), "1.5 M");
    }
}
