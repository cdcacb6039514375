//! Kernels along one dimension: gathering, scattering, running sums, sorting, places of extremes.

use std::cmp::Ordering;

use bytemuck::Pod;

use crate::backend::{Operand, Scan, check_dtypes};
use crate::interrupt::Watch;
use crate::order::order;
use crate::program::{Binary, Compute};
use crate::{DType, Error, Layout, Result};

use super::arithmetic::Arithmetic;
use super::elements::{Number, elements, elements_mut};
use super::storage::{self, try_zeroed};

/// The elements along `dim` that one position of the other dimensions has.
#[derive(Clone, Copy)]
struct Lane {
    start: usize,
    stride: usize,
    len: usize,
}

/// Calls `visit` with the lanes that the layouts have at each position of the other dimensions; those have the
/// same sizes in all of them.
fn each_lane<const N: usize>(
    layouts: [&Layout; N],
    dim: usize,
    visit: &mut dyn FnMut([Lane; N]) -> Result<()>,
) -> Result<()> {
    let first = layouts[0];
    if dim >= first.rank() {
        let message = format!("dimension {dim} of a tensor with {} dimensions", first.rank());
        return Err(Error::Value { op: "lanes", message });
    }
    let others: Vec<usize> = (0..first.rank()).filter(|&d| d != dim).collect();
    let fits =
        |l: &&Layout| l.rank() == first.rank() && others.iter().all(|&d| l.shape()[d] == first.shape()[d]);
    if !layouts.iter().all(fits) {
        return Err(Error::Value { op: "lanes", message: "the operands differ beside the dimension".into() });
    }
    if others.iter().any(|&d| first.shape()[d] == 0) {
        return Ok(());
    }
    let mut index = vec![0; others.len()];
    let mut starts = layouts.map(Layout::offset);
    let watch = Watch::begin();
    loop {
        watch.check()?;
        visit(std::array::from_fn(|i| Lane {
            start: starts[i],
            stride: layouts[i].strides()[dim],
            len: layouts[i].shape()[dim],
        }))?;
        let mut at = others.len();
        loop {
            let Some(before) = at.checked_sub(1) else { return Ok(()) };
            at = before;
            let d = others[at];
            index[at] += 1;
            for (start, layout) in starts.iter_mut().zip(layouts) {
                *start += layout.strides()[d];
            }
            if index[at] < first.shape()[d] {
                break;
            }
            for (start, layout) in starts.iter_mut().zip(layouts) {
                *start -= index[at] * layout.strides()[d];
            }
            index[at] = 0;
        }
    }
}

/// Where an index leads in a lane.
fn place(lane: Lane, index: i64, dim: usize) -> Result<usize> {
    match usize::try_from(index) {
        Ok(i) if i < lane.len => Ok(lane.start + i * lane.stride),
        _ => Err(Error::Value {
            op: "index",
            message: format!("index {index} is out of bounds for dimension {dim} with size {}", lane.len),
        }),
    }
}

/// Which side of a move an index leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    From,
    To,
}

/// `out[…, i, …] = input[…, index[…, i, …], …]`
pub(super) fn gather(input: Operand<'_>, index: Operand<'_>, dim: usize, out: Operand<'_>) -> Result<()> {
    moved("gather", Side::From, input, index, dim, out)
}

/// `out[…, index[…, i, …], …] = source[…, i, …]`, in order
pub(super) fn scatter(out: Operand<'_>, index: Operand<'_>, source: Operand<'_>, dim: usize) -> Result<()> {
    moved("scatter", Side::To, source, index, dim, out)
}

/// Moves elements as bits, of one side those that the index leads to, of the other those at its own places.
fn moved(
    op: &'static str,
    led: Side,
    from: Operand<'_>,
    index: Operand<'_>,
    dim: usize,
    to: Operand<'_>,
) -> Result<()> {
    let moved = match to.dtype.size_bytes() {
        1 => moved_as::<u8>,
        2 => moved_as::<u16>,
        4 => moved_as::<u32>,
        _ => moved_as::<u64>,
    };
    moved(op, led, from, index, dim, to)
}

