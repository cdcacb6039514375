//! Choosing tiles by measuring, and remembering what was chosen.

use std::fmt::Write as _;
use std::rc::Rc;

use super::Gpu;
use super::pool::GpuStorage;
use super::tiles::{ShapeClass, TILES, Tile};
use crate::backend::Operand;
use crate::dtype::DType;
use crate::error::Result;
use crate::layout::Layout;
use crate::program::{Binary, Compute, Program};
use web_time::Instant;

/// First word of a tuning text; a new meaning of classes or kernels gets a new number.
const FORMAT: &str = "napkin-tuning-1";

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
        for &(m, n, k) in shapes {
            if m == 0 || n == 0 || k == 0 {
                continue;
            }
            let best = self.fastest(m, n, k, dtype).await?;
            self.tuned.borrow_mut().insert(ShapeClass::new(m, n, k, dtype != DType::F32), best);
        }
        Ok(())
    }

    /// Whether a kernel has been measured for products like `(m, k) @ (k, n)`, here or in a text that
    /// was loaded.
    #[must_use]
    pub fn is_tuned(&self, m: usize, n: usize, k: usize, dtype: DType) -> bool {
        self.tuned.borrow().contains_key(&ShapeClass::new(m, n, k, dtype != DType::F32))
    }

    async fn fastest(&self, m: usize, n: usize, k: usize, dtype: DType) -> Result<Tile> {
        let (a, b) = (self.filled(&[m, k], dtype)?, self.filled(&[k, n], dtype)?);
        let layout = Layout::contiguous(&[m, n])?;
        let storage = self.core.allocate(layout.numel() * dtype.size_bytes())?;
        let out = Operand { storage: &*storage, layout: &layout, dtype };
        let untuned = Tile::untuned(self.info(), m, n);
        let (mut best, mut best_secs) = (untuned, f64::INFINITY);
        // The untuned kernel first: it is the mark that cuts the hopeless ones short.
        let others = TILES.into_iter().filter(|t| *t != untuned && t.worth_trying(self.info()));
        let started = Instant::now();
        for tile in std::iter::once(untuned).chain(others) {
            if best_secs.is_finite() && started.elapsed().as_secs_f64() > BUDGET_SECS {
                break;
            }
            let multiply = || self.matmul_with(tile, a.operand(dtype), b.operand(dtype), out);
            // Compiles and warms up.
            multiply()?;
            self.core.synchronize().await?;
            let once = self.time(1, &multiply).await?;
            if once > HOPELESS * best_secs {
                continue;
            }
            let products = (0.005 / once.max(1e-6)).ceil().clamp(1.0, 100.0) as usize;
            let mut secs = once;
            for _ in 0..SAMPLES {
                secs = secs.min(self.time(products, &multiply).await? / products as f64);
            }
            if secs < best_secs {
                (best, best_secs) = (tile, secs);
            }
        }
        Ok(best)
    }

    async fn time(&self, products: usize, multiply: &dyn Fn() -> Result<()>) -> Result<f64> {
        let start = Instant::now();
        for _ in 0..products {
            multiply()?;
        }
        self.core.synchronize().await?;
        Ok(start.elapsed().as_secs_f64())
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

    /// What [`Gpu::tune`] has found, as a text for a file or the browser's storage.
    #[must_use]
    pub fn tuning(&self) -> String {
        let mut text = format!("{FORMAT}\n{}\n", self.info().tuning_key());
        let tuned = self.tuned.borrow();
        for (class, tile) in tuned.iter() {
            let _ = writeln!(text, "{} {}", class.name(), tile.name());
        }
        text
    }

    /// Takes over what [`Gpu::tuning`] wrote, and says how many shape classes it found. A text of
    /// another adapter, driver or format gives none, and neither do lines that are not understood.
    pub fn load_tuning(&self, text: &str) -> usize {
        let mut lines = text.lines();
        if lines.next() != Some(FORMAT) || lines.next() != Some(self.info().tuning_key().as_str()) {
            return 0;
        }
        let entries = lines.filter_map(|line| {
            let (class, tile) = line.split_once(' ')?;
            let tile = Tile::from_name(tile).filter(|t| t.fits(self.info()))?;
            Some((ShapeClass::from_name(class)?, tile))
        });
        let mut tuned = self.tuned.borrow_mut();
        let mut found = 0;
        for (class, tile) in entries {
            tuned.insert(class, tile);
            found += 1;
        }
        found
    }
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
