//! FP4: E2M1 numbers, two to a byte, under one scale per block. The sixteen patterns of E2M1 reach from −6 to 6, so
//! they say something only beside a scale.

use std::ops::Add;

use super::Tensor;
use crate::DType;
use crate::autograd::no_grad;
use crate::error::{Error, Result};
use crate::program::{Binary, Compute, Expr, Program, Unary};

/// How blocks are scaled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockScaling {
    /// OCP Microscaling Formats 1.0: a power of two (E8M0) for 32 numbers, 2^(⌊log₂ largest⌋ − 2). 4.25 bits each.
    Mx,
    /// NVFP4: an E4M3 number for 16 numbers, and a float32 for the whole tensor that brings the largest of those
    /// scales to 448. 4.5 bits each.
    Nv,
}

impl BlockScaling {
    /// Numbers that share a scale.
    #[must_use]
    pub fn block(self) -> usize {
        match self {
            Self::Mx => 32,
            Self::Nv => 16,
        }
    }
}

/// A tensor of E2M1 numbers with the scales of its blocks, which lie along the last dimension.
#[derive(Debug, Clone)]
pub struct Fp4 {
    scaling: BlockScaling,
    /// uint8 `(…, n / 2)`, the earlier number in the lower half of a byte.
    codes: Tensor,
    /// `(…, n / block)`: E8M0 exponents as uint8, or float8_e4m3fn.
    scales: Tensor,
    /// float32 of one element; 1 for [`BlockScaling::Mx`].
    scale: Tensor,
}

/// The largest E2M1 number, and that of E4M3.
const MAX: f64 = 6.0;
const MAX_E4M3: f64 = 448.0;

/// Where E2M1 goes from one number to the next, and whether the middle itself goes up: to the even pattern.
const STEPS: [(f64, bool); 7] =
    [(0.25, false), (0.75, true), (1.25, false), (1.75, true), (2.5, false), (3.5, true), (5.0, false)];

/// Elements of a float32, of its exponent and of an E8M0 scale.
const FRACTION: i64 = 1 << 23;
const NAN_SCALE: i64 = 255;

impl Fp4 {
    /// Rounds each number of a float32 tensor to the nearest, ties to even, under the scale of its block.
    ///
    /// # Errors
    /// If the last dimension is not a whole number of blocks, or the tensor is not float32.
    pub fn quantize(x: &Tensor, scaling: BlockScaling) -> Result<Self> {
        let block = scaling.block();
        let Some((&last, outer)) = x.shape().split_last().filter(|(n, _)| n.is_multiple_of(block)) else {
            let message =
                format!("the last dimension must be a multiple of {block}, but the shape is {:?}", x.shape());
            return Err(Error::Shape { op: "quantize", message });
        };
        if x.dtype() != DType::F32 {
            let message = format!("FP4 is made of float32, not of {}", x.dtype());
            return Err(Error::DType { op: "quantize", message });
        }
        no_grad(|| {
            let dims = |tail: &[usize]| -> Vec<isize> {
                outer.iter().chain(tail).map(|&n| n.cast_signed()).collect()
            };
            let blocks = x.detach().reshape(&dims(&[last / block, block]))?;
            let (scales, scale) = match scaling {
                BlockScaling::Mx => (exponents(&blocks)?, Tensor::ones(&[], DType::F32, x.device())?),
                BlockScaling::Nv => two_levels(&blocks)?,
            };
            let factors = factors(&scales, &scale)?.unsqueeze(-1)?;
            // A block so small beside the others that its scale is 0 is nothing but zeros.
            let factors = factors.eq(0.0)?.where_(f64::INFINITY, &factors)?;
            let codes = blocks.combined(&encoder(), &[&factors.broadcast_to(blocks.shape())?], DType::U8)?;
            let pairs = codes.reshape(&dims(&[last / 2, 2]))?;
            let half = |i| pairs.select(-1, i);
            let codes = half(0)?.add(&half(1)?.mul(16)?)?;
            Ok(Self { scaling, codes, scales, scale })
        })
    }

    /// The numbers as float32.
    ///
    /// # Errors
    /// If memory does not allow it.
    pub fn dequantize(&self) -> Result<Tensor> {
        let block = self.scaling.block();
        let dims = |tail: &[usize]| -> Vec<isize> {
            let outer = self.scales.shape().split_last().map_or(&[][..], |(_, outer)| outer);
            outer.iter().chain(tail).map(|&n| n.cast_signed()).collect()
        };
        let count = self.scales.shape().last().copied().unwrap_or(0);
        no_grad(|| {
            let high = self.codes.floor_divide(16)?;
            let low = self.codes.sub(&high.mul(16)?)?;
            let codes = Tensor::stack(&[&low, &high], -1)?.reshape(&dims(&[count, block]))?;
            let factors = factors(&self.scales, &self.scale)?.unsqueeze(-1)?;
            let numbers = codes.combined(&decoder(), &[&factors.broadcast_to(codes.shape())?], DType::F32)?;
            numbers.reshape(&dims(&[count * block]))
        })
    }

