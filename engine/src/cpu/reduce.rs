//! Sums and maxima over dimensions, in an order that depends on the layout only.
//!
//! A sum runs in f32 over at most [`BLOCK`] addends and in f64 over the blocks, so its error does
//! not grow with the number of elements.

use crate::backend::{Operand, Reduction};
use crate::{DType, Error, Layout, Result};

use super::elements::{self, CHUNK};
use super::storage;
use super::walk::Walk;

/// Addends of one f32 sum.
const BLOCK: usize = 64;
/// Independent f32 sums within a chunk.
const LANES: usize = CHUNK / BLOCK;

pub(super) fn reduce(
    op: Reduction,
    scale: f32,
    input: Operand<'_>,
    dims: &[usize],
    out: Operand<'_>,
) -> Result<()> {
    let words = storage::read("reduce", input)?;
    let mut out_words = storage::write("reduce", out)?;
    let layout = input.layout;
    if let Some(d) = dims.iter().find(|&&d| d >= layout.rank()) {
        let message = format!("dimension {d} of a tensor with {} dimensions", layout.rank());
        return Err(Error::Value { op: "reduce", message });
    }
    let (gone, kept): (Vec<_>, Vec<_>) = (0..layout.rank()).partition(|d| dims.contains(d));
    let only = |dims: &[usize], offset| {
        let pick = |of: &[usize]| dims.iter().map(|&d| of[d]).collect::<Vec<_>>();
        Layout::strided(&pick(layout.shape()), &pick(layout.strides()), offset)
    };
    let input = Input {
        op,
        words: &words,
        dtype: input.dtype,
        kept: Walk::new(&[out.layout, &only(&kept, layout.offset())?]),
        gone: Walk::new(&[&only(&gone, 0)?]),
    };
    let numel = input.kept.numel();
    // Whichever lies closer together in memory is the inner loop.
    let by_rows = numel > 1 && input.kept.inner_stride(1) < input.gone.inner_stride(0);
    let mut totals = vec![0f64; CHUNK.min(numel)];
    let mut rounded = vec![0f32; totals.len()];
    for start in (0..numel).step_by(CHUNK) {
        let totals = &mut totals[..CHUNK.min(numel - start)];
        let rounded = &mut rounded[..totals.len()];
        totals.fill(identity(op).into());
        if by_rows {
            input.add_rows(start, totals);
        } else {
            input.add_columns(start, totals);
        }
        for (to, total) in rounded.iter_mut().zip(totals) {
            *to = (*total * f64::from(scale)) as f32;
        }
        input.kept.runs(0, start, rounded.len(), |at, stride, range| {
            elements::store(&mut out_words, out.dtype, at, stride, &rounded[range]);
        });
    }
    Ok(())
}

struct Input<'a> {
    op: Reduction,
    words: &'a [u64],
    dtype: DType,
    /// Over the output (0) and the kept dimensions of the input (1).
    kept: Walk,
    /// Over the reduced dimensions, counted from the position in the kept ones.
    gone: Walk,
}

impl Input<'_> {
    /// The reduced elements of one output are walked before the next output.
    fn add_columns(&self, start: usize, totals: &mut [f64]) {
        let mut buffer = [0f32; CHUNK];
        let direct = self.gone.contiguous_from(0).filter(|_| self.dtype == DType::F32);
        let numel = self.gone.numel();
        self.kept.runs(1, start, totals.len(), |at, stride, range| {
            for (i, total) in totals[range].iter_mut().enumerate() {
                let base = at + i * stride;
                for from in (0..numel).step_by(CHUNK) {
                    let len = CHUNK.min(numel - from);
                    let block = if direct.is_some() {
                        &elements::as_f32(self.words)[base + from..][..len]
                    } else {
                        self.gone.runs(0, from, len, |at, stride, range| {
                            elements::load(self.words, self.dtype, base + at, stride, &mut buffer[range]);
                        });
                        &buffer[..len]
                    };
                    *total = combine(self.op, *total, fold(self.op, block));
                }
            }
        });
    }

    /// All outputs of the chunk take their next element before any takes the one after.
    fn add_rows(&self, start: usize, totals: &mut [f64]) {
        let (mut row, mut sums) = ([0f32; CHUNK], [0f32; CHUNK]);
        let (row, sums) = (&mut row[..totals.len()], &mut sums[..totals.len()]);
        let numel = self.gone.numel();
        for from in (0..numel).step_by(BLOCK) {
            sums.fill(identity(self.op));
            self.gone.runs(0, from, BLOCK.min(numel - from), |at, stride, range| {
                for i in 0..range.len() {
                    let base = at + i * stride;
                    self.kept.runs(1, start, row.len(), |at, stride, range| {
                        elements::load(self.words, self.dtype, base + at, stride, &mut row[range]);
                    });
                    accumulate(self.op, sums, row);
                }
            });
            for (total, &sum) in totals.iter_mut().zip(&*sums) {
                *total = combine(self.op, *total, sum.into());
            }
        }
    }
}

fn identity(op: Reduction) -> f32 {
    match op {
        Reduction::Sum => 0.0,
        Reduction::Max => f32::NEG_INFINITY,
    }
}

fn combine(op: Reduction, a: f64, b: f64) -> f64 {
    match op {
        Reduction::Sum => a + b,
        Reduction::Max if a > b || a.is_nan() => a,
        Reduction::Max => b,
    }
}

/// `sums[i] = op(sums[i], row[i])`
fn accumulate(op: Reduction, sums: &mut [f32], row: &[f32]) {
    let pairs = sums.iter_mut().zip(row);
    match op {
        Reduction::Sum => pairs.for_each(|(a, b)| *a += b),
        Reduction::Max => pairs.for_each(|(a, &b)| *a = if *a > b || a.is_nan() { *a } else { b }),
    }
}

/// All elements of a chunk into one, through [`LANES`] independent ones.
fn fold(op: Reduction, block: &[f32]) -> f64 {
    let mut lanes = [identity(op); LANES];
    let (whole, rest) = block.as_chunks::<LANES>();
    for chunk in whole {
        accumulate(op, &mut lanes, chunk);
    }
    accumulate(op, &mut lanes, rest);
    lanes.iter().fold(identity(op).into(), |total, &lane| combine(op, total, lane.into()))
}
