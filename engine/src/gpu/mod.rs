//! The WebGPU backend: the only place that names wgpu. Vulkan, Metal and DX12 natively, WebGPU in
//! browsers, with the same kernels (shaders/*.wgsl).
//!
//! Calls record into one open compute pass; it is submitted when somebody waits, when the uniforms are
//! full, or when enough work has gathered. Nothing here waits but [`Gpu::download`],
//! [`Gpu::synchronize`] and what says so.

/// The text of a file of shaders/, as build.rs leaves it.
macro_rules! shader {
    ($name:literal) => {
        include_str!(concat!(env!("OUT_DIR"), "/", $name, ".wgsl"))
    };
}

mod alarm;
mod body;
mod card;
mod core;
mod dot;
mod epilogue;
mod fault;
mod gather;
mod info;
mod kernels;
mod lanes;
mod map;
mod matmul;
mod open;
mod operand;
mod philox;
mod plan;
mod pool;
mod probe;
mod record;
mod recorder;
mod reduce;
mod rows;
mod scan;
mod scatter;
mod sort;
mod storage;
mod template;
mod tiles;
mod trust;
mod tune;
mod update;
mod wait;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use self::core::Core;
use self::plan::Plan;
use self::record::Finding;
use self::tiles::{PLAIN, ShapeClass, Tile};
use crate::backend::{self, Backend, Distribution, Operand, Pending, Reduction, Scan, Storage, Update};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::layout::Layout;
use crate::program::{Compute, Program};
use crate::rows::Rows;

pub use self::info::{GpuInfo, Vendor};
pub use self::open::{GpuOptions, Software};
pub use self::record::{Check, Record};

/// What a [`Gpu`] has been given to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GpuWork {
    /// Kernels.
    pub dispatches: u64,
    /// Command buffers, each with any number of kernels.
    pub submissions: u64,
}

/// A GPU (or a program that acts as one) that runs kernels. Clones are the same device.
#[derive(Clone)]
pub struct Gpu {
    core: Rc<Core>,
    record: Rc<RefCell<Record>>,
    /// Hears of every change of the record.
    keeper: Rc<RefCell<Option<Keeper>>>,
    /// Kernels that would have been used, had they been checked.
    wanted: Rc<RefCell<Vec<(Tile, DType)>>>,
    forced: Rc<Cell<Option<Plan>>>,
}

/// What takes the text of a record.
type Keeper = Box<dyn Fn(&str)>;

impl Gpu {
    fn new(core: Rc<Core>) -> Self {
        Self {
            core,
            record: Rc::default(),
            keeper: Rc::default(),
            wanted: Rc::default(),
            forced: Rc::default(),
        }
    }

    /// What the adapter is and offers.
    #[must_use]
    pub fn info(&self) -> &GpuInfo {
        &self.core.info
    }

    /// Why the device is lost, if it is: then every call fails, and only another [`Gpu::open`] helps.
    #[must_use]
    pub fn lost(&self) -> Option<String> {
        self.core.faults.lost()
    }

    /// Kernels recorded and command buffers submitted since the device was opened.
    #[must_use]
    pub fn work(&self) -> GpuWork {
        let recorder = self.core.recorder.borrow();
        GpuWork { dispatches: recorder.dispatches(), submissions: recorder.submission() - 1 }
    }

    /// Hands everything recorded so far to the device, without waiting.
    pub fn flush(&self) {
        self.core.submit();
    }

    /// Names of all matmul kernels that this adapter can run with operands of that dtype.
    #[must_use]
    pub fn matmul_kernels(&self, dtype: DType) -> Vec<String> {
        let runs = |tile: &Tile| tile.fits(self.info()) && tile.takes(dtype);
        tiles::TILES.into_iter().filter(runs).map(Tile::name).collect()
    }

    /// Uses one kernel for every product from here on, checked or not, or chooses again for each with `None`. With
    /// `split_` before its name, k has parts.
    ///
    /// # Errors
    /// If there is no such kernel or the adapter cannot run it.
    pub fn force_matmul_kernel(&self, name: Option<&str>) -> Result<()> {
        self.forced.set(name.map(|name| self.named(name)).transpose()?);
        Ok(())
    }

    fn named(&self, name: &str) -> Result<Plan> {
        Plan::from_name(name).filter(|plan| plan.tile.fits(self.info())).ok_or_else(|| Error::Value {
            op: "matmul",
            message: format!(
                "no kernel '{name}' here; there are {}",
                self.matmul_kernels(DType::F16).join(", ")
            ),
        })
    }

