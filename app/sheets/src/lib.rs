//! The calculators of the page: texts of fields in, HTML out.
//!
//! A [`Book`] is a pure function of what the reader has typed. Natively it writes the cells as they stand in the page
//! before any script has run; in the browser `browser` keeps them true while the reader types. It is a wasm module of
//! its own, which the page loads when it has nothing else to do.

mod book;
#[cfg(target_arch = "wasm32")]
pub mod browser;
mod controls;
mod derivation;
mod drawing;
mod export;
mod face;
mod figures;
mod moves;
mod own;
mod words;

pub use book::{Book, Cell, Texts};
pub use export::{Export, Form};
