//! Models: architectures from published configurations.

pub mod architecture;
mod config;
mod family;

pub use architecture::Architecture;
