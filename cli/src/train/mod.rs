//! `napkin train`.

mod linear;

pub(crate) use linear::linear;
