//! Sizes, repetition and the order of dimensions.

use std::iter::repeat_n;
use std::ops::Range;

use super::Tensor;
use super::views::signed;
use crate::device::Device;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::layout::{checked_numel, join, wrap_dim};
use crate::scalar::Scalar;

/// Sizes.
impl Tensor {
    /// `self.size(dim)`
    ///
    /// # Errors
    /// If the dimension is out of range.
    pub fn size(&self, dim: isize) -> Result<usize> {
        if self.shape().is_empty() {
            let message = format!("Dimension specified as {dim} but tensor has no dimensions");
            return Err(Error::index("size", message));
        }
        Ok(self.shape()[wrap_dim("size", dim, self.shape().len())?])
    }

    /// `self.view_as(other)`
    ///
    /// # Errors
    /// As [`Tensor::view`].
    pub fn view_as(&self, other: &Self) -> Result<Self> {
        self.view(&signed(other.shape()))
    }

    /// `self.reshape_as(other)`
    ///
    /// # Errors
    /// As [`Tensor::reshape`].
    pub fn reshape_as(&self, other: &Self) -> Result<Self> {
        self.reshape(&signed(other.shape()))
    }

    /// `self.expand_as(other)`
    ///
    /// # Errors
    /// As [`Tensor::expand`].
    pub fn expand_as(&self, other: &Self) -> Result<Self> {
        self.expand(&signed(other.shape()))
    }
}

/// The order of dimensions.
impl Tensor {
    /// `torch.swapaxes(self, axis0, axis1)`: another name of [`Tensor::transpose`].
    ///
    /// # Errors
    /// If a dimension is out of range.
    pub fn swapaxes(&self, axis0: isize, axis1: isize) -> Result<Self> {
        self.transpose(axis0, axis1)
    }

    /// `torch.movedim(self, source, destination)`: moves these dimensions there; the others keep their order.
    ///
    /// # Errors
    /// With PyTorch's message if the lists differ in length, name a dimension twice or one that is out of range.
    pub fn movedim(&self, source: &[isize], destination: &[isize]) -> Result<Self> {
        let fault = |message: String| Err(Error::shape("movedim", message));
        let list = |dims: &[isize]| join(dims.iter());
        if source.len() != destination.len() {
            return fault(format!(
                "movedim: Invalid source or destination dims: source ([{}] dims) should contain the same number of \
                 dims as destination ([{}] dims)",
                list(source),
                list(destination)
            ));
        }
        let rank = self.shape().len();
        let wrap =
            |dims: &[isize]| dims.iter().map(|&d| wrap_dim("movedim", d, rank)).collect::<Result<Vec<_>>>();
        let (from, to) = (wrap(source)?, wrap(destination)?);
        for (name, given, wrapped) in [("source", source, &from), ("destination", destination, &to)] {
            if (1..wrapped.len()).any(|i| wrapped[..i].contains(&wrapped[i])) {
                return fault(format!("movedim: repeated dim in `{name}` ([{}])", list(given)));
            }
        }
        if rank == 0 {
            return Ok(self.alias());
        }
        let mut others = (0..rank).filter(|d| !from.contains(d));
        let place = |d: usize| to.iter().position(|&t| t == d).map(|i| from[i]).or_else(|| others.next());
        let order: Vec<isize> = (0..rank).filter_map(place).map(usize::cast_signed).collect();
        self.permute(&order)
    }
}

/// The size of a dimension that is repeated.
fn times(op: &'static str, size: usize, count: usize) -> Result<usize> {
    size.checked_mul(count).ok_or_else(|| {
        let most = crate::layout::MAX_NUMEL;
        let message = format!(
            "{op}: a dimension of size {size}, repeated {count} times, has more than the {most} elements that can be \
             numbered here"
        );
        Error::shape(op, message)
    })
}

