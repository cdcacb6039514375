//! The counter-based generator, on every device.

use crate::harness::{block_on, each_device};
use napkin_engine::nn::functional::dropout;
use napkin_engine::random::Philox;
use napkin_engine::{DType, Device, Tensor};

fn values(tensor: &Tensor) -> Vec<f64> {
    block_on(tensor.to_scalars()).unwrap().iter().map(|value| value.as_f64()).collect()
}

#[test]
fn devices_draw_the_same() {
    each_device(|device| {
        let (mut here, mut there) = (Philox::new(5), Philox::new(5));
        for shape in [&[3, 5][..], &[], &[0], &[64], &[7]] {
            let (a, b) = (here.rand(shape, device).unwrap(), there.rand(shape, &Device::cpu()).unwrap());
            assert_eq!(values(&a), values(&b), "{device}");
            assert!(values(&a).iter().all(|u| (0.0..1.0).contains(u)));
            let (a, b) = (here.randn(shape, device).unwrap(), there.randn(shape, &Device::cpu()).unwrap());
            assert!(values(&a).iter().zip(values(&b)).all(|(a, b)| (a - b).abs() < 2e-6), "{device}");
        }
        assert_eq!(here, there);
    });
}

#[test]
fn a_saved_state_continues() {
    each_device(|device| {
        let mut generator = Philox::new(u64::MAX - 7);
        drop(generator.rand(&[9], device).unwrap());
        assert_eq!(generator.offset, 3, "four numbers to a counter");
        let state = generator.state();
        let want = values(&generator.randn(&[20], device).unwrap());
        let mut other = Philox::new(1);
        other.set_state(&state).unwrap();
        assert_eq!(values(&other.randn(&[20], device).unwrap()), want);
        for bad in [&state[..15], &[0; 17], &[]] {
            assert!(other.set_state(bad).is_err());
        }
        assert_eq!(other, generator, "as it was");
    });
}

/// Mean and variance within five standard errors.
#[test]
fn moments_are_those_of_the_distributions() {
    each_device(|device| {
        let n = 40_000;
        let check = |tensor: &Tensor, mean: f64, variance: f64, kurtosis: f64| {
            let values = values(tensor);
            let got = values.iter().sum::<f64>() / n as f64;
            let spread = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n as f64;
            assert!((got - mean).abs() < 5.0 * (variance / n as f64).sqrt(), "{device}: mean {got}");
            let error = variance * ((kurtosis - 1.0) / n as f64).sqrt();
            assert!((spread - variance).abs() < 5.0 * error, "{device}: variance {spread}");
        };
        let mut generator = Philox::new(11);
        check(&generator.rand(&[n], device).unwrap(), 0.5, 1.0 / 12.0, 1.8);
        check(&generator.randn(&[n], device).unwrap(), 0.0, 1.0, 3.0);
        let coins = generator.bernoulli(0.25, &[n], device).unwrap();
        assert_eq!(coins.dtype(), DType::Bool);
        check(&coins, 0.25, 0.1875, (1.0 - 3.0 * 0.1875) / 0.1875);
        assert!(values(&generator.bernoulli(0.0, &[100], device).unwrap()).iter().all(|&v| v == 0.0));
        assert!(values(&generator.bernoulli(1.0, &[100], device).unwrap()).iter().all(|&v| v == 1.0));
        for bad in [-0.1, 1.1, f64::NAN] {
            assert!(generator.bernoulli(bad, &[1], device).is_err());
        }
    });
}

#[test]
fn dropout_draws_its_mask_on_the_device() {
    each_device(|device| {
        for dtype in [DType::F32, DType::BF16] {
            let x = Tensor::ones(&[100, 50], dtype, device).unwrap();
            x.set_requires_grad(true).unwrap();
            let out = dropout(&x, 0.5, true, &mut Philox::new(3)).unwrap();
            let kept = values(&out);
            assert!(kept.iter().all(|&v| v == 0.0 || v == 2.0));
            let share = kept.iter().filter(|&&v| v != 0.0).count();
            assert!((2300..2700).contains(&share), "{share} of 5000");
            out.sum().unwrap().backward().unwrap();
            assert_eq!(values(&x.grad().unwrap()), kept, "the gradient is the mask");
            let again = dropout(&x, 0.5, true, &mut Philox::new(3)).unwrap();
            assert_eq!(values(&again), kept);
        }
    });
}
