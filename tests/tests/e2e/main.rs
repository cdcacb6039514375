//! The page in headless Chromium, with WebGPU on its software adapter and without.

mod bench_hook;
mod calculators;
mod count;
mod devices;
mod dtypes;
mod editor;
mod embed;
mod fields;
mod flops;
mod lecture;
mod links;
mod look;
mod machine;
mod offline;
mod python;
mod reading;
mod smooth;
mod stepping;
mod strides;
mod training;
mod walk;
