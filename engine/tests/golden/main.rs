//! The engine beside figures of PyTorch, einops and ml_dtypes, on every backend. Each `.json` has its figures from the
//! script of that name.
#![cfg(all(feature = "cpu", not(target_arch = "wasm32")))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first fault")]

mod amp;
mod autograd;
mod einops;
#[path = "../figures/mod.rs"]
mod figures;
mod formats;
#[path = "../harness/mod.rs"]
mod harness;
mod index;
mod init;
mod layout;
#[path = "../leaves/mod.rs"]
mod leaves;
mod modules;
mod nn;
mod norms;
mod ops;
mod optim;
mod print;
mod random;
mod training;
