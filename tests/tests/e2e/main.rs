//! The page in headless Chromium, with WebGPU on its software adapter and without.

mod bench_hook;
mod links;
mod look;
mod reading;
mod stepping;
