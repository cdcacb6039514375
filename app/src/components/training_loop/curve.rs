//! The loss curve, logarithmic upwards: follows the points, its own size and the page's theme.

use leptos::html::Canvas;
use leptos::prelude::*;
use napkin_trace::LossPoint;
use plotters::prelude::*;
use plotters_canvas::CanvasBackend;
use web_sys::{CssStyleDeclaration, HtmlCanvasElement};

use crate::components::resize::on_resize;

/// Room for labels around the plot, in CSS pixels.
const TOP: f64 = 10.0;
const RIGHT: f64 = 18.0;
const BOTTOM: f64 = 38.0;
const LEFT: f64 = 54.0;
/// One label on the axis of steps takes so much.
const LABEL: f64 = 90.0;

/// The loss over the steps. The numbers are in the table beside it.
#[component]
pub fn Curve(losses: RwSignal<Vec<LossPoint>>, description: Signal<String>) -> impl IntoView {
    let canvas = NodeRef::<Canvas>::new();
    let fault = RwSignal::new(None::<String>);
    let surroundings = Trigger::new();
    Effect::new(move || {
        if let Some(canvas) = canvas.get() {
            on_resize(&canvas, move || surroundings.notify());
        }
    });
    Effect::new(move || {
        surroundings.track();
        if let Some(canvas) = canvas.get() {
            fault.set(losses.with(|points| draw(canvas, points)).err());
        }
    });
    let message = move || {
        let reason = fault.get()?;
        Some(format!(
            "The curve cannot be drawn: {}. The table has the numbers.",
            reason.trim_end_matches('.')
        ))
    };
    view! {
        // Its text colour has a transition, which ends whenever the theme has changed.
        <canvas
            class="loss-curve"
            node_ref=canvas
            role="img"
            aria-label=description
            on:transitionend=move |_| surroundings.notify()
        ></canvas>
        <p class="message" role="status">
            {message}
        </p>
    }
}

/// Draws the points as large as the canvas is shown, in the page's colours; nothing while it has no size.
fn draw(canvas: HtmlCanvasElement, points: &[LossPoint]) -> Result<(), String> {
    let scale = window().device_pixel_ratio().max(1.0);
    let px = |css: f64| (css * scale).round().max(1.0) as u32;
    let (width, height) = (canvas.client_width(), canvas.client_height());
    let Some(style) = window().get_computed_style(&canvas).ok().flatten() else { return Ok(()) };
    if width == 0 || height == 0 {
        return Ok(());
    }
    let [ground, ink, grid, line] =
        ["--sheet", "--ink-soft", "--line", "--series-1"].map(|name| colour(&style, name));
    let (ground, ink, grid, line) = (ground?, ink?, grid?, line?);
    canvas.set_width(px(width.into()));
    canvas.set_height(px(height.into()));
    let axes = Axes::around(points);
    // A loss of exactly 0 has no logarithm; it is drawn on the lowest line.
    let at = |point: &LossPoint| (point.step as f64, f64::from(point.loss).max(10f64.powi(axes.low)));
    let points: Vec<(f64, f64)> = points.iter().map(at).collect();
    let area =
        CanvasBackend::with_canvas_object(canvas).ok_or("the browser has no 2d canvas")?.into_drawing_area();
    let font = ("system-ui, sans-serif", px(12.0)).into_font().color(&ink);
    let plot = || {
        area.fill(&ground)?;
        let mut chart = ChartBuilder::on(&area)
            .margin_top(px(TOP))
            .margin_right(px(RIGHT))
            .x_label_area_size(px(BOTTOM))
            .y_label_area_size(px(LEFT))
            .build_cartesian_2d(
                0.0..axes.last_step,
                (10f64.powi(axes.low)..10f64.powi(axes.high)).log_scale().with_key_points(axes.loss_ticks()),
            )?;
        chart
            .configure_mesh()
            .bold_line_style(grid.stroke_width(px(1.0)))
            .light_line_style(TRANSPARENT)
            .axis_style(grid.stroke_width(px(1.0)))
            .label_style(font.clone())
            .axis_desc_style(font)
            .x_labels(((f64::from(width) - LEFT - RIGHT) / LABEL) as usize)
            .x_desc("step")
            .y_desc("loss")
            .x_label_formatter(&|step| step_label(*step))
            .y_label_formatter(&|loss| power_label(*loss))
            .draw()?;
        let last = points.last().map(|last| Circle::new(*last, px(3.5), line.filled()));
        chart.draw_series([PathElement::new(points, line.stroke_width(px(2.0)))])?;
        chart.draw_series(last)?;
        area.present()
    };
    plot().map_err(|error: DrawingAreaErrorKind<_>| error.to_string())
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
        let positive =
            || points.iter().filter(|point| point.loss > 0.0).map(|point| f64::from(point.loss).log10());
        let low = positive().fold(f64::INFINITY, f64::min);
        let high = positive().fold(f64::NEG_INFINITY, f64::max);
        if low > high {
            return Self { last_step, low: -1, high: 1 };
        }
        let (low, high) = (low.floor() as i32, high.ceil() as i32);
        Self { last_step, low, high: high.max(low + 1) }
    }

    /// At most seven whole powers of ten.
    fn loss_ticks(&self) -> Vec<f64> {
        let stride = (self.high - self.low).div_euclid(6) + 1;
        (self.low..=self.high)
            .filter(|power| power.rem_euclid(stride) == 0)
            .map(|power| 10f64.powi(power))
            .collect()
    }
}

