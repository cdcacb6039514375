//! Optimizers against PyTorch's own trajectories over 50 steps, from golden/optim.py, on every backend.

use std::collections::BTreeMap;

use crate::harness::{block_on, each_device};
use napkin_engine::nn::utils::clip_grad_norm_;
use napkin_engine::optim::{Optimizer, Rule};
use napkin_engine::{DType, Tensor};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Golden {
    start: Vec<f32>,
    gradients: Vec<Vec<f32>>,
    clips: Vec<Clip>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Clip {
    max_norm: f64,
    total: f64,
    grads: Vec<Vec<f32>>,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("optim.json")).unwrap()
}

#[derive(Deserialize)]
struct Case {
    rule: String,
    settings: BTreeMap<String, Value>,
    path: Vec<Vec<f32>>,
}

impl Case {
    fn number(&self, name: &str) -> f64 {
        self.settings[name].as_f64().unwrap()
    }

    fn rule(&self) -> Rule {
        let weight_decay = self.number("weight_decay");
        let betas = || serde_json::from_value::<[f64; 2]>(self.settings["betas"].clone()).unwrap();
        match self.rule.as_str() {
            "sgd" => Rule::Sgd {
                momentum: self.number("momentum"),
                dampening: self.number("dampening"),
                nesterov: self.settings["nesterov"].as_bool().unwrap(),
                weight_decay,
            },
            "adagrad" => Rule::Adagrad { eps: self.number("eps"), weight_decay },
            "rmsprop" => Rule::Rmsprop { alpha: self.number("alpha"), eps: self.number("eps"), weight_decay },
            "adam" => Rule::Adam { betas: betas(), eps: self.number("eps"), weight_decay },
            "adamw" => Rule::AdamW { betas: betas(), eps: self.number("eps"), weight_decay },
            other => panic!("unknown optimizer {other}"),
        }
    }
}

#[test]
fn optimizers_go_where_pytorchs_go() {
    let golden = golden();
    assert!(golden.cases.len() >= 14);
    each_device(|device| {
        let vector =
            |values: &[f32]| Tensor::from_slice(values, &[values.len()], DType::F32, device).unwrap();
        for case in &golden.cases {
            let x = vector(&golden.start);
            x.set_requires_grad(true).unwrap();
            let mut optimizer =
                Optimizer::new(vec![x.clone()], case.rule(), case.number("lr") as f32).unwrap();
            for (step, (gradient, want)) in golden.gradients.iter().zip(&case.path).enumerate() {
                optimizer.zero_grad();
                x.mul(&vector(gradient)).unwrap().sum().unwrap().backward().unwrap();
                optimizer.step().unwrap();
                let got = block_on(x.to_vec()).unwrap();
                for (i, (got, want)) in got.iter().zip(want).enumerate() {
                    let bound = 1e-5 * want.abs().max(0.1);
                    assert!(
                        (got - want).abs() <= bound,
                        "{device}: {} {:?}: x[{i}] is {got} after step {step}, not {want}",
                        case.rule,
                        case.settings
                    );
                }
            }
        }
    });
}

#[test]
fn gradients_are_clipped_together() {
    let golden = golden();
    assert_eq!(golden.clips.len(), 4);
    each_device(|device| {
        let vector =
            |values: &[f32]| Tensor::from_slice(values, &[values.len()], DType::F32, device).unwrap();
        for clip in &golden.clips {
            let leaf = |gradient: &Vec<f32>| {
                let x = Tensor::zeros(&[gradient.len()], DType::F32, device).unwrap();
                x.set_requires_grad(true).unwrap();
                x.mul(&vector(gradient)).unwrap().sum().unwrap().backward().unwrap();
                x
            };
            let params: Vec<Tensor> = golden.gradients[..2].iter().map(leaf).collect();
            let total = block_on(clip_grad_norm_(&params, clip.max_norm).unwrap().item()).unwrap().as_f64();
            assert!((total - clip.total).abs() < 1e-5, "{device}: the norm is {total}, not {}", clip.total);
            for (param, want) in params.iter().zip(&clip.grads) {
                let got = block_on(param.grad().unwrap().to_vec()).unwrap();
                let same = got.iter().zip(want).all(|(got, want)| (got - want).abs() < 1e-5);
                assert!(same, "{device}, {}: {got:?}, not {want:?}", clip.max_norm);
            }
        }
        assert!(clip_grad_norm_(&[], -1.0).is_err());
        assert_eq!(block_on(clip_grad_norm_(&[], 1.0).unwrap().item()).unwrap().as_f64(), 0.0);
    });
}
