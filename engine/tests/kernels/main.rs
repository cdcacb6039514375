//! Every kernel on every backend against its sequential twin in f64.
//!
//! The GPU is llvmpipe, so that results are the same everywhere; without it these tests fail.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test stops at the first fault")]

mod bench;
mod common;
mod device;
mod doctor;
mod functions;
mod lanes;
mod map;
mod matmul;
mod philox;
mod probe;
mod reduce;
mod rows;
mod update;
mod whole;
