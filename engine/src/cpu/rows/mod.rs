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

use super::elements::{CHUNK, Number, elements, elements_mut};
use super::parallel;
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

/// Elements that a core takes at a time, in whole rows.
const PART: usize = 16 * CHUNK;

/// About how many elementary operations an element costs.
const WORK: usize = 8;

/// The operands of a call as tables of rows.
struct Tables<'a> {
    op: Rows,
    operands: &'a Operands<'a>,
    frame: &'a Frame,
}

impl<'a> Tables<'a> {
    /// The words of that many inputs; where there is no operand none.
    fn all_words<const N: usize>(&self) -> Result<[Option<Ref<'a, [u64]>>; N]> {
        let mut all = [const { None }; N];
        for (at, words) in all.iter_mut().enumerate() {
            let operand = self.operands.optional(at);
            *words = operand.map(|operand| storage::read(self.op.name(), operand)).transpose()?;
        }
        Ok(all)
    }

    /// An input that may not be there.
    fn optional<'b>(&self, at: usize, words: &'b [Option<Ref<'_, [u64]>>]) -> Result<Option<Source<'b>>>
    where
        'a: 'b,
    {
        let Some((operand, words)) = self.operands.optional(at).zip(words.get(at).and_then(Option::as_ref))
        else {
            return Ok(None);
        };
        let place = self.frame.place(self.op, operand)?;
        Ok(Some(Source { words, dtype: operand.dtype, place, frame: self.frame }))
    }

    fn input<'b>(&self, at: usize, words: &'b [Option<Ref<'_, [u64]>>]) -> Result<Source<'b>>
    where
        'a: 'b,
    {
        self.operands.input(at)?;
        self.optional(at, words)?.ok_or_else(|| self.operands.missing("input", at))
    }

    fn output(&self, at: usize) -> Result<Sink<'a>> {
        let operand = self.operands.output(at)?;
        let place = self.frame.place(self.op, operand)?;
        Ok(Sink { words: storage::write(self.op.name(), operand)?, operand, place, frame: self.frame })
    }

    /// Has `body` fill every row of the output `out`, if there is one; what it returns goes into the outputs
    /// `per_row`. Cores share the rows where the outputs lie in order.
    fn each_row<T: Real>(&self, out: Option<usize>, per_row: &[usize], body: &Body<'_, T>) -> Result<()> {
        let mut out = out.map(|at| self.output(at)).transpose()?;
        let mut per_row = per_row.iter().map(|&at| self.output(at)).collect::<Result<Vec<_>>>()?;
        let (rows, columns) = (self.frame.rows(), self.frame.columns);
        if out.iter().chain(&per_row).all(Sink::is_direct::<T>) && rows > 0 && columns > 0 {
            let at_once = PART.div_ceil(columns);
            let mut parts: Vec<Part<'_, T>> = (0..rows)
                .step_by(at_once)
                .map(|first| Part { first, out: None, per_row: Vec::new() })
                .collect();
            if let Some(out) = &mut out {
                let all = out.direct(rows * columns).chunks_mut(at_once * columns);
                parts.iter_mut().zip(all).for_each(|(part, out)| part.out = Some(out));
            }
            for sink in &mut per_row {
                let all = sink.direct(rows).chunks_mut(at_once);
                parts.iter_mut().zip(all).for_each(|(part, values)| part.per_row.push(values));
            }
            let work = WORK * rows * columns;
            return parallel::each_part(&mut parts, 1, work, |_, parts| {
                let mut buffers = buffers(columns)?;
                for Part { first, out, per_row } in parts {
                    let last = rows.min(*first + at_once);
                    for (i, row) in (*first..last).enumerate() {
                        let out = out.as_mut().map_or(&mut [][..], |out| &mut out[i * columns..][..columns]);
                        let values = body(row, out, &mut buffers)?;
                        per_row.iter_mut().zip(values).for_each(|(to, value)| to[i] = value);
                    }
                }
                Ok(())
            });
        }
        let (mut buffers, mut made) = (buffers(columns)?, storage::try_zeroed::<T>(columns)?);
        for row in 0..rows {
            let values = body(row, &mut made, &mut buffers)?;
            if let Some(out) = &mut out {
                out.write(row, &made);
            }
            per_row.iter_mut().zip(values).for_each(|(sink, value)| sink.put(row, value));
        }
        Ok(())
    }
}

/// What fills a row: called with its number, the row and buffers of its length, it returns what goes into outputs of
/// one element per row, as many as there are of the first. Not generic, since in the browser code is to be small.
type Body<'a, T> = dyn Fn(usize, &mut [T], &mut [Vec<T>; 5]) -> Result<[T; 4]> + Sync + 'a;

/// Some rows of direct outputs.
struct Part<'a, T> {
    first: usize,
    out: Option<&'a mut [T]>,
    per_row: Vec<&'a mut [T]>,
}

/// Room for rows to work in.
fn buffers<T: Real, const B: usize>(columns: usize) -> Result<[Vec<T>; B]> {
    let mut all = std::array::from_fn(|_| Vec::new());
    for buffer in &mut all {
        *buffer = storage::try_zeroed(columns)?;
    }
    Ok(all)
}

/// Rows to read.
struct Source<'a> {
    words: &'a [u64],
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
            return &elements(self.words)[at..][..buffer.len()];
        }
        T::load(self.words, self.dtype, at, self.place.column, buffer);
        buffer
    }

    /// The first element of that row, which is all of it where there is one per row.
    fn one<T: Number>(&self, row: usize) -> T {
        let mut value = [T::zeroed()];
        T::load(self.words, self.dtype, self.frame.start(&self.place, row), 0, &mut value);
        value[0]
    }
}

/// Rows to write.
struct Sink<'a> {
    words: RefMut<'a, [u64]>,
    operand: Operand<'a>,
    place: Place,
    frame: &'a Frame,
}

impl Sink<'_> {
    /// Whether its elements follow one another in the type that is computed in.
    fn is_direct<T: Real>(&self) -> bool {
        self.operand.dtype == T::DTYPE && self.operand.layout.is_contiguous()
    }

    fn direct<T: Real>(&mut self, len: usize) -> &mut [T] {
        &mut elements_mut(&mut self.words)[self.place.offset..][..len]
    }

    /// Writes that row.
    fn write<T: Real>(&mut self, row: usize, values: &[T]) {
        let at = self.frame.start(&self.place, row);
        T::store(&mut self.words, self.operand.dtype, at, self.place.column, values);
    }

    /// Writes the one element of that row.
    fn put<T: Real>(&mut self, row: usize, value: T) {
        let at = self.frame.start(&self.place, row);
        T::store(&mut self.words, self.operand.dtype, at, 1, &[value]);
    }
}

/// Independent sums, so that additions do not wait for one another.
const LANES: usize = 32;

/// Addends of one such sum in the precision of the elements; beyond that f64.
const BLOCK: usize = 64;

/// The sum of a row; its error does not grow with the length.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
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
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
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
