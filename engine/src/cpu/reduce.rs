//! Sums, products and extremes over dimensions, in an order that depends on the layout only.
//!
//! A float32 sum runs in f32 over at most [`BLOCK`] addends and in f64 over the blocks, so its error does
//! not grow with the number of elements; short rows are added up as PyTorch does, to the last bit.

use crate::backend::{Operand, Reduction};
use crate::interrupt::Watch;
use crate::program::Compute;
use crate::{DType, Error, Layout, Result};

use super::elements::{self, CHUNK, Number};
use super::ordered;
use super::storage;
use super::walk::Walk;

/// Addends of one f32 sum.
const BLOCK: usize = 64;
/// Independent f32 sums within a chunk.
const LANES: usize = CHUNK / BLOCK;

/// A number that is summed up.
trait Reduce: Number {
    /// What partial results are kept in.
    type Total: Copy;

    fn identity(op: Reduction) -> Self;
    fn total(self) -> Self::Total;
    fn combine(op: Reduction, a: Self::Total, b: Self::Total) -> Self::Total;
    /// `sums[i] = op(sums[i], row[i])`
    fn accumulate(op: Reduction, sums: &mut [Self], row: &[Self]);
    fn finish(total: Self::Total, scale: f64) -> Self;
    /// The sum of a row in one chunk, where its rounding is to be PyTorch's.
    fn in_order(row: &[Self]) -> Option<Self::Total>;
}

/// The larger, or with the arguments exchanged the smaller; NaN if one is NaN.
#[inline(always)]
fn beyond<T: PartialOrd + Copy>(a: T, b: T, is_beyond: bool) -> T {
    // Only NaN differs from itself.
    #[allow(clippy::eq_op, reason = "the one test for NaN that whole numbers have too")]
    let is_nan = a != a;
    if is_beyond || is_nan { a } else { b }
}

macro_rules! reduce {
    ($type:ident, $total:ident, $low:expr, $high:expr, $add:expr, $multiply:expr, $finish:expr, $in_order:expr) => {
        impl Reduce for $type {
            type Total = $total;

            fn identity(op: Reduction) -> Self {
                match op {
                    Reduction::Sum => 0 as Self,
                    Reduction::Prod => 1 as Self,
                    Reduction::Max => $low,
                    Reduction::Min => $high,
                }
            }

            #[inline(always)]
            fn total(self) -> $total {
                self.into()
            }

            #[inline(always)]
            fn combine(op: Reduction, a: $total, b: $total) -> $total {
                match op {
                    Reduction::Sum => $add(a, b),
                    Reduction::Prod => $multiply(a, b),
                    Reduction::Max => beyond(a, b, a > b),
                    Reduction::Min => beyond(a, b, a < b),
                }
            }

            fn accumulate(op: Reduction, sums: &mut [Self], row: &[Self]) {
                let pairs = sums.iter_mut().zip(row);
                match op {
                    Reduction::Sum => pairs.for_each(|(a, &b)| *a = $add(*a, b)),
                    Reduction::Prod => pairs.for_each(|(a, &b)| *a = $multiply(*a, b)),
                    Reduction::Max => pairs.for_each(|(a, &b)| *a = beyond(*a, b, *a > b)),
                    Reduction::Min => pairs.for_each(|(a, &b)| *a = beyond(*a, b, *a < b)),
                }
            }

            fn finish(total: $total, scale: f64) -> Self {
                $finish(total, scale)
            }

            fn in_order(row: &[Self]) -> Option<$total> {
                $in_order(row)
            }
        }
    };
}

/// Times the scale. That of a mean is one over a whole number: dividing by that one rounds once only.
fn scaled(total: f64, scale: f64) -> f64 {
    let count = (1.0 / scale).round();
    if 1.0 / count == scale { total / count } else { total * scale }
}

reduce!(
    f32,
    f64,
    Self::NEG_INFINITY,
    Self::INFINITY,
    |a, b| a + b,
    |a, b| a * b,
    |total, scale| scaled(total, scale) as f32,
    |row| Some(ordered::sum(row).into())
);
reduce!(f64, f64, Self::NEG_INFINITY, Self::INFINITY, |a, b| a + b, |a, b| a * b, scaled, |_| None);
reduce!(i64, i64, Self::MIN, Self::MAX, i64::wrapping_add, i64::wrapping_mul, |total, _| total, |_| None);

