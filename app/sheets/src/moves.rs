//! Which figures a change of an assumption has moved.

use maud::{Markup, html};
use napkin_accounting::calc::Sheet;

use crate::Cell;

/// Figures by their index in the answer, and what they were.
pub(crate) type Moved = Vec<(usize, String)>;

/// The last change.
#[derive(Debug)]
pub(crate) struct Change {
    /// The cell in which it was made.
    pub(crate) from: String,
    /// Labels of fields, what they were and what they are.
    pub(crate) values: Vec<(&'static str, String, String)>,
}

/// The figures that have another value; of several with one name each is compared with its own.
pub(crate) fn moved(before: &Sheet, after: &Sheet) -> Moved {
    let mut old = before.figures();
    let pairs = after.figures().into_iter().enumerate().filter_map(|(index, figure)| {
        let at = old.iter().position(|before| before.name == figure.name)?;
        let before = old.remove(at);
        (before.value != figure.value).then(|| (index, before.short()))
    });
    pairs.collect()
}

impl Change {
    /// "MFU 0.5 → 0.4 moves 4 figures here and 3 in Cost." `others` are the other cells and how many moved there.
    pub(crate) fn sentence(&self, cell: &Cell, here: usize, others: &[(&Cell, usize)]) -> Markup {
        let is_here = self.from == cell.id;
        let from = others.iter().map(|(other, _)| other).find(|other| other.id == self.from);
        let elsewhere: Vec<_> = others.iter().filter(|(_, count)| is_here && *count > 0).collect();
        // Only the cell in which it was made says it aloud.
        html! {
            p.moves role=[is_here.then_some("status")] {
                @if is_here || here > 0 {
                    @for (index, (label, before, after)) in self.values.iter().enumerate() {
                        @if index > 0 { ", " }
                        strong { (label) " " (before) " → " (after) }
                    }
                    @if let Some(from) = from { ", changed in " (link(from)) "," }
                    @if self.values.len() > 1 { " move " } @else { " moves " }
                    (figures(here)) " here"
                    @for (index, (other, count)) in elsewhere.iter().enumerate() {
                        @if index + 1 < elsewhere.len() { ", " } @else { " and " }
                        (count) " in " (link(other))
                    }
                    "."
                }
            }
        }
    }
}

fn figures(count: usize) -> String {
    match count {
        0 => "no figure".to_owned(),
        1 => "1 figure".to_owned(),
        _ => format!("{count} figures"),
    }
}

fn link(cell: &Cell) -> Markup {
    html! { a href={ "#" (cell.id) } data-do="go" data-of=(cell.id) { (cell.name) } }
}
