//! Kernels of whole rows: how rows are read and written; what is done with them is in the files beside this one.

mod cross_entropy;
mod norm;
mod softmax;

use std::cell::{Ref, RefMut};
use std::ops::{Add, AddAssign, Div, Mul, Sub};

use crate::backend::Operand;
use crate::program::Compute;
use crate::rows::{Frame, Operands, Place, Rows};
use crate::{DType, Error, Result};

use super::elements::{Number, elements, elements_mut};
use super::storage;
use super::vector_math;

/// A real number that rows are computed in.
trait Real:
    Number + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + AddAssign
{
    const LOWEST: Self;
    fn exp(self) -> Self;
}

macro_rules! real {
    ($type:ident, $exp:path) => {
        impl Real for $type {
            const LOWEST: Self = Self::NEG_INFINITY;

            #[inline(always)]
            fn exp(self) -> Self {
                $exp(self)
            }
        }
    };
}

real!(f32, vector_math::exp);
real!(f64, f64::exp);

pub(super) fn rows(op: Rows, inputs: &[Option<Operand<'_>>], outputs: &[Operand<'_>]) -> Result<()> {
    let operands = Operands::new(op, inputs, outputs);
    let first = operands.input(0)?;
    match Compute::of(first.dtype) {
        Compute::F32 => run::<f32>(op, &operands, &Frame::of(op, first)?),
        Compute::F64 => run::<f64>(op, &operands, &Frame::of(op, first)?),
        Compute::I64 => {
            let message = format!("rows of {} are no real numbers", first.dtype);
            Err(Error::DType { op: op.name(), message })
        }
    }
}

fn run<T: Real>(op: Rows, operands: &Operands<'_>, frame: &Frame) -> Result<()> {
    let tables = Tables { op, operands, frame };
    match op {
        Rows::Softmax(how) => softmax::forward::<T>(how, &tables),
        Rows::SoftmaxBackward(how) => softmax::backward::<T>(how, &tables),
        Rows::Norm { centred, eps } => norm::forward::<T>(centred, eps, &tables),
        Rows::NormBackward => norm::backward::<T>(&tables),
        Rows::NormParameters => norm::parameters::<T>(&tables),
        Rows::CrossEntropy(how) => cross_entropy::forward::<T>(how, &tables),
        Rows::CrossEntropyBackward(how) => cross_entropy::backward::<T>(how, &tables),
    }
}

/// The operands of a call as tables of rows.
struct Tables<'a> {
    op: Rows,
    operands: &'a Operands<'a>,
    frame: &'a Frame,
}

impl<'a> Tables<'a> {
    fn input(&self, at: usize) -> Result<Source<'a>> {
        self.source(self.operands.input(at)?)
    }

    fn optional(&self, at: usize) -> Result<Option<Source<'a>>> {
        self.operands.optional(at).map(|operand| self.source(operand)).transpose()
    }

    fn source(&self, operand: Operand<'a>) -> Result<Source<'a>> {
        let place = self.frame.place(self.op, operand)?;
        Ok(Source {
            words: storage::read(self.op.name(), operand)?,
            dtype: operand.dtype,
            place,
            frame: self.frame,
        })
    }

    fn output(&self, at: usize) -> Result<Sink<'a>> {
        let operand = self.operands.output(at)?;
        let place = self.frame.place(self.op, operand)?;
        Ok(Sink {
            words: storage::write(self.op.name(), operand)?,
            dtype: operand.dtype,
            place,
            frame: self.frame,
        })
    }

    /// Zeros for one row.
    fn row<T: Real>(&self) -> Result<Vec<T>> {
        storage::try_zeroed(self.frame.columns)
    }
}

/// Rows to read.
struct Source<'a> {
    words: Ref<'a, [u64]>,
    dtype: DType,
    place: Place,
    frame: &'a Frame,
}

impl Source<'_> {
    /// That row: where it lies, or converted into `buffer`.
    fn row<'b, T: Real>(&'b self, row: usize, buffer: &'b mut [T]) -> &'b [T] {
        // A row of nothing may start beyond the storage.
        if buffer.is_empty() {
            return buffer;
        }
        let at = self.frame.start(&self.place, row);
        if self.dtype == T::DTYPE && self.place.column == 1 {
            return &elements(&self.words)[at..][..buffer.len()];
        }
        T::load(&self.words, self.dtype, at, self.place.column, buffer);
        buffer
    }

    /// The first element of that row, which is all of it where there is one per row.
    fn one<T: Real>(&self, row: usize) -> T {
        let mut value = [T::zeroed()];
        T::load(&self.words, self.dtype, self.frame.start(&self.place, row), 0, &mut value);
        value[0]
    }

    /// The same of whole numbers.
    fn whole(&self, row: usize) -> i64 {
        let mut value = [0];
        i64::load(&self.words, self.dtype, self.frame.start(&self.place, row), 0, &mut value);
        value[0]
    }
}

/// Rows to write.
struct Sink<'a> {
    words: RefMut<'a, [u64]>,
    dtype: DType,
    place: Place,
    frame: &'a Frame,
}

impl Sink<'_> {
    /// Has `fill` write that row: where it lies, or into `buffer`, to be converted. What it finds there is not
    /// specified.
    fn write<T: Real>(&mut self, row: usize, buffer: &mut [T], fill: impl FnOnce(&mut [T])) {
        if buffer.is_empty() {
            return fill(buffer);
        }
        let at = self.frame.start(&self.place, row);
        if self.dtype == T::DTYPE && self.place.column == 1 {
            return fill(&mut elements_mut(&mut self.words)[at..][..buffer.len()]);
        }
        fill(buffer);
        T::store(&mut self.words, self.dtype, at, self.place.column, buffer);
    }

    /// Writes the one element of that row.
    fn put<T: Real>(&mut self, row: usize, value: T) {
        let at = self.frame.start(&self.place, row);
        T::store(&mut self.words, self.dtype, at, 1, &[value]);
    }
}

/// Independent sums, so that additions do not wait for one another.
const LANES: usize = 32;

/// Addends of one such sum in the precision of the elements; beyond that f64.
const BLOCK: usize = 64;

/// The sum of a row; its error does not grow with the length.
#[inline(always)]
fn sum<T: Real>(x: &[T]) -> f64 {
    let mut total = 0.0;
    for block in x.chunks(LANES * BLOCK) {
        let mut lanes = [T::zeroed(); LANES];
        let (whole, rest) = block.as_chunks::<LANES>();
        for chunk in whole {
            for (lane, &x) in lanes.iter_mut().zip(chunk) {
                *lane += x;
            }
        }
        for (lane, &x) in lanes.iter_mut().zip(rest) {
            *lane += x;
        }
        total += lanes.iter().map(|lane| lane.to_f64()).sum::<f64>();
    }
    total
}

/// The largest of a row, −∞ of nothing; NaN is passed over.
#[inline(always)]
fn largest<T: Real>(x: &[T]) -> T {
    let mut lanes = [T::LOWEST; LANES];
    let (whole, rest) = x.as_chunks::<LANES>();
    for chunk in whole {
        for (lane, &x) in lanes.iter_mut().zip(chunk) {
            *lane = if x > *lane { x } else { *lane };
        }
    }
    lanes.iter().chain(rest).fold(T::LOWEST, |a, &b| if b > a { b } else { a })
}
