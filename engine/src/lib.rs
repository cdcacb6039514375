//! Tensors, autograd and optimizers with PyTorch's semantics, on the CPU and on WebGPU.
//!
//! Without the features `cpu` and `gpu` the crate holds what needs no backend: dtypes and their bit
//! formats, layouts and the view algebra, view expressions. That is all the page thread may use.

mod cursor;
pub mod dtype;
pub mod error;
pub mod format;
pub mod layout;
pub mod scalar;
pub mod size;
pub mod view_expr;

#[cfg(feature = "cpu")]
pub mod amp;
#[cfg(feature = "cpu")]
pub mod autograd;
#[cfg(feature = "cpu")]
pub mod backend;
#[cfg(feature = "cpu")]
pub mod bench;
#[cfg(feature = "cpu")]
pub mod checkpoint;
#[cfg(feature = "cpu")]
pub mod cpu;
#[cfg(feature = "cpu")]
pub mod data;
#[cfg(feature = "cpu")]
pub mod device;
#[cfg(feature = "gpu")]
pub mod doctor;
#[cfg(feature = "cpu")]
pub mod einops;
#[cfg(feature = "gpu")]
pub mod gpu;
#[cfg(feature = "cpu")]
pub mod interrupt;
#[cfg(feature = "cpu")]
pub mod ledger;
#[cfg(all(feature = "cpu", not(target_arch = "wasm32")))]
mod mapped;
#[cfg(feature = "cpu")]
pub mod measure;
#[cfg(feature = "cpu")]
mod meta;
#[cfg(feature = "cpu")]
pub mod names;
#[cfg(feature = "cpu")]
pub mod nn;
#[cfg(feature = "cpu")]
pub mod optim;
#[cfg(feature = "cpu")]
mod order;
#[cfg(feature = "cpu")]
pub mod program;
#[cfg(feature = "cpu")]
pub mod random;
#[cfg(feature = "cpu")]
pub mod room;
#[cfg(feature = "cpu")]
pub mod rows;
#[cfg(feature = "cpu")]
pub mod tensor;
#[cfg(feature = "cpu")]
pub mod train;
#[cfg(feature = "cpu")]
pub mod twin;

pub use dtype::DType;
pub use error::{Error, Result};
pub use layout::Layout;
pub use scalar::Scalar;

#[cfg(feature = "cpu")]
pub use {device::Device, tensor::Tensor};
