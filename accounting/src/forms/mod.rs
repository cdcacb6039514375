//! The closed forms, one subject per file.

pub mod cost;
pub mod flops;
pub mod matmul;
pub mod mfu;
pub mod params;
pub mod roofline;
pub mod training;
mod transformer;
