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
mod core;
mod dot;
mod epilogue;
mod fault;
mod indexing;
mod info;
mod kernels;
mod lanes;
mod map;
mod matmul;
mod open;
mod operand;
mod philox;
mod pool;
mod probe;
mod recorder;
mod reduce;
mod rows;
mod scan;
mod sort;
mod template;
mod tiles;
mod tune;
mod update;
mod wait;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use self::core::Core;
use self::tiles::{ShapeClass, Tile};
use crate::backend::{self, Backend, Distribution, Operand, Pending, Reduction, Scan, Storage, Update};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::layout::Layout;
use crate::program::{Compute, Program};
use crate::rows::Rows;

pub use self::info::GpuInfo;
pub use self::open::{GpuOptions, Power, Software};

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
    tuned: Rc<RefCell<BTreeMap<ShapeClass, Tile>>>,
    forced: Rc<Cell<Option<Tile>>>,
}

impl Gpu {
    fn new(core: Rc<Core>) -> Self {
        Self { core, tuned: Rc::default(), forced: Rc::default() }
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

    /// Names of all matmul kernels that this adapter can run.
    #[must_use]
    pub fn matmul_kernels(&self) -> Vec<String> {
        tiles::TILES.into_iter().filter(|t| t.fits(self.info())).map(Tile::name).collect()
    }

    /// Uses one kernel for every product from here on, or chooses again for each with `None`.
    ///
    /// # Errors
    /// If there is no such kernel or the adapter cannot run it.
    pub fn force_matmul_kernel(&self, name: Option<&str>) -> Result<()> {
        let tile = name.map(|name| {
            Tile::from_name(name).filter(|t| t.fits(self.info())).ok_or_else(|| Error::Value {
                op: "matmul",
                message: format!("no kernel '{name}' here; there are {}", self.matmul_kernels().join(", ")),
            })
        });
        self.forced.set(tile.transpose()?);
        Ok(())
    }

    fn tile(&self, a: Operand<'_>, b: Operand<'_>) -> Tile {
        let extent = |o: Operand<'_>, from_end: usize| {
            let shape = o.layout.shape();
            shape.len().checked_sub(from_end).map_or(1, |d| shape[d])
        };
        let (m, n, k) = (extent(a, 2), extent(b, 1), extent(a, 1));
        let class = ShapeClass::new(m, n, k, a.dtype != DType::F32);
        let tuned = || self.tuned.borrow().get(&class).copied();
        self.forced.get().or_else(tuned).unwrap_or_else(|| Tile::untuned(self.info(), m, n))
    }
}

impl Gpu {
    fn matmul_with(&self, tile: Tile, a: Operand<'_>, b: Operand<'_>, out: Operand<'_>) -> Result<()> {
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
        let core = Rc::clone(&self.core);
        Box::pin(async move {
            match begun? {
                Some(reading) => core.finish_read(reading).await,
                None => Ok(Vec::new()),
            }
        })
    }

    fn synchronize(&self) -> Pending<'_, ()> {
        Box::pin(self.core.synchronize())
    }

    fn matmul_kernel(&self, a: Operand<'_>, b: Operand<'_>, out: Operand<'_>) -> String {
        if Compute::of(out.dtype) == Compute::I64 { "dot".to_owned() } else { self.tile(a, b).name() }
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
            Compute::F32 | Compute::F64 => self.matmul_with(self.tile(a, b), a, b, out),
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
        let tile = self.tile(a, b);
        let can =
            Compute::of(out.dtype) == Compute::F32 && tile.takes_epilogue() && matmul::writes(tile, out);
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
        indexing::gather(&self.core, input, index, dim, out)
    }

    fn scatter_add(
        &self,
        out: Operand<'_>,
        index: Operand<'_>,
        source: Operand<'_>,
        dim: usize,
    ) -> Result<()> {
        indexing::scatter(&self.core, indexing::Mode::Add, out, index, source, dim)
    }

    fn scatter(&self, out: Operand<'_>, index: Operand<'_>, source: Operand<'_>, dim: usize) -> Result<()> {
        indexing::scatter(&self.core, indexing::Mode::Replace, out, index, source, dim)
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
