//! No kernel is used on an adapter unseen: its products there are compared with those of the plain kernel first.
//!
//! What differs, does not compile, or takes longer than its deadline is set aside, and the [`Record`] says why.

use std::future::Future;
use std::rc::Rc;
use std::time::Duration;

use super::Gpu;
use super::matmul;
use super::record::{Finding, Record};
use super::storage::GpuStorage;
use super::tiles::{PLAIN, Tile};
use crate::backend::Operand;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::layout::Layout;
use crate::twin::matmul_register::matmul_register;
use crate::twin::{self, Product, codec};

/// A driver may take so long to compile a kernel, and to run it for the first time: llvmpipe on a busy machine takes 36 s.
const COMPILING: Duration = Duration::from_secs(60);

/// A small product of a compiled kernel may take so long: thousands of times what it takes a processor.
const RUNNING: Duration = Duration::from_millis(1500);

/// Elements around an output that a kernel must leave alone.
const MARGIN: usize = 64;

/// Factors by which a kernel is known.
#[derive(Debug, Clone, Copy)]
struct Case {
    sizes: [usize; 3],
    /// Whether the factors lie column by column.
    transposed: [bool; 2],
}

/// Sizes m, n and k. Rows of four elements are read at once, others one by one; the last tiles are not whole.
const BY_FOURS: [usize; 3] = [132, 140, 52];
const ONE_BY_ONE: [usize; 3] = [131, 141, 45];
const SKINNY: [usize; 3] = [5, 131, 45];

/// As `x @ w`, `x @ w.T`, `x.T @ g` and both of them: by fours along k and across it, in every pair. What is read one by one
/// beside what is read by fours is put together of the same parts.
const CASES: [Case; 5] = [
    Case { sizes: BY_FOURS, transposed: [false, false] },
    Case { sizes: BY_FOURS, transposed: [false, true] },
    Case { sizes: BY_FOURS, transposed: [true, false] },
    Case { sizes: BY_FOURS, transposed: [true, true] },
    Case { sizes: ONE_BY_ONE, transposed: [false, false] },
];

/// These read everything one by one.
const SKINNY_CASES: [Case; 2] =
    [Case { sizes: SKINNY, transposed: [false, false] }, Case { sizes: SKINNY, transposed: [true, true] }];

/// One product with all that is known of it.
pub(crate) struct Trial {
    storages: [Rc<GpuStorage>; 3],
    layouts: [Layout; 3],
    dtype: DType,
    /// The product in f64, and how far rounding can take an element from it.
    want: Vec<f64>,
    bounds: Vec<f64>,
}

impl Trial {
    fn new(gpu: &Gpu, case: Case, dtype: DType) -> Result<Self> {
        let Case { sizes: [m, n, k], transposed } = case;
        let Some(format) = dtype.format() else { return Err(unknown(dtype)) };
        let factor = |rows: usize, cols: usize, is_transposed: bool, seed: u64| {
            let bytes = codec::encode(&twin::random(rows * cols, seed), dtype);
            let strides = if is_transposed { [1, rows] } else { [cols, 1] };
            let layout = Layout::strided(&[rows, cols], &strides, 0)?;
            let dense = twin::dense(&codec::decode(&bytes, dtype), &layout);
            Ok::<_, Error>((gpu.core.upload(&bytes)?, layout, dense))
        };
        let (a, a_layout, a_values) = factor(m, k, transposed[0], 1)?;
        let (b, b_layout, b_values) = factor(k, n, transposed[1], 2)?;
        let out_layout = Layout::strided(&[m, n], &[n, 1], MARGIN)?;
        let out = gpu.core.upload(&Self::poison(m * n, dtype))?;
        let product = |a: &[f64], b: &[f64]| matmul_register(Product { a, b, m, n, k }, m, n);
        let absolute = |values: &[f64]| values.iter().map(|v| v.abs()).collect::<Vec<_>>();
        let want = product(&a_values, &b_values);
        let magnitudes = product(&absolute(&a_values), &absolute(&b_values));
        // Each of k products and sums loses one unit of f32 at most, and storing the result one of its own.
        let f32_units = (k + 2) as f64 * f64::from(f32::EPSILON) / 2.0;
        let limits = format.info();
        let stored = if dtype == DType::F32 { 0.0 } else { 1.01 * limits.eps / 2.0 };
        let bound = |(want, magnitude): (&f64, &f64)| {
            f32_units * magnitude + stored * want.abs() + limits.smallest_subnormal
        };
        let bounds = want.iter().zip(&magnitudes).map(bound).collect();
        Ok(Self { storages: [a, b, out], layouts: [a_layout, b_layout, out_layout], dtype, want, bounds })
    }

