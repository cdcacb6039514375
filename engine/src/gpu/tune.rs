//! Choosing tiles by measuring, among those that were checked.

use std::rc::Rc;

use super::Gpu;
use super::plan::{self, Plan};
use super::record::Record;
use super::storage::GpuStorage;
use super::tiles::{PLAIN, ShapeClass, TILES, Tile};
use super::trust::{self, Bench};
use crate::backend::Operand;
use crate::dtype::DType;
use crate::error::Result;
use crate::layout::Layout;
use crate::program::{Binary, Compute, Program};

/// Samples per kernel; the fastest counts.
const SAMPLES: usize = 3;

/// No further kernel is tried for a shape after this time: a driver may need seconds to compile one.
const BUDGET_SECS: f64 = 4.0;

/// A kernel this much slower than the best so far after one product is not measured further.
const HOPELESS: f64 = 2.0;

impl Gpu {
    /// Measures the kernels on products `(m, k) @ (k, n)` and uses the fastest for products like
    /// them from here on. Takes up to a few seconds per shape; give a few shapes that matter.
    ///
    /// # Errors
    /// If memory does not suffice or the device fails.
    pub async fn tune(&self, shapes: &[(usize, usize, usize)], dtype: DType) -> Result<()> {
        tune(self, shapes, dtype).await
    }

    /// Whether a kernel has been measured for products like `(m, k) @ (k, n)`, here or in a text that
    /// was loaded.
    #[must_use]
    pub fn is_tuned(&self, m: usize, n: usize, k: usize, dtype: DType) -> bool {
        self.record.borrow().tuned(ShapeClass::new(m, n, k, dtype != DType::F32)).is_some()
    }

    /// What has been found out about the kernels here.
    #[must_use]
    pub fn record(&self) -> Record {
        self.record.borrow().clone()
    }

    /// That, as a text for a file or the browser's storage.
    #[must_use]
    pub fn tuning(&self) -> String {
        self.record.borrow().to_text(self.info())
    }

    /// Takes over what [`Gpu::tuning`] wrote, and says whether it did: not a text of another adapter, driver or format,
    /// or of other kernels. What was found out here stays; if the text lacks some of it, [`Gpu::keep_tuning`] has both.
    pub fn load_tuning(&self, text: &str) -> bool {
        let Some(told) = Record::from_text(text, self.info()) else { return false };
        let both = told.clone().updated(self.record());
        let has_more = both != told;
        self.record.replace(both);
        if has_more {
            self.note(|_| ());
        }
        true
    }

    /// Hands every change of [`Gpu::tuning`] to `keep`: before a kernel is tried, too, so that one which takes the
    /// program with it is remembered.
    pub fn keep_tuning(&self, keep: impl Fn(&str) + 'static) {
        self.keeper.replace(Some(Box::new(keep)));
    }

    /// A matrix of values that no driver can treat as zero: powers of numbers near 1.
    fn filled(&self, shape: &[usize], dtype: DType) -> Result<Filled> {
        let layout = Layout::contiguous(shape)?;
        let row: Vec<u8> =
            (0..layout.shape()[1]).flat_map(|i| ((i % 7) as f32 / 8.0 - 0.4).to_le_bytes()).collect();
        let storage = self.core.allocate(layout.numel() * dtype.size_bytes())?;
        let row = self.core.upload(&row)?;
        let across = Layout::strided(shape, &[0, 1], 0)?;
        let row = Operand { storage: &*row, layout: &across, dtype: DType::F32 };
        let out = Operand { storage: &*storage, layout: &layout, dtype };
        super::map::map(&self.core, &Program::scalar(Compute::F32, Binary::Add, 0.01.into()), &[row], out)?;
        Ok(Filled { storage, layout })
    }
}

/// Chooses for each of the shapes that are not empty.
pub(crate) async fn tune(bench: &impl Bench, shapes: &[(usize, usize, usize)], dtype: DType) -> Result<()> {
    for &(m, n, k) in shapes.iter().filter(|&&(m, n, k)| m.min(n).min(k) > 0) {
        let best = fastest(bench, m, n, k, dtype).await?;
        bench.gpu().note(|record| record.choose(ShapeClass::new(m, n, k, dtype != DType::F32), best));
    }
    Ok(())
}

async fn fastest(bench: &impl Bench, m: usize, n: usize, k: usize, dtype: DType) -> Result<Plan> {
    let gpu = bench.gpu();
    let (a, b) = (gpu.filled(&[m, k], dtype)?, gpu.filled(&[k, n], dtype)?);
    let layout = Layout::contiguous(&[m, n])?;
    let storage = gpu.core.allocate(layout.numel() * dtype.size_bytes())?;
    let out = Operand { storage: &*storage, layout: &layout, dtype };
    // Matrix units first, since time is short, and what would run untuned: the best of them is the mark that cuts the
    // hopeless ones short.
    let untuned = plan::untuned(gpu.info(), m, n, 1);
    let (units, others): (Vec<Tile>, Vec<Tile>) = TILES
        .into_iter()
        .filter(|tile| tile.worth_trying(gpu.info()) && tile.takes(dtype) && !untuned.contains(tile))
        .partition(|tile| matches!(tile, Tile::Units { .. }));
    let candidates = units.into_iter().chain(untuned).chain(others).flat_map(|tile| {
        let filling = Plan::filling(gpu.info(), tile, [m, n, k], 1);
        [Some(filling), filling.is_split.then_some(tile.into())]
    });
    let (mut best, mut best_secs) = (Plan::from(PLAIN), f64::INFINITY);
    let started = bench.now();
    for plan in candidates.flatten() {
        if best_secs.is_finite() && (bench.now() - started).as_secs_f64() > BUDGET_SECS {
            break;
        }
        if plan.tile != PLAIN && !trust::is_right(bench, plan.tile, dtype).await? {
            continue;
        }
        let multiply = || gpu.matmul_with(plan, a.operand(dtype), b.operand(dtype), out);
        // Compiles and warms up.
        bench.time(1, &multiply).await?;
        let once = bench.time(1, &multiply).await?;
        if once > HOPELESS * best_secs {
            continue;
        }
        let products = (0.005 / once.max(1e-6)).ceil().clamp(1.0, 100.0) as usize;
        let mut secs = once;
        for _ in 0..SAMPLES {
            secs = secs.min(bench.time(products, &multiply).await? / products as f64);
        }
        if secs < best_secs {
            (best, best_secs) = (plan, secs);
        }
    }
    Ok(best)
}

struct Filled {
    storage: Rc<GpuStorage>,
    layout: Layout,
}

impl Filled {
    fn operand(&self, dtype: DType) -> Operand<'_> {
        Operand { storage: &*self.storage, layout: &self.layout, dtype }
    }
}
