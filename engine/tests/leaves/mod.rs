//! Leaves that are given gradients, and where an optimizer has taken them.
#![allow(dead_code, reason = "each test takes what it needs")]

use napkin_engine::{DType, Device, Tensor};

use crate::harness::block_on;

pub fn tensor(shape: &[usize], values: &[f32], device: &Device) -> Tensor {
    Tensor::from_slice(values, shape, DType::F32, device).unwrap()
}

pub fn leaf(shape: &[usize], values: &[f32], device: &Device) -> Tensor {
    let leaf = tensor(shape, values, device);
    leaf.set_requires_grad(true).unwrap();
    leaf
}

/// Gives a leaf this gradient.
pub fn push(x: &Tensor, gradient: &[f32]) {
    let gradient = tensor(x.shape(), gradient, x.device());
    x.mul(&gradient).unwrap().sum().unwrap().backward().unwrap();
}

pub fn values(tensors: &[Tensor]) -> Vec<f32> {
    tensors.iter().flat_map(|t| block_on(t.to_vec()).unwrap()).collect()
}

/// Within 1e-5 of the value, or of a value of usual size.
pub fn check(got: &[f32], want: &[f64], what: &str) {
    assert_eq!(got.len(), want.len(), "{what}");
    for (i, (got, want)) in got.iter().zip(want).enumerate() {
        let away = (f64::from(*got) - want).abs();
        assert!(away <= 1e-5 * want.abs().max(0.1), "{what}: value {i} is {got}, not {want}");
    }
}
