//! Twin of shaders/codec.wgsl: elements of a storage as numbers, and back.

use crate::dtype::DType;

/// The value of every element of a storage.
#[must_use]
pub fn decode(bytes: &[u8], dtype: DType) -> Vec<f64> {
    let Some(format) = dtype.format() else { return bytes.iter().map(|&byte| byte.into()).collect() };
    let pattern = |element: &[u8]| element.iter().rev().fold(0u32, |bits, &b| bits << 8 | u32::from(b));
    bytes.chunks_exact(dtype.size_bytes()).map(|e| format.decode(pattern(e))).collect()
}

/// The bytes of a storage with these values, each rounded to f32 first as kernels compute it.
#[must_use]
pub fn encode(values: &[f64], dtype: DType) -> Vec<u8> {
    let Some(format) = dtype.format() else {
        let limit = if dtype == DType::Bool { 1.0 } else { 255.0 };
        return values.iter().map(|value| value.min(limit) as u8).collect();
    };
    let bytes = |v: &f64| format.encode(f64::from(*v as f32)).to_le_bytes();
    values.iter().flat_map(|v| bytes(v).into_iter().take(dtype.size_bytes())).collect()
}
