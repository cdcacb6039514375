//! What live components are changed with: fields, sliders, lists.

mod choose;
mod draft;
mod field;
mod number;

pub use choose::Choose;
pub use draft::Draft;
pub use field::{Field, Line, Message, TextInput};
pub use number::{NumberInput, Slider};
