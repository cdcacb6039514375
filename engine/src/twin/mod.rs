//! Sequential Rust twins of the WGSL kernels, one of the same name for each: their reference.
