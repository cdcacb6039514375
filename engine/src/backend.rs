//! What a device must be able to do: few kernel archetypes over strided operands.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

use crate::{DType, Error, Layout, Result, program::Program, rows::Rows};

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
    /// Where the elements are. An output's storage differs from every input's, but for [`Backend::map`].
    pub storage: &'a dyn Storage,
    /// Which of them, in which order.
    pub layout: &'a Layout,
    /// What they are.
    pub dtype: DType,
}

impl Operand<'_> {
    /// Whether both are the same elements in the same order.
    pub(crate) fn is(&self, other: &Operand<'_>) -> bool {
        std::ptr::addr_eq(self.storage, other.storage)
            && self.layout == other.layout
            && self.dtype == other.dtype
    }
}

/// # Errors
/// If an operand has another dtype than it must.
pub(crate) fn check_dtypes(op: &'static str, wanted: &[(Operand<'_>, DType)]) -> Result<()> {
    match wanted.iter().find(|(operand, dtype)| operand.dtype != *dtype) {
        None => Ok(()),
        Some((operand, dtype)) => {
            Err(Error::DType { op, message: format!("expected {dtype}, but got {}", operand.dtype) })
        }
    }
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

/// What [`Backend::philox`] makes of random words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Distribution {
    /// The words themselves, as int32.
    Bits,
    /// float32 from [0, 1): the upper 24 bits over 2²⁴.
    Uniform,
    /// float32, normal with mean 0 and standard deviation 1.
    Normal,
}

impl Distribution {
    /// # Errors
    /// If the output is not contiguous or of another dtype.
    pub(crate) fn check(self, out: Operand<'_>) -> Result<()> {
        let dtype = if self == Self::Bits { DType::I32 } else { DType::F32 };
        if out.dtype == dtype && out.layout.is_contiguous() {
            return Ok(());
        }
        let message = format!("{self:?} numbers are contiguous and {dtype}, not {}", out.dtype);
        Err(Error::DType { op: "philox", message })
    }
}

/// One optimizer step over a flat parameter, in place. All tensors are contiguous, of one length, f32. The
/// formulas are those of `torch.optim`, g being the gradient plus `weight_decay` times the parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Update {
    /// `s = μ s + (1 − dampening) g`, at the first step `s = g`; `p −= lr · s`, with `nesterov`
    /// `p −= lr · (g + μ s)`. Without momentum there is no s.
    Sgd {
        /// Learning rate.
        lr: f32,
        /// μ
        momentum: f64,
        /// What a new gradient is damped by.
        dampening: f64,
        /// Looks one step ahead.
        nesterov: bool,
        /// Added to the gradient, times the parameter.
        weight_decay: f64,
        /// Whether there has been no step before.
        is_first: bool,
    },
    /// `s += g²; p −= lr · g / (√s + eps)`; with `eps_inside_root` `p −= lr · g / √(s + eps)`, as the lecture
    /// writes it. One state tensor.
    Adagrad {
        /// Learning rate.
        lr: f32,
        /// Added to the root, or under it.
        eps: f64,
        /// Where `eps` goes.
        eps_inside_root: bool,
        /// Added to the gradient, times the parameter.
        weight_decay: f64,
    },
    /// `s = α s + (1 − α) g²; p −= lr · g / (√s + eps)`. One state tensor.
    Rmsprop {
        /// Learning rate.
        lr: f32,
        /// How much of the past is kept.
        alpha: f64,
        /// Added to the root.
        eps: f64,
        /// Added to the gradient, times the parameter.
        weight_decay: f64,
    },
    /// `m = β₁ m + (1 − β₁) g; v = β₂ v + (1 − β₂) g²; p −= lr · m̂ / (√v̂ + eps)` with
    /// `m̂ = m / (1 − β₁ᵗ)` and `v̂ = v / (1 − β₂ᵗ)`. Two state tensors, m and v.
    Adam {
        /// Learning rate.
        lr: f32,
        /// β₁ and β₂
        betas: [f64; 2],
        /// Added to the root.
        eps: f64,
        /// Added to the gradient, times the parameter; or see `is_decoupled`.
        weight_decay: f64,
        /// AdamW: the parameter shrinks by `lr · weight_decay` instead.
        is_decoupled: bool,
        /// t, from 1 on.
        step: u32,
    },
}

/// How an [`Update`] goes about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum UpdateKind {
    /// `step = g`
    Plain,
    /// `s = a s + b g; step = n g + m s`
    Momentum,
    /// `s = a s + b g²; step = g / (√s + eps)`
    Root,
    /// `s = a s + b g²; step = g / √(s + eps)`
    RootInside,
    /// `s = s + a (g − s); t = b t + c g²; step = n s / (m √t + eps)`
    Adam,
}

