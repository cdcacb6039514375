//! Half precision: on every device what is computed in several steps is rounded once, and numbers are rounded beside it.

use crate::harness::{block_on, each_device};
use napkin_engine::nn::functional::{elu, softplus};
use napkin_engine::nn::utils::clip_grad_norm_;
use napkin_engine::optim::{Optimizer, Rule};
use napkin_engine::{DType, Device, Tensor};

fn half(values: &[f32], dtype: DType, device: &Device) -> Tensor {
    Tensor::from_slice(values, &[values.len()], DType::F32, device).unwrap().to_dtype(dtype).unwrap()
}

fn numbers(tensor: &Tensor) -> Vec<f32> {
    block_on(tensor.to_dtype(DType::F32).unwrap().to_vec()).unwrap()
}

#[test]
fn nothing_overflows_or_vanishes_in_between() {
    each_device(|device| {
        let x = half(&[300.0, -400.0], DType::F16, device);
        assert_eq!(numbers(&x.norm(&[], false).unwrap()), [500.0], "norm on {device}");
        assert_eq!(numbers(&x.std(&[], 0.0, false).unwrap()), [350.0], "std on {device}");
        assert_eq!(numbers(&x.addcmul(&x, &x, 0.125).unwrap()), [11552.0, 19600.0], "addcmul on {device}");
        let small = half(&[2.0f32.powi(-13); 4], DType::F16, device);
        assert_eq!(numbers(&small.norm(&[], false).unwrap()), [2.0f32.powi(-12)], "small norm on {device}");
        x.set_requires_grad(true).unwrap();
        x.mul(&x.detach()).unwrap().sum().unwrap().backward_with(None, false).unwrap();
        clip_grad_norm_(std::slice::from_ref(&x), 5.0).unwrap();
        assert_eq!(numbers(&x.grad().unwrap()), [3.0, -4.0], "clipped on {device}");
        let x = half(&[-7.0, 15.0], DType::F16, device);
        x.set_requires_grad(true).unwrap();
        let straight = softplus(&x, 1.0, 20.0).unwrap();
        assert_eq!(numbers(&straight)[1], 15.0, "softplus on {device}");
        elu(&x, 1.0).unwrap().add(&straight).unwrap().sum().unwrap().backward().unwrap();
        let slopes = numbers(&x.grad().unwrap());
        // e⁻⁷ + σ(−7), which are both small.
        assert!((slopes[0] - 1.823e-3).abs() < 2e-6 && slopes[1] == 2.0, "{slopes:?} on {device}");
    });
}

#[test]
fn numbers_are_rounded_but_not_factors() {
    each_device(|device| {
        let x = half(&[0.1, 0.3], DType::BF16, device);
        assert_eq!(numbers(&x.eq(0.1).unwrap()), [1.0, 0.0], "{device}");
        assert_eq!(numbers(&x.sub(0.3).unwrap())[1], 0.0, "{device}");
        assert_eq!(numbers(&x.rsub(0.3).unwrap())[1], 0.0, "{device}");
        assert_eq!(
            numbers(&x.add(&half(&[-0.3, -0.3], DType::F32, device).sum().unwrap()).unwrap()),
            [-0.5, -0.300_781_25],
            "{device}"
        );
        // 3 · 0.3 is 0.8984375 with 0.3 as it is, and 0.90234375 with 0.3 rounded.
        let three = half(&[3.0], DType::BF16, device);
        assert_eq!(numbers(&three.mul(0.3).unwrap()), [0.898_437_5], "{device}");
    });
}

#[test]
fn what_adam_keeps_of_a_gradient_is_as_exact_as_float32() {
    each_device(|device| {
        let x = half(&[1.0, 2.0], DType::F32, device);
        x.set_requires_grad(true).unwrap();
        x.mul(0.1).unwrap().sum().unwrap().backward().unwrap();
        let rule = Rule::AdamW { betas: [0.9, 0.999], eps: 1e-8, weight_decay: 0.01 };
        let mut optimizer = Optimizer::new(vec![x], rule, 1e-3).unwrap();
        optimizer.step().unwrap();
        for (kept, want) in optimizer.state()[0].iter().zip([0.01f32, 1e-5]) {
            let got = numbers(kept)[0];
            // 1 − 0.999 in float32 is less than 0.001 by 13 parts in a million.
            assert!((got / want - 1.0).abs() < 1e-6, "{got} on {device}");
        }
    });
}
