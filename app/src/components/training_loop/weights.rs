//! The learned weights against the true ones, as one drawing.

use leptos::prelude::*;

/// The drawing's own units.
const WIDTH: i32 = 64_000;
const HEIGHT: i32 = 20_000;

/// Bars for what is learned, ticks for what there is to learn: two paths, however many weights there are.
#[derive(Debug, Clone, PartialEq)]
struct Drawing {
    bars: String,
    ticks: String,
    zero_y: i32,
    bar_width: i32,
}

impl Drawing {
    fn of(learned: &[f32], truth: &[f32]) -> Self {
        let all = || learned.iter().chain(truth).copied().map(f64::from);
        let (low, high) = (all().fold(0.0, f64::min), all().fold(0.0, f64::max));
        let span = if high > low { high - low } else { 1.0 };
        // Whole numbers are written faster than others, and there are two for each weight.
        let y = |value: f64| (f64::from(HEIGHT - 400) * (high - value) / span) as i32 + 200;
        let slot = f64::from(WIDTH) / truth.len().max(1) as f64;
        let x = |slots: f64| (slots * slot) as i32;
        let (zero_y, width) = (y(0.0), x(0.8));
        let bar = |(i, &value): (usize, &f32)| format!("M{} {zero_y}V{}", x(i as f64 + 0.5), y(value.into()));
        let tick = |(i, &value): (usize, &f32)| format!("M{} {}h{width}", x(i as f64 + 0.1), y(value.into()));
        Self {
            bars: learned.iter().enumerate().map(bar).collect(),
            ticks: truth.iter().enumerate().map(tick).collect(),
            zero_y,
            bar_width: x(0.6),
        }
    }
}

fn describe(learned: &[f32], truth: &[f32]) -> String {
    let (count, errors) = (truth.len(), learned.iter().zip(truth).map(|(w, t)| f64::from((w - t).abs())));
    match errors.reduce(f64::max).filter(|_| learned.len() == count) {
        Some(error) => {
            format!("{count} learned weights; the largest distance from a true one is {error:.3}.")
        }
        None => format!("{count} true weights, from 0 to {}; nothing learned yet.", count.saturating_sub(1)),
    }
}

/// Bars of `learned`, and a tick at each true weight.
#[component]
pub fn Weights(learned: Signal<Vec<f32>>, truth: Signal<Vec<f32>>) -> impl IntoView {
    let drawing = Memo::new(move |_| learned.with(|w| truth.with(|t| Drawing::of(w, t))));
    let description = move || learned.with(|w| truth.with(|t| describe(w, t)));
    view! {
        <svg class="weights" viewBox=format!("0 0 {WIDTH} {HEIGHT}")
            preserveAspectRatio="none" role="img" aria-label=description>
            <path class="weights-bars" d=move || drawing.read().bars.clone() stroke-width=move || drawing.read().bar_width/>
            <path class="weights-ticks" d=move || drawing.read().ticks.clone()/>
            <line class="weights-zero" x1="0" x2=WIDTH y1=move || drawing.read().zero_y y2=move || drawing.read().zero_y/>
        </svg>
        <p class="legend" aria-hidden="true">
            <span class="legend-learned">"learned"</span>
            <span class="legend-true">"true"</span>
        </p>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_stay_in_their_box() {
        let drawing = Drawing::of(&[-1.0, 5.0], &[0.0, 1.0]);
        let ends = drawing.bars.split('V').skip(1).filter_map(|rest| rest.split('M').next());
        let heights: Vec<i32> = ends.filter_map(|end| end.parse().ok()).collect();
        assert_eq!(heights, [HEIGHT - 200, 200], "the lowest bar ends at the bottom, the highest at the top");
        let nothing = Drawing::of(&[], &[]);
        assert!(nothing.bars.is_empty() && (0..HEIGHT).contains(&nothing.zero_y));
    }

    #[test]
    fn errors_are_distances() {
        assert!(describe(&[0.5, 1.0], &[0.0, 3.0]).ends_with("is 2.000."));
        assert!(describe(&[], &[0.0]).ends_with("nothing learned yet."));
    }
}