/// The numbers in the formulas of [`UpdateKind`]: the gradient is `g + decay · p`, and in the end
/// `p = shrink · p − lr · step`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Coefficients {
    pub(crate) lr: f32,
    pub(crate) eps: f32,
    pub(crate) a: f32,
    pub(crate) b: f32,
    pub(crate) c: f32,
    pub(crate) n: f32,
    pub(crate) m: f32,
    pub(crate) decay: f32,
    pub(crate) shrink: f32,
}

impl Update {
    /// State tensors of the length of the parameter.
    #[must_use]
    pub fn states(self) -> usize {
        match self.plan().0 {
            UpdateKind::Plain => 0,
            UpdateKind::Momentum | UpdateKind::Root | UpdateKind::RootInside => 1,
            UpdateKind::Adam => 2,
        }
    }

    /// What it computes. Its numbers are rounded only here: 1 − β has fewer digits where β was rounded before.
    pub(crate) fn plan(self) -> (UpdateKind, Coefficients) {
        let plain = |lr: f32, eps: f64, weight_decay: f64| Coefficients {
            lr,
            eps: eps as f32,
            a: 1.0,
            b: 1.0,
            c: 1.0,
            n: 1.0,
            m: 1.0,
            decay: weight_decay as f32,
            shrink: 1.0,
        };
        match self {
            Self::Sgd { lr, momentum, dampening, nesterov, weight_decay, is_first } => {
                let kind = if momentum == 0.0 { UpdateKind::Plain } else { UpdateKind::Momentum };
                let mu = momentum as f32;
                let (a, b) = if is_first { (0.0, 1.0) } else { (mu, (1.0 - dampening) as f32) };
                let (n, m) = if nesterov { (1.0, mu) } else { (0.0, 1.0) };
                (kind, Coefficients { a, b, n, m, ..plain(lr, 0.0, weight_decay) })
            }
            Self::Adagrad { lr, eps, eps_inside_root, weight_decay } => {
                let kind = if eps_inside_root { UpdateKind::RootInside } else { UpdateKind::Root };
                (kind, plain(lr, eps, weight_decay))
            }
            Self::Rmsprop { lr, alpha, eps, weight_decay } => {
                let (a, b) = (alpha as f32, (1.0 - alpha) as f32);
                (UpdateKind::Root, Coefficients { a, b, ..plain(lr, eps, weight_decay) })
            }
            Self::Adam { lr, betas, eps, weight_decay, is_decoupled, step } => {
                let left = betas.map(|beta| 1.0 - beta.powi(step.cast_signed()));
                let (n, m) = ((1.0 / left[0]) as f32, (1.0 / left[1].sqrt()) as f32);
                let [a, c] = betas.map(|beta| (1.0 - beta) as f32);
                let b = betas[1] as f32;
                let (added, taken) = if is_decoupled { (0.0, weight_decay) } else { (weight_decay, 0.0) };
                let shrink = (1.0 - f64::from(lr) * taken) as f32;
                (UpdateKind::Adam, Coefficients { a, b, c, n, m, shrink, ..plain(lr, eps, added) })
            }
        }
    }
}

