//! What a change of assumptions has moved.

use std::collections::BTreeMap;

use napkin_accounting::calc::Sheet;

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
