//! The f32 product in blocks: operands are copied, whatever their strides, into panels that a
//! micro-kernel reads from front to back, and blocks are sized for the caches.
//!
//! After K. Goto and R. van de Geijn, "Anatomy of High-Performance Matrix Multiplication",
//! ACM TOMS 34(3), 2008.

use super::{Matrix, Size};
use crate::Result;
use crate::room::out_of_memory;

/// Rows of a tile of the product.
pub(super) const ROWS: usize = 4;
/// Columns of a tile: with 4 rows, eight vectors of sums stay in registers.
pub(super) const COLS: usize = 8;
/// Addends per pass: a panel of each operand fits the first-level cache together.
const DEPTH: usize = 128;
/// Rows of `a` that are packed at a time, for the second-level cache.
const BLOCK_ROWS: usize = 64;
/// Columns of `b` that are packed at a time.
const BLOCK_COLS: usize = 512;

/// The innermost product.
pub(super) trait MicroKernel {
    /// Adds (or, with `first`, writes) the product of a panel of rows and a panel of columns to the
    /// tile whose rows start at multiples of `stride` in `c`.
    fn tile(a: &[[f32; ROWS]], b: &[[f32; COLS]], c: &mut [f32], stride: usize, first: bool);
}

/// A line of the cache: panels start on one, so that no vector of theirs lies across two.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
struct Line([f32; 16]);

/// Packed panels, kept between products.
#[derive(Default)]
pub(super) struct Panels {
    a: Vec<Line>,
    b: Vec<Line>,
}

/// `c = a @ b`, all of it overwritten; `c` is row-major and no size is 0.
pub(super) fn product<K: MicroKernel>(
    panels: &mut Panels,
    size: Size,
    a: Matrix<'_>,
    b: Matrix<'_>,
    c: &mut [f32],
) -> Result<()> {
    let Size { m, n, k } = size;
    let depth_max = DEPTH.min(k);
    let b_panels: &mut [[f32; COLS]] = room(&mut panels.b, BLOCK_COLS.min(n).div_ceil(COLS) * depth_max)?;
    let a_panels: &mut [[f32; ROWS]] = room(&mut panels.a, BLOCK_ROWS.min(m).div_ceil(ROWS) * depth_max)?;
    for col in (0..n).step_by(BLOCK_COLS) {
        let cols = BLOCK_COLS.min(n - col);
        for from in (0..k).step_by(DEPTH) {
            let depth = DEPTH.min(k - from);
            for (j, panel) in b_panels.chunks_exact_mut(depth).take(cols.div_ceil(COLS)).enumerate() {
                let at = from * b.row_stride + (col + j * COLS) * b.col_stride;
                pack(panel, &b.data[at..], b.row_stride, b.col_stride, COLS.min(cols - j * COLS));
            }
            for row in (0..m).step_by(BLOCK_ROWS) {
                let rows = BLOCK_ROWS.min(m - row);
                for (i, panel) in a_panels.chunks_exact_mut(depth).take(rows.div_ceil(ROWS)).enumerate() {
                    let at = from * a.col_stride + (row + i * ROWS) * a.row_stride;
                    pack(panel, &a.data[at..], a.col_stride, a.row_stride, ROWS.min(rows - i * ROWS));
                }
                let block = Block { row, rows, col, cols, n, first: from == 0 };
                block.multiply::<K>(a_panels, b_panels, depth, c);
            }
        }
    }
    Ok(())
}

/// At least `len` entries of panels, grown where necessary.
fn room<const W: usize>(lines: &mut Vec<Line>, len: usize) -> Result<&mut [[f32; W]]>
where
    [f32; W]: bytemuck::Pod,
{
    let want = (len * W).div_ceil(16);
    let more = want.saturating_sub(lines.len());
    lines.try_reserve(more).map_err(|_| out_of_memory(more as u128 * size_of::<Line>() as u128))?;
    lines.resize(lines.len().max(want), bytemuck::Zeroable::zeroed());
    Ok(bytemuck::cast_slice_mut(lines))
}

/// Copies `width` ≤ W lines into a panel that has one entry per step of the sum; missing lines are 0.
fn pack<const W: usize>(panel: &mut [[f32; W]], src: &[f32], step: usize, line: usize, width: usize) {
    if width < W {
        panel.fill([0.0; W]);
    }
    if width == W && line == 1 {
        for (p, to) in panel.iter_mut().enumerate() {
            to.copy_from_slice(&src[p * step..][..W]);
        }
    } else if width == W && step == 1 {
        let lines: [&[f32]; W] = std::array::from_fn(|w| &src[w * line..][..panel.len()]);
        for (p, to) in panel.iter_mut().enumerate() {
            *to = std::array::from_fn(|w| lines[w][p]);
        }
    } else {
        for w in 0..width {
            let src = src[w * line..].iter().step_by(step.max(1));
            if step == 0 {
                panel.iter_mut().for_each(|to| to[w] = src.clone().next().copied().unwrap_or(0.0));
            } else {
                panel.iter_mut().zip(src).for_each(|(to, &x)| to[w] = x);
            }
        }
    }
}

