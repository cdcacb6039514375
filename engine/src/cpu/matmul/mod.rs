//! Matrix products: batches, strides and dtypes here, the product itself in [`native`] or, in the browser, `packed`, that of
//! numbers which neither knows in [`plain`].

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
use crate::interrupt::Watch;
use crate::program::Compute;
use crate::room::collect;
use crate::{DType, Error, Layout, Result};

use super::elements::{self, CHUNK, Number};
use super::parallel;
use super::storage;
use super::walk::Walk;

#[cfg(target_arch = "wasm32")]
pub(super) use kernel::multiply_add;
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

macro_rules! fast {
    ($($type:ty)+) => {$(
        impl Multiply for $type {
            fn product(
                scratch: &Scratch,
                size: Size,
                a: Matrix<'_, Self>,
                b: Matrix<'_, Self>,
                c: &mut [Self],
            ) -> Result<()> {
                kernel::product(scratch, size, a, b, c)
            }
        }
    )+};
}

macro_rules! plain {
    ($($type:ty: $multiply_add:expr;)+) => {$(
        impl Multiply for $type {
            fn product(
                _: &Scratch,
                size: Size,
                a: Matrix<'_, Self>,
                b: Matrix<'_, Self>,
                c: &mut [Self],
            ) -> Result<()> {
                plain::product(size, a, b, c, $multiply_add);
                Ok(())
            }
        }
    )+};
}

#[cfg(not(target_arch = "wasm32"))]
fast!(f32 f64);
#[cfg(target_arch = "wasm32")]
fast!(f32);
#[cfg(target_arch = "wasm32")]
plain!(f64: |sum, a, b| sum + a * b;);
plain!(i64: |sum: i64, a: i64, b| sum.wrapping_add(a.wrapping_mul(b)););

pub(super) fn matmul(scratch: &Scratch, a: Operand<'_>, b: Operand<'_>, out: Operand<'_>) -> Result<()> {
    computed!(Compute::of(out.dtype), matmul_in(scratch, a, b, out))
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
    let starts = collect(a_starts.numel(), a_starts.storage_indices().zip(b_starts.storage_indices()))?;
    let product = |(a_at, b_at), c: &mut [T]| {
        if size.k == 0 {
            c.fill(T::zeroed());
            return Ok(());
        }
        in_parts(size, a.matrix(a_at), b.matrix(b_at), c, |size, a, b, c| T::product(scratch, size, a, b, c))
    };
    if out.dtype == T::DTYPE {
        let all = &mut elements::elements_mut(&mut out_words)[first..][..starts.len() * area];
        let work = all.len() * size.k;
        return parallel::each_part(all, area, work, |i, c| product(starts[i], c));
    }
    let bytes = out.dtype.size_bytes();
    let total = starts.len() * area;
    // Many products are shared between cores where each of them is whole words of the output.
    if starts.len() > 1
        && (area * bytes).is_multiple_of(size_of::<u64>())
        && let Some(words) = parallel::whole_words(&mut out_words, first, total, bytes)
    {
        return parallel::each_part(words, area * bytes / size_of::<u64>(), total * size.k, |i, words| {
            let mut wide = storage::try_zeroed::<T>(area)?;
            product(starts[i], &mut wide)?;
            T::store(words, out.dtype, 0, 1, &wide);
            Ok(())
        });
    }
    let mut wide = storage::try_zeroed::<T>(area)?;
    for (i, &at) in starts.iter().enumerate() {
        product(at, &mut wide)?;
        store_shared(&mut out_words, out.dtype, first + i * area, &wide)?;
    }
    Ok(())
}

/// Multiplications after which a product is asked whether it is to end: some tenths of a second.
const AT_ONCE: u64 = 1 << 34;
/// Rows that make up for preparing the right side anew.
const FEWEST_ROWS: usize = 256;

/// A large product by some rows at a time, of even numbers, so that none is multiplied in another way.
fn in_parts<'a, T: Copy>(
    size: Size,
    a: Matrix<'a, T>,
    b: Matrix<'a, T>,
    c: &mut [T],
    product: impl Fn(Size, Matrix<'a, T>, Matrix<'a, T>, &mut [T]) -> Result<()>,
) -> Result<()> {
    let watch = Watch::begin();
    let of_row = (size.n as u64).saturating_mul(size.k as u64).max(1);
    let most = ((AT_ONCE / of_row) as usize).max(FEWEST_ROWS);
    let rows = size.m.div_ceil(size.m.div_ceil(most).max(1));
    for (i, c) in c.chunks_mut((rows * size.n).max(1)).enumerate() {
        watch.check()?;
        let start = (i * rows * a.row_stride).min(a.data.len());
        let a = Matrix { data: &a.data[start..], ..a };
        product(Size { m: c.len() / size.n, ..size }, a, b, c)?;
    }
    Ok(())
}

/// Elements that a core converts at a time.
const PART: usize = 16 * CHUNK;

/// Numbers as elements from `first` on, by several cores where the elements begin with a word.
fn store_shared<T: Number>(words: &mut [u64], dtype: DType, first: usize, values: &[T]) -> Result<()> {
    let bytes = dtype.size_bytes();
    let Some(words) = parallel::whole_words(words, first, values.len(), bytes) else {
        for (chunk, values) in values.chunks(CHUNK).enumerate() {
            T::store(words, dtype, first + chunk * CHUNK, 1, values);
        }
        return Ok(());
    };
    parallel::each_part(words, PART * bytes / size_of::<u64>(), values.len(), |part, words| {
        let start = part * PART;
        let end = (start + PART).min(values.len());
        T::store(words, dtype, 0, 1, &values[start..end]);
        Ok(())
    })
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
        let numel = converted.len();
        parallel::each_part(&mut converted, PART, numel, |part, values| {
            for (chunk, values) in values.chunks_mut(CHUNK).enumerate() {
                walk.runs(1, part * PART + chunk * CHUNK, values.len(), |at, stride, range| {
                    T::load(words, operand.dtype, at, stride, &mut values[range]);
                });
            }
            Ok(())
        })?;
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
