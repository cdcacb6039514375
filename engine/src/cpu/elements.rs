//! Elements of every dtype as f32 and back: what lies between storage and arithmetic.
//!
//! Arithmetic runs on chunks of f32. A dtype that computes in another type gets its own pair of
//! [`load`] and [`store`] here, and nothing else in the backend knows how elements are stored.

use bytemuck::{AnyBitPattern, NoUninit};

use crate::DType;
use crate::format::{Format, Specials};

/// Elements that are converted or computed at a time: a few such buffers fit the first-level cache.
pub(super) const CHUNK: usize = 1024;

/// Reads `dst.len()` ≤ [`CHUNK`] elements, the first at storage index `start`, the next `stride` on.
pub(super) fn load(words: &[u64], dtype: DType, start: usize, stride: usize, dst: &mut [f32]) {
    match dtype {
        DType::F32 => gather(bytemuck::cast_slice(words), start, stride, dst),
        DType::F16 => load_16(words, start, stride, dst, |b| widen(Format::FP16, b)),
        DType::BF16 => load_16(words, start, stride, dst, |b| widen(Format::BF16, b)),
        DType::F8E4M3FN => load_8(words, start, stride, dst, |b| widen(Format::E4M3, b)),
        DType::F8E5M2 => load_8(words, start, stride, dst, |b| widen(Format::E5M2, b)),
    }
}

/// Rounds `src` to the dtype, ties to even, and writes it where [`load`] would read.
pub(super) fn store(words: &mut [u64], dtype: DType, start: usize, stride: usize, src: &[f32]) {
    match dtype {
        DType::F32 => scatter(bytemuck::cast_slice_mut(words), start, stride, src),
        DType::F16 => store_16(words, start, stride, src, Narrow::new(Format::FP16)),
        DType::BF16 => store_16(words, start, stride, src, Narrow::new(Format::BF16)),
        DType::F8E4M3FN => store_8(words, start, stride, src, Narrow::new(Format::E4M3)),
        DType::F8E5M2 => store_8(words, start, stride, src, Narrow::new(Format::E5M2)),
    }
}

/// Storage as f32 elements.
pub(super) fn as_f32(words: &[u64]) -> &[f32] {
    bytemuck::cast_slice(words)
}

/// Storage as f32 elements, to be written.
pub(super) fn as_f32_mut(words: &mut [u64]) -> &mut [f32] {
    bytemuck::cast_slice_mut(words)
}

#[inline(always)]
fn load_16(words: &[u64], start: usize, stride: usize, dst: &mut [f32], widen: impl Fn(u32) -> f32) {
    let mut raw = [0u16; CHUNK];
    let raw = &mut raw[..dst.len()];
    gather(bytemuck::cast_slice(words), start, stride, raw);
    for (to, &from) in dst.iter_mut().zip(&*raw) {
        *to = widen(from.into());
    }
}

#[inline(always)]
fn load_8(words: &[u64], start: usize, stride: usize, dst: &mut [f32], widen: impl Fn(u32) -> f32) {
    let mut raw = [0u8; CHUNK];
    let raw = &mut raw[..dst.len()];
    gather(bytemuck::cast_slice(words), start, stride, raw);
    for (to, &from) in dst.iter_mut().zip(&*raw) {
        *to = widen(from.into());
    }
}

#[inline(always)]
fn store_16(words: &mut [u64], start: usize, stride: usize, src: &[f32], narrow: Narrow) {
    let mut raw = [0u16; CHUNK];
    let raw = &mut raw[..src.len()];
    for (to, &from) in raw.iter_mut().zip(src) {
        *to = narrow.pattern(from) as u16;
    }
    scatter(bytemuck::cast_slice_mut(words), start, stride, raw);
}

#[inline(always)]
fn store_8(words: &mut [u64], start: usize, stride: usize, src: &[f32], narrow: Narrow) {
    let mut raw = [0u8; CHUNK];
    let raw = &mut raw[..src.len()];
    for (to, &from) in raw.iter_mut().zip(src) {
        *to = narrow.pattern(from) as u8;
    }
    scatter(bytemuck::cast_slice_mut(words), start, stride, raw);
}

fn gather<T: AnyBitPattern>(src: &[T], start: usize, stride: usize, dst: &mut [T]) {
    match stride {
        _ if dst.is_empty() => {}
        0 => dst.fill(src[start]),
        1 => dst.copy_from_slice(&src[start..start + dst.len()]),
        _ => {
            for (to, &from) in dst.iter_mut().zip(src[start..].iter().step_by(stride)) {
                *to = from;
            }
        }
    }
}

fn scatter<T: NoUninit>(dst: &mut [T], start: usize, stride: usize, src: &[T]) {
    match stride {
        _ if src.is_empty() => {}
        1 => dst[start..start + src.len()].copy_from_slice(src),
        _ => {
            // A stride of 0 is one element; `step_by` takes no 0.
            for (to, &from) in dst[start..].iter_mut().step_by(stride.max(1)).zip(src) {
                *to = from;
            }
        }
    }
}

