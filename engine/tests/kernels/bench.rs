//! The timing of products.

use napkin_engine::backend::{Backend, Distribution, Operand, Pending, Reduction, Scan, Storage, Update};
use napkin_engine::bench::{MatmulSpec, matmul};
use napkin_engine::cpu::Cpu;
use napkin_engine::program::Program;
use napkin_engine::rows::Rows;
use napkin_engine::{DType, Error, Result};
use std::rc::Rc;

use crate::common::{gpu, on_every_backend};

#[test]
fn a_timing_is_complete_and_its_product_right() {
    on_every_backend(|device| {
        for (m, n, k, dtype) in [(64, 48, 33, DType::F32), (1, 1, 1, DType::F32), (65, 64, 63, DType::F16)] {
            let spec = MatmulSpec { m, n, k, dtype };
            let t = pollster::block_on(matmul(device, spec, 0.02)).unwrap();
            let f = t.fence;
            assert!(f.min_secs > 0.0 && f.min_secs <= f.median_secs && f.samples > 0, "{t:?}");
            let allowed = if dtype == DType::F32 { 1e-5 } else { 1e-3 };
            assert!(t.max_rel_err <= allowed, "{t:?}");
        }
    });
    let t =
        pollster::block_on(matmul(&gpu(), MatmulSpec { m: 128, n: 128, k: 128, dtype: DType::F32 }, 0.02))
            .unwrap();
    let stamp = t.timestamp.expect("llvmpipe has timestamps").median_secs;
    assert!(stamp > 0.0 && stamp < 10.0 * t.fence.median_secs, "{t:?}");
    assert!(t.kernel.starts_with("register"), "{t:?}");
}

#[test]
fn nothing_to_time_and_too_much_are_errors() {
    on_every_backend(|device| {
        let time =
            |m, n, k| pollster::block_on(matmul(device, MatmulSpec { m, n, k, dtype: DType::F32 }, 0.01));
        assert!(matches!(time(0, 3, 3), Err(Error::Value { .. })));
        assert!(time(1 << 40, 1 << 40, 1).is_err());
        assert!(time(1 << 24, 1 << 24, 1 << 24).is_err());
    });
}

/// A backend whose products are wrong in one element, or not written at all.
pub struct Faulty {
    pub cpu: Cpu,
    pub writes: bool,
}

impl Backend for Faulty {
    fn device_type(&self) -> &'static str {
        "cpu"
    }

    fn name(&self) -> String {
        "faulty".to_owned()
    }

    fn allocate(&self, bytes: usize) -> Result<Rc<dyn Storage>> {
        self.cpu.allocate(bytes)
    }

    fn upload(&self, bytes: &[u8]) -> Result<Rc<dyn Storage>> {
        self.cpu.upload(bytes)
    }

    fn write(&self, storage: &dyn Storage, at: usize, bytes: &[u8]) -> Result<()> {
        self.cpu.write(storage, at, bytes)
    }

    fn download(&self, storage: &dyn Storage) -> Pending<'static, Vec<u8>> {
        self.cpu.download(storage)
    }

    fn synchronize(&self) -> Pending<'_, ()> {
        self.cpu.synchronize()
    }

    fn matmul(&self, a: Operand<'_>, b: Operand<'_>, out: Operand<'_>) -> Result<()> {
        if !self.writes {
            return Ok(());
        }
        self.cpu.matmul(a, b, out)?;
        let one = napkin_engine::Layout::strided(&[1], &[1], 5).unwrap();
        self.cpu.map(&Program::fill(100.0.into(), DType::F32), &[], Operand { layout: &one, ..out })
    }

    fn map(&self, program: &Program, inputs: &[Operand<'_>], out: Operand<'_>) -> Result<()> {
        self.cpu.map(program, inputs, out)
    }

    fn reduce(
        &self,
        op: Reduction,
        scale: f64,
        input: Operand<'_>,
        dims: &[usize],
        out: Operand<'_>,
    ) -> Result<()> {
        self.cpu.reduce(op, scale, input, dims, out)
    }

    fn gather(&self, input: Operand<'_>, index: Operand<'_>, dim: usize, out: Operand<'_>) -> Result<()> {
        self.cpu.gather(input, index, dim, out)
    }

    fn scatter_add(
        &self,
        out: Operand<'_>,
        index: Operand<'_>,
        source: Operand<'_>,
        dim: usize,
    ) -> Result<()> {
        self.cpu.scatter_add(out, index, source, dim)
    }

    fn scatter(&self, out: Operand<'_>, index: Operand<'_>, source: Operand<'_>, dim: usize) -> Result<()> {
        self.cpu.scatter(out, index, source, dim)
    }

    fn scan(&self, op: Scan, input: Operand<'_>, dim: usize, out: Operand<'_>) -> Result<()> {
        self.cpu.scan(op, input, dim, out)
    }

    fn sort(
        &self,
        input: Operand<'_>,
        dim: usize,
        descending: bool,
        values: Operand<'_>,
        indices: Operand<'_>,
    ) -> Result<()> {
        self.cpu.sort(input, dim, descending, values, indices)
    }

    fn arg_extreme(&self, is_largest: bool, input: Operand<'_>, dim: usize, out: Operand<'_>) -> Result<()> {
        self.cpu.arg_extreme(is_largest, input, dim, out)
    }

    fn rows(&self, op: Rows, inputs: &[Option<Operand<'_>>], outputs: &[Operand<'_>]) -> Result<()> {
        self.cpu.rows(op, inputs, outputs)
    }

    fn philox(&self, seed: u64, counter: u128, distribution: Distribution, out: Operand<'_>) -> Result<()> {
        self.cpu.philox(seed, counter, distribution, out)
    }

    fn update(
        &self,
        op: Update,
        param: Operand<'_>,
        grad: Operand<'_>,
        state: &[Operand<'_>],
        factor: Option<Operand<'_>>,
    ) -> Result<()> {
        self.cpu.update(op, param, grad, state, factor)
    }
}

#[test]
fn wrong_and_missing_products_show() {
    let spec = MatmulSpec { m: 16, n: 16, k: 16, dtype: DType::F32 };
    let wrong = pollster::block_on(matmul(&Faulty { cpu: Cpu::new(), writes: true }, spec, 0.01)).unwrap();
    assert!(wrong.max_rel_err > 1.0 && wrong.max_rel_err.is_finite(), "{wrong:?}");
    let missing = pollster::block_on(matmul(&Faulty { cpu: Cpu::new(), writes: false }, spec, 0.01)).unwrap();
    assert!(missing.max_rel_err.is_infinite(), "{missing:?}");
}
