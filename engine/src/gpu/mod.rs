//! The WebGPU backend: the only place that names wgpu.
