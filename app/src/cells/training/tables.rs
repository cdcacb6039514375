//! The drawings' numbers, as tables that are there when they are unfolded.

use crate::dom::Node;
use crate::signals::{RwSignal, Signal};
use leptos::prelude::*;
use napkin_accounting::decimal;
use napkin_notebook::LossPoint;
use napkin_view::view;

/// Rows of the loss table; of more points a selection is shown.
const LOSS_ROWS: usize = 40;
/// Rows of the weight table.
const WEIGHT_ROWS: usize = 64;

/// Step and loss.
#[component]
pub fn LossTable(
    /// The points.
    losses: RwSignal<Vec<LossPoint>>,
) -> Node {
    let rows = move || {
        losses.with(|points| {
            let row = |point: &LossPoint| view! { <tr><td>{point.step}</td><td>{decimal::scientific(point.loss.into(), 4)}</td></tr> };
            selection(points.len(), LOSS_ROWS).into_iter().filter_map(|i| points.get(i)).map(row).collect::<Vec<_>>()
        })
    };
    let caption = move || {
        let count = losses.with(Vec::len);
        match count.checked_sub(LOSS_ROWS) {
            None | Some(0) => format!("{count} measured losses"),
            Some(_) => format!("{LOSS_ROWS} of {count} measured losses"),
        }
    };
    unfold("The curve as a table", move || {
        view! {
            <table>
                <caption>{caption}</caption>
                <thead><tr><th scope="col">"Step"</th><th scope="col">"Loss"</th></tr></thead>
                <tbody>{rows}</tbody>
            </table>
        }
    })
}

/// Learned and true weights, side by side.
#[component]
pub fn WeightTable(
    /// What the model amounts to; may be empty.
    learned: Signal<Vec<f32>>,
    /// What the data were made with.
    truth: Signal<Vec<f32>>,
) -> Node {
    let rows = move || {
        let learned = learned.get();
        let row = |(i, truth): (usize, f32)| {
            let weight =
                learned.get(i).map_or_else(|| "–".to_owned(), |weight| decimal::fixed((*weight).into(), 4));
            view! { <tr><td>{i}</td><td>{weight}</td><td>{decimal::shortest_f32(truth)}</td></tr> }
        };
        truth.get().into_iter().enumerate().take(WEIGHT_ROWS).map(row).collect::<Vec<_>>()
    };
    let caption = move || match truth.with(Vec::len) {
        count if count > WEIGHT_ROWS => format!("The first {WEIGHT_ROWS} of {count} weights"),
        count => format!("{count} weights"),
    };
    unfold("The weights as a table", move || {
        view! {
            <table>
                <caption>{caption}</caption>
                <thead>
                    <tr><th scope="col">"Input"</th><th scope="col">"Learned"</th><th scope="col">"True"</th></tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        }
    })
}

/// Builds its table only while it is unfolded: tables of a running session change ten times a second.
fn unfold(title: &'static str, table: impl Fn() -> Node + 'static) -> Node {
    let is_open = RwSignal::new(false);
    view! {
        <details class="table-view" on:toggle=move |_| is_open.update(|open| *open = !*open)>
            <summary>{title}</summary>
            <div class="scroll" tabindex="0" role="group" aria-label=title>
                {move || is_open.get().then(&table)}
            </div>
        </details>
    }
}

/// At most `most` of the indices below `count`, evenly spread, first and last among them.
fn selection(count: usize, most: usize) -> Vec<usize> {
    if count <= most {
        return (0..count).collect();
    }
    (0..most).map(|i| i * (count - 1) / (most - 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selections_keep_both_ends() {
        assert_eq!(selection(0, 40), Vec::<usize>::new());
        assert_eq!(selection(3, 40), [0, 1, 2]);
        let some = selection(401, 5);
        assert_eq!(some, [0, 100, 200, 300, 400]);
        let most = selection(41, 40);
        assert_eq!((most.len(), most[0], most[39]), (40, 0, 40));
        assert!(most.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
