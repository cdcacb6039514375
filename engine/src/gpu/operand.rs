//! Operands as kernels see them: which buffer, how its elements are read, where they lie.

use std::fmt;

use super::core::Core;
use super::kernels::{HEADER_WORDS, UNIFORM_WINDOW};
use super::storage::GpuStorage;
use super::template::{Variables, expand};
use crate::backend::{Operand, Storage};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::format::{Format, Specials};
use crate::scalar::Scalar;

/// What a kernel computes in. WGSL has no float64, and no whole numbers of 64 bits: shaders/wide.wgsl makes them of
/// two words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) enum Number {
    #[default]
    F32,
    I32,
    I64,
}

impl Number {
    /// What elements of a dtype are stored as, once decoded.
    ///
    /// # Errors
    /// For float64 and the narrow whole numbers with a sign.
    pub(crate) fn of(dtype: DType) -> Result<Self> {
        match dtype {
            DType::F64 => Err(no_float64()),
            DType::I16 | DType::I8 => Err(lacks(dtype, DType::I32)),
            DType::I64 => Ok(Self::I64),
            DType::I32 | DType::U8 | DType::Bool => Ok(Self::I32),
            _ => Ok(Self::F32),
        }
    }

    /// What the bits of an element of a dtype fit into.
    pub(crate) fn of_bits(dtype: DType) -> Self {
        if dtype.size_bytes() == 8 { Self::I64 } else { Self::I32 }
    }

    /// The dtype that is stored as it is.
    pub(crate) fn dtype(self) -> DType {
        match self {
            Self::F32 => DType::F32,
            Self::I32 => DType::I32,
            Self::I64 => DType::I64,
        }
    }

    /// Its type in WGSL.
    pub(crate) fn wgsl(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::I32 => "i32",
            Self::I64 => "vec2<u32>",
        }
    }

    /// The type of four of them.
    pub(crate) fn four(self) -> &'static str {
        match self {
            Self::F32 => "vec4<f32>",
            Self::I32 => "vec4<i32>",
            Self::I64 => "Wide4",
        }
    }

    /// The words of a constant in the uniforms.
    pub(crate) fn words(self, value: Scalar) -> Vec<u32> {
        let whole = value.as_i64();
        match self {
            Self::F32 => vec![(value.as_f64() as f32).to_bits()],
            Self::I32 => vec![whole as u32],
            Self::I64 => vec![whole as u32, (whole >> 32) as u32],
        }
    }

    /// The function from this to `to`; none where they are the same.
    fn converted(self, to: Self) -> &'static str {
        match (self, to) {
            (Self::F32, Self::F32) | (Self::I32, Self::I32) | (Self::I64, Self::I64) => "",
            (Self::F32, Self::I32) => "whole_from_float",
            (Self::F32, Self::I64) => "wide_from_float",
            (Self::I32, Self::F32) => "f32",
            (Self::I32, Self::I64) => "wide_from_whole",
            (Self::I64, Self::F32) => "float_from_wide",
            (Self::I64, Self::I32) => "whole_from_wide",
        }
    }

    /// The functions of shaders/real.wgsl or shaders/whole.wgsl; those that divide call `report_zero` if `reports`.
    pub(crate) fn arithmetic(self, reports: bool) -> Result<String> {
        match self {
            Self::F32 => Ok(shader!("real").to_owned()),
            Self::I32 | Self::I64 => {
                let variables = Variables::default().with("WIDE", self == Self::I64).with("REPORT", reports);
                expand("whole", shader!("whole"), &variables)
            }
        }
    }
}

/// The functions of shaders/functions.wgsl and what they call.
pub(crate) fn functions() -> String {
    concat!(
        shader!("real"),
        shader!("logarithm"),
        shader!("exponential"),
        shader!("circle"),
        shader!("functions")
    )
    .to_owned()
}

/// In the manner of PyTorch's message for the Apple GPUs, which lack it too.
pub(crate) fn no_float64() -> Error {
    lacks(DType::F64, DType::F32)
}

