//! This machine's own roofline: how fast a device computes, how fast its memory is, how long the way to it, and where
//! operations of the engine lie below these ceilings. Everything is measured, nothing is looked up or predicted; FLOP
//! and bytes of operations are those that the ledger counts.
//!
//! [`Survey`] measures all of it, step by step, into one [`Machine`]; [`expression`] measures what somebody typed.

mod evaluate;
mod expression;
mod functions;
mod link;
mod operation;
mod peak;
mod probe;
mod record;
mod survey;
pub(crate) mod timing;

pub use link::{latency, transfer};
pub use operation::{Limits, expression, matmul_flop_per_sec};
pub use peak::{bandwidth, fma};
pub use probe::{Access, Chains, Probe, QUAD_BYTES, ROUND, Stream, Threads, Traits};
pub use record::{
    Bandwidth, Cost, Direction, FORMAT, FmaRate, Latency, Machine, Measured, Operation, Product, Skipped,
    Transfer,
};
pub use survey::{Options, Progress, Survey};
pub(crate) use timing::time;
pub use timing::{Clock, Timing, clock_step_secs};
