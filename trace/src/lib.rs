//! What the page, its workers and the terminal say to each other: serde types.

mod compute;
mod device;
mod fault;
pub mod glossary;
pub mod notebook;
#[cfg(feature = "prepare")]
pub mod prepare;
pub mod prose;
pub mod python;
mod tags;
pub mod trace;

pub use compute::*;
pub use device::{Choice, DeviceInfo, DeviceKind, Devices};
pub use fault::{Fault, Frame};

use serde::{Deserialize, Serialize};

/// Matches answers to questions. The page counts them up; 0 is never used.
pub type RequestId = u64;

/// What the page says to a worker, which answers with one or more messages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request<C> {
    /// Repeated in every answer.
    pub id: RequestId,
    /// What to do.
    pub command: C,
}

/// What a worker says to the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message<E> {
    /// The request that this answers; none for what nobody asked for.
    pub id: Option<RequestId>,
    /// What happened.
    pub event: E,
}