fn lacks(dtype: DType, instead: DType) -> Error {
    let message = format!(
        "this GPU's shaders have no {}. Please use {} instead, or move the tensor to the CPU.",
        dtype.name(),
        instead.name()
    );
    Error::DType { op: dtype.name(), message }
}

/// The WGSL declarations of one operand, from shaders/codec.wgsl.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Binding {
    /// Four elements at a time.
    pub(crate) vector: bool,
    /// An output.
    pub(crate) write: bool,
    /// An output whose elements are read, too.
    pub(crate) both: bool,
    /// f16 by the hardware's conversion.
    pub(crate) fast: bool,
    /// Four elements as float16, too, which has to hold them.
    pub(crate) half: bool,
    /// What the kernel computes in.
    pub(crate) number: Number,
    /// Bits, whatever they mean: for kernels that move elements and look at none.
    pub(crate) raw: bool,
}

impl Binding {
    pub(crate) fn declare(self, name: &str, binding: usize, dtype: DType) -> Result<String> {
        let stored = if self.raw { Number::of_bits(dtype) } else { Number::of(dtype)? };
        let bits = 8 * dtype.size_bytes();
        // Whole numbers have no format; nothing of it is used.
        let format = dtype.format().unwrap_or(Format::E4M3);
        let (e, m) = (format.exponent_bits, format.fraction_bits);
        let scale = 2f64.powi(1 - format.bias() - m.cast_signed());
        let back = match (self.number, dtype) {
            (Number::F32, DType::U8) => "byte_from_float",
            _ => self.number.converted(stored),
        };
        let variables = Variables::default()
            .with("NAME", name)
            .with("BINDING", binding)
            .with("VECTOR", self.vector)
            .with("READ", !self.write || self.both)
            .with("WRITE", self.write || self.both)
            .with("ATOMIC", (self.write || self.both) && !self.vector)
            .with("T", self.number.wgsl())
            .with("T4", self.number.four())
            .with("CONVERT", stored.converted(self.number))
            .with("BACK", back)
            .with("FAST", self.fast)
            .with("HALF", self.half)
            .with("WHOLE", stored != Number::F32)
            .with("TRUTH", dtype == DType::Bool && !self.raw)
            .with("BITS", bits)
            .with("E", e)
            .with("M", m)
            .with("EMASK", (1u32 << e) - 1)
            .with("FMASK", (1u32 << m) - 1)
            .with("LOW", ((1u64 << bits.min(32)) - 1) as i64)
            .with("BIAS", i64::from(format.bias()))
            .with("MIN_EXPONENT", i64::from(1 - format.bias()))
            .with("IEEE", format.specials == Specials::Ieee)
            .with("SCALE", format!("{scale:e}"))
            .with("MAX", format.max_pattern());
        expand("codec", shader!("codec"), &variables)
    }
}

/// Declarations of operands, with shaders/wide.wgsl where one of them needs it.
pub(crate) fn with_wide(declarations: String, number: Number) -> String {
    if number == Number::I64 || declarations.contains("wide") || declarations.contains("from_float") {
        return shader!("wide").to_owned() + &declarations;
    }
    declarations
}

/// The storage of an operand, after checking that it is this device's and holds the whole layout.
pub(crate) fn storage<'a>(core: &Core, op: &'static str, operand: Operand<'a>) -> Result<&'a GpuStorage> {
    let storage = own(core, op, operand.storage)?;
    let end = operand.layout.storage_end() as u128 * operand.dtype.size_bytes() as u128;
    if end > operand.storage.size_bytes() as u128 {
        return Err(Error::Value {
            op,
            message: format!(
                "the layout ends at byte {end} of a storage of {} bytes",
                operand.storage.size_bytes()
            ),
        });
    }
    Ok(storage)
}

