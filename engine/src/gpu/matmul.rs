//! Matrix products: from strided, batched operands to dispatches of shaders/matmul_*.wgsl.

use super::core::{Core, Dispatch};
use super::epilogue::{Epilogue, Finish};
use super::kernels::{HEADER_WORDS, Kernel};
use super::map::scratch;
use super::operand::{Binding, Collapsed, Number, storage, word};
use super::reduce::reduce;
use super::storage::GpuStorage;
use super::template::{Variables, expand};
use super::tiles::{SKINNY_ROWS, Tile};
use crate::backend::{Operand, Reduction};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::layout::Layout;
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

    /// Whether the kernel is for such products as the other way round this one is.
    fn is_better_transposed(&self, tile: Tile) -> bool {
        matches!(tile, Tile::Skinny { .. }) && self.n < self.m
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
    if let Some(dtype) = [a.dtype, b.dtype].into_iter().find(|dtype| !tile.takes(*dtype)) {
        let message = format!("the kernel {} does not multiply {dtype}", tile.name());
        return Err(Error::DType { op: "matmul", message });
    }
    let problem = Problem::new(a, b, out)?;
    let (sa, sb, so) =
        (storage(core, "matmul", a)?, storage(core, "matmul", b)?, storage(core, "matmul", out)?);
    if out.layout.numel() == 0 {
        return Ok(());
    }
    let (problem, epilogue, mut buffers) = if problem.is_better_transposed(tile) {
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

/// Compiles what `out = a @ b` with kernel `tile` needs, and runs nothing.
pub(crate) fn compile(
    core: &Core,
    tile: Tile,
    a: Operand<'_>,
    b: Operand<'_>,
    out: Operand<'_>,
) -> Result<()> {
    let mut problem = Problem::new(a, b, out)?;
    if problem.is_better_transposed(tile) {
        problem = problem.transposed();
    }
    let dtype = if writes(tile, out) { out.dtype } else { DType::F32 };
    Variant::new(tile, &problem, None, dtype).kernel(core, 3).map(drop)
}

/// `out = a @ b` with kernel `tile`, k in parts of `part`: each is a product of its own in a scratch, as if there were a
/// batch of them, and in the end they are added up, always in the same order.
pub(crate) fn split(
    core: &Core,
    tile: Tile,
    part: usize,
    a: Operand<'_>,
    b: Operand<'_>,
    out: Operand<'_>,
) -> Result<()> {
    let Problem { k, .. } = Problem::new(a, b, out)?;
    let (shape, numel, whole, rest) = (out.layout.shape(), out.layout.numel(), k / part, k % part);
    let parts = |count: usize| [&[count], shape].concat();
    let layout = Layout::contiguous(&parts(whole + usize::from(rest > 0)))?;
    let scratch = scratch(core, Number::F32, layout.numel())?;
    let sums = Operand { storage: &*scratch, layout: &layout, dtype: DType::F32 };
    for (first, count, length) in [(0, whole, part), (whole, 1, rest)] {
        if count * length == 0 {
            continue;
        }
        // The dimension of k from `first` parts on, as parts of that length in front of all others.
        let of = |operand: Operand<'_>, from_end: usize| {
            let Some(dim) = operand.layout.shape().len().checked_sub(from_end) else {
                return Err(Error::Shape {
                    op: "matmul",
                    message: "matrices have two dimensions".to_owned(),
                });
            };
            let (mut shape, strides) = (operand.layout.shape().to_vec(), operand.layout.strides());
            shape[dim] = length;
            let step = strides[dim] * part;
            let offset = operand.layout.offset() + first * step;
            Layout::strided(&[&[count], &shape[..]].concat(), &[&[step], strides].concat(), offset)
        };
        let (a_layout, b_layout) = (of(a, 1)?, of(b, 2)?);
        let here = Layout::contiguous(&parts(count))?;
        let here = Layout::strided(&parts(count), here.strides(), first * numel)?;
        let (a, b) = (Operand { layout: &a_layout, ..a }, Operand { layout: &b_layout, ..b });
        matmul(core, tile, a, b, None, Operand { layout: &here, ..sums })?;
    }
    reduce(core, Reduction::Sum, 1.0, sums, &[0], out)
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
    let variant = Variant::new(tile, p, finish.as_ref(), out_dtype);
    let kernel = variant.kernel(core, buffers.len())?;
    let (tile_m, tile_n) = variant.tile.block(variant.rows as usize, variant.along);
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

/// All that the text of a kernel depends on.
struct Variant<'a> {
    tile: Tile,
    a_mode: Mode,
    b_mode: Mode,
    out_vector: bool,
    /// Of a, b and out.
    dtypes: [DType; 3],
    /// Of a skinny kernel: rows, and whether most invocations go along k.
    rows: u32,
    along: bool,
    finish: Option<&'a Finish>,
}

impl<'a> Variant<'a> {
    fn new(tile: Tile, p: &Problem, finish: Option<&'a Finish>, out_dtype: DType) -> Self {
        let modes = if tile.is_scalar() { [Mode::Any; 2] } else { [p.a_mode(), p.b_mode()] };
        // Where k is contiguous in the large operand, most invocations go along k.
        let along = matches!(tile, Tile::Skinny { deep, .. } if deep > 1 && p.b.row == 1);
        Self {
            tile,
            a_mode: modes[0],
            b_mode: modes[1],
            out_vector: !tile.is_scalar() && p.out_vector(),
            dtypes: [p.a.dtype, p.b.dtype, out_dtype],
            rows: if tile.is_scalar() { p.m.next_power_of_two().min(SKINNY_ROWS) as u32 } else { 0 },
            along,
            finish,
        }
    }

    fn name(&self) -> String {
        let Self { tile, a_mode, b_mode, out_vector, dtypes: [a, b, out], rows, along, finish } = self;
        let finish = finish.map(Finish::name).unwrap_or_default();
        let (tile, a_mode, b_mode) = (tile.name(), a_mode.name(), b_mode.name());
        format!("matmul_{tile} {rows} {along} {a_mode} {b_mode} {a} {b} {out} {out_vector} {finish}")
    }

    /// `by_vectors` says whether matrix units can fetch from arrays of vectors.
    fn source(&self, by_vectors: bool) -> Result<String> {
        let variables = Variables::default()
            .with("A_MODE", self.a_mode.name())
            .with("B_MODE", self.b_mode.name())
            .with("OUT_VECTOR", self.out_vector)
            .with("FINISH", self.finish.is_some());
        let (file, source, variables) = match self.tile {
            Tile::Tiled { bm, bn, bk, slices, tm, tn } => {
                let variables = variables
                    .with("BM", bm)
                    .with("BN", bn)
                    .with("BK", bk)
                    .with("SLICES", slices)
                    .with("TM", tm)
                    .with("TN", tn)
                    .with("THREADS", self.tile.invocations())
                    .with("WARPS_N", bn / (8 * tn));
                ("matmul_tiled", shader!("matmul_tiled"), variables)
            }
            Tile::Register { tm, tn, wx, wy } => {
                let variables = variables.with("TM", tm).with("TN", tn).with("WX", wx).with("WY", wy);
                ("matmul_register", shader!("matmul_register"), variables)
            }
            Tile::Units { unit, bm, bn, bk, wide, high, .. } => {
                let variables = variables
                    .with("UNIT", unit)
                    .with("BM", bm)
                    .with("BN", bn)
                    .with("BK", bk)
                    .with("WIDE", wide)
                    .with("HIGH", high)
                    .with("BY_VECTORS", by_vectors)
                    .with("THREADS", self.tile.invocations());
                ("matmul_units", shader!("matmul_units"), variables)
            }
            Tile::Skinny { wide, deep } => {
                let (tx, ty) = if self.along { (deep, wide) } else { (wide, deep) };
                let variables = variables.with("ROWS", self.rows).with("TX", tx).with("TY", ty);
                ("matmul_skinny", shader!("matmul_skinny"), variables.with("ALONG", self.along))
            }
        };
        let half = matches!(self.tile, Tile::Units { .. });
        let read = |mode| Binding { vector: mode != Mode::Any, fast: true, half, ..Binding::default() };
        let write = Binding { vector: self.out_vector, write: true, ..Binding::default() };
        let codec = [
            read(self.a_mode).declare("a", 0, self.dtypes[0])?,
            read(self.b_mode).declare("b", 1, self.dtypes[1])?,
            write.declare("out", 2, self.dtypes[2])?,
            self.finish.map_or(Ok(String::new()), Finish::declare)?,
        ];
        let words4 = self.finish.map_or(0, |finish| finish.words.len() / 4);
        let common = Variables::default().with("WORDS4", words4);
        let product = expand("matmul", shader!("matmul"), &common)?;
        expand(file, source, &variables.with("PRODUCT", product).with("CODEC", codec.concat()))
    }

    fn kernel(&self, core: &Core, buffers: usize) -> Result<Rc<Kernel>> {
        let mut access = vec![false; buffers];
        access[2] = true;
        core.kernels.get(&core.device, &core.faults, &self.name(), &access, || {
            self.source(core.info.backend != "metal")
        })
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