    /// The kernel for a product. In hardware it is the plain one until that which fits best has been checked; a program
    /// that acts as a GPU runs what this project's own tests have checked on such programs.
    fn plan(&self, a: Operand<'_>, b: Operand<'_>) -> Plan {
        if let Some(forced) = self.forced.get() {
            return forced;
        }
        let ([m, n, k], batch) = sizes(a, b);
        let record = self.record.borrow();
        let tuned = record.tuned(ShapeClass::new(m, n, k, a.dtype));
        let filling = |tile| Plan::filling(self.info(), tile, [m, n, k], batch);
        // It was measured with one product: a batch may keep the cores busy without parts of k.
        let tuned = tuned.map(|plan| if plan.is_split { filling(plan.tile) } else { plan });
        let untuned = std::iter::once_with(|| plan::untuned(self.info(), m, n, batch)).flatten().map(filling);
        for plan in tuned.into_iter().chain(untuned) {
            let dtypes = [a.dtype, b.dtype];
            let is_right = |dtype: &DType| record.finding(plan.tile, *dtype) == Some(&Finding::Right);
            let is_aside = |dtype| matches!(record.finding(plan.tile, dtype), Some(Finding::Aside(_)));
            if plan.tile == PLAIN || dtypes.iter().all(is_right) {
                return plan;
            }
            if dtypes.into_iter().any(|dtype| is_aside(dtype) || !plan.tile.takes(dtype)) {
                continue;
            }
            if self.info().is_software {
                return plan;
            }
            let mut wanted = self.wanted.borrow_mut();
            for dtype in dtypes.into_iter().filter(|dtype| !is_right(dtype)) {
                if !wanted.contains(&(plan.tile, dtype)) {
                    wanted.push((plan.tile, dtype));
                }
            }
            return Plan { tile: PLAIN, ..plan };
        }
        PLAIN.into()
    }

    /// Checks the kernels that would have been used. What comes of it is in the record, or reaches the next call.
    async fn check_wanted(&self) {
        loop {
            let Some((tile, dtype)) = self.wanted.borrow_mut().pop() else { return };
            drop(trust::is_right(self, tile, dtype).await);
        }
    }

    /// Changes the record, and tells who keeps it.
    fn note<T>(&self, change: impl FnOnce(&mut Record) -> T) -> T {
        let answer = change(&mut self.record.borrow_mut());
        if let Some(keep) = &*self.keeper.borrow() {
            keep(&self.tuning());
        }
        answer
    }
}

/// Rows, columns and terms of each product, and how many there are.
fn sizes(a: Operand<'_>, b: Operand<'_>) -> ([usize; 3], usize) {
    let (a, b) = (a.layout.shape(), b.layout.shape());
    let extent = |shape: &[usize], from_end: usize| shape.len().checked_sub(from_end).map_or(1, |d| shape[d]);
    ([extent(a, 2), extent(b, 1), extent(a, 1)], a.iter().rev().skip(2).product())
}

impl Gpu {
    fn matmul_with(&self, plan: Plan, a: Operand<'_>, b: Operand<'_>, out: Operand<'_>) -> Result<()> {
        let tile = plan.tile;
        if plan.is_split {
            let (sizes, batch) = sizes(a, b);
            let part = Plan::part(self.info(), tile, sizes, batch);
            return matmul::split(&self.core, tile, part, a, b, out);
        }
        if matmul::writes(tile, out) {
            return matmul::matmul(&self.core, tile, a, b, None, out);
        }
        let wide = map::scratch(&self.core, operand::Number::F32, out.layout.numel())?;
        let layout = Layout::contiguous(out.layout.shape())?;
        let wide = Operand { storage: &*wide, layout: &layout, dtype: DType::F32 };
        matmul::matmul(&self.core, tile, a, b, None, wide)?;
        map::copy(&self.core, wide, out)
    }
}

