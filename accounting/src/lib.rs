//! Closed forms with units: what a computation costs in FLOPs, bytes and seconds, told before it runs.
//!
//! A quantity is a newtype ([`Flop`], [`Bytes`], [`Params`], …), a formula a tree of named steps ([`Expr`]) whose whole
//! numbers are exact. A form takes [`Value`]s and returns [`Derived`] ones, which know how they came about: formula,
//! numbers, inputs, sources; as text, TeX, MathML, Markdown, JSON, and as Python that prints the same number. Peaks,
//! memory and bandwidth of real devices come from [`hardware`], architectures from [`models`], what training has taken
//! from [`runs`]; [`calc`] asks and answers in the words of a reader. Nothing here measures or runs anything.
//!
//! ```
//! use napkin_accounting::calc::{Inputs, Naming, calculator};
//!
//! let texts = [("model", "llama-3.1-70b"), ("gpu", "h100-sxm"), ("gpus", "1024"), ("mfu", "0.5")];
//! let texts = texts.map(|(key, text)| (key.to_owned(), text.to_owned())).into();
//! let time = calculator("time").ok_or("no such calculator")?;
//! let answer = time.answer(&Inputs::new(Naming::Option, texts))?;
//! let days = answer.headline().ok_or("no result")?;
//! assert_eq!(days.short(), "145.1 days");
//! assert_eq!(days.formula(), "C / F");
//! # Ok::<(), Box<dyn std::error::Error>>(())
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
mod provenance;
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
pub use notation::escaped;
pub use number::Number;
pub use parse::{Rule, parse};
pub use provenance::Provenance;
pub use quantity::{
    Bits, Bytes, BytesPerParam, BytesPerSec, Count, Days, Dollars, DollarsPerGpuHour, Flop, FlopPerByte,
    FlopPerDay, FlopPerSec, FlopPerSecPerGpu, GpuHours, Gpus, Mfu, Params, Quantity, Ratio, Seconds, Tokens,
    TokensPerSec, WattHours, WattsPerGpu,
};
pub use scale::Scale;
pub use sourced::Sourced;
pub use unit::Unit;
pub use value::Value;