/// [`Format::decode`] without a branch per element: as f32 bits the pattern is the value scaled by
/// a power of two, and multiplying by another one is exact, subnormals included.
#[inline(always)]
fn widen(format: Format, pattern: u32) -> f32 {
    let shift = 23 - format.fraction_bits;
    let sign = 1 << (format.bits() - 1);
    let magnitude = pattern & (sign - 1);
    let scale = f32::from_bits((254 - format.bias().cast_unsigned()) << 23);
    let finite = f32::from_bits(magnitude << shift) * scale;
    let special = match format.specials {
        Specials::Ieee => f32::from_bits(0x7f80_0000 | (magnitude << shift)),
        Specials::FiniteNan | Specials::Finite => f32::NAN,
    };
    let value = if magnitude > format.max_pattern() { special } else { finite };
    f32::from_bits(value.to_bits() | ((pattern & sign) << (32 - format.bits())))
}

/// [`Format::encode`] of f32 without a branch per element.
#[derive(Clone, Copy)]
struct Narrow {
    format: Format,
    overflow: u32,
    nan: u32,
}

impl Narrow {
    #[inline(always)]
    fn new(format: Format) -> Self {
        Self { format, overflow: format.encode(f64::INFINITY), nan: format.encode(f64::NAN) }
    }

    #[inline(always)]
    fn pattern(self, value: f32) -> u32 {
        let format = self.format;
        let bias = format.bias().cast_unsigned();
        let shift = 23 - format.fraction_bits;
        let sign = (value.to_bits() >> 31) << (format.bits() - 1);
        let bits = value.to_bits() & 0x7fff_ffff;
        // Adding just under half a step, and the last kept bit, rounds ties to even; the carry runs
        // into the exponent by itself.
        let half = (1 << (shift - 1)) - 1 + ((bits >> shift) & 1);
        let normal = (bits + half).wrapping_sub((127 - bias) << 23) >> shift;
        // Below the normal numbers the adder rounds: beside this constant, one step of f32 is one
        // subnormal step of the format.
        let ruler = (127 + 1 - bias + shift) << 23;
        let subnormal = (f32::from_bits(bits) + f32::from_bits(ruler)).to_bits().wrapping_sub(ruler);
        let pattern = if bits < (128 - bias) << 23 { subnormal } else { normal };
        let pattern = if pattern > format.max_pattern() { self.overflow } else { pattern };
        sign | if bits > 0x7f80_0000 { self.nan } else { pattern }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NARROW: [DType; 4] = [DType::F16, DType::BF16, DType::F8E4M3FN, DType::F8E5M2];

    fn load_one(dtype: DType, pattern: u32) -> f32 {
        let mut out = [0.0];
        load(&[u64::from(pattern)], dtype, 0, 1, &mut out);
        out[0]
    }

    fn store_one(dtype: DType, value: f32) -> u32 {
        let mut words = [0];
        store(&mut words, dtype, 0, 1, &[value]);
        words[0] as u32
    }

    #[test]
    fn every_pattern_loads_as_the_format_decodes_it() {
        for dtype in NARROW {
            for pattern in 0..1 << dtype.format().bits() {
                let (got, want) = (load_one(dtype, pattern), dtype.format().decode(pattern) as f32);
                assert!(
                    got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan()),
                    "{dtype} {pattern:#x}: {got} but the format says {want}"
                );
            }
        }
    }

    #[test]
    fn storing_rounds_as_the_format_encodes() {
        let check = |dtype: DType, bits: u32| {
            let value = f32::from_bits(bits);
            let (got, want) = (store_one(dtype, value), dtype.format().encode(f64::from(value)));
            assert_eq!(got, want, "{dtype} of {value:e} ({bits:#010x})");
        };
        for dtype in NARROW {
            // A prime step visits all exponents and the low bits without a pattern.
            for bits in (0..=u32::MAX).step_by(9973) {
                check(dtype, bits);
            }
            // Every number of the format, every midpoint between two, and the f32 beside them.
            let format = dtype.format();
            for pattern in 0..=format.max_pattern() {
                let (low, high) = (format.decode(pattern), format.decode(pattern + 1));
                let middle = if high.is_finite() { f64::midpoint(low, high) as f32 } else { low as f32 };
                for center in [low as f32, middle] {
                    for bits in center.to_bits().saturating_sub(1)..=center.to_bits() + 1 {
                        check(dtype, bits);
                        check(dtype, bits | 1 << 31);
                    }
                }
            }
        }
    }

    #[test]
    fn strides_gather_and_scatter() {
        for dtype in DType::ALL {
            let mut words = [0u64; 8];
            let values = [1.0, -2.0, 0.5, 3.0];
            store(&mut words, dtype, 1, 3, &values);
            let mut back = [9.0; 4];
            load(&words, dtype, 1, 3, &mut back);
            assert_eq!(back, values, "{dtype}");
            load(&words, dtype, 4, 0, &mut back);
            assert_eq!(back, [-2.0; 4], "{dtype}");
            load(&words, dtype, 2, 3, &mut back);
            assert_eq!(back, [0.0; 4], "{dtype}: a neighbour was written");
        }
    }
}
