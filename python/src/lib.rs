//! Python with `torch` over the engine.
//!
//! A [`Session`] is an interpreter with everything that a lecture imports: `torch` and its parts, `einops`, `numpy` and
//! the rest. What is computation is written in Rust and listed operation by operation in `torch/operations`, with the
//! signatures that PyTorch has; what is Python at heart (modules, optimizers, containers) is Python, in `lib/`, compiled
//! into the program. Nothing here reaches files or clocks but by way of what the [`Session`] was given.
#![allow(clippy::needless_pass_by_value, reason = "Python hands over what it calls a native function with")]

mod code;
mod entry;
mod files;
mod host;
mod imports;
mod library;
mod math;
mod notebook;
mod options;
mod png;
mod polling;
mod process;
mod random;
mod recovery;
mod rewriting;
mod session;
mod sliders;
mod syntax_error;
mod torch;
mod trace;
#[cfg(not(target_arch = "wasm32"))]
mod turn;
mod unicode;
mod wait;

pub use files::{Entry, Files, Folder, Memory};
pub use imports::imports;
pub use options::{Fetch, InSight, Options, Prepare, Recovery, Stream, TakeFault, TakeStep, Write};
#[cfg(not(target_arch = "wasm32"))]
pub use session::Interrupter;
pub use session::{Failure, Session};
pub use sliders::with_sliders;
pub use trace::{Definition, Program, Recall, Source, bodies, is_in_cell, names};
