//! Norms of every order and their gradients, against PyTorch's figures from golden/norms.py.

use crate::figures::{Figure, close, scalar, upstream};
use crate::harness::{block_on, each_device};
use napkin_engine::{DType, Device, Tensor};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Case {
    ord: Value,
    x: Figure,
    dims: Vec<isize>,
    keepdim: bool,
    shape: Vec<usize>,
    out: Vec<Value>,
    grad: Vec<Value>,
}

#[test]
fn norms_are_pytorchs() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("norms.json")).unwrap();
    each_device(|device| {
        for (i, case) in cases.iter().enumerate() {
            // What the GPU's shaders do not have.
            if case.x.dtype == "float64" && device.to_string() != "cpu" {
                continue;
            }
            let ord = scalar(&case.ord).as_f64();
            let at = format!("case {i}, order {ord} on {device}");
            let x = case.x.on(device).unwrap();
            let out = x.vector_norm(ord, &case.dims, case.keepdim).unwrap_or_else(|e| panic!("{at}: {e}"));
            assert_eq!(out.shape(), case.shape, "{at}");
            let check = |got: &Tensor, want: &[Value], what: &str| {
                let got = block_on(got.to_scalars()).unwrap();
                close(&got, want, x.dtype(), 1.0).unwrap_or_else(|e| panic!("{what} of {at}: {e}"));
            };
            check(&out, &case.out, "value");
            if out.requires_grad() {
                out.backward_with(Some(&upstream(&out).unwrap()), false).unwrap();
                check(&x.grad().unwrap(), &case.grad, "gradient");
            } else {
                assert!(case.grad.iter().all(|g| scalar(g).as_f64() == 0.0), "{at} has a gradient");
            }
        }
    });
}

#[test]
fn what_has_no_norm_is_refused() {
    let device = Device::cpu();
    let whole = Tensor::ones(&[3], DType::I64, &device).unwrap();
    assert!(whole.vector_norm(1.0, &[], false).unwrap_err().to_string().contains("Got Long"));
    let real = Tensor::ones(&[3], DType::F32, &device).unwrap();
    assert!(real.vector_norm(f64::NAN, &[], false).is_err());
    assert!(real.vector_norm(3.0, &[1], false).is_err());
    assert!(
        Tensor::zeros(&[0], DType::F32, &device).unwrap().vector_norm(f64::INFINITY, &[], false).is_err()
    );
}