/// [`Backend::matmul_then`] by two kernels. What is narrower than float32 is rounded once, at the end.
pub(crate) fn matmul_then_map<B: Backend + ?Sized>(
    device: &B,
    a: Operand<'_>,
    b: Operand<'_>,
    program: &Program,
    inputs: &[Operand<'_>],
    out: Operand<'_>,
) -> Result<()> {
    let is_narrow = out.dtype.is_floating_point() && out.dtype.size_bytes() < DType::F32.size_bytes();
    if !is_narrow {
        device.matmul(a, b, out)?;
        return device.map(program, &[&[out], inputs].concat(), out);
    }
    let layout = Layout::contiguous(out.layout.shape())?;
    let wide = device.allocate(layout.numel() * DType::F32.size_bytes())?;
    let wide = Operand { storage: &*wide, layout: &layout, dtype: DType::F32 };
    device.matmul(a, b, wide)?;
    device.map(program, &[&[wide], inputs].concat(), out)
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

    /// Replaces the bytes of a storage from `at` on, after the work queued so far. Both ends are multiples of 4,
    /// or the end is that of the storage.
    ///
    /// # Errors
    /// If they are not, or are outside, or the device fails.
    fn write(&self, storage: &dyn Storage, at: usize, bytes: &[u8]) -> Result<()>;

    /// All bytes of a storage, after the work queued so far; what is queued later does not change them. They are on
    /// their way when this returns, and the future waits for no more than them.
    ///
    /// Whole numbers divided by 0 and indices out of bounds are errors here where a kernel could not say so at once.
    fn download(&self, storage: &dyn Storage) -> Pending<'static, Vec<u8>>;

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

    /// As [`Backend::matmul`], with `out = program(a @ b, inputs…)` for each element, in one kernel where the device
    /// has such: a bias, an activation, what is added to it. The inputs have the shape of `out`.
    ///
    /// # Errors
    /// As [`Backend::matmul`] and [`Backend::map`].
    fn matmul_then(
        &self,
        a: Operand<'_>,
        b: Operand<'_>,
        program: &Program,
        inputs: &[Operand<'_>],
        out: Operand<'_>,
    ) -> Result<()> {
        matmul_then_map(self, a, b, program, inputs, out)
    }

    /// `out[i] = program(inputs[0][i], inputs[1][i], …)`; all layouts have the shape of `out`, and
    /// dtypes may differ: inputs are converted to what the program computes in. `out` may be strided but not
    /// overlapping; an input may be `out` itself, which is then written in place.
    ///
    /// # Errors
    /// If the device fails or does not know a dtype, or a whole number is divided by 0: at once, or at the next wait,
    /// and then the quotient is 0 and the rest the dividend.
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
    /// If an index is out of bounds: at once, or where nothing is known of values before the device is done, at the
    /// next wait, and the element is left as it was.
    fn gather(&self, input: Operand<'_>, index: Operand<'_>, dim: usize, out: Operand<'_>) -> Result<()>;

    /// `out[…, index[…, i, …], …] += source[…, i, …]` along `dim`, in order; shapes as in [`Backend::gather`].
    ///
    /// # Errors
    /// As [`Backend::gather`].
    fn scatter_add(
        &self,
        out: Operand<'_>,
        index: Operand<'_>,
        source: Operand<'_>,
        dim: usize,
    ) -> Result<()>;

    /// Whole rows at once, in one dispatch where one is enough: what [`Rows`] says. `inputs` may be strided or
    /// broadcast, `outputs` strided.
    ///
    /// # Errors
    /// If an operand is missing or does not fit, a class is out of bounds (a GPU says so when somebody waits), or the
    /// device does not know a dtype.
    fn rows(&self, op: Rows, inputs: &[Option<Operand<'_>>], outputs: &[Operand<'_>]) -> Result<()>;

    /// `out[…, index[…, i, …], …] = source[…, i, …]` along `dim`; shapes as in [`Backend::gather`]. Where an index
    /// comes several times, the last of the elements stays.
    ///
    /// # Errors
    /// As [`Backend::gather`].
    fn scatter(&self, out: Operand<'_>, index: Operand<'_>, source: Operand<'_>, dim: usize) -> Result<()>;

    /// The running sum or product along `dim`.
    ///
    /// # Errors
    /// If the device fails.
    fn scan(&self, op: Scan, input: Operand<'_>, dim: usize, out: Operand<'_>) -> Result<()>;

    /// Sorts along `dim`, stably, NaN as the largest; `indices` (int64) say where each value was.
    ///
    /// # Errors
    /// If the device fails.
    fn sort(
        &self,
        input: Operand<'_>,
        dim: usize,
        descending: bool,
        values: Operand<'_>,
        indices: Operand<'_>,
    ) -> Result<()>;

    /// Where along `dim` the largest (or smallest) element is, the first of equal ones, NaN before all; `out`
    /// (int64) has size 1 there.
    ///
    /// # Errors
    /// If the device fails.
    fn arg_extreme(&self, is_largest: bool, input: Operand<'_>, dim: usize, out: Operand<'_>) -> Result<()>;

    /// Random numbers into `out`, contiguous, of the dtype that the distribution has: elements 4 i to 4 i + 3 are made
    /// of `counter + i`, encrypted with `seed` by Philox4x32-10. Bits and uniform numbers are the same on every device.
    ///
    /// # Errors
    /// If `out` is no such tensor, or the device fails.
    fn philox(&self, seed: u64, counter: u128, distribution: Distribution, out: Operand<'_>) -> Result<()>;

    /// One optimizer step, in place. Gradients are multiplied by `factor`, one float32 number, if there is one; where
    /// that is not finite nothing changes.
    ///
    /// # Errors
    /// If the device fails.
    fn update(
        &self,
        op: Update,
        param: Operand<'_>,
        grad: Operand<'_>,
        state: &[Operand<'_>],
        factor: Option<Operand<'_>>,
    ) -> Result<()>;
}
