//! Loss scaling against PyTorch's figures from golden/training.py, and learning in half precision.

use crate::harness::{block_on, each_device};
use crate::leaves::{check, leaf, push, values};
use napkin_engine::amp::{GradScaler, GradScalerConfig, compute_copy};
use napkin_engine::autograd::{GradOptions, grad};
use napkin_engine::nn::functional::{LossReduction, mse_loss};
use napkin_engine::nn::{Gpt, GptConfig, Linear, Mode, Module, init};
use napkin_engine::optim::{Optimizer, Rule};
use napkin_engine::random::Generator;
use napkin_engine::{DType, Device, Scalar, Tensor};
use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    scalers: Vec<Scaler>,
}

#[derive(Deserialize)]
struct Scaler {
    settings: Settings,
    init_scale: f32,
    faults: Vec<String>,
    rows: Vec<ScalerRow>,
}

#[derive(Deserialize)]
struct ScalerRow {
    scale: f32,
    growth_tracker: u32,
    params: Vec<f64>,
}

#[derive(Debug, Deserialize)]
struct Settings {
    growth_factor: f64,
    backoff_factor: f64,
    growth_interval: u32,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("training.json")).unwrap()
}

#[test]
fn scales_are_pytorchs() {
    let cases = golden().scalers;
    assert_eq!(cases.len(), 5);
    each_device(|device| {
        for case in &cases {
            let config = GradScalerConfig {
                init_scale: case.init_scale,
                growth_factor: case.settings.growth_factor,
                backoff_factor: case.settings.backoff_factor,
                growth_interval: case.settings.growth_interval,
            };
            let mut scaler = GradScaler::new(config).unwrap();
            let params = [leaf(&[3], &[1.0, 2.0, -3.0], device), leaf(&[1, 1], &[4.0], device)];
            let rule = Rule::Sgd { momentum: 0.5, dampening: 0.0, nesterov: false, weight_decay: 0.0 };
            let mut optimizer = Optimizer::new(params.to_vec(), rule, 0.125).unwrap();
            for (step, (fault, row)) in case.faults.iter().zip(&case.rows).enumerate() {
                optimizer.zero_grad();
                let fault: f32 = fault.parse().unwrap();
                for (param, faults) in params.iter().zip([&[0.0, fault, 0.0][..], &[0.0]]) {
                    let scale = scaler.get_scale();
                    let gradient: Vec<f32> = block_on(param.to_vec())
                        .unwrap()
                        .iter()
                        .zip(faults)
                        .map(|(p, fault)| p / 8.0 * scale + fault)
                        .collect();
                    push(param, &gradient);
                }
                let stepped = block_on(scaler.step(&mut optimizer)).unwrap();
                assert_eq!(stepped, fault == 0.0, "{device}: step {step}");
                scaler.update().unwrap();
                let what = format!("{device}: {:?} after step {step}", case.settings);
                assert_eq!(scaler.get_scale(), row.scale, "{what}");
                assert_eq!(scaler.growth_tracker(), row.growth_tracker, "{what}");
                check(&values(&params), &row.params, &what);
            }
        }
    });
}

#[test]
fn a_scaler_used_out_of_order_says_so() {
    let x = leaf(&[2], &[1.0, 2.0], &Device::cpu());
    let mut optimizer = Optimizer::new(vec![x.clone()], Rule::SGD, 0.1).unwrap();
    let mut scaler = GradScaler::new(GradScalerConfig::default()).unwrap();
    let words = |result: Result<(), napkin_engine::Error>| result.unwrap_err().to_string();
    assert!(words(scaler.update()).contains("No inf checks were recorded prior to update."));
    assert!(words(scaler.unscale_(&optimizer)).contains("No inf checks were recorded for this optimizer."));
    scaler.scale(&x.sum().unwrap()).unwrap().backward().unwrap();
    assert_eq!(values(&[x.grad().unwrap()]), [65536.0; 2]);
    scaler.unscale_(&optimizer).unwrap();
    assert_eq!(values(&[x.grad().unwrap()]), [1.0; 2]);
    let again = "unscale_() has already been called on this optimizer since the last update().";
    assert!(words(scaler.unscale_(&optimizer)).contains(again));
    assert!(block_on(scaler.step(&mut optimizer)).unwrap());
    let again = "step() has already been called since the last update().";
    assert!(words(block_on(scaler.step(&mut optimizer)).map(|_| ())).contains(again));
    assert!(words(scaler.unscale_(&optimizer)).contains("unscale_() is being called after step()."));
    scaler.update().unwrap();
    assert_eq!((scaler.get_scale(), scaler.growth_tracker()), (65536.0, 1));
    scaler.load_state(8.0, 1999).unwrap();
    block_on(scaler.step(&mut optimizer)).unwrap();
    scaler.update().unwrap();
    assert_eq!((scaler.get_scale(), scaler.growth_tracker()), (16.0, 0));
    assert!(scaler.load_state(f32::NAN, 0).is_err());
    for config in [
        GradScalerConfig { init_scale: 0.0, ..GradScalerConfig::default() },
        GradScalerConfig { growth_factor: 1.0, ..GradScalerConfig::default() },
        GradScalerConfig { backoff_factor: 1.0, ..GradScalerConfig::default() },
        GradScalerConfig { backoff_factor: f64::NAN, ..GradScalerConfig::default() },
    ] {
        assert!(GradScaler::new(config).is_err(), "{config:?}");
    }
}

