//! Elements of every dtype as numbers to compute with, and back: what lies between storage and arithmetic.
//!
//! Nothing else in the backend knows how elements are stored.

use bytemuck::Pod;

use crate::DType;
use crate::format::{Format, Specials};
use crate::scalar::{Scalar, whole};

/// Elements that are converted or computed at a time: a few such buffers fit the first-level cache.
pub(super) const CHUNK: usize = 1024;

/// What arithmetic runs on, in chunks.
pub(super) trait Number: Pod + PartialOrd + Send + Sync {
    /// The dtype that is stored as this type.
    const DTYPE: DType;

    /// A number of a script.
    fn from_scalar(scalar: Scalar) -> Self;
    /// A float32; towards 0 where this is a whole number.
    fn from_f32(value: f32) -> Self;
    /// A float64, likewise.
    fn from_f64(value: f64) -> Self;
    /// A whole number, rounded where it has too many digits.
    fn from_i64(value: i64) -> Self;
    /// Rounded to float32.
    fn to_f32(self) -> f32;
    /// Rounded to float64.
    fn to_f64(self) -> f64;
    /// Towards 0.
    fn to_i64(self) -> i64;
    /// Towards 0; what does not fit becomes the smallest, or wraps around where this is whole itself.
    fn to_i32(self) -> i32;

    /// Reads `dst.len()` elements, the first at storage index `start`, the next `stride` on.
    fn load(words: &[u64], dtype: DType, start: usize, stride: usize, dst: &mut [Self]) {
        match dtype {
            DType::F64 => read(words, start, stride, dst, Self::from_f64),
            DType::F32 => read(words, start, stride, dst, Self::from_f32),
            DType::F16 => read_16(words, start, stride, dst, Format::FP16),
            DType::BF16 => read_16(words, start, stride, dst, Format::BF16),
            DType::F8E4M3FN => read_8(words, start, stride, dst, Format::E4M3),
            DType::F8E5M2 => read_8(words, start, stride, dst, Format::E5M2),
            DType::I64 => read(words, start, stride, dst, Self::from_i64),
            DType::I32 => read(words, start, stride, dst, |x: i32| Self::from_i64(x.into())),
            DType::I16 => read(words, start, stride, dst, |x: i16| Self::from_i64(x.into())),
            DType::I8 => read(words, start, stride, dst, |x: i8| Self::from_i64(x.into())),
            DType::U8 | DType::Bool => read(words, start, stride, dst, |x: u8| Self::from_i64(x.into())),
        }
    }

    /// Converts `src` to the dtype and writes it where [`Number::load`] would read. Real numbers are rounded
    /// to the nearest, ties to even, or cut off to whole ones.
    fn store(words: &mut [u64], dtype: DType, start: usize, stride: usize, src: &[Self]) {
        match dtype {
            DType::F64 => write(words, start, stride, src, Self::to_f64),
            DType::F32 => write(words, start, stride, src, Self::to_f32),
            DType::F16 => write_16(words, start, stride, src, Narrow::new(Format::FP16)),
            DType::BF16 => write_16(words, start, stride, src, Narrow::new(Format::BF16)),
            DType::F8E4M3FN => write_8(words, start, stride, src, Narrow::new(Format::E4M3)),
            DType::F8E5M2 => write_8(words, start, stride, src, Narrow::new(Format::E5M2)),
            DType::I64 => write(words, start, stride, src, Self::to_i64),
            DType::I32 => write(words, start, stride, src, Self::to_i32),
            DType::I16 => write(words, start, stride, src, |x| x.to_i64() as i16),
            DType::I8 => write(words, start, stride, src, |x| x.to_i64() as i8),
            DType::U8 => write(words, start, stride, src, |x| x.to_i64() as u8),
            DType::Bool => write(words, start, stride, src, |x| u8::from(x != Self::zeroed())),
        }
    }
}

impl Number for f32 {
    const DTYPE: DType = DType::F32;

    #[inline(always)]
    fn from_scalar(scalar: Scalar) -> Self {
        scalar.as_f64() as Self
    }

