//! The canvas of the loss curve: follows the points, its size and the page's theme. The worker draws.

use crate::dom::Node;
use crate::signals::{RwSignal, Signal, StoredValue, effect};
use js_sys::{Array, Function};
use leptos::html::Canvas;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::wasm_bindgen::closure::Closure;
use napkin_accounting::decimal;
use napkin_notebook::{Command, Curve as Drawing, LossPoint, Rgb};
use napkin_view::view;
use web_sys::{
    HtmlCanvasElement, ImageBitmap, ImageBitmapRenderingContext, MutationObserver, MutationObserverInit,
    ResizeObserver,
};

use crate::worker_client::use_worker;

/// The loss over the steps. What it says is in `words`; the numbers are in the table beside it.
#[component]
pub fn Curve(
    /// The points.
    losses: RwSignal<Vec<LossPoint>>,
    /// The drawing in words.
    words: Signal<String>,
) -> Node {
    let worker = use_worker();
    let canvas = NodeRef::<Canvas>::new();
    let fault = RwSignal::new(None::<String>);
    // Counts what makes a new drawing necessary beside new points.
    let outdated = RwSignal::new(0u32);
    let redraw = move || outdated.update(|count| *count += 1);
    // One drawing at a time; what changes meanwhile is in the next one.
    let is_drawing = StoredValue::new(false);
    let has_changed = StoredValue::new(false);
    effect(move |_| {
        if let Some(canvas) = canvas.get() {
            watch(&canvas, redraw);
        }
    });
    effect(move |_| {
        let _ = (outdated.get(), worker.lives());
        let Some(canvas) = canvas.get() else { return };
        // Whatever changes until the answer comes, the answer brings this back here.
        if is_drawing.get_value() {
            has_changed.set_value(true);
            return;
        }
        let Some(drawing) = losses.with(|points| drawing(&canvas, points)) else { return };
        is_drawing.set_value(true);
        worker.ask(Command::DrawCurve(drawing), move |answer| {
            is_drawing.set_value(false);
            let shown = answer.and_then(|(_, bitmap)| show(&canvas, bitmap.unchecked_ref()));
            if fault.with_untracked(|fault| *fault != shown.clone().err()) {
                fault.set(shown.err());
            }
            if has_changed.get_value() {
                has_changed.set_value(false);
                redraw();
            }
        });
    });
    view! {
        <canvas class="loss-curve" node_ref=canvas role="img" aria-label=words></canvas>
        <p class="message" role="status">
            {move || fault.get().map(|reason| format!("The curve cannot be drawn: {}. The table has the numbers.", reason.trim_end_matches('.')))}
        </p>
    }
}

/// Calls `redraw` when the canvas gets another size, and when the page or the system changes the theme.
fn watch(canvas: &HtmlCanvasElement, redraw: impl Fn() + Clone + 'static) {
    let call = Closure::<dyn Fn()>::new(redraw);
    let function: Function = call.as_ref().unchecked_ref::<Function>().clone();
    let on_size = ResizeObserver::new(&function).ok();
    let on_theme = MutationObserver::new(&function).ok();
    let dark = window().match_media("(prefers-color-scheme: dark)").ok().flatten();
    if let Some(observer) = &on_size {
        observer.observe(canvas);
    }
    if let (Some(observer), Some(root)) = (&on_theme, document().document_element()) {
        let attributes = MutationObserverInit::new();
        attributes.set_attribute_filter(&Array::of1(&"data-theme".into()));
        // The filter is a list of strings, as it must be.
        drop(observer.observe_with_options(&root, &attributes));
    }
    if let Some(dark) = &dark {
        dark.set_onchange(Some(&function));
    }
    let held = StoredValue::new((call, on_size, on_theme, dark));
    on_cleanup(move || {
        held.with_value(|(_, on_size, on_theme, dark)| {
            if let Some(observer) = on_size {
                observer.disconnect();
            }
            if let Some(observer) = on_theme {
                observer.disconnect();
            }
            if let Some(dark) = dark {
                dark.set_onchange(None);
            }
        });
    });
}

/// What the worker needs to know; nothing while the canvas has no size or the browser no colours.
fn drawing(canvas: &HtmlCanvasElement, points: &[LossPoint]) -> Option<Drawing> {
    let scale = window().device_pixel_ratio().max(1.0);
    let size =
        [canvas.client_width(), canvas.client_height()].map(|css| (f64::from(css) * scale).round() as u32);
    let style = window().get_computed_style(canvas).ok()??;
    // The style sheet registers these as colours, so that the browser has worked them out.
    let mut colours = [Rgb::default(); 4];
    for (colour, name) in colours.iter_mut().zip(["--sheet", "--ink-soft", "--line", "--series-1"]) {
        *colour = rgb(&style.get_property_value(name).ok()?)?;
    }
    (!size.contains(&0)).then(|| Drawing { points: points.to_vec(), size, scale: scale as f32, colours })
}

fn show(canvas: &HtmlCanvasElement, bitmap: &ImageBitmap) -> Result<(), String> {
    canvas.set_width(bitmap.width());
    canvas.set_height(bitmap.height());
    let context = canvas.get_context("bitmaprenderer").ok().flatten();
    let context = context.ok_or("the browser does not show what a worker drew")?;
    context.unchecked_into::<ImageBitmapRenderingContext>().transfer_from_image_bitmap(bitmap);
    Ok(())
}

/// `rgb(47, 67, 176)`, as browsers write a computed colour.
fn rgb(text: &str) -> Option<Rgb> {
    let numbers =
        text.trim().strip_prefix("rgb")?.trim_start_matches('a').strip_prefix('(')?.strip_suffix(')')?;
    let mut parts = numbers.split([',', ' ', '/']).filter(|part| !part.is_empty()).map(decimal::read);
    let mut part = || parts.next()?.map(|part| part.round() as u8);
    Some([part()?, part()?, part()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computed_colours_are_understood() {
        for text in ["rgb(47, 67, 176)", " rgb(47 67 176 / 0.5)", "rgba(47, 67, 176, 0.5)"] {
            assert_eq!(rgb(text), Some([47, 67, 176]), "{text}");
        }
        assert_eq!(rgb("oklch(0.5 0.1 200)"), None);
        assert_eq!(rgb(""), None);
    }
}
