//! The CPU backend: everything computed when the call returns.
//!
//! `elements` knows how dtypes are stored, `walk` in which order strided operands are visited,
//! `arithmetic` what operations do to numbers, `parallel` how cores share work; the kernels know none of it.

/// Calls a kernel for the numbers that a [`Compute`](crate::program::Compute) stands for.
macro_rules! computed {
    ($compute:expr, $kernel:ident($($argument:expr),* $(,)?)) => {
        match $compute {
            crate::program::Compute::F32 => $kernel::<f32>($($argument),*),
            crate::program::Compute::F64 => $kernel::<f64>($($argument),*),
            crate::program::Compute::I64 => $kernel::<i64>($($argument),*),
        }
    };
}

mod arithmetic;
mod elements;
mod lanes;
mod map;
mod matmul;
mod ordered;
mod parallel;
mod philox;
mod pool;
mod probe;
mod reduce;
mod rows;
mod storage;
mod update;
mod vector_math;
mod walk;

use std::rc::Rc;

use crate::Result;
use crate::backend::{Backend, Distribution, Operand, Pending, Reduction, Scan, Storage, Update};
use crate::program::Program;
use crate::rows::Rows;

use storage::CpuStorage;

/// The processor that runs this code.
#[derive(Default)]
pub struct Cpu {
    scratch: matmul::Scratch,
}

impl Cpu {
    /// The backend; there is nothing to open.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Backend for Cpu {
    fn device_type(&self) -> &'static str {
        "cpu"
    }

    fn name(&self) -> String {
        format!("CPU ({})", matmul::instruction_set())
    }

    fn allocate(&self, bytes: usize) -> Result<Rc<dyn Storage>> {
        Ok(Rc::new(CpuStorage::new(bytes)?))
    }

    fn upload(&self, bytes: &[u8]) -> Result<Rc<dyn Storage>> {
        Ok(Rc::new(CpuStorage::from_bytes(bytes)?))
    }

    fn write(&self, storage: &dyn Storage, at: usize, bytes: &[u8]) -> Result<()> {
        storage::own("write", storage)?.fill(at, bytes)
    }

    fn download(&self, storage: &dyn Storage) -> Pending<'static, Vec<u8>> {
        Box::pin(std::future::ready(storage::own("download", storage).and_then(CpuStorage::to_bytes)))
    }

    fn synchronize(&self) -> Pending<'_, ()> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn matmul_kernel(&self, _: Operand<'_>, _: Operand<'_>, _: Operand<'_>) -> String {
        format!("{} ({})", matmul::KERNEL, matmul::instruction_set())
    }

    fn matmul(&self, a: Operand<'_>, b: Operand<'_>, out: Operand<'_>) -> Result<()> {
        matmul::matmul(&self.scratch, a, b, out)
    }

    fn map(&self, program: &Program, inputs: &[Operand<'_>], out: Operand<'_>) -> Result<()> {
        map::map(program, inputs, out)
    }

    fn reduce(
        &self,
        op: Reduction,
        scale: f64,
        input: Operand<'_>,
        dims: &[usize],
        out: Operand<'_>,
    ) -> Result<()> {
        reduce::reduce(op, scale, input, dims, out)
    }

    fn gather(&self, input: Operand<'_>, index: Operand<'_>, dim: usize, out: Operand<'_>) -> Result<()> {
        lanes::gather(input, index, dim, out)
    }

    fn scatter_add(
        &self,
        out: Operand<'_>,
        index: Operand<'_>,
        source: Operand<'_>,
        dim: usize,
    ) -> Result<()> {
        lanes::scatter_add(out, index, source, dim)
    }

    fn rows(&self, op: Rows, inputs: &[Option<Operand<'_>>], outputs: &[Operand<'_>]) -> Result<()> {
        rows::rows(op, inputs, outputs)
    }

    fn scatter(&self, out: Operand<'_>, index: Operand<'_>, source: Operand<'_>, dim: usize) -> Result<()> {
        lanes::scatter(out, index, source, dim)
    }

    fn scan(&self, op: Scan, input: Operand<'_>, dim: usize, out: Operand<'_>) -> Result<()> {
        lanes::scan(op, input, dim, out)
    }

    fn sort(
        &self,
        input: Operand<'_>,
        dim: usize,
        descending: bool,
        values: Operand<'_>,
        indices: Operand<'_>,
    ) -> Result<()> {
        lanes::sort(input, dim, descending, values, indices)
    }

    fn arg_extreme(&self, is_largest: bool, input: Operand<'_>, dim: usize, out: Operand<'_>) -> Result<()> {
        lanes::arg_extreme(is_largest, input, dim, out)
    }

    fn philox(&self, seed: u64, counter: u128, distribution: Distribution, out: Operand<'_>) -> Result<()> {
        philox::philox(seed, counter, distribution, out)
    }

    fn update(
        &self,
        op: Update,
        param: Operand<'_>,
        grad: Operand<'_>,
        state: &[Operand<'_>],
        factor: Option<Operand<'_>>,
    ) -> Result<()> {
        update::update(op, param, grad, state, factor)
    }
}
