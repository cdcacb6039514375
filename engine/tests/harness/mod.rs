//! One test body, every backend.
#![allow(clippy::panic, reason = "a test stops at the first fault")]

use napkin_engine::Device;

pub use pollster::block_on;

/// Runs `body` on the CPU and, in a build with it, on the GPU of this machine; llvmpipe counts, none
/// at all fails.
pub fn each_device(body: impl Fn(&Device)) {
    body(&Device::cpu());
    #[cfg(feature = "gpu")]
    body(&gpu());
}

#[cfg(feature = "gpu")]
fn gpu() -> Device {
    use napkin_engine::gpu::{Gpu, GpuOptions};
    Device::new(block_on(Gpu::open(GpuOptions::default())).unwrap_or_else(|e| {
        panic!("{e}\nThe GPU tests need a Vulkan driver: install Debian's mesa-vulkan-drivers (llvmpipe).")
    }))
}
