//! Backends, random operands, poisoned outputs and error bounds.

use std::rc::Rc;

use napkin_engine::backend::{Backend, Operand, Storage};
use napkin_engine::gpu::{Gpu, GpuOptions, Software};
use napkin_engine::measure::Probe;
use napkin_engine::twin::codec;
use napkin_engine::{DType, Layout};

/// The software GPU. Fails loudly where there is none.
pub fn gpu() -> Gpu {
    let options = GpuOptions { software: Software::Required, ..GpuOptions::default() };
    pollster::block_on(Gpu::open(options))
        .expect("these tests run on llvmpipe: apt-get install mesa-vulkan-drivers")
}

/// Runs a test body on every device whose limits can be measured, which are all.
pub fn on_every_probe(body: impl Fn(&dyn Probe)) {
    body(&napkin_engine::cpu::Cpu::new());
    body(&gpu());
}

/// Runs a test body on every backend.
pub fn on_every_backend(body: impl Fn(&dyn Backend)) {
    body(&napkin_engine::cpu::Cpu::new());
    body(&gpu());
}

/// A small generator of its own: references must not depend on the engine's.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Uniform in [-1, 1).
    pub fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// A tensor on a device, with the values that its storage holds.
pub struct Tensor {
    pub storage: Rc<dyn Storage>,
    pub layout: Layout,
    pub dtype: DType,
    pub values: Vec<f64>,
}

impl Tensor {
    /// Values rounded to `dtype`, one per element of storage.
    pub fn new(device: &dyn Backend, values: &[f64], layout: Layout, dtype: DType) -> Self {
        let bytes = codec::encode(values, dtype);
        let values = codec::decode(&bytes, dtype);
        Self { storage: device.upload(&bytes).unwrap(), layout, dtype, values }
    }

    /// Random values; the storage ends with the layout.
    pub fn random(device: &dyn Backend, layout: Layout, dtype: DType, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let values: Vec<f64> = (0..layout.storage_end()).map(|_| random.next()).collect();
        Self::new(device, &values, layout, dtype)
    }

    /// NaN everywhere, so that an element that is not written shows.
    pub fn poisoned(device: &dyn Backend, layout: Layout, dtype: DType) -> Self {
        let values = vec![f64::NAN; layout.storage_end()];
        Self::new(device, &values, layout, dtype)
    }

    pub fn operand(&self) -> Operand<'_> {
        Operand { storage: &*self.storage, layout: &self.layout, dtype: self.dtype }
    }

    /// What was uploaded, in row-major order of the view.
    pub fn dense(&self) -> Vec<f64> {
        napkin_engine::twin::dense(&self.values, &self.layout)
    }

    /// What the device has now, one value per element of storage.
    pub fn read_storage(&self, device: &dyn Backend) -> Vec<f64> {
        codec::decode(&pollster::block_on(device.download(&*self.storage)).unwrap(), self.dtype)
    }

    /// What the device has now, in row-major order of the view.
    pub fn read(&self, device: &dyn Backend) -> Vec<f64> {
        napkin_engine::twin::dense(&self.read_storage(device), &self.layout)
    }
}

/// `|got − want| ≤ bound`, element by element; NaN matches NaN only.
pub fn assert_within(got: &[f64], want: &[f64], bound: impl Fn(usize) -> f64, what: &str) {
    assert_eq!(got.len(), want.len(), "{what}");
    for (i, (&g, &w)) in got.iter().zip(want).enumerate() {
        let fine = (g.is_nan() && w.is_nan()) || g == w || (g - w).abs() <= bound(i);
        assert!(fine, "{what}: element {i} is {g}, its twin has {w} (bound {})", bound(i));
    }
}

/// Half the spacing of `dtype` at 1, plus that of f32: what storing a result may lose.
pub fn unit_roundoff(dtype: DType) -> f64 {
    dtype.format().unwrap().info().eps / 2.0
}
