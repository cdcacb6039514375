//! What the page, its worker and the terminal say to each other: pure data, no behaviour of either side.
//!
//! The page sends a [`Request`], the worker answers with one or more [`Event`]s that carry the request's
//! id. Both travel as bytes ([`encode`], [`decode`]): a reader of JSON would be a tenth of the page. What is
//! bulky travels beside them, transferred: numbers as a `Float32Array`, a drawing as an `ImageBitmap`.

mod curve;
mod device;
mod matmul;
mod measuring;
mod message;
pub mod python;
pub mod trace;
mod training;

pub use curve::{Curve, Rgb};
pub use device::{Choice, DeviceInfo, DeviceKind, Devices};
pub use matmul::{BenchResult, BenchSpec, MatmulSpec, MatmulTiming, fill};
pub use measuring::{CountSpec, OperationSpec, SurveyProgress, SurveySpec};
pub use message::{Command, Event, News, Request, RequestId, VERSION, decode, encode};
pub use training::{LossPoint, OptimizerKind, TrainAction, TrainProgress, TrainSpec, TrainState};
