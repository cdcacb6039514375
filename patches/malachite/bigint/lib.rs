//! Python's integers: malachite's, with tables for numbers of a million digits, are six times as large a program.

pub use num_bigint::*;
