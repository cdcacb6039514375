//! The page: one Leptos component per cell, shared widgets, and the state in the address.
//!
//! The same components render twice: natively at build time, so that the page reads complete before any
//! wasm has arrived, and in the browser, where they take that text's place.

pub mod cells;
pub mod dom;
mod page;
pub mod signals;
pub mod state;
pub mod widgets;
mod worker_client;

pub use page::App;
pub use worker_client::{WorkerClient, WorkerStatus, use_worker};
