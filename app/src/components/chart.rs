//! Charts whose values are read by pointing at them.

use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::html::Div;
use leptos::prelude::*;
use napkin_charts::{Chart, Mark};

/// Further away from a value than so many pixels of the chart, the pointer is at none.
const REACH: f64 = 24.0;

/// A chart, and under it the value that the pointer is at, or that arrow keys have gone to.
#[component]
pub fn Pointable(label: String, chart: Chart) -> impl IntoView {
    let (svg, size) = (chart.svg, chart.size);
    let marks = StoredValue::new(chart.marks);
    let chosen = RwSignal::new(None::<usize>);
    let frame = NodeRef::<Div>::new();
    let mark = move || marks.with_value(|marks| marks.get(chosen.get()?).cloned());
    let point = move |event: PointerEvent| {
        let Some(frame) = frame.get_untracked() else { return };
        let place = frame.get_bounding_client_rect();
        let scale = size.0 / place.width().max(1.0);
        let x = (f64::from(event.client_x()) - place.left()) * scale;
        let y = (f64::from(event.client_y()) - place.top()) * scale;
        chosen.set(marks.with_value(|marks| nearest(marks, x, y)));
    };
    let go = move |event: KeyboardEvent| {
        let Some(last) = marks.with_value(|marks| marks.len().checked_sub(1)) else { return };
        let next = match event.key().as_str() {
            "ArrowRight" | "ArrowDown" => chosen.get_untracked().map_or(0, |at| (at + 1).min(last)),
            "ArrowLeft" | "ArrowUp" => chosen.get_untracked().map_or(last, |at| at.saturating_sub(1)),
            "Home" => 0,
            "End" => last,
            _ => return,
        };
        event.prevent_default();
        chosen.set(Some(next));
    };
    let spot = move || {
        let [left, top, width, height] = mark()?.area;
        let percent = |part: f64, whole: f64| format!("{}%", part / whole * 100.0);
        Some(view! {
            <span
                class="chart-spot"
                style:left=percent(left, size.0)
                style:top=percent(top, size.1)
                style:width=percent(width, size.0)
                style:height=percent(height, size.1)
            ></span>
        })
    };
    view! {
        <div
            class="chart-frame"
            node_ref=frame
            tabindex="0"
            role="group"
            aria-label=format!("{label}: arrow keys read its values")
            on:pointermove=point
            on:pointerdown=point
            on:pointerleave=move |_| chosen.set(None)
            on:blur=move |_| chosen.set(None)
            on:keydown=go
        >
            <div class="chart-picture" inner_html=svg></div>
            {spot}
        </div>
        <p class="chart-reading" role="status">{move || mark().map(|mark| mark.says)}</p>
    }
}

/// The mark at a place, or the nearest within reach.
fn nearest(marks: &[Mark], x: f64, y: f64) -> Option<usize> {
    let distance = |mark: &Mark| {
        let [left, top, width, height] = mark.area;
        let beside = |at: f64, from: f64, size: f64| (from - at).max(at - from - size).max(0.0);
        beside(x, left, width).hypot(beside(y, top, height))
    };
    let distances = marks.iter().map(distance).enumerate();
    let (at, distance) = distances.min_by(|(_, a), (_, b)| a.total_cmp(b))?;
    (distance <= REACH).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pointer_is_at_the_nearest_mark_within_reach() {
        let mark = |area| Mark { area, says: String::new() };
        let marks = [mark([10.0, 10.0, 0.0, 0.0]), mark([40.0, 0.0, 20.0, 100.0])];
        let cases =
            [((12.0, 12.0), Some(0)), ((45.0, 50.0), Some(1)), ((35.0, 10.0), Some(1)), ((10.0, 60.0), None)];
        for ((x, y), expected) in cases {
            assert_eq!(nearest(&marks, x, y), expected, "{x}, {y}");
        }
        assert_eq!(nearest(&[], 0.0, 0.0), None);
    }
}
