//! The loss curve, logarithmic upwards: follows the points, its own size and the page's theme.

use std::ops::Range;

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
    canvas.on_load(move |canvas| on_resize(&canvas, move || surroundings.notify()));
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
        <p class="message" role="status">{message}</p>
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
    let last_step = points.last().map_or(10, |point| point.step.max(10)) as f64;
    let losses = range(points);
    // A loss of exactly 0 has no logarithm; it is drawn on the lowest line.
    let at = |point: &LossPoint| (point.step as f64, f64::from(point.loss).max(losses.start));
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
            .build_cartesian_2d(0.0..last_step, losses.log_scale())?;
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
            .x_label_formatter(&|step| step.to_string())
            .y_label_formatter(&|loss| format!("{loss:.0e}"))
            .draw()?;
        let last = points.last().map(|last| Circle::new(*last, px(3.5), line.filled()));
        chart.draw_series([PathElement::new(points, line.stroke_width(px(2.0)))])?;
        chart.draw_series(last)?;
        area.present()
    };
    plot().map_err(|error: DrawingAreaErrorKind<_>| error.to_string())
}

/// Whole powers of ten around the losses.
fn range(points: &[LossPoint]) -> Range<f64> {
    let powers =
        || points.iter().map(|point| f64::from(point.loss).log10()).filter(|power| power.is_finite());
    let low = powers().reduce(f64::min).unwrap_or(-1.0).floor();
    let high = powers().reduce(f64::max).unwrap_or(1.0).ceil();
    // Both ends get a label, though logarithms are not exact.
    10f64.powf(low) * (1.0 - 1e-9)..10f64.powf(high.max(low + 1.0)) * (1.0 + 1e-9)
}

/// A colour of the style sheet, which registers it as one: browsers give it as `rgb(47, 67, 176)`.
fn colour(style: &CssStyleDeclaration, name: &str) -> Result<RGBColor, String> {
    let text = style.get_property_value(name).unwrap_or_default();
    let parts: Vec<u8> =
        text.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect();
    match parts[..] {
        [red, green, blue, ..] => Ok(RGBColor(red, green, blue)),
        _ => Err(format!("the colour {name} is {text:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_span_whole_powers_of_ten() {
        let cases: [(&[f32], _); 5] = [
            (&[350.0, 2e-5], 1e-5..1e3),
            (&[], 0.1..10.0),
            (&[0.0], 0.1..10.0),
            (&[100.0], 100.0..1e3),
            (&[1e-45, 3e38], 1e-45..1e39),
        ];
        for (losses, wanted) in cases {
            let points: Vec<_> = losses.iter().map(|loss| LossPoint { step: 1, loss: *loss }).collect();
            let Range { start, end } = range(&points);
            assert!(
                (start / wanted.start - 1.0).abs() < 1e-8 && (end / wanted.end - 1.0).abs() < 1e-8,
                "{losses:?}: {start} to {end}"
            );
        }
    }
}