    /// No number anywhere, so that an element that is not written shows, and one beside the output that is.
    fn poison(elements: usize, dtype: DType) -> Vec<u8> {
        codec::encode(&vec![f64::NAN; elements + 2 * MARGIN], dtype)
    }

    fn operands(&self) -> [Operand<'_>; 3] {
        [0, 1, 2].map(|i| Operand {
            storage: &*self.storages[i],
            layout: &self.layouts[i],
            dtype: self.dtype,
        })
    }

    /// What is wrong with a product, margins and all; `want` is what it should be, up to `units` of the bounds.
    fn fault(&self, got: &[f64], want: &[f64], units: f64) -> Option<String> {
        if got.len() != want.len() + 2 * MARGIN {
            return Some("it gives no product".to_owned());
        }
        let (before, rest) = got.split_at(MARGIN);
        let (product, after) = rest.split_at(want.len());
        if before.iter().chain(after).any(|value| !value.is_nan()) {
            return Some("it writes outside of its output".to_owned());
        }
        let wrong = |i: &usize| {
            let distance = (product[*i] - want[*i]).abs();
            distance.is_nan() || distance > units * self.bounds[*i]
        };
        let columns = self.layouts[2].shape()[1];
        (0..want.len()).find(wrong).map(|i| {
            let (row, column) = (i / columns, i % columns);
            format!("element ({row}, {column}) of a product is {}, not {}", product[i], want[i])
        })
    }
}

/// What checking a kernel asks of a device. Tests put devices in its place that fail.
pub(crate) trait Bench {
    /// The device.
    fn gpu(&self) -> &Gpu;

    /// A clock.
    fn now(&self) -> Duration {
        self.gpu().core.opened.elapsed()
    }

    /// Compiles what a product takes; an error is what compiler or driver say.
    fn compile(&self, tile: Tile, trial: &Trial) -> impl Future<Output = Result<()>> {
        let core = &self.gpu().core;
        let [a, b, out] = trial.operands();
        // The scopes are closed before anybody waits: they catch nothing else.
        let scopes = [wgpu::ErrorFilter::Internal, wgpu::ErrorFilter::Validation]
            .map(|filter| core.device.push_error_scope(filter));
        let compiled = matmul::compile(core, tile, a, b, out);
        let [internal, validation] = scopes;
        let caught = [validation.pop(), internal.pop()].map(Box::pin);
        async move {
            let mut refused = compiled.err();
            for caught in caught {
                if let Some(error) = caught.await {
                    refused.get_or_insert(Error::Gpu(error.to_string()));
                }
            }
            match refused {
                Some(error) => {
                    core.kernels.drop_named(&format!("matmul_{} ", tile.name()));
                    Err(error)
                }
                None => Ok(()),
            }
        }
    }

    /// The product, with the margin around it.
    fn product(&self, tile: Tile, trial: &Trial) -> impl Future<Output = Result<Vec<f64>>> {
        async move {
            let (gpu, [a, b, out]) = (self.gpu(), trial.operands());
            gpu.core.write(&trial.storages[2], 0, &Trial::poison(trial.want.len(), trial.dtype))?;
            gpu.matmul_with(tile.into(), a, b, out)?;
            let Some(reading) = gpu.core.download(&trial.storages[2])? else { return Ok(Vec::new()) };
            Ok(codec::decode(&gpu.core.finish_read(reading).await?, trial.dtype))
        }
    }
}

impl Bench for Gpu {
    fn gpu(&self) -> &Gpu {
        self
    }
}

/// Whether a kernel may be used with operands of that dtype: compared with the plain one now, unless it has been.
///
/// # Errors
/// If the device is lost, or memory does not suffice. A kernel that fails is none: the record says why.
pub(crate) async fn is_right(bench: &impl Bench, tile: Tile, dtype: DType) -> Result<bool> {
    let gpu = bench.gpu();
    if tile != PLAIN && !Box::pin(is_right(bench, PLAIN, dtype)).await? {
        return Ok(false);
    }
    match gpu.record.borrow().finding(tile, dtype) {
        Some(Finding::Right) => return Ok(true),
        Some(Finding::Aside(_)) => return Ok(false),
        Some(Finding::Begun(_)) | None => {}
    }
    // A page outlives its device, and its workers are ended at any time; for the plain kernel there is no other.
    let may_take_the_program_along = tile != PLAIN && !cfg!(target_arch = "wasm32");
    if may_take_the_program_along && !gpu.note(|record| record.begin(tile, dtype)) {
        return Ok(false);
    }
    let reference = if tile == PLAIN { Reference::Twin } else { Reference::Plain };
    // A program that acts as a GPU takes seconds to compile, and is what this project's own tests run on.
    let found = fault(bench, tile, cases(tile, gpu.info().is_software), dtype, reference).await;
    if found.is_err() {
        gpu.note(|record| record.forget(tile, dtype));
    }
    let why = found?;
    if why.is_some() {
        // Who waits learns whether the device is there at all.
        drop(gpu.core.synchronize().await);
    }
    if let Some(lost) = gpu.lost() {
        // The plain kernel is not given up for what may have been a cable.
        if tile != PLAIN {
            let why = format!("the device was lost: {lost}");
            gpu.note(|record| record.set(tile, dtype, Finding::Aside(why)));
        }
        return Err(Error::Gpu(format!("the device was lost in a check of {}: {lost}", tile.name())));
    }
    let is_right = why.is_none();
    gpu.note(|record: &mut Record| {
        record.set(tile, dtype, why.map_or(Finding::Right, Finding::Aside));
    });
    Ok(is_right)
}