    #[inline(always)]
    fn from_f32(value: f32) -> Self {
        value
    }

    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value as Self
    }

    #[inline(always)]
    fn from_i64(value: i64) -> Self {
        value as Self
    }

    #[inline(always)]
    fn to_f32(self) -> f32 {
        self
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self.into()
    }

    #[inline(always)]
    fn to_i64(self) -> i64 {
        whole(self.into())
    }

    #[inline(always)]
    fn to_i32(self) -> i32 {
        f64::from(self).to_i32()
    }
}

impl Number for f64 {
    const DTYPE: DType = DType::F64;

    #[inline(always)]
    fn from_scalar(scalar: Scalar) -> Self {
        scalar.as_f64()
    }

    #[inline(always)]
    fn from_f32(value: f32) -> Self {
        value.into()
    }

    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn from_i64(value: i64) -> Self {
        value as Self
    }

    #[inline(always)]
    fn to_f32(self) -> f32 {
        self as f32
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }

    #[inline(always)]
    fn to_i64(self) -> i64 {
        whole(self)
    }

    #[inline(always)]
    fn to_i32(self) -> i32 {
        // As the processor converts: what does not fit, and NaN, become the smallest.
        i32::try_from(whole(self)).unwrap_or(i32::MIN)
    }
}

impl Number for i64 {
    const DTYPE: DType = DType::I64;

    #[inline(always)]
    fn from_scalar(scalar: Scalar) -> Self {
        scalar.as_i64()
    }

    #[inline(always)]
    fn from_f32(value: f32) -> Self {
        whole(value.into())
    }

    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        whole(value)
    }

    #[inline(always)]
    fn from_i64(value: i64) -> Self {
        value
    }

    #[inline(always)]
    fn to_f32(self) -> f32 {
        self as f32
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self as f64
    }

    #[inline(always)]
    fn to_i64(self) -> i64 {
        self
    }

    #[inline(always)]
    fn to_i32(self) -> i32 {
        self as i32
    }
}

/// Storage as elements of its own type.
pub(super) fn elements<T: Pod>(words: &[u64]) -> &[T] {
    bytemuck::cast_slice(words)
}

/// Storage as elements of its own type, to be written.
pub(super) fn elements_mut<T: Pod>(words: &mut [u64]) -> &mut [T] {
    bytemuck::cast_slice_mut(words)
}

#[inline(always)]
fn read<S: Pod, T: Copy>(
    words: &[u64],
    start: usize,
    stride: usize,
    dst: &mut [T],
    convert: impl Fn(S) -> T,
) {
    let src = elements::<S>(words);
    match stride {
        _ if dst.is_empty() => {}
        0 => dst.fill(convert(src[start])),
        1 => {
            for (to, &from) in dst.iter_mut().zip(&src[start..]) {
                *to = convert(from);
            }
        }
        _ => {
            for (to, &from) in dst.iter_mut().zip(src[start..].iter().step_by(stride)) {
                *to = convert(from);
            }
        }
    }
}

#[inline(always)]
fn read_16<T: Number>(words: &[u64], start: usize, stride: usize, dst: &mut [T], format: Format) {
    read(words, start, stride, dst, |pattern: u16| T::from_f32(widen(format, pattern.into())));
}

#[inline(always)]
fn read_8<T: Number>(words: &[u64], start: usize, stride: usize, dst: &mut [T], format: Format) {
    read(words, start, stride, dst, |pattern: u8| T::from_f32(widen(format, pattern.into())));
}

#[inline(always)]
fn write<T: Copy, D: Pod>(
    words: &mut [u64],
    start: usize,
    stride: usize,
    src: &[T],
    convert: impl Fn(T) -> D,
) {
    let dst = elements_mut::<D>(words);
    match stride {
        _ if src.is_empty() => {}
        1 => {
            for (to, &from) in dst[start..].iter_mut().zip(src) {
                *to = convert(from);
            }
        }
        _ => {
            // A stride of 0 is one element; `step_by` takes no 0.
            for (to, &from) in dst[start..].iter_mut().step_by(stride.max(1)).zip(src) {
                *to = convert(from);
            }
        }
    }
}

