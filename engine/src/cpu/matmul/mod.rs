//! Matrix products: batches, strides and dtypes here, the f32 product itself in [`native`] or
//! [`packed`], those of other numbers in [`plain`].

#[cfg(not(target_arch = "wasm32"))]
mod native;
#[cfg(any(target_arch = "wasm32", test))]
mod packed;
mod plain;
#[cfg(target_arch = "wasm32")]
mod simd128;

#[cfg(not(target_arch = "wasm32"))]
use native as kernel;
#[cfg(target_arch = "wasm32")]
use simd128 as kernel;

use crate::backend::Operand;
use crate::program::Compute;
use crate::{Error, Layout, Result};

use super::elements::{self, CHUNK, Number};
use super::storage;
use super::walk::Walk;

pub(super) use kernel::{KERNEL, Scratch, instruction_set};

/// A matrix in memory: element `(i, j)` is at `i · row_stride + j · col_stride`.
#[derive(Clone, Copy)]
struct Matrix<'a, T = f32> {
    data: &'a [T],
    row_stride: usize,
    col_stride: usize,
}

/// Rows of the product, columns of the product, addends of each element.
#[derive(Clone, Copy)]
struct Size {
    m: usize,
    n: usize,
    k: usize,
}

/// A number whose matrices are multiplied.
trait Multiply: Number {
    /// `c = a @ b`, all of it overwritten; `c` is row-major, and no size is 0.
    fn product(
        scratch: &Scratch,
        size: Size,
        a: Matrix<'_, Self>,
        b: Matrix<'_, Self>,
        c: &mut [Self],
    ) -> Result<()>;
}

impl Multiply for f32 {
    fn product(scratch: &Scratch, size: Size, a: Matrix<'_>, b: Matrix<'_>, c: &mut [Self]) -> Result<()> {
        kernel::product(scratch, size, a, b, c)
    }
}

pub(super) fn matmul(scratch: &Scratch, a: Operand<'_>, b: Operand<'_>, out: Operand<'_>) -> Result<()> {
    match Compute::of(out.dtype) {
        Compute::F32 => matmul_in::<f32>(scratch, a, b, out),
        Compute::F64 => matmul_in::<f64>(scratch, a, b, out),
        Compute::I64 => matmul_in::<i64>(scratch, a, b, out),
    }
}

fn matmul_in<T: Multiply>(scratch: &Scratch, a: Operand<'_>, b: Operand<'_>, out: Operand<'_>) -> Result<()> {
    let (size, batch) = product_shape(a.layout, b.layout, out.layout)?;
    let (a_words, b_words) = (storage::read("matmul", a)?, storage::read("matmul", b)?);
    let mut out_words = storage::write("matmul", out)?;
    if out.layout.numel() == 0 {
        return Ok(());
    }
    let (a, b) = (Factor::<T>::new(&a_words, a)?, Factor::<T>::new(&b_words, b)?);
    let first = out.layout.offset();
    let (size, batch) = fold_batch(size, batch, &a.layout, &b.layout);
    let starts = |x: &Layout| Layout::strided(batch, &x.strides()[..batch.len()], x.offset());
    let (a_starts, b_starts) = (starts(&a.layout)?, starts(&b.layout)?);
    let area = size.m * size.n;
    let is_direct = out.dtype == T::DTYPE;
    let mut product = if is_direct { Vec::new() } else { storage::try_zeroed::<T>(area)? };
    for (i, (a_at, b_at)) in a_starts.storage_indices().zip(b_starts.storage_indices()).enumerate() {
        let (a, b) = (a.matrix(a_at), b.matrix(b_at));
        let start = first + i * area;
        let c = if is_direct {
            &mut elements::elements_mut(&mut out_words)[start..][..area]
        } else {
            &mut product[..]
        };
        if size.k == 0 {
            c.fill(T::zeroed());
        } else {
            T::product(scratch, size, a, b, c)?;
        }
        for (chunk, values) in product.chunks(CHUNK).enumerate() {
            T::store(&mut out_words, out.dtype, start + chunk * CHUNK, 1, values);
        }
    }
    Ok(())
}

/// The sizes of a checked product and its batch dimensions.
fn product_shape<'a>(a: &Layout, b: &Layout, out: &'a Layout) -> Result<(Size, &'a [usize])> {
    if let (([a_batch @ .., m, k], [b_batch @ .., k2, n], [batch @ .., m2, n2]), true) =
        ((a.shape(), b.shape(), out.shape()), out.is_contiguous())
        && (k, m, n) == (k2, m2, n2)
        && (a_batch, b_batch) == (batch, batch)
    {
        return Ok((Size { m: *m, n: *n, k: *k }, batch));
    }
    Err(Error::Value {
        op: "matmul",
        message: format!("no product {:?} @ {:?} -> {:?}", a.shape(), b.shape(), out.shape()),
    })
}

/// One side of the product as the numbers that are multiplied.
struct Factor<'a, T: Number> {
    elements: std::borrow::Cow<'a, [T]>,
    layout: Layout,
}

impl<'a, T: Number> Factor<'a, T> {
    /// Elements of another dtype are converted, each once: broadcast dimensions stay so.
    fn new(words: &'a [u64], operand: Operand<'_>) -> Result<Self> {
        let layout = operand.layout;
        if operand.dtype == T::DTYPE {
            return Ok(Self { elements: elements::elements(words).into(), layout: layout.clone() });
        }
        let sizes: Vec<usize> = (layout.shape().iter().zip(layout.strides()))
            .map(|(&size, &stride)| if stride == 0 { size.min(1) } else { size })
            .collect();
        let distinct = Layout::strided(&sizes, layout.strides(), layout.offset())?;
        let dense = Layout::contiguous(&sizes)?;
        let mut converted = storage::try_zeroed::<T>(distinct.numel())?;
        let walk = Walk::new(&[&dense, &distinct]);
        for (chunk, values) in converted.chunks_mut(CHUNK).enumerate() {
            walk.runs(1, chunk * CHUNK, values.len(), |at, stride, range| {
                T::load(words, operand.dtype, at, stride, &mut values[range]);
            });
        }
        Ok(Self { elements: converted.into(), layout: dense.broadcast_to(layout.shape())? })
    }

    fn matrix(&self, start: usize) -> Matrix<'_, T> {
        let [.., row_stride, col_stride] = *self.layout.strides() else {
            return Matrix { data: &[], row_stride: 0, col_stride: 0 };
        };
        Matrix { data: self.elements.get(start..).unwrap_or(&[]), row_stride, col_stride }
    }
}

/// Takes batch dimensions into the rows where all of them meet the same right side: a product
/// with one weight is one large product, not many small ones.
fn fold_batch<'a>(mut size: Size, mut batch: &'a [usize], a: &Layout, b: &Layout) -> (Size, &'a [usize]) {
    let row_stride = a.strides()[batch.len()];
    while let [outer @ .., count] = batch
        && b.strides()[outer.len()] == 0
        && a.strides()[outer.len()] == size.m * row_stride
    {
        size.m *= count;
        batch = outer;
    }
    (size, batch)
}