/// What a kernel is compared with.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Reference {
    Plain,
    Twin,
}

impl Gpu {
    /// What is wrong with a kernel with operands of that dtype, by its twin. The record stays as it is.
    ///
    /// # Errors
    /// If there is no such kernel, or memory does not suffice.
    pub(crate) async fn differs_from_twin(&self, kernel: &str, dtype: DType) -> Result<Option<String>> {
        let tile = self.named(kernel)?.tile;
        // How strides are read does not depend on what the elements are.
        fault(self, tile, cases(tile, dtype != DType::F32), dtype, Reference::Twin).await
    }
}

/// All cases, or the most common one, where few must do.
fn cases(tile: Tile, few: bool) -> &'static [Case] {
    let all: &[Case] = if tile.is_scalar() { &SKINNY_CASES } else { &CASES };
    if few { &all[..1] } else { all }
}

/// What is wrong with a kernel.
async fn fault(
    bench: &impl Bench,
    tile: Tile,
    cases: &[Case],
    dtype: DType,
    reference: Reference,
) -> Result<Option<String>> {
    for case in cases {
        let trial = Trial::new(bench.gpu(), *case, dtype)?;
        let why = fault_in(bench, tile, &trial, reference).await?;
        if why.is_some() {
            return Ok(why);
        }
    }
    Ok(None)
}

/// What is wrong with one product. Memory that does not suffice is nobody's fault.
async fn fault_in(
    bench: &impl Bench,
    tile: Tile,
    trial: &Trial,
    reference: Reference,
) -> Result<Option<String>> {
    let start = bench.now();
    if let Err(error) = bench.compile(tile, trial).await {
        return blamed(error, "it does not compile");
    }
    let compiled = bench.product(tile, trial).await;
    let took = bench.now().saturating_sub(start);
    if took > COMPILING {
        return Ok(Some(format!("compiling it took {:.0} s", took.as_secs_f64())));
    }
    // Twice, since another program may have the device for a moment.
    let (mut products, mut fastest) = (vec![compiled], Duration::MAX);
    for _ in 0..2 {
        let start = bench.now();
        products.push(bench.product(tile, trial).await);
        fastest = fastest.min(bench.now().saturating_sub(start));
        if fastest <= RUNNING {
            break;
        }
    }
    let reference = match reference {
        Reference::Twin => None,
        Reference::Plain => match bench.product(PLAIN, trial).await {
            Ok(product) => Some(product),
            Err(error) => return blamed(error, "the plain kernel fails beside it"),
        },
    };
    // Matrix units cut off what others round: the test of their twin has what that costs.
    let own = if matches!(tile, Tile::Units { .. }) { 3.0 } else { 1.0 };
    let (want, units) = match &reference {
        Some(product) => (product.get(MARGIN..MARGIN + trial.want.len()).unwrap_or_default(), own + 1.0),
        None => (&trial.want[..], own),
    };
    for product in products {
        match product {
            Ok(product) => {
                if let Some(why) = trial.fault(&product, want, units) {
                    return Ok(Some(why));
                }
            }
            Err(error) => return blamed(error, "it fails"),
        }
    }
    Ok((fastest > RUNNING).then(|| format!("a small product of it took {:.1} s", fastest.as_secs_f64())))
}

/// What a kernel is set aside for, unless it only lacked memory.
fn blamed(error: Error, what: &str) -> Result<Option<String>> {
    if matches!(error, Error::OutOfMemory { .. }) { Err(error) } else { Ok(Some(format!("{what}: {error}"))) }
}

fn unknown(dtype: DType) -> Error {
    Error::DType { op: "matmul", message: format!("no kernel multiplies {dtype} by tiles") }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
