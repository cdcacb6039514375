//! Closed forms with units: what a computation costs in FLOPs, bytes and seconds, told before it runs.
//!
//! A quantity is a newtype ([`Flop`], [`Bytes`], [`Params`], …). A form takes quantities and returns
//! [`Derived`] ones, which know how they came about: formula, numbers, inputs, sources; as text, as
//! Python that prints the same number, and through serde. Peaks, memory and bandwidth of real devices come
//! from the catalogue in [`hardware`], architectures from [`models`], what training has taken from [`runs`]. Nothing
//! here measures or runs anything.
//!
//! ```
//! use napkin_accounting::{DType, Gpus, Mfu, Sparsity, TrainingTime, hardware, parse};
//!
//! let h100 = hardware::device("h100-sxm")?;
//! let run = TrainingTime::new(
//!     parse("params", "70B")?,
//!     parse("tokens", "15T")?,
//!     &h100.peak(DType::Bf16, Sparsity::Dense)?,
//!     Mfu::new(0.5),
//!     Gpus::new(1024.0),
//! )?;
//! assert_eq!(run.days.to_string(), "143.9 days");
//! # Ok::<(), napkin_accounting::Error>(())
//! ```

pub mod calc;
pub mod catalogue;
pub mod decimal;
mod derivation;
mod dtype;
mod error;
mod expr;
pub mod format;
pub mod forms;
pub mod hardware;
pub mod models;
mod notation;
mod number;
pub mod papers;
mod parse;
mod quantity;
mod render;
pub mod runs;
mod scale;
mod sourced;
mod unit;
mod value;

pub use derivation::{Derivation, Derived, Source};
pub use dtype::{DType, Sparsity};
pub use error::{Error, Result};
pub use expr::{Expr, Input, Op};
pub use forms::flops::{FlopCount, FlopPart, Recompute, Workload};
pub use forms::matmul::Matmul;
pub use forms::mfu::mfu;
pub use forms::params::{Component, ParamCount};
pub use forms::roofline::{Bound, Peak, ridge, time_bound};
pub use forms::training::{TrainingTime, total_flop};
pub use number::Number;
pub use parse::{Rule, parse};
pub use quantity::{
    Bits, Bytes, BytesPerParam, BytesPerSec, Count, Days, Dollars, DollarsPerGpuHour, DollarsPerWattHour,
    Flop, FlopPerByte, FlopPerDay, FlopPerSec, FlopPerSecPerGpu, GpuHours, Gpus, Mfu, Params, Quantity,
    Ratio, Seconds, Tokens, TokensPerSec, WattHours, WattsPerGpu,
};
pub use scale::Scale;
pub use sourced::Sourced;
pub use unit::Unit;
pub use value::Value;
