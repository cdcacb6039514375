//! The f32 product in the browser: [`packed`] panels and a micro-kernel of 4×8 sums in eight
//! vectors. Taller and wider tiles (6×8, 4×12) spill and are slower.

use core::arch::wasm32::{f32x4_add, f32x4_splat, v128};
use std::cell::RefCell;

use super::packed::{self, COLS, MicroKernel, Panels, ROWS};
use super::{Matrix, Size};
use crate::Result;

/// Packing buffers, kept from product to product.
#[derive(Default)]
pub(in crate::cpu) struct Scratch(RefCell<Panels>);

/// What multiplies, for reports.
pub(in crate::cpu) const KERNEL: &str = "packed 4x8";

/// What this build may use; the page chooses the build by a probe.
pub(in crate::cpu) fn instruction_set() -> &'static str {
    if cfg!(feature = "relaxed-simd") { "SIMD128, relaxed" } else { "SIMD128" }
}

/// `c = a @ b`, all of it overwritten; `c` is row-major.
pub(super) fn product(
    scratch: &Scratch,
    size: Size,
    a: Matrix<'_>,
    b: Matrix<'_>,
    c: &mut [f32],
) -> Result<()> {
    packed::product::<Simd128>(&mut scratch.0.borrow_mut(), size, a, b, c)
}

struct Simd128;

impl MicroKernel for Simd128 {
    fn tile(a: &[[f32; ROWS]], b: &[[f32; COLS]], c: &mut [f32], stride: usize, first: bool) {
        tile(a, b, c, stride, first);
    }
}

#[cfg_attr(feature = "relaxed-simd", target_feature(enable = "relaxed-simd"))]
fn tile(a: &[[f32; ROWS]], b: &[[f32; COLS]], c: &mut [f32], stride: usize, first: bool) {
    let mut sums = [[f32x4_splat(0.0); 2]; ROWS];
    for (a, b) in a.iter().zip(b) {
        // One load each: from single lanes the optimiser may make eight.
        let [left, right]: [v128; 2] = bytemuck::cast(*b);
        for (sum, &a) in sums.iter_mut().zip(a) {
            let a = f32x4_splat(a);
            sum[0] = multiply_add(a, left, sum[0]);
            sum[1] = multiply_add(a, right, sum[1]);
        }
    }
    for (i, sum) in sums.iter().enumerate() {
        for (half, &sum) in sum.iter().enumerate() {
            let to = bytemuck::cast_slice_mut(&mut c[i * stride + 4 * half..][..4]);
            let sum = if first { sum } else { f32x4_add(bytemuck::pod_read_unaligned(to), sum) };
            to.copy_from_slice(bytemuck::bytes_of(&sum));
        }
    }
}

/// `a · b + sum`, rounded once with relaxed SIMD.
#[cfg(feature = "relaxed-simd")]
#[inline]
#[target_feature(enable = "relaxed-simd")]
pub(in crate::cpu) fn multiply_add(a: v128, b: v128, sum: v128) -> v128 {
    core::arch::wasm32::f32x4_relaxed_madd(a, b, sum)
}

/// `a · b + sum`, rounded twice.
#[cfg(not(feature = "relaxed-simd"))]
#[inline]
pub(in crate::cpu) fn multiply_add(a: v128, b: v128, sum: v128) -> v128 {
    f32x4_add(core::arch::wasm32::f32x4_mul(a, b), sum)
}
