//! Sequential Rust twins of the WGSL kernels, one of the same name for each: their reference. They
//! compute in f64, in the order in which the kernel goes about it, and know nothing of devices.

pub mod arg_extreme;
pub mod codec;
pub mod cross_entropy;
pub mod dot;
pub mod fma;
pub mod gather;
pub mod map;
pub mod matmul_register;
pub mod matmul_skinny;
pub mod matmul_tiled;
pub mod matmul_units;
pub mod norm;
pub mod norm_parameters;
pub mod philox;
pub mod reduce;
pub mod scan;
pub mod scatter_add;
pub mod softmax;
pub mod sort;
pub mod stream;
pub mod update;
pub mod whole;

use std::cmp::Ordering;

use crate::backend::Reduction;
use crate::layout::Layout;
use crate::program::{Binary, Bits, Unary};
use crate::scalar::Scalar;

/// What a twin computes with: f64 for real numbers, i64 for whole ones.
pub trait Number: Copy {
    /// A number of a program.
    fn constant(value: Scalar) -> Self;
    /// Whether it is not 0.
    fn is_true(self) -> bool;
    /// `op(x)`; none where it is no number of this kind.
    fn unary(op: Unary, x: Self) -> Option<Self>;
    /// `op(a, b)`
    fn binary(op: Binary, a: Self, b: Self) -> Self;
    /// `op` on the bits of a and b; none where they have none.
    fn bits(_op: Bits, _a: Self, _b: Self) -> Option<Self> {
        None
    }
    /// The result of a reduction of nothing.
    fn identity(op: Reduction) -> Self;
    /// Times a scale, which whole numbers do not have.
    fn scaled(self, scale: f64) -> Self;
    /// NaN is the largest.
    fn order(self, other: Self) -> Ordering;
    /// Whether it is no number.
    fn is_nan(self) -> bool;
}

/// Where the elements of each lane along `dim` are in the row-major elements of a shape.
fn lanes(shape: &[usize], dim: usize) -> Vec<Vec<usize>> {
    let (outer, inner) = (shape[..dim].iter().product::<usize>(), shape[dim + 1..].iter().product::<usize>());
    let (length, mut lanes) = (shape[dim], Vec::new());
    for o in 0..outer {
        for i in 0..inner {
            lanes.push((0..length).map(|k| (o * length + k) * inner + i).collect());
        }
    }
    lanes
}

/// The elements of a view in row-major order; `storage` holds one value per element of storage.
#[must_use]
pub fn dense(storage: &[f64], layout: &Layout) -> Vec<f64> {
    layout.storage_indices().map(|i| storage[i]).collect()
}

/// Values in [-1, 1) from a small generator of its own.
#[cfg(any(feature = "gpu", test))]
pub(crate) fn random(count: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    std::iter::repeat_with(next).take(count).collect()
}

/// Row-major operands of one product: a is `m × k`, b is `k × n`.
#[derive(Debug, Clone, Copy)]
pub struct Product<'a> {
    /// Elements of a.
    pub a: &'a [f64],
    /// Elements of b.
    pub b: &'a [f64],
    /// Rows of a.
    pub m: usize,
    /// Columns of b.
    pub n: usize,
    /// Columns of a and rows of b.
    pub k: usize,
}

impl Product<'_> {
    /// Adds the product of columns `ks` of a and rows `ks` of b to the elements `rows × cols` of `out`.
    fn accumulate(
        self,
        rows: std::ops::Range<usize>,
        cols: std::ops::Range<usize>,
        ks: &(impl Iterator<Item = usize> + Clone),
        out: &mut [f64],
    ) {
        for i in rows {
            let row = &mut out[i * self.n..][..self.n][cols.clone()];
            for p in ks.clone() {
                let a = self.a[i * self.k + p];
                for (c, b) in row.iter_mut().zip(&self.b[p * self.n..][..self.n][cols.clone()]) {
                    *c += a * b;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    /// A kernel without a reference, or a reference without a shader, is a mistake.
    #[test]
    fn every_kernel_has_a_twin_and_every_twin_a_shader() {
        let files = |folder: &str| {
            let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
            let files = std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path());
            files.filter(|path| path.is_file()).collect::<Vec<_>>()
        };
        let stem = |path: &std::path::PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
        let (shaders, twins) = (files("../shaders"), files("src/twin"));
        let names: Vec<String> = twins.iter().map(stem).filter(|name| name != "mod").collect();
        // What has no entry point is a part of the others.
        let kernels =
            shaders.iter().filter(|path| std::fs::read_to_string(path).unwrap().contains("@compute"));
        for kernel in kernels {
            assert!(names.contains(&stem(kernel)), "{} has no twin", kernel.display());
        }
        for name in &names {
            assert!(shaders.iter().any(|shader| stem(shader) == *name), "the twin {name} has no shader");
        }
        assert!(names.len() > 3);
    }
}
