//! Training loops that the page and the terminal share.

mod linear;
mod text;

pub use linear::{LinearConfig, LinearTask};
pub use text::{TextConfig, TextTask, check_loss};
