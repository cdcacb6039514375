//! The closed forms, one subject per file.

pub mod matmul;
pub mod mfu;
pub mod roofline;
pub mod training;
