//! Matrix products: from strided, batched operands to dispatches of shaders/matmul_*.wgsl.

use super::core::{Core, Dispatch, HEADER_WORDS};
use super::epilogue::{Epilogue, Finish};
use super::kernels::Kernel;
use super::operand::{Binding, Collapsed, storage, word};
use super::pool::GpuStorage;
use super::template::{Variables, expand};
use super::tiles::{SKINNY_ROWS, Tile};
use crate::backend::Operand;
use crate::dtype::DType;
use crate::error::{Error, Result};
use std::rc::Rc;

/// Dimensions of the batch that one dispatch walks; more are walked here.
const BATCH_RANK: usize = 4;

/// How a kernel reads an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// vec4 along k.
    Along,
    /// vec4 along the other dimension.
    Across,
    /// One element at a time, whatever the strides.
    Any,
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Self::Along => "along",
            Self::Across => "across",
            Self::Any => "any",
        }
    }
}

/// A product without its batch: a is `m × k`, b is `k × n`.
#[derive(Debug, Clone)]
struct Problem {
    m: usize,
    n: usize,
    k: usize,
    a: Matrix,
    b: Matrix,
    /// Sizes of the batch, and strides of a and b.
    batch: Vec<usize>,
    a_batch: Vec<usize>,
    b_batch: Vec<usize>,
    out_offset: usize,
    out_row: usize,
    out_col: usize,
}

#[derive(Debug, Clone, Copy)]
struct Matrix {
    offset: usize,
    row: usize,
    col: usize,
    dtype: DType,
}

impl Problem {
    fn new(a: Operand<'_>, b: Operand<'_>, out: Operand<'_>) -> Result<Self> {
        let (shape_a, shape_b, shape_out) = (a.layout.shape(), b.layout.shape(), out.layout.shape());
        let rank = shape_a.len();
        let fits = rank >= 2
            && shape_b.len() == rank
            && shape_out.len() == rank
            && shape_a[..rank - 2] == shape_b[..rank - 2]
            && shape_a[..rank - 2] == shape_out[..rank - 2]
            && shape_a[rank - 1] == shape_b[rank - 2]
            && shape_out[rank - 2..] == [shape_a[rank - 2], shape_b[rank - 1]]
            && out.layout.is_contiguous();
        if !fits {
            let message = format!("shapes {shape_a:?} @ {shape_b:?} → {shape_out:?} do not go together");
            return Err(Error::Shape { op: "matmul", message });
        }
        let (strides_a, strides_b) = (a.layout.strides(), b.layout.strides());
        let batch = Collapsed::new(
            &shape_a[..rank - 2],
            &[strides_a[..rank - 2].to_vec(), strides_b[..rank - 2].to_vec()],
        );
        let (m, n, k) = (shape_a[rank - 2], shape_b[rank - 1], shape_a[rank - 1]);
        let matrix = |operand: Operand<'_>, strides: &[usize], rows: usize, cols: usize| Matrix {
            offset: operand.layout.offset(),
            // The stride of a single row or column says nothing.
            row: if rows == 1 { 0 } else { strides[rank - 2] },
            col: if cols == 1 { 0 } else { strides[rank - 1] },
            dtype: operand.dtype,
        };
        let mut batch_strides = batch.strides.into_iter();
        Ok(Self {
            m,
            n,
            k,
            a: matrix(a, strides_a, m, k),
            b: matrix(b, strides_b, k, n),
            batch: batch.shape,
            a_batch: batch_strides.next().unwrap_or_default(),
            b_batch: batch_strides.next().unwrap_or_default(),
            out_offset: out.layout.offset(),
            out_row: n,
            out_col: 1,
        })
    }

    /// `outᵀ = bᵀ aᵀ`.
    fn transposed(self) -> Self {
        let flip = |x: Matrix| Matrix { row: x.col, col: x.row, ..x };
        Self {
            m: self.n,
            n: self.m,
            a: flip(self.b),
            b: flip(self.a),
            a_batch: self.b_batch,
            b_batch: self.a_batch,
            out_row: self.out_col,
            out_col: self.out_row,
            ..self
        }
    }

    /// How a matrix with these strides can be read; `along` and `across` are its strides along k and
    /// along the other dimension.
    fn mode(&self, offset: usize, batch: &[usize], along: usize, across: usize, extent: usize) -> Mode {
        let aligned = |stride: usize| stride.is_multiple_of(4);
        if !(aligned(offset) && batch.iter().copied().all(aligned)) {
            Mode::Any
        } else if along == 1 && aligned(across) && aligned(self.k) {
            Mode::Along
        } else if across == 1 && aligned(along) && aligned(extent) {
            Mode::Across
        } else {
            Mode::Any
        }
    }

    fn a_mode(&self) -> Mode {
        self.mode(self.a.offset, &self.a_batch, self.a.col, self.a.row, self.m)
    }

    fn b_mode(&self) -> Mode {
        self.mode(self.b.offset, &self.b_batch, self.b.row, self.b.col, self.n)
    }

    fn out_vector(&self) -> bool {
        self.n.is_multiple_of(4) && self.out_offset.is_multiple_of(4)
    }
}

