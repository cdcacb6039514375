//! Tensors and numbers as the scripts in golden/ write them.
#![allow(dead_code, reason = "each test takes what it needs")]

use napkin_engine::{DType, Device, Result, Scalar, Tensor};
use serde::Deserialize;
use serde_json::Value;

/// A tensor: its storage and how it lies there.
#[derive(Deserialize)]
pub struct Figure {
    pub dtype: String,
    pub shape: Vec<usize>,
    pub stride: Vec<usize>,
    pub offset: usize,
    pub storage: Vec<Value>,
}

impl Figure {
    /// The tensor, a leaf that requires a gradient where it can have one.
    pub fn on(&self, device: &Device) -> Result<Tensor> {
        let values: Vec<Scalar> = self.storage.iter().map(scalar).collect();
        let flat = Tensor::from_scalars(&values, &[values.len()], dtype(&self.dtype), device)?;
        let view = flat.as_strided(&self.shape, &self.stride, self.offset)?;
        view.set_requires_grad(view.dtype().is_floating_point())?;
        Ok(view)
    }
}

/// A dtype by its name.
pub fn dtype(name: &str) -> DType {
    DType::from_name(name).unwrap_or_else(|| panic!("no dtype {name}"))
}

/// A number, or the name of one that JSON does not have.
pub fn scalar(value: &Value) -> Scalar {
    match value {
        Value::Bool(value) => Scalar::Bool(*value),
        Value::String(name) => Scalar::Float(name.parse().unwrap()),
        number => number.as_i64().map_or_else(|| Scalar::Float(number.as_f64().unwrap()), Scalar::Int),
    }
}
