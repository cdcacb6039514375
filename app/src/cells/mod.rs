//! The cells of the page, in order.

mod calculator;
mod count;
mod dtypes;
mod flops;
mod machine;
mod strides;
mod training;

use crate::dom::Node;
use crate::state::Outline;

pub use calculator::Sheets;

/// One cell.
pub struct Cell {
    /// Its id in addresses, and its steps.
    pub outline: Outline,
    /// Its name in the contents: one word or two.
    pub name: &'static str,
    /// Its heading, `written!`.
    pub title: &'static str,
    /// What it is about: paragraphs of prose, each `written!`.
    pub intro: &'static [&'static str],
    /// Builds what the reader works with; called once, with the cell's context in place.
    pub view: fn() -> Node,
}

/// All cells.
pub const CELLS: &[Cell] = &[
    calculator::time::CELL,
    calculator::size::CELL,
    calculator::reality::CELL,
    calculator::tensor::CELL,
    dtypes::CELL,
    strides::CELL,
    flops::CELL,
    machine::CELL,
    calculator::roofline::CELL,
    calculator::backward::CELL,
    calculator::transformer::CELL,
    count::CELL,
    calculator::memory::CELL,
    calculator::kv::CELL,
    calculator::parallel::CELL,
    calculator::optimal::CELL,
    training::CELL,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Cells share what they assume: a page where nobody has stepped shows the defaults in all of them.
    #[test]
    fn first_steps_assume_nothing() {
        for cell in CELLS {
            let first = cell.outline.steps.iter().take(1).flat_map(|step| step.set);
            let assumed: Vec<_> = first.filter(|(key, _)| key.starts_with("calc.")).collect();
            assert!(assumed.is_empty(), "{}: {assumed:?}", cell.outline.id);
        }
    }
}
