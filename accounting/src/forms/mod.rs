//! The closed forms, one subject per file.

pub mod activations;
pub mod chinchilla;
pub mod cost;
pub mod decode;
pub mod engine_activations;
pub mod flops;
pub mod kv;
pub mod linear;
pub mod matmul;
pub mod mfu;
pub mod muon;
pub mod operations;
pub mod parallel;
pub mod params;
pub mod roofline;
pub mod size;
pub mod static_memory;
pub mod tensor;
pub mod training;
mod transformer;
