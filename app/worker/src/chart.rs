//! The loss curve, logarithmic upwards: drawn here, so that the page's thread neither waits for it nor
//! carries what draws it.

use napkin_notebook::{Curve, LossPoint};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Room for labels around the plot, in CSS pixels.
const TOP: f64 = 10.0;
const RIGHT: f64 = 18.0;
const BOTTOM: f64 = 38.0;
const LEFT: f64 = 54.0;

/// Draws the curve on all of `backend`.
///
/// # Errors
/// The backend's reason.
pub fn draw<B: DrawingBackend>(backend: B, curve: &Curve) -> Result<(), String> {
    let area = backend.into_drawing_area();
    draw_on(&area, curve).and_then(|()| area.present()).map_err(|error| error.to_string())
}

fn draw_on<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    curve: &Curve,
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    let Curve { points, colours, scale, .. } = curve;
    let scale = f64::from(*scale);
    let [ground, ink, grid, line] = colours.map(|[r, g, b]| RGBColor(r, g, b));
    let axes = Axes::around(points);
    let (width, height) = area.dim_in_pixel();
    let plot = Plot {
        left: LEFT * scale,
        right: f64::from(width) - RIGHT * scale,
        top: TOP * scale,
        bottom: f64::from(height) - BOTTOM * scale,
        axes: &axes,
    };
    let px = |css: f64| (css * scale).round() as i32;
    let stroke = |colour: RGBColor, css: f64| colour.stroke_width(px(css).max(1).cast_unsigned());
    let font =
        FontDesc::new(FontFamily::Name("system-ui, sans-serif"), f64::from(px(12.0)), FontStyle::Normal);
    let label = |at: (i32, i32), text: &str, turn: FontTransform, h: HPos, v: VPos| {
        let style = font.transform(turn).color(&ink).pos(Pos::new(h, v));
        area.draw_text(text, &style, at)
    };

    area.fill(&ground)?;
    for power in axes.power_ticks() {
        let y = plot.y(power);
        area.draw(&PathElement::new(
            [plot.at(0.0, power), plot.at(axes.last_step, power)],
            stroke(grid, 1.0),
        ))?;
        label((px(LEFT - 8.0), y), &power_label(power), FontTransform::None, HPos::Right, VPos::Center)?;
    }
    for step in axes.step_ticks(((plot.right - plot.left) / (90.0 * scale)) as u32) {
        let (low, high) = (f64::from(axes.low), f64::from(axes.high));
        area.draw(&PathElement::new([plot.at(step, low), plot.at(step, high)], stroke(grid, 1.0)))?;
        let at = (plot.x(step), plot.y(low) + px(6.0));
        label(at, &step_label(step), FontTransform::None, HPos::Center, VPos::Top)?;
    }
    let middle = |from: f64, to: f64| f64::midpoint(from, to).round() as i32;
    let below = (middle(plot.left, plot.right), height.cast_signed() - px(2.0));
    label(below, "step", FontTransform::None, HPos::Center, VPos::Bottom)?;
    let beside = (px(4.0), middle(plot.top, plot.bottom));
    label(beside, "loss", FontTransform::Rotate270, HPos::Center, VPos::Top)?;

    let at = |point: &LossPoint| plot.at(point.step as f64, log10(point.loss).max(f64::from(axes.low)));
    area.draw(&PathElement::new(points.iter().map(at).collect::<Vec<_>>(), stroke(line, 2.0)))?;
    if let Some(last) = points.last() {
        area.draw(&Circle::new(at(last), px(3.5), line.filled()))?;
    }
    Ok(())
}

/// Where things lie, in device pixels.
struct Plot<'a> {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    axes: &'a Axes,
}

impl Plot<'_> {
    fn x(&self, step: f64) -> i32 {
        (self.left + step / self.axes.last_step * (self.right - self.left)).round() as i32
    }

    fn y(&self, power: f64) -> i32 {
        let share = (power - f64::from(self.axes.low)) / f64::from(self.axes.high - self.axes.low);
        (self.bottom - share * (self.bottom - self.top)).round() as i32
    }

    fn at(&self, step: f64, power: f64) -> (i32, i32) {
        (self.x(step), self.y(power))
    }
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
