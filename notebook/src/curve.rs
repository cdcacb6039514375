//! The loss curve, for the worker to draw.

use serde::{Deserialize, Serialize};

use crate::LossPoint;

/// Red, green, blue.
pub type Rgb = [u8; 3];

/// What a drawing of the loss over the steps needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// By ascending step.
    pub points: Vec<LossPoint>,
    /// Width and height in device pixels.
    pub size: [u32; 2],
    /// Device pixels per CSS pixel.
    pub scale: f32,
    /// What lies behind everything; words; lines that help the eye; the curve.
    pub colours: [Rgb; 4],
}