/// A whole GPT in half precision: nearly the same loss, and nearly the same gradients of its float32 weights.
#[test]
fn gpts_compute_in_half_precision() {
    each_device(|device| {
        let config = GptConfig { kv_heads: 1, ..GptConfig::new(11, 7, 2, 2, 8) };
        let generator = &mut Generator::new(0);
        let mut gpt = Gpt::new(config, generator, device).unwrap();
        gpt.parameters().iter().try_for_each(|p| init::normal_(p, 0.1, 0.3, generator)).unwrap();
        let tokens: Vec<Scalar> = (0..14).map(|i| Scalar::Int(i * i % 11)).collect();
        let tokens = Tensor::from_scalars(&tokens, &[2, 7], DType::I64, device).unwrap();
        let mut run = |dtype: DType| {
            gpt.zero_grad();
            let mut copy = compute_copy(&gpt, dtype).unwrap();
            assert!(copy.parameters().iter().all(|p| p.dtype() == dtype));
            assert_eq!(copy.parameters().len(), gpt.parameters().len(), "a tied weight is converted once");
            let loss = copy.loss(&tokens, &tokens, &mut Mode::Eval).unwrap();
            assert_eq!(loss.dtype(), DType::F32);
            loss.backward().unwrap();
            let gradients: Vec<Tensor> = gpt.parameters().iter().map(|p| p.grad().unwrap()).collect();
            assert!(gradients.iter().all(|g| g.dtype() == DType::F32));
            (block_on(loss.item()).unwrap().as_f64(), values(&gradients))
        };
        let (want, want_gradients) = run(DType::F32);
        let norm = |x: &[f32]| x.iter().map(|x| f64::from(x * x)).sum::<f64>().sqrt();
        for (dtype, tolerance) in [(DType::F16, 0.01), (DType::BF16, 0.05)] {
            let (loss, gradients) = run(dtype);
            assert!((loss - want).abs() < tolerance * want, "{device}: {dtype}: {loss}, not {want}");
            let away: Vec<f32> = gradients.iter().zip(&want_gradients).map(|(a, b)| a - b).collect();
            let error = norm(&away) / norm(&want_gradients);
            assert!(error > 0.0 && error < tolerance, "{device}: {dtype}: gradients are off by {error}");
        }
    });
}

/// A loss so small that its gradients vanish in float16: with a scale they do not, and the float32 weights learn by steps
/// that float16 could not hold.
#[test]
fn half_precision_learns_with_a_scale() {
    const SMALL: f64 = 4e-9;
    each_device(|device| {
        let run = |dtype: DType, config: Option<GradScalerConfig>| {
            let mut generator = Generator::new(1);
            let mut model = Linear::new(4, 1, true, &mut generator, device).unwrap();
            let rule = Rule::Sgd { momentum: 0.0, dampening: 0.0, nesterov: false, weight_decay: 0.0 };
            let mut optimizer = Optimizer::new(model.parameters(), rule, (0.05 / SMALL) as f32).unwrap();
            let mut scaler = config.map(|config| GradScaler::new(config).unwrap());
            let (mut losses, mut skipped) = (Vec::new(), 0);
            for _ in 0..60 {
                let x = Tensor::randn(&[16, 4], &mut generator, device).unwrap();
                let y = x.sum_dims(&[1], true).unwrap();
                optimizer.zero_grad();
                let copy = compute_copy(&model, dtype).unwrap();
                let out = copy.forward(&x.to_dtype(dtype).unwrap()).unwrap();
                let loss = mse_loss(&out.to_dtype(DType::F32).unwrap(), &y, LossReduction::Mean).unwrap();
                let small = loss.mul(SMALL).unwrap();
                match &mut scaler {
                    Some(scaler) => {
                        scaler.scale(&small).unwrap().backward().unwrap();
                        skipped += usize::from(!block_on(scaler.step(&mut optimizer)).unwrap());
                        scaler.update().unwrap();
                    }
                    None => {
                        small.backward().unwrap();
                        optimizer.step().unwrap();
                    }
                }
                losses.push(block_on(loss.item()).unwrap().as_f64());
            }
            assert!(model.parameters().iter().all(|p| p.dtype() == DType::F32 && p.is_leaf()));
            (losses, skipped, values(&model.parameters()))
        };
        let untouched =
            values(&Linear::new(4, 1, true, &mut Generator::new(1), device).unwrap().parameters());
        let (_, _, weights) = run(DType::F16, None);
        assert_eq!(weights, untouched, "{device}: without a scale every gradient is 0");

        let (losses, skipped, weights) = run(DType::F16, Some(GradScalerConfig::default()));
        assert!(losses[59] < 1e-2 * losses[0], "{device}: {losses:?}");
        assert_eq!(skipped, 0);
        weights[..4].iter().for_each(|w| assert!((w - 1.0).abs() < 0.1, "{device}: {weights:?}"));

        // A scale that is too large at first is found out and lowered.
        let config = GradScalerConfig { init_scale: 2f32.powi(45), ..GradScalerConfig::default() };
        let (losses, skipped, _) = run(DType::F16, Some(config));
        assert!((1..30).contains(&skipped), "{device}: {skipped} steps were skipped");
        assert!(losses[59] < 0.1 * losses[0], "{device}: {losses:?}");

        // bfloat16 has float32's range and needs none.
        let (losses, _, _) = run(DType::BF16, None);
        assert!(losses[59] < 1e-2 * losses[0], "{device}: {losses:?}");
    });
}