#[inline(always)]
fn write_16<T: Number>(words: &mut [u64], start: usize, stride: usize, src: &[T], narrow: Narrow) {
    write(words, start, stride, src, |value| narrow.pattern(value.to_f32()) as u16);
}

#[inline(always)]
fn write_8<T: Number>(words: &mut [u64], start: usize, stride: usize, src: &[T], narrow: Narrow) {
    write(words, start, stride, src, |value| narrow.pattern(value.to_f32()) as u8);
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

    fn format_of(dtype: DType) -> Format {
        dtype.format().unwrap()
    }

    fn load_one(dtype: DType, pattern: u32) -> f32 {
        let mut out = [0.0];
        f32::load(&[u64::from(pattern)], dtype, 0, 1, &mut out);
        out[0]
    }

    fn store_one(dtype: DType, value: f32) -> u32 {
        let mut words = [0];
        f32::store(&mut words, dtype, 0, 1, &[value]);
        words[0] as u32
    }

    #[test]
    fn every_pattern_loads_as_the_format_decodes_it() {
        for dtype in NARROW {
            for pattern in 0..1 << format_of(dtype).bits() {
                let (got, want) = (load_one(dtype, pattern), format_of(dtype).decode(pattern) as f32);
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
            let (got, want) = (store_one(dtype, value), format_of(dtype).encode(f64::from(value)));
            assert_eq!(got, want, "{dtype} of {value:e} ({bits:#010x})");
        };
        for dtype in NARROW {
            // A prime step visits all exponents and the low bits without a pattern.
            for bits in (0..=u32::MAX).step_by(9973) {
                check(dtype, bits);
            }
            // Every number of the format, every midpoint between two, and the f32 beside them.
            let format = format_of(dtype);
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

    fn strides_are_followed<T: Number + std::fmt::Debug>(values: [T; 4]) {
        for dtype in DType::ALL {
            let mut words = [0u64; 12];
            T::store(&mut words, dtype, 1, 3, &values);
            let mut back = [T::from_i64(9); 4];
            T::load(&words, dtype, 1, 3, &mut back);
            let expected = if dtype == DType::Bool { [T::from_i64(1); 4] } else { values };
            assert_eq!(back, expected, "{dtype}");
            T::load(&words, dtype, 4, 0, &mut back);
            assert_eq!(back, [expected[1]; 4], "{dtype}");
            T::load(&words, dtype, 2, 3, &mut back);
            assert_eq!(back, [T::zeroed(); 4], "{dtype}: a neighbour was written");
        }
    }

    #[test]
    fn strides_gather_and_scatter() {
        strides_are_followed([1.0f32, 2.0, 16.0, 3.0]);
        strides_are_followed([1.0f64, 2.0, 16.0, 3.0]);
        strides_are_followed([1i64, 2, 16, 3]);
    }

    #[test]
    fn what_does_not_fit_is_cut_off_or_wraps() {
        let one = |dtype: DType, value: f64| {
            let mut words = [0u64];
            f64::store(&mut words, dtype, 0, 1, &[value]);
            let mut back = [0i64];
            i64::load(&words, dtype, 0, 1, &mut back);
            back[0]
        };
        assert_eq!([2.9, -2.9, 1e30, f64::NAN].map(|x| one(DType::I64, x)), [2, -2, i64::MIN, i64::MIN]);
        assert_eq!([2.9, -2.9, 1e10].map(|x| one(DType::I32, x)), [2, -2, i32::MIN.into()]);
        assert_eq!([2.9, -1.0, 300.0].map(|x| one(DType::U8, x)), [2, 255, 44]);
        assert_eq!([-2.9, 200.0, 1e5].map(|x| one(DType::I8, x)), [-2, -56, -96]);
        assert_eq!([-2.9, 40000.0, 1e5].map(|x| one(DType::I16, x)), [-2, -25536, -31072]);
        assert_eq!([0.5, 0.0, f64::NAN].map(|x| one(DType::Bool, x)), [1, 0, 1]);
        let mut words = [0u64];
        i64::store(&mut words, DType::I32, 0, 1, &[1 << 31]);
        let mut back = [0f32];
        f32::load(&words, DType::I32, 0, 1, &mut back);
        assert_eq!(back, [-2_147_483_648.0]);
    }
}