/// Whether the product can be written in `dtype` directly: narrow elements share words, so they must
/// be written four at a time.
pub(crate) fn writes(tile: Tile, out: Operand<'_>) -> bool {
    let n = out.layout.shape().last().copied().unwrap_or(0);
    out.dtype == DType::F32
        || (!tile.is_scalar() && n.is_multiple_of(4) && out.layout.offset().is_multiple_of(4))
}

/// `out = a @ b` with kernel `tile`, each element through the epilogue; [`writes`] holds for `out`.
pub(crate) fn matmul(
    core: &Core,
    tile: Tile,
    a: Operand<'_>,
    b: Operand<'_>,
    epilogue: Option<Epilogue<'_>>,
    out: Operand<'_>,
) -> Result<()> {
    let problem = Problem::new(a, b, out)?;
    let (sa, sb, so) =
        (storage(core, "matmul", a)?, storage(core, "matmul", b)?, storage(core, "matmul", out)?);
    if out.layout.numel() == 0 {
        return Ok(());
    }
    let exchange = matches!(tile, Tile::Skinny { .. }) && problem.n < problem.m;
    let (problem, epilogue, mut buffers) = if exchange {
        (problem.transposed(), epilogue.map(Epilogue::transposed), vec![sb, sa, so])
    } else {
        (problem, epilogue, vec![sa, sb, so])
    };
    buffers.extend(epilogue.iter().flat_map(Epilogue::buffers));
    // Leading dimensions of the batch beyond what a kernel walks.
    let outer = problem.batch.len().saturating_sub(BATCH_RANK);
    let inner_size: usize = problem.batch[outer..].iter().product();
    for index in 0..problem.batch[..outer].iter().product() {
        let mut part = problem.clone();
        let mut rest = index;
        for d in (0..outer).rev() {
            let i = rest % problem.batch[d];
            rest /= problem.batch[d];
            part.a.offset += i * problem.a_batch[d];
            part.b.offset += i * problem.b_batch[d];
        }
        part.out_offset += index * inner_size * problem.m * problem.n;
        part.batch.drain(..outer);
        part.a_batch.drain(..outer);
        part.b_batch.drain(..outer);
        dispatch(core, tile, &part, &buffers, epilogue.as_ref(), out.dtype)?;
    }
    Ok(())
}

fn dispatch(
    core: &Core,
    tile: Tile,
    p: &Problem,
    buffers: &[&GpuStorage],
    epilogue: Option<&Epilogue<'_>>,
    out_dtype: DType,
) -> Result<()> {
    let w = |value: usize| word("matmul", value);
    let out_vector = !tile.is_scalar() && p.out_vector();
    let finish = epilogue.map(|epilogue| epilogue.finish(out_vector)).transpose()?;
    let (kernel, tile_m, tile_n) = kernel(core, tile, p, finish.as_ref(), buffers.len(), out_dtype)?;
    let (tiles_m, tiles_n) = (p.m.div_ceil(tile_m), p.n.div_ceil(tile_n));
    let batch: usize = p.batch.iter().product();
    let mut params = vec![0; HEADER_WORDS];
    params.extend([w(p.m)?, w(p.n)?, w(p.k)?, w(tiles_n)?]);
    params.extend([w(p.a.offset)?, w(p.a.row)?, w(p.a.col)?, w(tiles_m)?]);
    params.extend([w(p.b.offset)?, w(p.b.row)?, w(p.b.col)?, w(p.out_offset)?]);
    for (dims, filler) in [(&p.batch, 1), (&p.a_batch, 0), (&p.b_batch, 0)] {
        params.resize(params.len() + BATCH_RANK - dims.len(), filler);
        for &d in dims {
            params.push(w(d)?);
        }
    }
    params.extend([w(p.out_row)?, w(p.out_col)?, 0, 0]);
    params.extend(finish.iter().flat_map(|finish| &finish.words));
    core.dispatch(Dispatch {
        kernel: &kernel,
        buffers,
        params,
        workgroups: tiles_m as u64 * tiles_n as u64 * batch as u64,
        flops: 2 * (p.m as u64 * p.n as u64).saturating_mul(p.k as u64 * batch as u64),
    })
}