impl Backend for Gpu {
    fn device_type(&self) -> &'static str {
        "cuda"
    }

    fn name(&self) -> String {
        self.core.info.to_string()
    }

    fn allocate(&self, bytes: usize) -> Result<Rc<dyn Storage>> {
        Ok(self.core.allocate(bytes)?)
    }

    fn upload(&self, bytes: &[u8]) -> Result<Rc<dyn Storage>> {
        Ok(self.core.upload(bytes)?)
    }

    fn write(&self, storage: &dyn Storage, at: usize, bytes: &[u8]) -> Result<()> {
        self.core.write(operand::own(&self.core, "write", storage)?, at, bytes)
    }

    fn download(&self, storage: &dyn Storage) -> Pending<'static, Vec<u8>> {
        let begun = operand::own(&self.core, "download", storage).and_then(|own| self.core.download(own));
        let gpu = self.clone();
        Box::pin(async move {
            let bytes = match begun? {
                Some(reading) => gpu.core.finish_read(reading).await?,
                None => Vec::new(),
            };
            gpu.check_wanted().await;
            Ok(bytes)
        })
    }

    fn synchronize(&self) -> Pending<'_, ()> {
        Box::pin(async {
            self.core.synchronize().await?;
            self.check_wanted().await;
            Ok(())
        })
    }

    fn matmul_kernel(&self, a: Operand<'_>, b: Operand<'_>, out: Operand<'_>) -> String {
        if Compute::of(out.dtype) == Compute::I64 { "dot".to_owned() } else { self.plan(a, b).name() }
    }

    fn begin_timing(&self) {
        self.core.begin_timing();
    }

    fn end_timing(&self) -> Pending<'_, Option<f64>> {
        Box::pin(self.core.end_timing())
    }

    fn matmul(&self, a: Operand<'_>, b: Operand<'_>, out: Operand<'_>) -> Result<()> {
        match Compute::of(out.dtype) {
            Compute::I64 => dot::matmul(&self.core, a, b, out),
            Compute::F32 | Compute::F64 => self.matmul_with(self.plan(a, b), a, b, out),
        }
    }

    fn matmul_then(
        &self,
        a: Operand<'_>,
        b: Operand<'_>,
        program: &Program,
        inputs: &[Operand<'_>],
        out: Operand<'_>,
    ) -> Result<()> {
        let Plan { tile, is_split } = self.plan(a, b);
        let can = Compute::of(out.dtype) == Compute::F32
            && !is_split
            && tile.takes_epilogue()
            && matmul::writes(tile, out);
        let epilogue = if can { epilogue::Epilogue::new(&self.core, program, inputs, out)? } else { None };
        match epilogue {
            Some(epilogue) => matmul::matmul(&self.core, tile, a, b, Some(epilogue), out),
            None => backend::matmul_then_map(self, a, b, program, inputs, out),
        }
    }

    fn map(&self, program: &Program, inputs: &[Operand<'_>], out: Operand<'_>) -> Result<()> {
        map::map(&self.core, program, inputs, out)
    }

    fn reduce(
        &self,
        op: Reduction,
        scale: f64,
        input: Operand<'_>,
        dims: &[usize],
        out: Operand<'_>,
    ) -> Result<()> {
        reduce::reduce(&self.core, op, scale, input, dims, out)
    }

    fn gather(&self, input: Operand<'_>, index: Operand<'_>, dim: usize, out: Operand<'_>) -> Result<()> {
        gather::gather(&self.core, input, index, dim, out)
    }

    fn scatter_add(
        &self,
        out: Operand<'_>,
        index: Operand<'_>,
        source: Operand<'_>,
        dim: usize,
    ) -> Result<()> {
        scatter::scatter(&self.core, scatter::Mode::Add, out, index, source, dim)
    }

    fn scatter(&self, out: Operand<'_>, index: Operand<'_>, source: Operand<'_>, dim: usize) -> Result<()> {
        scatter::scatter(&self.core, scatter::Mode::Replace, out, index, source, dim)
    }

    fn scan(&self, op: Scan, input: Operand<'_>, dim: usize, out: Operand<'_>) -> Result<()> {
        scan::scan(&self.core, op, input, dim, out)
    }

    fn sort(
        &self,
        input: Operand<'_>,
        dim: usize,
        descending: bool,
        values: Operand<'_>,
        indices: Operand<'_>,
    ) -> Result<()> {
        sort::sort(&self.core, input, dim, descending, values, indices)
    }

    fn arg_extreme(&self, is_largest: bool, input: Operand<'_>, dim: usize, out: Operand<'_>) -> Result<()> {
        sort::arg_extreme(&self.core, is_largest, input, dim, out)
    }

    fn philox(&self, seed: u64, counter: u128, distribution: Distribution, out: Operand<'_>) -> Result<()> {
        philox::philox(&self.core, seed, counter, distribution, out)
    }

    fn rows(&self, op: Rows, inputs: &[Option<Operand<'_>>], outputs: &[Operand<'_>]) -> Result<()> {
        rows::rows(&self.core, op, inputs, outputs)
    }

    fn update(
        &self,
        op: Update,
        param: Operand<'_>,
        grad: Operand<'_>,
        state: &[Operand<'_>],
        factor: Option<Operand<'_>>,
    ) -> Result<()> {
        update::update(&self.core, op, param, grad, state, factor)
    }
}