/// A storage of this device.
pub(crate) fn own<'a>(core: &Core, op: &'static str, storage: &'a dyn Storage) -> Result<&'a GpuStorage> {
    let found = storage.as_any().downcast_ref::<GpuStorage>().filter(|s| s.belongs_to(core));
    found.ok_or_else(|| Error::Device {
        op,
        a: core.info.to_string(),
        b: "the device of another operand".to_owned(),
    })
}

/// A count or index as the u32 that kernels compute with.
pub(crate) fn word(op: &'static str, value: usize) -> Result<u32> {
    u32::try_from(value).map_err(|_| Error::Value {
        op,
        message: format!("an index or a size of {value}; GPU kernels count up to {}", u32::MAX),
    })
}

/// Uniforms: free words for the header, these, and zeros up to whole `vec4<u32>`; how many of those follow the header.
///
/// # Errors
/// If they are more than a kernel sees, which comes of `what`.
pub(crate) fn uniforms(
    op: &'static str,
    words: &[u32],
    what: fmt::Arguments<'_>,
) -> Result<(Vec<u32>, usize)> {
    let words4 = words.len().div_ceil(4);
    let mut params = vec![0; HEADER_WORDS];
    params.extend(words);
    params.resize(HEADER_WORDS + 4 * words4, 0);
    if 4 * params.len() > UNIFORM_WINDOW {
        let (takes, most) = (4 * params.len(), UNIFORM_WINDOW);
        let message = format!("{what} take {takes} bytes of parameters; a kernel has at most {most}");
        return Err(Error::Value { op, message });
    }
    Ok((params, words4))
}

/// Dimensions of several operands over one shape, with neighbours merged where every operand allows
/// it and sizes of 1 dropped. `strides[i]` are the strides of operand `i`.
pub(crate) struct Collapsed {
    pub(crate) shape: Vec<usize>,
    pub(crate) strides: Vec<Vec<usize>>,
}

impl Collapsed {
    pub(crate) fn new(shape: &[usize], strides: &[Vec<usize>]) -> Self {
        let mut out = Self { shape: Vec::new(), strides: vec![Vec::new(); strides.len()] };
        for (d, &size) in shape.iter().enumerate().filter(|(_, size)| **size != 1) {
            // The dimension before continues into this one if one step of it spans all of this one.
            let merges = !out.shape.is_empty()
                && out.strides.iter().zip(strides).all(|(have, new)| have.last() == Some(&(new[d] * size)));
            if merges {
                if let Some(last) = out.shape.last_mut() {
                    *last *= size;
                }
            } else {
                out.shape.push(size);
            }
            for (have, new) in out.strides.iter_mut().zip(strides) {
                match have.last_mut() {
                    Some(last) if merges => *last = new[d],
                    _ => have.push(new[d]),
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::Collapsed;

    #[test]
    fn dimensions_merge_only_where_every_operand_allows_it() {
        let check = |shape: &[usize], strides: &[&[usize]], want_shape: &[usize], want: &[&[usize]]| {
            let strides: Vec<_> = strides.iter().map(|s| s.to_vec()).collect();
            let c = Collapsed::new(shape, &strides);
            assert_eq!(c.shape, want_shape, "{shape:?} {strides:?}");
            assert_eq!(c.strides, want, "{shape:?} {strides:?}");
        };
        check(&[2, 3, 4], &[&[12, 4, 1]], &[24], &[&[1]]);
        check(&[2, 3, 4], &[&[12, 4, 1], &[0, 0, 0]], &[24], &[&[1], &[0]]);
        check(&[2, 3, 4], &[&[12, 4, 1], &[4, 0, 1]], &[2, 3, 4], &[&[12, 4, 1], &[4, 0, 1]]);
        check(&[2, 3, 4], &[&[12, 4, 1], &[0, 4, 1]], &[2, 12], &[&[12, 1], &[0, 1]]);
        check(&[1, 3, 1], &[&[9, 1, 7]], &[3], &[&[1]]);
        check(&[], &[&[]], &[], &[&[]]);
        check(&[1, 1], &[&[5, 5]], &[], &[&[]]);
    }
}
