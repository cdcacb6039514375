//! Live components and drawings. They know nothing of pages and lectures.

pub(crate) mod calculator;
mod card;
mod chart;
mod charts;
pub(crate) mod count;
pub(crate) mod device;
mod disclosure;
mod drawing;
pub(crate) mod dtypes;
mod export;
mod grid;
mod heat;
pub mod machine;
pub(crate) mod mfu;
mod number;
mod picture;
pub(crate) mod product;
mod prose;
mod provenance;
mod reference;
mod rendering;
mod resize;
pub(crate) mod strides;
mod style;
mod table;
mod tensor;
pub(crate) mod terms;
pub(crate) mod training_loop;
mod value;
mod vega;

pub use calculator::derivation;
pub use card::{CardView, Guess, Guesses, Verdict};
pub use drawing::drawing;
pub use export::{file_name, import, save, save_picture};
pub use grid::plain;
pub use number::unit_of;
pub use picture::Pictures;
pub use prose::Prose;
pub use provenance::{Legend, ProvenanceSign};
pub use reference::ShowLine;
pub use rendering::RenderingView;
pub use value::{DataView, ValueView};

/// A text, or another where there is none.
fn or<'a>(text: &'a str, other: &'a str) -> &'a str {
    if text.is_empty() { other } else { text }
}
