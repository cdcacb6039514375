//! `napkin train`.

mod linear;
mod text;

pub(crate) use linear::linear;
pub(crate) use text::{model, text};
