//! Training loops that the page and the terminal share.

pub mod counted;
mod linear;
mod text;

pub use linear::{LinearConfig, LinearTask};
pub use text::{TextConfig, TextTask, check_loss};

use crate::error::Error;

/// What a field of a configuration breaks.
fn refused(name: &str, got: impl std::fmt::Display, rule: &str) -> Error {
    Error::Value { op: "train", message: format!("{name} is {got}; it must be {rule}") }
}
