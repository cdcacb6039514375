//! Charts of an answer.

use napkin_accounting::calc::Part;

/// A chart in the page and for itself.
pub(crate) struct Drawing {
    pub(crate) svg: String,
    pub(crate) alone: String,
}

/// The chart of a part, if it is one.
pub(crate) fn drawing(_id: &str, _part: &Part) -> Option<Drawing> {
    None
}
