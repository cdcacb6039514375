//! Measuring this machine. What was measured travels as JSON: the page keeps it and hands it on without reading it.

use serde::{Deserialize, Serialize};

use crate::DeviceKind;

/// Everything there is to measure of a device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SurveySpec {
    /// What is measured.
    pub device: DeviceKind,
    /// The day: `2026-11-21`. A worker has no calendar of its own.
    pub date: String,
    /// Samples of each measurement take about so long, in milliseconds.
    pub measurement_ms: u32,
}

/// How far a survey is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SurveyProgress {
    /// What is measured next; empty when all is done.
    pub what: String,
    /// Measurements done.
    pub done: u32,
    /// Measurements in all.
    pub of: u32,
    /// All that has been measured, a record of the engine's `measure` as JSON.
    pub record: String,
}

/// An expression over shapes to be timed, such as `softmax(1024x1024)`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperationSpec {
    /// Where it runs.
    pub device: DeviceKind,
    /// As it was typed.
    pub expression: String,
    /// Of its inputs, by its name in PyTorch.
    pub dtype: String,
}

/// A training step to be counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountSpec {
    /// Where it runs.
    pub device: DeviceKind,
    /// Its sizes as JSON, as accounting writes and the engine reads them.
    pub step: String,
}