/// The parameters of a packed model are converted by one kernel and their gradients by another, with the same results.
#[test]
fn packed_models_are_converted_at_once() {
    each_device(|device| {
        let gpt = |is_packed: bool| {
            let mut gpt = Gpt::new(GptConfig::new(11, 7, 2, 2, 8), &mut Generator::new(0), device).unwrap();
            if is_packed {
                gpt.pack().unwrap();
            }
            gpt
        };
        let tokens: Vec<Scalar> = (0..14).map(|i| Scalar::Int(i * i % 11)).collect();
        let tokens = Tensor::from_scalars(&tokens, &[2, 7], DType::I64, device).unwrap();
        let run = |is_packed: bool, frozen: Option<usize>| {
            let mut gpt = gpt(is_packed);
            frozen.iter().for_each(|&i| gpt.parameters()[i].set_requires_grad(false).unwrap());
            device.ledger().reset();
            let mut found = Vec::new();
            // Twice, so that the second gradients meet the first.
            for _ in 0..2 {
                let copy = compute_copy(&gpt, DType::F16).unwrap();
                copy.loss(&tokens, &tokens, &mut Mode::Eval).unwrap().backward().unwrap();
                let gradients: Vec<Option<Tensor>> = gpt.parameters().iter().map(Tensor::grad).collect();
                found.extend(gradients.iter().map(|g| g.as_ref().map(|g| block_on(g.to_vec()).unwrap())));
            }
            let all = device.ledger().by_operation();
            let conversions = all.iter().filter(|o| o.name == "_to_copy").map(|o| o.calls).sum::<u64>();
            (found, device.ledger().totals().ops, conversions)
        };
        for frozen in [None, Some(3)] {
            let (loose, packed) = (run(false, frozen), run(true, frozen));
            assert!(loose.0 == packed.0, "{device}: the gradients differ, {frozen:?} frozen");
            let frozen = u64::from(frozen.is_some());
            let (count, groups) = (gpt(false).parameters().len() as u64 - frozen, 1 + frozen);
            // In each of two passes all parameters there and back; what else is converted is the same.
            assert_eq!(packed.2 + 4 * (count - groups), loose.2, "{device}: {frozen} frozen");
            assert!(
                packed.1 + 3 * (count - groups) < loose.1,
                "{device}: {} and {} kernels",
                packed.1,
                loose.1
            );
            println!("{device}: {} kernels, packed {}", loose.1, packed.1);
        }
    });
}

/// Parts of a converted group that are not used have no gradient, and `grad` changes none.
#[test]
fn parts_of_a_group_are_leaves_of_their_own() {
    each_device(|device| {
        let mut layers: Vec<Linear> =
            (0..3).map(|_| Linear::new(4, 4, true, &mut Generator::new(1), device).unwrap()).collect();
        layers.pack().unwrap();
        let mut copy = compute_copy(&layers, DType::BF16).unwrap();
        let x = Tensor::ones(&[2, 4], DType::BF16, device).unwrap();
        let loss = copy[1].forward(&x).unwrap().sum().unwrap();
        let inputs = [layers.parameters()[2].clone()];
        let options = GradOptions { retain_graph: Some(true), ..GradOptions::default() };
        let gradient = grad(&[&loss], &[&inputs[0]], options).unwrap().remove(0).unwrap();
        assert_eq!((gradient.dtype(), values(&[gradient])), (DType::F32, vec![2.0; 16]));
        assert!(layers.parameters().iter().all(|p| p.grad().is_none()));
        copy.parameters()[2].retain_grad().unwrap();
        loss.backward().unwrap();
        let have: Vec<bool> = layers.parameters().iter().map(|p| p.grad().is_some()).collect();
        assert_eq!(have, [false, false, true, true, false, false]);
        assert_eq!(copy.parameters()[2].grad().unwrap().dtype(), DType::BF16);
        let gradients = layers.parameters()[2..4].iter().map(|p| p.grad().unwrap()).collect::<Vec<_>>();
        assert_eq!(values(&gradients), vec![2.0; 20]);
    });
}