/// Repetition.
impl Tensor {
    /// `self.repeat(repeats)`: a copy that many times along each dimension; more numbers than dimensions make new
    /// ones in front.
    ///
    /// # Errors
    /// If there are fewer numbers than dimensions, or the result is too large.
    pub fn repeat(&self, repeats: &[usize]) -> Result<Self> {
        let Some(new) = repeats.len().checked_sub(self.shape().len()) else {
            let message =
                "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor";
            return Err(Error::shape("repeat", message));
        };
        let sizes = [&vec![1; new], self.shape()].concat();
        // Each dimension becomes two, of which the first one is broadcast.
        let (mut apart, mut grown, mut joined) = (Vec::new(), Vec::new(), Vec::new());
        for (&count, &size) in repeats.iter().zip(&sizes) {
            apart.extend([1, size]);
            grown.extend([count, size]);
            joined.push(times("repeat", size, count)?);
        }
        let grown = self.view_or_copy(&apart)?.broadcast_to(&grown)?;
        Ok(grown.straight()?.view(&signed(&joined))?.called("RepeatBackward0"))
    }

    /// `torch.tile(self, dims)`: as [`Tensor::repeat`], with 1 for the dimensions that have no number.
    ///
    /// # Errors
    /// If the result is too large.
    pub fn tile(&self, dims: &[usize]) -> Result<Self> {
        let missing = self.shape().len().saturating_sub(dims.len());
        self.repeat(&[&vec![1; missing], dims].concat())
    }

    /// `torch.repeat_interleave(self, repeats, dim)`: each element so many times in a row; without a dimension those
    /// of the flat tensor.
    ///
    /// # Errors
    /// If the dimension is out of range.
    pub fn repeat_interleave(&self, repeats: usize, dim: Option<isize>) -> Result<Self> {
        let Some(dim) = dim else { return self.reshape(&[-1])?.repeat_interleave(repeats, Some(0)) };
        let d = wrap_dim("repeat_interleave", dim, self.shape().len())?;
        if self.shape().is_empty() {
            return self.unsqueeze(0)?.repeat_interleave(repeats, Some(0));
        }
        let mut shape = self.shape().to_vec();
        let mut grown = shape.clone();
        grown.insert(d + 1, repeats);
        shape[d] = times("repeat_interleave", shape[d], repeats)?;
        self.unsqueeze(d.cast_signed() + 1)?.broadcast_to(&grown)?.straight()?.view(&signed(&shape))
    }

    /// `torch.repeat_interleave(self, repeats, dim)` with a number for each index, or one for all. Waits for the
    /// device, as the numbers make the shape.
    ///
    /// # Errors
    /// If the numbers are not whole, negative, or not as many as the dimension has indices.
    pub async fn repeat_interleave_each(&self, repeats: &Self, dim: Option<isize>) -> Result<Self> {
        let Some(dim) = dim else {
            return Box::pin(self.reshape(&[-1])?.repeat_interleave_each(repeats, Some(0))).await;
        };
        if !matches!(repeats.dtype(), DType::I64 | DType::I32) {
            let have = repeats.dtype().scalar_type();
            return Err(Error::not_implemented("repeat_interleave", "repeat_interleave_cpu", have));
        }
        let size = self.size(dim)?;
        let given = repeats.to_scalars().await?;
        if given.len() != size && given.len() != 1 {
            return Err(Error::shape(
                "repeat_interleave",
                format!(
                    "repeats must have the same size as input along dim, but got repeats.size(0) = {} and \
                     input.size({dim}) = {size}",
                    given.len()
                ),
            ));
        }
        let mut total = 0usize;
        for count in &given {
            let Ok(count) = usize::try_from(count.as_i64()) else {
                let message = "repeats can not be negative".into();
                return Err(Error::Value { op: "repeat_interleave", message });
            };
            total = total.saturating_add(count);
        }
        if given.len() == 1 {
            total = total.saturating_mul(size);
        }
        let count = |i| given.get(i).or(given.first()).map_or(0, |count| count.as_i64() as usize);
        let places = (0..size).flat_map(|i| repeat_n(Scalar::Int(i as i64), count(i)));
        self.index_select(dim, &Self::from_values(places, &[total], DType::I64, self.device())?)
    }
}

