//! One test body, every backend.

use napkin_engine::Device;
use napkin_engine::gpu::{Gpu, GpuOptions};

pub use pollster::block_on;

/// Runs `body` on the CPU and on the GPU of this machine; llvmpipe counts, none at all fails.
pub fn each_device(body: impl Fn(&Device)) {
    body(&Device::cpu());
    let gpu = block_on(Gpu::open(GpuOptions::default())).unwrap_or_else(|e| {
        panic!("{e}\nThe GPU tests need a Vulkan driver: install Debian's mesa-vulkan-drivers (llvmpipe).")
    });
    body(&Device::new(gpu));
}