    /// How blocks are scaled.
    #[must_use]
    pub fn scaling(&self) -> BlockScaling {
        self.scaling
    }

    /// The patterns, two to a byte: uint8 `(…, n / 2)`, the earlier number in the lower half.
    #[must_use]
    pub fn codes(&self) -> &Tensor {
        &self.codes
    }

    /// The scale of each block, `(…, n / block)`: E8M0 exponents as uint8, or float8_e4m3fn.
    #[must_use]
    pub fn scales(&self) -> &Tensor {
        &self.scales
    }

    /// What all scales are multiplied by: 1 for [`BlockScaling::Mx`].
    #[must_use]
    pub fn scale(&self) -> &Tensor {
        &self.scale
    }

    /// Bytes of numbers and scales together.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        [&self.codes, &self.scales, &self.scale].iter().map(|t| t.storage_bytes()).sum()
    }
}

/// The E8M0 scale of each block (…, count, block): its largest exponent less that of 6; NaN if it is not finite.
fn exponents(blocks: &Tensor) -> Result<Tensor> {
    let largest = largest(blocks)?;
    // The exponent of a float32, as its bits have it: no logarithm is exact next to a power of two.
    let exponent = largest.view_dtype(DType::I32)?.floor_divide(FRACTION)?;
    let scale = exponent.sub(2)?.clamp(Some(0.into()), None)?;
    exponent.eq(NAN_SCALE)?.where_(NAN_SCALE, &scale)?.to_dtype(DType::U8)
}

/// The E4M3 scale of each block, and the one of all of them.
fn two_levels(blocks: &Tensor) -> Result<(Tensor, Tensor)> {
    let largest = largest(blocks)?;
    let scale = if largest.numel() == 0 {
        Tensor::ones(&[], DType::F32, blocks.device())?
    } else {
        let scale = largest.amax(&[], false)?.mul(1.0 / (MAX * MAX_E4M3))?;
        // Of nothing but zeros any scale will do.
        scale.eq(0.0)?.where_(1.0, &scale)?
    };
    let scales = largest.mul(1.0 / MAX)?.div(&scale)?.to_dtype(DType::F8E4M3FN)?;
    Ok((scales, scale))
}

fn largest(blocks: &Tensor) -> Result<Tensor> {
    if blocks.numel() == 0 {
        let outer = &blocks.shape()[..blocks.shape().len() - 1];
        return Tensor::zeros(outer, DType::F32, blocks.device());
    }
    blocks.abs()?.amax(&[-1], false)
}

/// What the numbers of each block are multiplied by, as float32.
fn factors(scales: &Tensor, scale: &Tensor) -> Result<Tensor> {
    if scales.dtype() == DType::F8E4M3FN {
        return scales.to_dtype(DType::F32)?.mul(scale);
    }
    // 2^(exponent − 127) by its bits: the exponent's place, 2⁻¹²⁷ below it, NaN at its end.
    let exponent = scales.to_dtype(DType::I32)?;
    let bits = exponent.mul(FRACTION)?;
    let bits = exponent.eq(0)?.where_(FRACTION / 2, &bits)?;
    let nan = NAN_SCALE * FRACTION + FRACTION / 2;
    exponent.eq(NAN_SCALE)?.where_(nan, &bits)?.to_dtype(DType::I32)?.view_dtype(DType::F32)
}

/// From a number and the factor of its block to its pattern.
fn encoder() -> Program {
    let [x, factor] = [0, 1].map(Expr::input);
    let size = (x.clone() / factor).unary(Unary::Abs);
    let steps = STEPS.map(|(middle, goes_up)| {
        let beyond = if goes_up { Binary::Ge } else { Binary::Gt };
        size.clone().binary(beyond, middle)
    });
    let code = steps.into_iter().fold(0.0.into(), Expr::add);
    // The sign, also that of a number which becomes 0, and that of −0, which its reciprocal shows.
    let is_below = x.clone().binary(Binary::Lt, 0.0);
    let is_negative = is_below.binary(Binary::Or, x.unary(Unary::Reciprocal).binary(Binary::Lt, 0.0));
    (code + is_negative * 8.0).program(Compute::F32)
}

/// From a pattern and the factor of its block to the number: 0 to 2 in steps of ½, then 3, 4 and 6.
fn decoder() -> Program {
    let [code, factor] = [0, 1].map(Expr::input);
    let is_negative = code.clone().binary(Binary::Ge, 8.0);
    let magnitude = code - is_negative.clone() * 8.0;
    let steps = [(4.0, 1.0), (5.0, 1.0), (6.0, 3.0)];
    let steps = steps.map(|(after, more)| magnitude.clone().binary(Binary::Gt, after) * more);
    let halves = steps.into_iter().fold(magnitude, Expr::add);
    (halves * 0.5 * (1.0 - is_negative * 2.0) * factor).program(Compute::F32)
}
