//! What the page, its worker and the terminal say to each other: pure data, no behaviour of either side.
//!
//! The page sends a [`Request`], the worker answers with one or more [`Event`]s that carry the request's
//! id. Both travel as JSON; bulk numbers travel beside it as a transferred `Float32Array`.

mod device;
mod matmul;
mod message;
mod training;

pub use device::{Choice, DeviceInfo, DeviceKind, Devices};
pub use matmul::{BenchResult, BenchSpec, MatmulSpec, MatmulTiming, fill};
pub use message::{Command, Event, News, Request, RequestId, VERSION};
pub use training::{LossPoint, OptimizerKind, TrainAction, TrainProgress, TrainSpec, TrainState};
