//! Doubles as decimal numbers, read and written.
//!
//! The standard library is faster at both, with tables and several algorithms that no compression makes
//! smaller: together 15 KB of a page whose program is to be 150 KB. Numbers that people type and read can wait
//! for a long division.

mod read;
mod whole;
mod write;

pub use read::read;
pub use write::{Decimal, fixed, scientific, shortest, shortest_f32, shortest_scientific};
