//! The canvas of the loss curve: follows the points, its size and the page's theme.

use crate::dom::Node;
use crate::signals::{RwSignal, Signal, StoredValue, effect};
use js_sys::{Array, Function};
use leptos::html::Canvas;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::wasm_bindgen::closure::Closure;
use napkin_accounting::decimal;
use napkin_notebook::LossPoint;
use napkin_view::view;
use plotters::style::RGBColor;
use web_sys::{HtmlCanvasElement, MutationObserver, MutationObserverInit, ResizeObserver};

use super::chart::{self, Palette};

/// The loss over the steps. What it says is in `words`; the numbers are in the table beside it.
#[component]
pub fn Curve(
    /// The points.
    losses: RwSignal<Vec<LossPoint>>,
    /// The drawing in words.
    words: Signal<String>,
) -> Node {
    let canvas = NodeRef::<Canvas>::new();
    let fault = RwSignal::new(None::<String>);
    // Counts what makes a new drawing necessary beside new points.
    let outdated = RwSignal::new(0u32);
    effect(move |_| {
        if let Some(canvas) = canvas.get() {
            watch(&canvas, move || outdated.update(|count| *count += 1));
        }
    });
    effect(move |_| {
        let _ = outdated.get();
        let Some(canvas) = canvas.get() else { return };
        let drawn = losses.with(|points| draw(&canvas, points));
        if fault.with_untracked(|fault| *fault != drawn.clone().err()) {
            fault.set(drawn.err());
        }
    });
    view! {
        <canvas class="loss-curve" node_ref=canvas role="img" aria-label=words></canvas>
        <p class="message" role="status">
            {move || fault.get().map(|reason| format!("The curve cannot be drawn: {reason}. The table has the numbers."))}
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

fn draw(canvas: &HtmlCanvasElement, points: &[LossPoint]) -> Result<(), String> {
    let scale = window().device_pixel_ratio().max(1.0);
    let size = |css: i32| (f64::from(css) * scale).round() as u32;
    let (width, height) = (size(canvas.client_width()), size(canvas.client_height()));
    if width == 0 || height == 0 {
        return Ok(());
    }
    // Setting a size clears the canvas and costs; most drawings have the last one's.
    if (canvas.width(), canvas.height()) != (width, height) {
        canvas.set_width(width);
        canvas.set_height(height);
    }
    chart::draw(canvas, points, palette(canvas).ok_or("the browser does not say its colours")?, scale)
}

/// The colours of the style sheet in the current theme; they are registered as colours there, so that the
/// browser has worked them out.
fn palette(canvas: &HtmlCanvasElement) -> Option<Palette> {
    let style = window().get_computed_style(canvas).ok()??;
    let colour = |name: &str| rgb(&style.get_property_value(name).ok()?);
    Some(Palette {
        ground: colour("--sheet")?,
        ink: colour("--ink-soft")?,
        grid: colour("--line")?,
        curve: colour("--series-1")?,
    })
}

/// `rgb(47, 67, 176)`, as browsers write a computed colour.
fn rgb(text: &str) -> Option<RGBColor> {
    let numbers =
        text.trim().strip_prefix("rgb")?.trim_start_matches('a').strip_prefix('(')?.strip_suffix(')')?;
    let mut parts = numbers.split([',', ' ', '/']).filter(|part| !part.is_empty()).map(decimal);
    let mut part = || parts.next()?.map(|part| part.round() as u8);
    Some(RGBColor(part()?, part()?, part()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computed_colours_are_understood() {
        for text in ["rgb(47, 67, 176)", " rgb(47 67 176 / 0.5)", "rgba(47, 67, 176, 0.5)"] {
            assert_eq!(rgb(text), Some(RGBColor(47, 67, 176)), "{text}");
        }
        assert_eq!(rgb("oklch(0.5 0.1 200)"), None);
        assert_eq!(rgb(""), None);
    }
}
