//! Choosing tiles by measuring, among those that were checked.

use std::rc::Rc;
use std::time::Duration;

use web_time::Instant;

use super::Gpu;
use super::plan::{self, Plan};
use super::record::{Finding, Record};
use super::storage::GpuStorage;
use super::tiles::{PLAIN, ShapeClass, TILES, Tile};
use super::trust::{self, Bench};
use crate::backend::Operand;
use crate::dtype::DType;
use crate::error::Result;
use crate::layout::Layout;
use crate::measure::timing;
use crate::program::{Binary, Compute, Program};

/// No further kernel is measured for a shape after so many seconds of measuring, nor checked after so many of both: a
/// driver may need seconds to compile one.
const MEASURING_SECS: f64 = 4.0;
const TUNING_SECS: f64 = 12.0;

/// Of each kernel samples are taken for about so long.
const KERNEL_SECS: f64 = 0.05;

/// A product that takes so long is timed once.
const LONG_SECS: f64 = 0.2;

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
        self.record.borrow().tuned(ShapeClass::new(m, n, k, dtype)).is_some()
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

    /// A matrix whose rows are alike, without zeros.
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
    // What went wrong before is no kernel's fault.
    bench.gpu().core.synchronize().await?;
    for &(m, n, k) in shapes.iter().filter(|&&(m, n, k)| m.min(n).min(k) > 0) {
        if let Some(best) = fastest(bench, m, n, k, dtype).await? {
            bench.gpu().note(|record| record.choose(ShapeClass::new(m, n, k, dtype), best));
        }
    }
    Ok(())
}

/// The fastest kernel; nothing where measuring the plain one took all the time.
async fn fastest(bench: &impl Bench, m: usize, n: usize, k: usize, dtype: DType) -> Result<Option<Plan>> {
    let gpu = bench.gpu();
    let (a, b) = (gpu.filled(&[m, k], dtype)?, gpu.filled(&[k, n], dtype)?);
    let layout = Layout::contiguous(&[m, n])?;
    let storage = gpu.core.allocate(layout.numel() * dtype.size_bytes())?;
    let out = Operand { storage: &*storage, layout: &layout, dtype };
    let sample_secs = timing::sample_secs(gpu).await?;
    let (mut best, mut best_secs) = (Plan::from(PLAIN), f64::INFINITY);
    let (started, mut measuring, mut others) = (bench.now(), Duration::ZERO, 0);
    for plan in candidates(gpu, [m, n, k], dtype) {
        if (bench.now() - started).as_secs_f64() > TUNING_SECS {
            break;
        }
        if measuring.as_secs_f64() > MEASURING_SECS {
            return Ok((others > 0).then_some(best));
        }
        if plan.tile != PLAIN && !trust::is_right(bench, plan.tile, dtype).await? {
            continue;
        }
        let run = async |products: usize| {
            for _ in 0..products {
                gpu.matmul_with(plan, a.operand(dtype), b.operand(dtype), out)?;
            }
            gpu.core.synchronize().await
        };
        let measure = async {
            // Compiles and warms up.
            run(1).await?;
            let begin = Instant::now();
            run(1).await?;
            let once = begin.elapsed().as_secs_f64();
            if once > HOPELESS * best_secs + sample_secs {
                return Ok(f64::INFINITY);
            }
            if once > LONG_SECS {
                return Ok(once);
            }
            Ok(timing::sampled(sample_secs, KERNEL_SECS, run).await?.min_secs)
        };
        let begin = bench.now();
        let measured = measure.await;
        measuring += bench.now() - begin;
        if let (Some(lost), true) = (gpu.lost(), plan.tile != PLAIN) {
            let why = format!("the device was lost while it was timed: {lost}");
            gpu.note(|record| record.set(plan.tile, dtype, Finding::Aside(why)));
        }
        let secs = measured?;
        others += usize::from(plan.tile != PLAIN);
        if secs < best_secs {
            (best, best_secs) = (plan, secs);
        }
    }
    Ok(Some(best))
}

/// What to measure, the most promising first, since time is short; before them the plain kernel, which all others have to
/// beat.
fn candidates(gpu: &Gpu, sizes: [usize; 3], dtype: DType) -> Vec<Plan> {
    let [m, n, _] = sizes;
    let untuned = plan::untuned(gpu.info(), m, n, 1);
    let (units, others): (Vec<Tile>, Vec<Tile>) = TILES
        .into_iter()
        .filter(|tile| tile.worth_trying(gpu.info()) && tile.takes(dtype) && !untuned.contains(tile))
        .partition(|tile| matches!(tile, Tile::Units { .. }));
    let rest = units.into_iter().chain(untuned).chain(others).filter(|tile| *tile != PLAIN);
    let both = std::iter::once(PLAIN).chain(rest).flat_map(|tile| {
        let filling = Plan::filling(gpu.info(), tile, sizes, 1);
        [Some(filling), filling.is_split.then_some(tile.into())]
    });
    both.flatten().collect()
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
