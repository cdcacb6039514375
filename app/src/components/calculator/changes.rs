//! "MFU 0.5 → 0.4 moves 4 figures here."

use std::collections::BTreeMap;

use leptos::prelude::*;
use napkin_accounting::calc::Sheet;

use super::group::Group;

/// What was assumed anew, and what it has moved.
#[derive(Debug, Clone)]
pub(super) struct Change {
    /// The key and label of each field, its value before and its value now.
    pub(super) values: Vec<(&'static str, &'static str, String, String)>,
    /// By calculator.
    pub(super) moved: BTreeMap<&'static str, Moved>,
}

/// Figures by their index in the answer, and what they were.
pub(super) type Moved = Vec<(usize, String)>;

/// The figures that have another value; of several with one name each is compared with its own.
pub(super) fn moved(before: &Sheet, after: &Sheet) -> Moved {
    let mut old = before.figures();
    let pairs = after.figures().into_iter().enumerate().filter_map(|(index, figure)| {
        let at = old.iter().position(|before| before.name == figure.name)?;
        let before = old.remove(at);
        (before.value != figure.value).then(|| (index, before.short()))
    });
    pairs.collect()
}

/// What the last change has moved in these calculators, if it was of a field of theirs; tracked.
pub(super) fn sentence(group: Group) -> Option<String> {
    let members = group.members();
    let asks = |key: &str| members.iter().any(|one| one.fields.iter().any(|field| field.key == key));
    let change = group.shown().change.get()?;
    let values: Vec<String> = change
        .values
        .iter()
        .filter(|(key, ..)| asks(key))
        .map(|(_, label, before, after)| format!("{label} {before} → {after}"))
        .collect();
    let moves = match values.len() {
        0 => return None,
        1 => "moves",
        _ => "move",
    };
    let here: usize = members.iter().filter_map(|one| change.moved.get(one.id)).map(Vec::len).sum();
    let figures = match here {
        0 => "no figure here".to_owned(),
        1 => "1 figure here".to_owned(),
        _ => format!("{here} figures here"),
    };
    Some(format!("{} {moves} {figures}.", values.join(", ")))
}
