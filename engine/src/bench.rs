//! Timing a product as it should be timed: random inputs, a poisoned output, a warm-up, the median of
//! several samples, and the result checked against f64.

use crate::backend::{Backend, Operand};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::layout::{Layout, checked_numel};
use crate::measure::{Timing, time};
use crate::program::Program;
use crate::room::room;
use crate::size::written;

/// Multiply-adds that checking against f64 may take.
const CHECK_BUDGET: usize = 1 << 28;

/// A product `(m, k) @ (k, n)` of contiguous matrices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatmulSpec {
    /// Rows of the result.
    pub m: usize,
    /// Columns of the result.
    pub n: usize,
    /// Elements in each dot product.
    pub k: usize,
    /// Of both factors and the result.
    pub dtype: DType,
}

impl MatmulSpec {
    /// Floating-point operations: `2 m n k`, a multiplication and an addition per term.
    #[must_use]
    pub fn flop(self) -> f64 {
        2.0 * self.m as f64 * self.n as f64 * self.k as f64
    }
}

/// What timing a product gave. Seconds are per product.
#[derive(Debug, Clone, PartialEq)]
pub struct MatmulTiming {
    /// What was timed.
    pub spec: MatmulSpec,
    /// The device, as it calls itself.
    pub device: String,
    /// The kernel that ran.
    pub kernel: String,
    /// Until the device is done.
    pub fence: Timing,
    /// By the device's own clock, where it has one: launching and waiting left out.
    pub timestamp: Option<Timing>,
    /// Largest difference from the product in f64 of the same (rounded) inputs, relative to the largest
    /// magnitude in it; over all rows, or evenly sampled ones of a large product. Infinite if an element
    /// was not written.
    pub max_rel_err: f64,
}

/// Times `a @ b` on `device` for about `budget_secs`.
///
/// # Errors
/// If a size is 0 or too large, memory does not suffice, or the device fails.
pub async fn matmul(device: &dyn Backend, spec: MatmulSpec, budget_secs: f64) -> Result<MatmulTiming> {
    let MatmulSpec { m, n, k, dtype } = spec;
    if m == 0 || n == 0 || k == 0 {
        let message = format!("a product of sizes m = {m}, n = {n}, k = {k} has nothing to time");
        return Err(Error::Value { op: "bench", message });
    }
    for shape in [[m, k], [k, n], [m, n]] {
        let numel = checked_numel(&shape)?;
        // Inputs are made here before the device sees them.
        let bytes = numel as u128 * dtype.size_bytes() as u128;
        if usize::try_from(bytes).is_err() || bytes > isize::MAX as u128 / 16 {
            let rule = format!("a matrix takes at most {} here", written(isize::MAX as u128 / 16));
            return Err(Error::out_of_memory(bytes, device.name(), rule).of_tensor(&shape, dtype));
        }
    }
    let (layout_a, layout_b) = (Layout::contiguous(&[m, k])?, Layout::contiguous(&[k, n])?);
    let layout_out = Layout::contiguous(&[m, n])?;
    // The device's memory first: it refuses before time goes into inputs.
    let out = device.allocate(m * n * dtype.size_bytes())?;
    let (a, b) = (Matrix::random(m * k, dtype, 1)?, Matrix::random(k * n, dtype, 2)?);
    let (storage_a, storage_b) = (device.upload(&a.bytes)?, device.upload(&b.bytes)?);
    let a_operand = Operand { storage: &*storage_a, layout: &layout_a, dtype };
    let b_operand = Operand { storage: &*storage_b, layout: &layout_b, dtype };
    let out_operand = Operand { storage: &*out, layout: &layout_out, dtype };
    let multiply = || device.matmul(a_operand, b_operand, out_operand);
    let poison = || device.map(&Program::fill(f32::NAN.into(), dtype), &[], out_operand);

    poison()?;
    let (fence, timestamp) = time(device, budget_secs, &mut || multiply()).await?;
    poison()?;
    multiply()?;
    let product = decode(&device.download(&*out).await?, dtype, format_of(dtype)?);
    Ok(MatmulTiming {
        spec,
        device: device.name(),
        kernel: device.matmul_kernel(a_operand, b_operand, out_operand),
        fence,
        timestamp,
        max_rel_err: max_rel_err(spec, &a.values, &b.values, &product),
    })
}

/// Random elements, as stored and as the numbers they stand for.
struct Matrix {
    bytes: Vec<u8>,
    values: Vec<f32>,
}

impl Matrix {
    /// Uniform in [-1, 1), rounded to `dtype`.
    fn random(numel: usize, dtype: DType, seed: u64) -> Result<Self> {
        let format = format_of(dtype)?;
        let mut bytes = room(numel * dtype.size_bytes())?;
        let mut state = seed;
        for _ in 0..numel {
            // splitmix64 (Steele, Lea, Flood 2014).
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            let value = (z ^ (z >> 31)) as i64 as f64 / 2f64.powi(63);
            let bits = match dtype {
                DType::F32 => (value as f32).to_bits(),
                _ => format.encode(value),
            };
            bytes.extend_from_slice(&bits.to_le_bytes()[..dtype.size_bytes()]);
        }
        let values = decode(&bytes, dtype, format);
        Ok(Self { bytes, values })
    }
}

/// The format of a dtype that products are timed in.
fn format_of(dtype: DType) -> Result<Format> {
    dtype.format().ok_or_else(|| {
        let known = DType::UP_TO_F32.map(DType::name).join(", ");
        Error::DType { op: "matmul", message: format!("products are timed in {known}, not in {dtype}") }
    })
}

fn decode(bytes: &[u8], dtype: DType, format: Format) -> Vec<f32> {
    let bits = |e: &[u8]| e.iter().rev().fold(0u32, |bits, &byte| bits << 8 | u32::from(byte));
    let elements = bytes.chunks_exact(dtype.size_bytes()).map(bits);
    if dtype == DType::F32 {
        return elements.map(f32::from_bits).collect();
    }
    // A table of all patterns: there are few, and large products have millions of elements.
    let all: Vec<f32> =
        (0..1u32 << (8 * dtype.size_bytes())).map(|bits| format.decode(bits) as f32).collect();
    elements.map(|bits| all[bits as usize]).collect()
}

fn max_rel_err(spec: MatmulSpec, a: &[f32], b: &[f32], product: &[f32]) -> f64 {
    let MatmulSpec { m, n, k, .. } = spec;
    let rows = (CHECK_BUDGET / n.saturating_mul(k).max(1)).clamp(2, m.max(2)).min(m);
    let (mut largest, mut worst) = (0f64, 0f64);
    let mut row = vec![0f64; n];
    for r in 0..rows {
        // Evenly from the first row to the last.
        let i = if rows == 1 { 0 } else { r * (m - 1) / (rows - 1) };
        row.fill(0.0);
        for p in 0..k {
            let left = f64::from(a[i * k + p]);
            for (sum, right) in row.iter_mut().zip(&b[p * n..][..n]) {
                *sum += left * f64::from(*right);
            }
        }
        for (want, got) in row.iter().zip(&product[i * n..][..n]) {
            largest = largest.max(want.abs());
            let difference = (want - f64::from(*got)).abs();
            worst = if difference.is_nan() { f64::INFINITY } else { worst.max(difference) };
        }
    }
    if worst == 0.0 { 0.0 } else { worst / largest }
}
