//! Operands as kernels see them: which buffer, how its elements are read, where they lie.

use super::core::Core;
use super::pool::GpuStorage;
use super::template::{Variables, expand};
use crate::backend::Operand;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::format::{Format, Specials};

/// The WGSL declarations of one operand, from shaders/codec.wgsl.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Binding {
    /// Four elements at a time.
    pub(crate) vector: bool,
    /// An output.
    pub(crate) write: bool,
    /// f16 by the hardware's conversion.
    pub(crate) fast: bool,
}

impl Binding {
    pub(crate) fn declare(self, name: &str, binding: usize, dtype: DType) -> Result<String> {
        let is_whole = matches!(dtype, DType::U8 | DType::Bool);
        // Of whole numbers only the width counts.
        let format = dtype.format().or(is_whole.then_some(Format::E4M3)).ok_or_else(|| Error::DType {
            op: "load",
            message: format!("tensors of {dtype} are not computed with on this GPU"),
        })?;
        let (e, m) = (format.exponent_bits, format.fraction_bits);
        let scale = 2f64.powi(1 - format.bias() - m.cast_signed());
        let variables = Variables::default()
            .with("NAME", name)
            .with("BINDING", binding)
            .with("VECTOR", self.vector)
            .with("WRITE", self.write)
            .with("ATOMIC", self.write && !self.vector)
            .with("FAST", self.fast)
            .with("WHOLE", is_whole)
            .with("TRUTH", dtype == DType::Bool)
            .with("BITS", format.bits())
            .with("E", e)
            .with("M", m)
            .with("EMASK", (1u32 << e) - 1)
            .with("FMASK", (1u32 << m) - 1)
            .with("LOW", ((1u64 << format.bits()) - 1) as i64)
            .with("BIAS", i64::from(format.bias()))
            .with("MIN_EXPONENT", i64::from(1 - format.bias()))
            .with("IEEE", format.specials == Specials::Ieee)
            .with("SCALE", format!("{scale:e}"))
            .with("MAX", format.max_pattern());
        expand("codec", include_str!("../../../shaders/codec.wgsl"), &variables)
    }
}

/// The storage of an operand, after checking that it is this device's and holds the whole layout.
pub(crate) fn storage<'a>(core: &Core, op: &'static str, operand: Operand<'a>) -> Result<&'a GpuStorage> {
    let found = operand.storage.as_any().downcast_ref::<GpuStorage>().filter(|s| s.belongs_to(core));
    let storage = found.ok_or_else(|| Error::Device {
        op,
        a: core.info.to_string(),
        b: "the device of another operand".to_owned(),
    })?;
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

/// A count or index as the u32 that kernels compute with.
pub(crate) fn word(op: &'static str, value: usize) -> Result<u32> {
    u32::try_from(value).map_err(|_| Error::Value {
        op,
        message: format!("{value} is beyond the 32-bit indices of GPU kernels"),
    })
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