fn step_label(step: f64) -> String {
    match step {
        s if s >= 1e6 => format!("{} M", s / 1e6),
        s if s >= 1e4 => format!("{} k", s / 1e3),
        s => format!("{s}"),
    }
}

/// 10⁻³ for 0.001.
fn power_label(loss: f64) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |c: char| c.to_digit(10).map_or('⁻', |digit| DIGITS[digit as usize]);
    format!("10{}", format!("{:.0}", loss.log10()).chars().map(raised).collect::<String>())
}

/// A colour of the style sheet, which registers it as one, so that the browser has worked it out.
fn colour(style: &CssStyleDeclaration, name: &str) -> Result<RGBColor, String> {
    let text = style.get_property_value(name).unwrap_or_default();
    rgb(&text).ok_or_else(|| format!("the colour {name} is {text:?}"))
}

/// `rgb(47, 67, 176)`, as browsers write a computed colour.
fn rgb(text: &str) -> Option<RGBColor> {
    let numbers =
        text.trim().strip_prefix("rgb")?.trim_start_matches('a').strip_prefix('(')?.strip_suffix(')')?;
    let mut parts = numbers.split([',', ' ', '/']).filter(|part| !part.is_empty());
    let mut part = || parts.next()?.parse::<f64>().ok().map(|part| part.round() as u8);
    Some(RGBColor(part()?, part()?, part()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axes(losses: &[(u64, f32)]) -> Axes {
        let points: Vec<_> = losses.iter().map(|&(step, loss)| LossPoint { step, loss }).collect();
        Axes::around(&points)
    }

    #[test]
    fn axes_span_whole_powers_of_ten() {
        assert_eq!(axes(&[(1, 350.0), (400, 2e-5)]), Axes { last_step: 400.0, low: -5, high: 3 });
        assert_eq!(axes(&[(1, 350.0), (400, 2e-5)]).loss_ticks(), [1e-4, 1e-2, 1.0, 1e2]);
        assert_eq!(axes(&[]), Axes { last_step: 10.0, low: -1, high: 1 });
        assert_eq!(axes(&[(1, 0.0)]), Axes { last_step: 10.0, low: -1, high: 1 });
        assert_eq!(axes(&[(1, 100.0)]), Axes { last_step: 10.0, low: 2, high: 3 });
        assert!(axes(&[(1, 1e-45), (2, 3e38)]).loss_ticks().len() <= 7);
    }

    #[test]
    fn labels_are_short() {
        assert_eq!([power_label(1e-12), power_label(1.0)], ["10⁻¹²", "10⁰"]);
        assert_eq!([250.0, 25_000.0, 1_500_000.0].map(step_label), ["250", "25 k", "1.5 M"]);
    }

    #[test]
    fn computed_colours_are_understood() {
        for text in ["rgb(47, 67, 176)", " rgb(47 67 176 / 0.5)", "rgba(47, 67, 176, 0.5)"] {
            assert_eq!(rgb(text), Some(RGBColor(47, 67, 176)), "{text}");
        }
        assert_eq!((rgb("oklch(0.5 0.1 200)"), rgb("")), (None, None));
    }
}