/// The compiled kernel and the tile of `out` that one of its workgroups computes.
fn kernel(
    core: &Core,
    tile: Tile,
    p: &Problem,
    finish: Option<&Finish>,
    buffers: usize,
    out_dtype: DType,
) -> Result<(Rc<Kernel>, usize, usize)> {
    let (file, source) = match tile {
        Tile::Tiled { .. } => ("matmul_tiled", shader!("matmul_tiled")),
        Tile::Register { .. } => ("matmul_register", shader!("matmul_register")),
        Tile::Skinny { .. } => ("matmul_skinny", shader!("matmul_skinny")),
    };
    let (a_mode, b_mode) = if tile.is_scalar() { (Mode::Any, Mode::Any) } else { (p.a_mode(), p.b_mode()) };
    let out_vector = !tile.is_scalar() && p.out_vector();
    let variables = Variables::default()
        .with("A_MODE", a_mode.name())
        .with("B_MODE", b_mode.name())
        .with("OUT_VECTOR", out_vector)
        .with("FINISH", finish.is_some());
    let (variables, tile_m, tile_n, detail) = match tile {
        Tile::Tiled { bm, bn, bk, tm, tn } => {
            let variables = variables
                .with("BM", bm)
                .with("BN", bn)
                .with("BK", bk)
                .with("TM", tm)
                .with("TN", tn)
                .with("THREADS", tile.invocations())
                .with("WARPS_N", bn / (8 * tn));
            (variables, bm, bn, 0)
        }
        Tile::Register { tm, tn, wx, wy } => {
            let variables = variables.with("TM", tm).with("TN", tn).with("WX", wx).with("WY", wy);
            (variables, tm * wy, tn * wx, 0)
        }
        Tile::Skinny { wide, deep } => {
            let rows = p.m.next_power_of_two().min(SKINNY_ROWS) as u32;
            // Where k is contiguous in the large operand, most invocations go along k.
            let along = deep > 1 && p.b.row == 1;
            let (tx, ty) = if along { (deep, wide) } else { (wide, deep) };
            let variables = variables.with("ROWS", rows).with("TX", tx).with("TY", ty).with("ALONG", along);
            (variables, rows, tx, rows + u32::from(along) * 64)
        }
    };
    let name = format!(
        "matmul_{} {detail} {} {} {} {} {} {out_vector} {}",
        tile.name(),
        a_mode.name(),
        b_mode.name(),
        p.a.dtype,
        p.b.dtype,
        out_dtype,
        finish.map(Finish::name).unwrap_or_default(),
    );
    let mut access = vec![false; buffers];
    access[2] = true;
    let kernel = core.kernels.get(&core.device, &core.faults, &name, &access, || {
        let read = |mode| Binding { vector: mode != Mode::Any, fast: true, ..Binding::default() };
        let codec = [
            read(a_mode).declare("a", 0, p.a.dtype)?,
            read(b_mode).declare("b", 1, p.b.dtype)?,
            Binding { vector: out_vector, write: true, ..Binding::default() }.declare("out", 2, out_dtype)?,
            finish.map_or(Ok(String::new()), Finish::declare)?,
        ];
        let words4 = finish.map_or(0, |finish| finish.words.len() / 4);
        let common = Variables::default().with("WORDS4", words4);
        let product = expand("matmul", shader!("matmul"), &common)?;
        expand(file, source, &variables.with("PRODUCT", product).with("CODEC", codec.concat()))
    })?;
    Ok((kernel, tile_m as usize, tile_n as usize))
}
