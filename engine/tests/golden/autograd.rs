//! Operations with their gradients, and optimizer trajectories, against PyTorch's figures, on every
//! backend. The figures come from golden/make.py, whose functions have the same names.

use crate::harness::{block_on, each_device};
use napkin_engine::nn::functional::{LossReduction, mse_loss};
use napkin_engine::optim::{Optimizer, Rule};
use napkin_engine::{DType, Device, Result, Tensor};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Golden {
    operations: Vec<Operation>,
    training: Vec<Training>,
}

#[derive(Deserialize)]
struct Array {
    shape: Vec<usize>,
    values: Vec<Value>,
}

#[derive(Deserialize)]
struct Operation {
    name: String,
    inputs: Vec<Array>,
    result: Array,
    weights: Array,
    grads: Vec<Array>,
}

#[derive(Deserialize)]
struct Training {
    optimizer: String,
    lr: f32,
    eps: Option<f64>,
    x: Array,
    y: Array,
    weights: Vec<Array>,
    first_grads: Vec<Array>,
    losses: Vec<Value>,
    final_weights: Vec<Array>,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("autograd.json")).unwrap()
}

/// A number, or the name of one that JSON does not have.
fn number(value: &Value) -> f32 {
    value.as_f64().map_or_else(|| value.as_str().unwrap().parse().unwrap(), |v| v as f32)
}

impl Array {
    fn on(&self, device: &Device) -> Tensor {
        let values: Vec<f32> = self.values.iter().map(number).collect();
        Tensor::from_slice(&values, &self.shape, DType::F32, device).unwrap()
    }

    /// Equal within `tolerance` of the largest value: sums cancel.
    fn check(&self, got: &Tensor, tolerance: f32, what: &str) {
        assert_eq!(got.shape(), self.shape, "{what}: shape");
        let want: Vec<f32> = self.values.iter().map(number).collect();
        let got = block_on(got.to_vec()).unwrap();
        let scale = want.iter().filter(|v| v.is_finite()).fold(1e-30f32, |m, v| m.max(v.abs()));
        for (i, (g, w)) in got.iter().zip(&want).enumerate() {
            let same = (g - w).abs() <= tolerance * scale || (!g.is_finite() && !w.is_finite());
            assert!(same, "{what}[{i}]: {g}, PyTorch has {w}");
        }
    }
}

fn run(name: &str, t: &[Tensor]) -> Result<Tensor> {
    match name.split(' ').next().unwrap() {
        "add" => t[0].add(&t[1]),
        "sub" => t[0].sub(&t[1]),
        "mul" if name == "mul self" => t[0].mul(&t[0]),
        "mul" => t[0].mul(&t[1]),
        "pow" => t[0].pow(name[4..].parse::<f64>().unwrap()),
        "mean" => t[0].mean(),
        "sum" => t[0].sum(),
        "squeeze" => t[0].squeeze(Some(1)),
        "transpose" => t[0].transpose(0, 1),
        "matmul" if name == "matmul transposed" => t[0].transpose(0, 1)?.matmul(&t[1]),
        "matmul" => t[0].matmul(&t[1]),
        "mse" => mse_loss(&t[0], &t[1], LossReduction::Mean),
        "half" => t[0].mul(&t[1])?.sum()?.add(-5.0)?.pow(2.0)?.mul(0.5),
        other => panic!("the golden figures have an operation '{other}' that this test does not know"),
    }
}

fn leaves(arrays: &[Array], device: &Device) -> Vec<Tensor> {
    let leaf = |a: &Array| {
        let t = a.on(device);
        t.set_requires_grad(true).unwrap();
        t
    };
    arrays.iter().map(leaf).collect()
}

#[test]
fn operations_and_their_gradients() {
    let golden = golden();
    assert!(golden.operations.len() >= 24);
    each_device(|device| {
        for op in &golden.operations {
            let inputs = leaves(&op.inputs, device);
            let result = run(&op.name, &inputs).unwrap();
            op.result.check(&result, 1e-6, &format!("{} on {device}", op.name));
            result.mul(&op.weights.on(device)).unwrap().sum().unwrap().backward().unwrap();
            for (i, (input, grad)) in inputs.iter().zip(&op.grads).enumerate() {
                grad.check(&input.grad().unwrap(), 2e-6, &format!("{} on {device}: gradient {i}", op.name));
            }
        }
    });
}

#[test]
fn optimizers_follow_pytorchs_trajectories() {
    let golden = golden();
    assert!(golden.training.len() >= 9);
    each_device(|device| {
        for case in &golden.training {
            let what = format!("{} with lr {} on {device}", case.optimizer, case.lr);
            let weights = leaves(&case.weights, device);
            let rule = match case.optimizer.as_str() {
                "sgd" => Rule::SGD,
                "adagrad" => Rule::Adagrad { eps: case.eps.unwrap(), weight_decay: 0.0 },
                other => panic!("unknown optimizer {other}"),
            };
            let mut optimizer = Optimizer::new(weights.clone(), rule, case.lr).unwrap();
            let (x, y) = (case.x.on(device), case.y.on(device));
            let scale = case.y.values.iter().map(number).fold(0f32, |m, v| m.max(v.abs()));
            for (step, want) in case.losses.iter().map(number).enumerate() {
                optimizer.zero_grad();
                let out = weights.iter().try_fold(x.clone(), |x, w| x.matmul(w)).unwrap();
                let loss = mse_loss(&out.squeeze(Some(-1)).unwrap(), &y, LossReduction::Mean).unwrap();
                loss.backward().unwrap();
                if step == 0 {
                    for (w, grad) in weights.iter().zip(&case.first_grads) {
                        grad.check(&w.grad().unwrap(), 1e-5, &format!("{what}: first gradient"));
                    }
                }
                let loss = block_on(loss.item()).unwrap().as_f64() as f32;
                // Near the minimum a residual r is the difference of numbers as large as y: r² inherits
                // 2·r times their rounding.
                let bound = 1e-5 * want + 4.0 * f32::EPSILON * scale * want.sqrt();
                let same = (loss - want).abs() <= bound || (!loss.is_finite() && !want.is_finite());
                assert!(same, "{what}: loss {loss} at step {step}, PyTorch has {want}");
                optimizer.step().unwrap();
            }
            for (w, want) in weights.iter().zip(&case.final_weights) {
                want.check(w, 1e-5, &format!("{what}: final weights"));
            }
        }
    });
}