pub(super) fn reduce(
    op: Reduction,
    scale: f64,
    input: Operand<'_>,
    dims: &[usize],
    out: Operand<'_>,
) -> Result<()> {
    computed!(Compute::of(input.dtype), reduce_in(op, scale, input, dims, out))
}

fn reduce_in<T: Reduce>(
    op: Reduction,
    scale: f64,
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
        watch: Watch::begin(),
    };
    let numel = input.kept.numel();
    // Whichever lies closer together in memory is the inner loop.
    let by_rows = numel > 1 && input.kept.inner_stride(1) < input.gone.inner_stride(0);
    let mut totals = vec![T::zeroed().total(); CHUNK.min(numel)];
    let mut rounded = vec![T::zeroed(); totals.len()];
    for start in (0..numel).step_by(CHUNK) {
        let totals = &mut totals[..CHUNK.min(numel - start)];
        let rounded = &mut rounded[..totals.len()];
        totals.fill(T::identity(op).total());
        if by_rows {
            input.add_rows::<T>(start, totals);
        } else {
            input.add_columns::<T>(start, totals);
        }
        // What was left half done is of no use.
        input.watch.check()?;
        for (to, total) in rounded.iter_mut().zip(totals) {
            *to = T::finish(*total, scale);
        }
        input.kept.runs(0, start, rounded.len(), |at, stride, range| {
            T::store(&mut out_words, out.dtype, at, stride, &rounded[range]);
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
    watch: Watch,
}

impl Input<'_> {
    /// The reduced elements of one output are walked before the next output.
    fn add_columns<T: Reduce>(&self, start: usize, totals: &mut [T::Total]) {
        let mut buffer = [T::zeroed(); CHUNK];
        let direct = self.gone.contiguous_from(0).filter(|_| self.dtype == T::DTYPE);
        let numel = self.gone.numel();
        self.kept.runs(1, start, totals.len(), |at, stride, range| {
            for (i, total) in totals[range].iter_mut().enumerate() {
                let base = at + i * stride;
                for from in (0..numel).step_by(CHUNK).take_while(|_| self.watch.check().is_ok()) {
                    let len = CHUNK.min(numel - from);
                    let block = if direct.is_some() {
                        &elements::elements::<T>(self.words)[base + from..][..len]
                    } else {
                        self.gone.runs(0, from, len, |at, stride, range| {
                            T::load(self.words, self.dtype, base + at, stride, &mut buffer[range]);
                        });
                        &buffer[..len]
                    };
                    let is_short = self.op == Reduction::Sum && numel <= CHUNK;
                    let ordered = is_short.then(|| T::in_order(block)).flatten();
                    let sum = ordered.unwrap_or_else(|| fold(self.op, block));
                    *total = T::combine(self.op, *total, sum);
                }
            }
        });
    }

    /// All outputs of the chunk take their next element before any takes the one after.
    fn add_rows<T: Reduce>(&self, start: usize, totals: &mut [T::Total]) {
        let (mut row, mut sums) = ([T::zeroed(); CHUNK], [T::zeroed(); CHUNK]);
        let (row, sums) = (&mut row[..totals.len()], &mut sums[..totals.len()]);
        let numel = self.gone.numel();
        for from in (0..numel).step_by(BLOCK).take_while(|_| self.watch.check().is_ok()) {
            sums.fill(T::identity(self.op));
            self.gone.runs(0, from, BLOCK.min(numel - from), |at, stride, range| {
                for i in 0..range.len() {
                    let base = at + i * stride;
                    self.kept.runs(1, start, row.len(), |at, stride, range| {
                        T::load(self.words, self.dtype, base + at, stride, &mut row[range]);
                    });
                    T::accumulate(self.op, sums, row);
                }
            });
            for (total, &sum) in totals.iter_mut().zip(&*sums) {
                *total = T::combine(self.op, *total, sum.total());
            }
        }
    }
}

/// All elements of a chunk into one, through [`LANES`] independent ones.
fn fold<T: Reduce>(op: Reduction, block: &[T]) -> T::Total {
    let mut lanes = [T::identity(op); LANES];
    let (whole, rest) = block.as_chunks::<LANES>();
    for chunk in whole {
        T::accumulate(op, &mut lanes, chunk);
    }
    T::accumulate(op, &mut lanes, rest);
    lanes.iter().fold(T::identity(op).total(), |total, &lane| T::combine(op, total, lane.total()))
}
