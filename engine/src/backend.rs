//! What a device must be able to do: few kernel archetypes over strided operands.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

use crate::{DType, Error, Layout, Result, program::Program};

/// The bytes of one or more tensors on one device; freed when the last view of it goes.
pub trait Storage: std::any::Any {
    /// Bytes allocated for elements.
    fn size_bytes(&self) -> usize;
    /// For a backend to recognise its own.
    fn as_any(&self) -> &dyn std::any::Any;
}

/// An answer that may have to wait for the device. Ready at once on the CPU.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + 'a>>;

/// A tensor as a kernel sees it.
#[derive(Clone, Copy)]
pub struct Operand<'a> {
    /// Where the elements are. An output's storage differs from every input's.
    pub storage: &'a dyn Storage,
    /// Which of them, in which order.
    pub layout: &'a Layout,
    /// What they are.
    pub dtype: DType,
}

/// How [`Backend::reduce`] combines the elements of a dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reduction {
    /// Their sum; 0 for none.
    Sum,
    /// Their product; 1 for none.
    Prod,
    /// Their largest, NaN if one is NaN.
    Max,
    /// Their smallest, NaN if one is NaN.
    Min,
}

/// What [`Backend::scan`] keeps running.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scan {
    /// The sum.
    Sum,
    /// The product.
    Prod,
}

/// One optimizer step over a flat parameter, in place. All tensors are contiguous, of one length, f32.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Update {
    /// `p −= lr · g`; no state.
    Sgd {
        /// Learning rate.
        lr: f32,
    },
    /// `s += g²; p −= lr · g / (√s + eps)`, as `torch.optim.Adagrad`; with `eps_inside_root`
    /// `p −= lr · g / √(s + eps)`, as the lecture writes it. One state tensor.
    Adagrad {
        /// Learning rate.
        lr: f32,
        /// Added to the root, or under it.
        eps: f32,
        /// Where `eps` goes.
        eps_inside_root: bool,
    },
}

/// Nothing falls back to another device in silence.
fn missing(op: &'static str) -> Error {
    Error::Value { op, message: "this device has no kernel for it; move the tensor to the CPU".into() }
}

/// A device that runs kernels. Calls return when the work is queued; only [`Backend::download`] and
/// [`Backend::synchronize`] wait. Shapes have been checked by the caller; layouts may be strided,
/// and broadcast dimensions have stride 0.
pub trait Backend {
    /// `cpu`, or `cuda` for the GPU of this machine, as PyTorch scripts name it.
    fn device_type(&self) -> &'static str;

    /// What runs here, for people: "CPU (SIMD)", "llvmpipe (LLVM 15.0.6, 256 bits)".
    fn name(&self) -> String;

    /// Room for `bytes`; contents are unspecified.
    ///
    /// # Errors
    /// [`crate::Error::OutOfMemory`] beyond a limit.
    fn allocate(&self, bytes: usize) -> Result<Rc<dyn Storage>>;

    /// A new storage with these bytes.
    ///
    /// # Errors
    /// As [`Backend::allocate`].
    fn upload(&self, bytes: &[u8]) -> Result<Rc<dyn Storage>>;

    /// All bytes of a storage, after the work queued so far.
    fn download<'a>(&'a self, storage: &'a dyn Storage) -> Pending<'a, Vec<u8>>;

    /// Waits until everything queued so far is done.
    fn synchronize(&self) -> Pending<'_, ()>;

    /// The kernel that [`Backend::matmul`] would choose for these operands, by its name in reports.
    fn matmul_kernel(&self, _a: Operand<'_>, _b: Operand<'_>, _out: Operand<'_>) -> String {
        "matmul".to_owned()
    }

    /// From here on the device measures the kernels it runs, until [`Backend::end_timing`].
    fn begin_timing(&self) {}

    /// Waits, and gives the seconds that the kernels took since [`Backend::begin_timing`] by the
    /// device's own clock; `None` where it has no such clock or lost count.
    fn end_timing(&self) -> Pending<'_, Option<f64>> {
        Box::pin(async { Ok(None) })
    }

    /// `out = a @ b` with a `(batch…, m, k)`, b `(batch…, k, n)`, out `(batch…, m, n)` contiguous;
    /// batch dimensions are equal, possibly with stride 0. k = 0 gives zeros. Accumulates in f32.
    ///
    /// # Errors
    /// If the device fails or does not know a dtype.
    fn matmul(&self, a: Operand<'_>, b: Operand<'_>, out: Operand<'_>) -> Result<()>;

    /// `out[i] = program(inputs[0][i], inputs[1][i], …)`; all layouts have the shape of `out`, and
    /// dtypes may differ: inputs are converted to what the program computes in. `out` may be strided but not overlapping.
    ///
    /// # Errors
    /// If the device fails.
    fn map(&self, program: &Program, inputs: &[Operand<'_>], out: Operand<'_>) -> Result<()>;

    /// Combines the dimensions `dims` (ascending) of `input`; `out` is contiguous and has the sizes
    /// of the others. A real result is multiplied by `scale` (1/n for a mean). Same order on every run.
    ///
    /// # Errors
    /// If the device fails.
    fn reduce(
        &self,
        op: Reduction,
        scale: f64,
        input: Operand<'_>,
        dims: &[usize],
        out: Operand<'_>,
    ) -> Result<()>;

    /// `out[…, i, …] = input[…, index[…, i, …], …]` along `dim`; `index` is int64 of the shape of `out`, and
    /// `input` has the sizes of both in the other dimensions.
    ///
    /// # Errors
    /// If an index is out of bounds, or the device has no such kernel.
    fn gather(&self, _input: Operand<'_>, _index: Operand<'_>, _dim: usize, _out: Operand<'_>) -> Result<()> {
        Err(missing("gather"))
    }

    /// `out[…, index[…, i, …], …] += source[…, i, …]` along `dim`, in order; shapes as in [`Backend::gather`].
    ///
    /// # Errors
    /// As [`Backend::gather`].
    fn scatter_add(
        &self,
        _out: Operand<'_>,
        _index: Operand<'_>,
        _source: Operand<'_>,
        _dim: usize,
    ) -> Result<()> {
        Err(missing("scatter_add"))
    }

    /// The running sum or product along `dim`.
    ///
    /// # Errors
    /// If the device has no such kernel.
    fn scan(&self, _op: Scan, _input: Operand<'_>, _dim: usize, _out: Operand<'_>) -> Result<()> {
        Err(missing("scan"))
    }

    /// Sorts along `dim`, stably, NaN as the largest; `indices` (int64) say where each value was.
    ///
    /// # Errors
    /// If the device has no such kernel.
    fn sort(
        &self,
        _input: Operand<'_>,
        _dim: usize,
        _descending: bool,
        _values: Operand<'_>,
        _indices: Operand<'_>,
    ) -> Result<()> {
        Err(missing("sort"))
    }

    /// Where along `dim` the largest (or smallest) element is, the first of equal ones, NaN before all; `out`
    /// (int64) has size 1 there.
    ///
    /// # Errors
    /// If the device has no such kernel.
    fn arg_extreme(
        &self,
        _is_largest: bool,
        _input: Operand<'_>,
        _dim: usize,
        _out: Operand<'_>,
    ) -> Result<()> {
        Err(missing("argmax"))
    }

    /// One optimizer step, in place.
    ///
    /// # Errors
    /// If the device fails.
    fn update(&self, op: Update, param: Operand<'_>, grad: Operand<'_>, state: &[Operand<'_>]) -> Result<()>;
}
