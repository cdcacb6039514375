//! What tensors, graphs, training and files do, on every backend: beside closed forms, finite differences and themselves.
#![cfg(all(feature = "cpu", not(target_arch = "wasm32")))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first fault")]

mod advanced_indexing;
mod autograd;
mod checkpoint;
mod counted;
mod data;
#[path = "../figures/mod.rs"]
mod figures;
mod fp8;
mod functional;
mod gradcheck;
mod graph;
mod half;
#[path = "../harness/mod.rs"]
mod harness;
#[path = "../leaves/mod.rs"]
mod leaves;
mod ledger;
#[path = "../operations/mod.rs"]
mod operations;
mod philox;
mod text;
mod training;
mod twice;
