//! A lecture as data: what a trace says, as a document that is read and stepped through. Nothing here knows the page.

mod beside_recorded;
mod call_tree;
mod cell_text;
mod excerpt;
mod export;
mod folds;
mod lecture;
mod listing;
mod outline;
mod questions;
mod run_diff;
mod search;
mod slider_range;
mod source;
mod splice;
mod stepping;
mod tokens;

#[cfg(test)]
pub mod tests;

pub use beside_recorded::{Pair, beside_recorded};
pub use call_tree::Call;
pub use cell_text::CellText;
pub use excerpt::{Spot, spots};
pub use export::{csv, json, markdown};
pub use folds::{Fold, folds};
pub use lecture::{Lecture, Variable};
pub use listing::{Definition, State, Statement, is_short, listing};
pub use outline::Part;
pub use questions::{Question, Task, cards, notes_of, number, tasks};
pub use run_diff::{changed_values, same_position};
pub use search::{Hit, search};
pub use slider_range::{SliderRange, slider_id};
pub use source::{MODULE, Source, function_key, is_typed};
pub use splice::{with_beginning, with_end, with_part, with_stopped};
pub use stepping::Move;
pub use tokens::Kind;