/// Indices.
impl Tensor {
    /// `torch.tril_indices(rows, columns, offset)`: rows and columns of the elements on and below a diagonal, as an
    /// int64 matrix of two rows.
    ///
    /// # Errors
    /// If the matrix has too many elements, or memory does not allow it.
    pub fn tril_indices(rows: usize, columns: usize, offset: i64, device: &Device) -> Result<Self> {
        checked_numel(&[rows, columns])?;
        let before = Before { columns, offset: i128::from(offset) + 1 };
        let some = before.first_with_more_than(0, rows)..rows;
        indices(some, before.total(rows), device, |row| 0..before.count(row))
    }

    /// `torch.triu_indices(rows, columns, offset)`: rows and columns of the elements on and above a diagonal.
    ///
    /// # Errors
    /// If the matrix has too many elements, or memory does not allow it.
    pub fn triu_indices(rows: usize, columns: usize, offset: i64, device: &Device) -> Result<Self> {
        let all = checked_numel(&[rows, columns])?;
        let before = Before { columns, offset: offset.into() };
        let some = 0..before.first_with_more_than(columns, rows);
        indices(some, all - before.total(rows), device, |row| before.count(row)..columns)
    }
}

/// The elements of a matrix that stand before a diagonal.
#[derive(Clone, Copy)]
struct Before {
    columns: usize,
    /// The column of the diagonal in the first row.
    offset: i128,
}

impl Before {
    /// How many they are in a row.
    fn count(self, row: usize) -> usize {
        (row as i128 + self.offset).clamp(0, self.columns as i128) as usize
    }

    /// The first of the rows where, were the matrix wide enough, more than `count` of them stand; or how many rows
    /// there are.
    fn first_with_more_than(self, count: usize, rows: usize) -> usize {
        (count as i128 + 1 - self.offset).clamp(0, rows as i128) as usize
    }

    /// How many they are in all rows: one more in each row until rows are full.
    fn total(self, rows: usize) -> usize {
        let some = self.first_with_more_than(0, rows);
        let full = self.first_with_more_than(self.columns, rows).max(some);
        let growing = full - some;
        let ends = growing.checked_sub(1).map_or(0, |more| self.count(some) + self.count(some + more));
        growing * ends / 2 + (rows - full) * self.columns
    }
}

/// Rows and columns of `total` elements, which stand in these columns of each row.
fn indices(
    rows: Range<usize>,
    total: usize,
    device: &Device,
    columns: impl Fn(usize) -> Range<usize>,
) -> Result<Tensor> {
    let all = |of: fn((usize, usize)) -> usize| {
        let columns = &columns;
        let places = rows.clone().flat_map(move |row| columns(row).map(move |column| (row, column)));
        places.map(move |place| Scalar::Int(of(place) as i64))
    };
    Tensor::from_values(all(|place| place.0).chain(all(|place| place.1)), &[2, total], DType::I64, device)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_before_a_diagonal_are_counted() {
        for (rows, columns, offset) in
            (0..5).flat_map(|r| (0..5).flat_map(move |c| (-7..8).map(move |o| (r, c, o))))
        {
            let before = Before { columns, offset };
            let is_before = |&(row, column): &(usize, usize)| (column as i128) < row as i128 + offset;
            let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
            assert_eq!(before.total(rows), all.filter(is_before).count(), "{rows} {columns} {offset}");
            let none = (0..rows).take_while(|&row| row as i128 + offset <= 0).count();
            assert_eq!(before.first_with_more_than(0, rows), none, "{rows} {offset}");
        }
        let most = Before { columns: 1, offset: i64::MAX.into() };
        assert_eq!((most.total(usize::MAX), most.first_with_more_than(0, usize::MAX)), (usize::MAX, 0));
    }
}