/// A part of the product whose operands are packed.
struct Block {
    row: usize,
    rows: usize,
    col: usize,
    cols: usize,
    /// Columns of the whole product.
    n: usize,
    first: bool,
}

impl Block {
    fn multiply<K: MicroKernel>(&self, a: &[[f32; ROWS]], b: &[[f32; COLS]], depth: usize, c: &mut [f32]) {
        for (j, b) in b.chunks_exact(depth).take(self.cols.div_ceil(COLS)).enumerate() {
            let cols = COLS.min(self.cols - j * COLS);
            for (i, a) in a.chunks_exact(depth).take(self.rows.div_ceil(ROWS)).enumerate() {
                let rows = ROWS.min(self.rows - i * ROWS);
                let corner = (self.row + i * ROWS) * self.n + self.col + j * COLS;
                if rows == ROWS && cols == COLS {
                    K::tile(a, b, &mut c[corner..], self.n, self.first);
                    continue;
                }
                let mut tile = [[0f32; COLS]; ROWS];
                K::tile(a, b, tile.as_flattened_mut(), COLS, true);
                for (r, sums) in tile.iter().take(rows).enumerate() {
                    let to = &mut c[corner + r * self.n..][..cols];
                    if self.first {
                        to.copy_from_slice(&sums[..cols]);
                    } else {
                        to.iter_mut().zip(sums).for_each(|(c, sum)| *c += sum);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kernel without vectors: what the browser's is compared with, and what drives the packing
    /// on machines that are no browser.
    struct Scalar;

    impl MicroKernel for Scalar {
        fn tile(a: &[[f32; ROWS]], b: &[[f32; COLS]], c: &mut [f32], stride: usize, first: bool) {
            for i in 0..ROWS {
                for j in 0..COLS {
                    let sum: f32 = a.iter().zip(b).map(|(a, b)| a[i] * b[j]).sum();
                    let c = &mut c[i * stride + j];
                    *c = if first { sum } else { *c + sum };
                }
            }
        }
    }

    fn check(panels: &mut Panels, size: Size, a_strides: (usize, usize), b_strides: (usize, usize)) {
        let Size { m, n, k } = size;
        // Numbers of few bits: every sum is exact in f32, so the order of addition cannot matter.
        let values = |len: usize, seed: usize| -> Vec<f32> {
            (0..len).map(|i| ((i * 7919 + seed) % 17) as f32 - 8.0).collect()
        };
        let len = |rows: usize, cols: usize, s: (usize, usize)| (rows - 1) * s.0 + (cols - 1) * s.1 + 1;
        let (av, bv) = (values(len(m, k, a_strides), 3), values(len(k, n, b_strides), 5));
        let a = Matrix { data: &av, row_stride: a_strides.0, col_stride: a_strides.1 };
        let b = Matrix { data: &bv, row_stride: b_strides.0, col_stride: b_strides.1 };
        let mut c = vec![f32::NAN; m * n];
        product::<Scalar>(panels, size, a, b, &mut c).unwrap();
        for i in 0..m {
            for j in 0..n {
                let want: f32 = (0..k)
                    .map(|p| av[i * a_strides.0 + p * a_strides.1] * bv[p * b_strides.0 + j * b_strides.1])
                    .sum();
                assert_eq!(
                    c[i * n + j],
                    want,
                    "({i}, {j}) of {m}x{k} @ {k}x{n}, {a_strides:?} {b_strides:?}"
                );
            }
        }
    }

    #[test]
    fn ragged_sizes_and_any_strides() {
        // One set of panels for all, so that leftovers of a larger product would show.
        let mut panels = Panels::default();
        for (m, n, k) in [
            (1, 1, 1),
            (3, 17, 5),
            (4, 8, 256),
            (5, 9, 257),
            (63, 65, 64),
            (65, 63, 300),
            (130, 7, 3),
            (2, 1030, 11),
        ] {
            let size = Size { m, n, k };
            check(&mut panels, size, (k, 1), (n, 1));
            check(&mut panels, size, (1, m), (1, k));
            check(&mut panels, size, (k + 3, 1), (2 * n, 2));
            check(&mut panels, size, (0, 1), (n, 1));
            check(&mut panels, size, (k, 1), (0, 1));
            check(&mut panels, size, (1, 0), (1, 0));
        }
    }
}
