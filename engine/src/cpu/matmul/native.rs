//! The product of real matrices outside the browser: the `gemm` crate, which picks its kernel for the processor.

use super::{Matrix, Multiply, Size};
use crate::{Error, Result};

/// `gemm` keeps its packing buffers itself.
#[derive(Default)]
pub(in crate::cpu) struct Scratch;

/// What multiplies, for reports.
pub(in crate::cpu) const KERNEL: &str = "gemm";

/// The instructions that `gemm` chooses here.
pub(in crate::cpu) fn instruction_set() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512f") {
            return "AVX-512";
        }
        if std::arch::is_x86_feature_detected!("fma") {
            return "AVX2";
        }
    }
    if cfg!(target_arch = "aarch64") { "NEON" } else { "scalar" }
}

/// `c = a @ b`, all of it overwritten; `c` is row-major. `T` is f32 or f64.
pub(super) fn product<T: Multiply>(
    _: &Scratch,
    size: Size,
    a: Matrix<'_, T>,
    b: Matrix<'_, T>,
    c: &mut [T],
) -> Result<()> {
    let Size { m, n, k } = size;
    let reach = |x: Matrix<'_, T>, rows: usize, cols: usize| {
        (rows - 1) * x.row_stride + (cols - 1) * x.col_stride < x.data.len()
    };
    if m == 0 || n == 0 || k == 0 || !reach(a, m, k) || !reach(b, k, n) || c.len() != m * n {
        let message = format!("a {m}x{k} by {k}x{n} product outside its operands");
        return Err(Error::Value { op: "matmul", message });
    }
    let strides = |x: Matrix<'_, T>| (x.col_stride.cast_signed(), x.row_stride.cast_signed());
    let ((a_cs, a_rs), (b_cs, b_rs)) = (strides(a), strides(b));
    // SAFETY: the sizes are not zero and the last element of each operand lies within its slice, as
    // has just been checked; strides are not negative, so all others do too. `c` is a mutable slice,
    // so it overlaps neither operand.
    unsafe {
        gemm::gemm(
            m,
            n,
            k,
            c.as_mut_ptr(),
            1,
            n.cast_signed(),
            false,
            a.data.as_ptr(),
            a_cs,
            a_rs,
            b.data.as_ptr(),
            b_cs,
            b_rs,
            T::from_f64(0.0),
            T::from_f64(1.0),
            false,
            false,
            false,
            gemm::Parallelism::Rayon(0),
        );
    }
    Ok(())
}
