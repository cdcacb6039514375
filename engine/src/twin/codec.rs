//! Twin of shaders/codec.wgsl: elements of a storage as numbers, and back.

use crate::dtype::DType;
use crate::scalar::whole;

/// The value of every element of a storage.
#[must_use]
pub fn decode(bytes: &[u8], dtype: DType) -> Vec<f64> {
    let Some(format) = dtype.format() else {
        return decode_whole(bytes, dtype).into_iter().map(|value| value as f64).collect();
    };
    let pattern = |element: &[u8]| element.iter().rev().fold(0u32, |bits, &b| bits << 8 | u32::from(b));
    bytes.chunks_exact(dtype.size_bytes()).map(|e| format.decode(pattern(e))).collect()
}

/// The bytes of a storage with these values, each rounded to f32 first as kernels compute it.
#[must_use]
pub fn encode(values: &[f64], dtype: DType) -> Vec<u8> {
    let Some(format) = dtype.format() else {
        let cut = |value: f64| match dtype {
            DType::Bool => (value != 0.0).into(),
            DType::I32 => i64::from(i32::try_from(whole(value)).unwrap_or(i32::MIN)),
            _ => whole(value),
        };
        return encode_whole(&values.iter().map(|&value| cut(value)).collect::<Vec<_>>(), dtype);
    };
    let bytes = |v: &f64| format.encode(f64::from(*v as f32)).to_le_bytes();
    values.iter().flat_map(|v| bytes(v).into_iter().take(dtype.size_bytes())).collect()
}

/// The value of every element of a storage of whole numbers or truth values.
#[must_use]
pub fn decode_whole(bytes: &[u8], dtype: DType) -> Vec<i64> {
    let value = |element: &[u8]| {
        let bits = element.iter().rev().fold(0u64, |bits, &b| bits << 8 | u64::from(b));
        match dtype {
            DType::I32 => (bits as i32).into(),
            DType::I16 => (bits as i16).into(),
            DType::I8 => (bits as i8).into(),
            _ => bits.cast_signed(),
        }
    };
    bytes.chunks_exact(dtype.size_bytes()).map(value).collect()
}

/// The bytes of a storage with these values, of each the lowest; of truth values whether they are not 0.
#[must_use]
pub fn encode_whole(values: &[i64], dtype: DType) -> Vec<u8> {
    let bytes = |&v: &i64| if dtype == DType::Bool { i64::from(v != 0) } else { v }.to_le_bytes();
    values.iter().flat_map(|v| bytes(v).into_iter().take(dtype.size_bytes())).collect()
}
