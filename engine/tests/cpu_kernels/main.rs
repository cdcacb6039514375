//! The CPU backend against sequential sums in f64 and against single elements.
#![cfg(feature = "cpu")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first fault")]

mod map;
mod matmul;
mod memory;
mod reduce;
mod update;

use std::rc::Rc;

use napkin_engine::backend::{Backend, Operand, Reduction, Storage, Update};
use napkin_engine::cpu::Cpu;
use napkin_engine::program::{Binary, Compute, Instr, Program, Unary};
use napkin_engine::{DType, Error, Layout, Scalar};

/// A tensor on the CPU, and what is in it.
struct Tensor {
    storage: Rc<dyn Storage>,
    layout: Layout,
    dtype: DType,
    /// Every element of the storage, after rounding to the dtype.
    values: Vec<f64>,
}

impl Tensor {
    fn operand(&self) -> Operand<'_> {
        Operand { storage: &*self.storage, layout: &self.layout, dtype: self.dtype }
    }

    /// Elements in the order of the view.
    fn view(&self) -> Vec<f64> {
        self.layout.storage_indices().map(|i| self.values[i]).collect()
    }

    fn with(mut self, change: impl Fn(&Layout) -> napkin_engine::Result<Layout>) -> Self {
        self.layout = change(&self.layout).unwrap();
        self
    }
}

fn bytes(dtype: DType, values: &[f64]) -> Vec<u8> {
    let pattern = |&v| dtype.format().unwrap().encode(v).to_le_bytes();
    values.iter().flat_map(|v| pattern(v).into_iter().take(dtype.size_bytes())).collect()
}

fn tensor(cpu: &Cpu, shape: &[usize], dtype: DType, value: impl Fn(usize) -> f64) -> Tensor {
    let layout = Layout::contiguous(shape).unwrap();
    let rounded = |i| dtype.format().unwrap().decode(dtype.format().unwrap().encode(value(i)));
    let values: Vec<f64> = (0..layout.numel()).map(rounded).collect();
    Tensor { storage: cpu.upload(&bytes(dtype, &values)).unwrap(), layout, dtype, values }
}

/// Pseudo-random numbers in [-1, 1).
fn noise(seed: u64) -> impl Fn(usize) -> f64 {
    move |i| {
        let mut x =
            (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed.wrapping_mul(0xd1b5_4a32_d192_ed03);
        x ^= x >> 31;
        x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x ^= x >> 29;
        (x >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// An output whose every byte is set, so that what a kernel leaves out shows.
fn poisoned(cpu: &Cpu, shape: &[usize], dtype: DType) -> Tensor {
    tensor(cpu, shape, dtype, |_| f64::NAN)
}

fn download(cpu: &Cpu, t: &Tensor) -> Vec<f64> {
    let bytes = pollster::block_on(cpu.download(&*t.storage)).unwrap();
    let size = t.dtype.size_bytes();
    let mut all = bytes.chunks_exact(size).map(|b| {
        let mut pattern = [0; 4];
        pattern[..size].copy_from_slice(b);
        t.dtype.format().unwrap().decode(u32::from_le_bytes(pattern))
    });
    let all: Vec<f64> = all.by_ref().collect();
    t.layout.storage_indices().map(|i| all[i]).collect()
}

/// Spacing of a dtype relative to 1, and of f32 sums.
fn eps(dtype: DType) -> f64 {
    dtype.format().unwrap().info().eps
}