fn moved_as<S: Pod>(
    op: &'static str,
    led: Side,
    from: Operand<'_>,
    index: Operand<'_>,
    dim: usize,
    to: Operand<'_>,
) -> Result<()> {
    check_dtypes(op, &[(from, to.dtype), (index, DType::I64)])?;
    let words = storage::read(op, from)?;
    let places = storage::read(op, index)?;
    let mut to_words = storage::write(op, to)?;
    let (source, places, target) =
        (elements::<S>(&words), elements::<i64>(&places), elements_mut::<S>(&mut to_words));
    each_lane([index.layout, from.layout, to.layout], dim, &mut |[index, from, to]| {
        for i in 0..index.len {
            let leads = places[index.start + i * index.stride];
            let (from, to) = match led {
                Side::From => (place(from, leads, dim)?, to.start + i * to.stride),
                Side::To => (from.start + i * from.stride, place(to, leads, dim)?),
            };
            target[to] = source[from];
        }
        Ok(())
    })
}

/// `out[…, index[…, i, …], …] += source[…, i, …]`
pub(super) fn scatter_add(
    out: Operand<'_>,
    index: Operand<'_>,
    source: Operand<'_>,
    dim: usize,
) -> Result<()> {
    computed!(Compute::of(out.dtype), scatter_as(out, index, source, dim))
}

fn scatter_as<T: Arithmetic>(
    out: Operand<'_>,
    index: Operand<'_>,
    source: Operand<'_>,
    dim: usize,
) -> Result<()> {
    check_dtypes("scatter_add", &[(source, out.dtype), (index, DType::I64)])?;
    let words = storage::read("scatter_add", source)?;
    let places = storage::read("scatter_add", index)?;
    let mut out_words = storage::write("scatter_add", out)?;
    let places = elements::<i64>(&places);
    // Neighbours with the same index are added together: a row of an embedding, whose lanes are its columns.
    let size = |layout: &Layout, d: usize| layout.shape().get(d).copied();
    let fits = |d: usize| [source, out].iter().all(|o| size(o.layout, d) == size(index.layout, d));
    let shared = (0..index.layout.rank())
        .filter(|&d| d != dim && index.layout.strides()[d] == 0 && index.layout.shape()[d] > 1 && fits(d))
        .min_by_key(|&d| out.layout.strides().get(d).copied());
    let (row, [index_layout, source_layout, out_layout]) = match shared {
        None => (1, [index.layout, source.layout, out.layout].map(Layout::clone)),
        Some(d) => {
            let first = |layout: &Layout| layout.narrow(d.cast_signed(), 0, 1);
            (index.layout.shape()[d], [first(index.layout)?, first(source.layout)?, first(out.layout)?])
        }
    };
    let stride = |layout: &Layout| shared.map_or(1, |d| layout.strides()[d]);
    let (from, to) = (stride(source.layout), stride(out.layout));
    let (mut sums, mut terms) = (try_zeroed::<T>(row)?, try_zeroed::<T>(row)?);
    each_lane([&index_layout, &source_layout, &out_layout], dim, &mut |[index, source, lane]| {
        for i in 0..index.len {
            let at = place(lane, places[index.start + i * index.stride], dim)?;
            T::load(&out_words, out.dtype, at, to, &mut sums);
            T::load(&words, out.dtype, source.start + i * source.stride, from, &mut terms);
            T::binary(Binary::Add, &mut sums, &terms)?;
            T::store(&mut out_words, out.dtype, at, to, &sums);
        }
        Ok(())
    })
}

/// The running sum or product along `dim`.
pub(super) fn scan(op: Scan, input: Operand<'_>, dim: usize, out: Operand<'_>) -> Result<()> {
    match Compute::of(out.dtype) {
        // Sums of many numbers keep their digits.
        Compute::F32 | Compute::F64 => scan_as::<f64>(op, input, dim, out),
        Compute::I64 => scan_as::<i64>(op, input, dim, out),
    }
}

