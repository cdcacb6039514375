//! Tables that a reader can sort and save.

use std::cmp::Ordering;

use leptos::prelude::*;
use napkin_accounting::Unit;
use napkin_trace::trace::Json;

use super::export::Export;
use super::grid::{Grid, plain};
use super::number::number_of;
use super::or;
use super::value::DataView;

/// Letters of a text that stays on one line.
const LONGEST_UNBROKEN: usize = 24;

/// Numbers by size, before texts by their letters.
fn compare(a: &Json, b: &Json) -> Ordering {
    match (number_of(a), number_of(b)) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => plain(a).cmp(&plain(b)),
    }
}

/// A table that a click on the head of a column sorts; a third one brings back the order that it had.
#[component]
pub fn TableView(#[prop(into)] grid: Signal<Grid>) -> impl IntoView {
    // The column, and whether the largest comes first.
    let sorting = RwSignal::new(None::<(usize, bool)>);
    let label = move || or(&grid.read().title, "Table").to_owned();
    let head = move |(column, (name, _)): (usize, &(String, Unit))| {
        let is_descending = move || sorting.get().filter(|by| by.0 == column).map(|by| by.1);
        let sorted = move || match is_descending() {
            None => "none",
            Some(false) => "ascending",
            Some(true) => "descending",
        };
        let sort = move |_| {
            sorting.set(match untrack(is_descending) {
                None => Some((column, false)),
                Some(false) => Some((column, true)),
                Some(true) => None,
            });
        };
        view! {
            <th scope="col" aria-sort=sorted>
                <button type="button" class="sort" on:click=sort>{name.clone()}</button>
            </th>
        }
    };
    let heads = grid.with_untracked(|grid| grid.columns.iter().enumerate().map(head).collect_view());
    let rows = move || {
        let Grid { columns, mut rows, .. } = grid.get();
        if let Some((column, is_descending)) = sorting.get() {
            rows.sort_by(|a, b| {
                let [a, b] = [a, b].map(|row| row.get(column).unwrap_or(&Json::Null));
                let order = compare(a, b);
                if is_descending { order.reverse() } else { order }
            });
        }
        let row = |row: Vec<Json>| {
            let units = columns.iter().map(|(_, unit)| *unit).chain(std::iter::repeat(Unit::NONE));
            let cells = row.into_iter().zip(units).enumerate().map(|(at, (data, unit))| {
                let is_long = data.as_str().is_some_and(|text| text.chars().count() > LONGEST_UNBROKEN);
                let data = view! { <DataView data unit /> };
                match at {
                    0 => view! { <th scope="row">{data}</th> }.into_any(),
                    _ => view! { <td class:is-words=is_long>{data}</td> }.into_any(),
                }
            });
            view! { <tr>{cells.collect_view()}</tr> }
        };
        rows.into_iter().map(row).collect_view()
    };
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label=label>
            <table class="numbers">
                <thead>
                    <tr>{heads}</tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

#[component]
pub fn TableFigure(grid: Grid) -> impl IntoView {
    let caption = (!grid.title.is_empty()).then(|| view! { <figcaption>{grid.title.clone()}</figcaption> });
    view! {
        <figure class="drawing">
            {caption} <TableView grid=grid.clone() />
            <Export grid />
        </figure>
    }
}
