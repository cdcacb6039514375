//! What every cell is made of.

mod clipboard;
mod controls;
mod draft;
mod number;
mod part;
mod prose;

pub use clipboard::{Announcer, copy, use_announcer};
pub use controls::{Choose, Field, Switch, TextInput};
pub use draft::Draft;
pub use number::NumberInput;
pub use part::{Message, Part};
pub use prose::prose;
pub(crate) use prose::written;