fn scan_as<T: Arithmetic>(op: Scan, input: Operand<'_>, dim: usize, out: Operand<'_>) -> Result<()> {
    let (binary, first) = match op {
        Scan::Sum => (Binary::Add, 0),
        Scan::Prod => (Binary::Mul, 1),
    };
    let words = storage::read("scan", input)?;
    let mut out_words = storage::write("scan", out)?;
    let mut lane = try_zeroed::<T>(out.layout.shape().get(dim).copied().unwrap_or(0))?;
    each_lane([out.layout, input.layout], dim, &mut |[to, from]| {
        T::load(&words, input.dtype, from.start, from.stride, &mut lane);
        let mut total = [T::from_i64(first)];
        for value in &mut lane {
            T::binary(binary, &mut total, std::slice::from_ref(value))?;
            *value = total[0];
        }
        T::store(&mut out_words, out.dtype, to.start, to.stride, &lane);
        Ok(())
    })
}

/// NaN counts as the largest.
fn compare<T: PartialOrd>(a: &T, b: &T) -> Ordering {
    a.partial_cmp(b).unwrap_or_else(|| {
        let is_nan = |x: &T| x.partial_cmp(x).is_none();
        is_nan(a).cmp(&is_nan(b))
    })
}

/// Sorted values along `dim` and where they were; equal ones keep their order.
pub(super) fn sort(
    input: Operand<'_>,
    dim: usize,
    descending: bool,
    values: Operand<'_>,
    indices: Operand<'_>,
) -> Result<()> {
    computed!(Compute::of(input.dtype), sort_as(input, dim, descending, values, indices))
}

fn sort_as<T: Number>(
    input: Operand<'_>,
    dim: usize,
    descending: bool,
    values: Operand<'_>,
    indices: Operand<'_>,
) -> Result<()> {
    check_dtypes("sort", &[(values, input.dtype), (indices, DType::I64)])?;
    let words = storage::read("sort", input)?;
    let mut value_words = storage::write("sort", values)?;
    let mut index_words = storage::write("sort", indices)?;
    let len = input.layout.shape().get(dim).copied().unwrap_or(0);
    let (mut lane, mut sorted) = (try_zeroed::<T>(len)?, try_zeroed::<T>(len)?);
    each_lane([input.layout, values.layout, indices.layout], dim, &mut |[from, to, at]| {
        T::load(&words, input.dtype, from.start, from.stride, &mut lane);
        let places = order(len, &mut |a, b| {
            let by_value = compare(&lane[a], &lane[b]);
            if descending { by_value.reverse() } else { by_value }
        });
        for (to, &place) in sorted.iter_mut().zip(&places) {
            *to = lane[place];
        }
        let places: Vec<i64> = places.into_iter().map(|place| place as i64).collect();
        T::store(&mut value_words, values.dtype, to.start, to.stride, &sorted);
        i64::store(&mut index_words, DType::I64, at.start, at.stride, &places);
        Ok(())
    })
}

/// Where along `dim` the largest (or smallest) is, the first of equal ones; `out` has size 1 there.
pub(super) fn arg_extreme(is_largest: bool, input: Operand<'_>, dim: usize, out: Operand<'_>) -> Result<()> {
    computed!(Compute::of(input.dtype), arg_as(is_largest, input, dim, out))
}

fn arg_as<T: Number>(is_largest: bool, input: Operand<'_>, dim: usize, out: Operand<'_>) -> Result<()> {
    check_dtypes("argmax", &[(out, DType::I64)])?;
    let words = storage::read("argmax", input)?;
    let mut out_words = storage::write("argmax", out)?;
    let mut lane = try_zeroed::<T>(input.layout.shape().get(dim).copied().unwrap_or(0))?;
    each_lane([out.layout, input.layout], dim, &mut |[to, from]| {
        T::load(&words, input.dtype, from.start, from.stride, &mut lane);
        let is_nan = |x: T| x.partial_cmp(&x).is_none();
        let mut best = 0;
        for (i, &value) in lane.iter().enumerate() {
            let is_better = match compare(&value, &lane[best]) {
                // NaN wins over everything, also among the smallest.
                _ if is_nan(value) || is_nan(lane[best]) => is_nan(value) && !is_nan(lane[best]),
                Ordering::Greater => is_largest,
                Ordering::Less => !is_largest,
                Ordering::Equal => false,
            };
            if is_better {
                best = i;
            }
        }
        i64::store(&mut out_words, DType::I64, to.start, 1, &[best as i64]);
        Ok(())
    })
}
