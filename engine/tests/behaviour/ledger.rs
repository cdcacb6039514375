//! What the ledger says by operation, against counts by hand; and memory that writing in place does not need.

use std::collections::BTreeMap;

use crate::harness::{block_on, each_device};
use napkin_engine::amp::{GradScaler, GradScalerConfig};
use napkin_engine::ledger::{OperationTotals, Phase};
use napkin_engine::nn::utils::clip_grad_norm_;
use napkin_engine::nn::{Gpt, GptConfig, Mode, Module};
use napkin_engine::optim::{Optimizer, Rule};
use napkin_engine::random::Generator;
use napkin_engine::{DType, Device, Scalar, Tensor};

const ADAMW: Rule = Rule::AdamW { betas: [0.9, 0.999], eps: 1e-8, weight_decay: 0.01 };

fn random(shape: &[usize], seed: u64, device: &Device) -> Tensor {
    Tensor::randn(shape, &mut Generator::new(seed), device).unwrap()
}

fn leaf(shape: &[usize], seed: u64, device: &Device) -> Tensor {
    let leaf = random(shape, seed, device);
    leaf.set_requires_grad(true).unwrap();
    leaf
}

fn values(t: &Tensor) -> Vec<f32> {
    block_on(t.to_vec()).unwrap()
}

/// Calls and FLOPs of products by phase and name, and that the operations sum up to the totals.
fn flops(device: &Device) -> BTreeMap<(String, &'static str), (u64, u64)> {
    let (all, totals) = (device.ledger().by_operation(), device.ledger().totals());
    let sum = |of: fn(&OperationTotals) -> u64| all.iter().map(of).sum::<u64>();
    assert_eq!(sum(|o| o.calls), totals.ops);
    assert_eq!(sum(|o| o.matmul_flops), totals.matmul_flops);
    assert_eq!(sum(|o| o.read_bytes), totals.read_bytes);
    assert_eq!(sum(|o| o.written_bytes), totals.written_bytes);
    let mut products: BTreeMap<_, (u64, u64)> = BTreeMap::new();
    for o in all.iter().filter(|o| o.matmul_flops > 0) {
        let (calls, flops) = products.entry((format!("{:?}", o.phase), o.name)).or_default();
        *calls += o.calls;
        *flops += o.matmul_flops;
    }
    products
}

fn named(want: &[(&str, &'static str, u64, u64)]) -> BTreeMap<(String, &'static str), (u64, u64)> {
    want.iter().map(|&(phase, name, calls, flops)| ((phase.to_owned(), name), (calls, flops))).collect()
}

/// The lecture's model: layers of d × d without bias, and a head of d × 1.
#[test]
fn a_step_of_the_deep_linear_model_costs_six_flops_per_parameter_and_token() {
    const B: usize = 17;
    const D: usize = 24;
    const LAYERS: usize = 2;
    each_device(|device| {
        let weights: Vec<Tensor> = (0..LAYERS).map(|i| leaf(&[D, D], i as u64, device)).collect();
        let head = leaf(&[D, 1], 9, device);
        let params: Vec<Tensor> = weights.iter().chain([&head]).cloned().collect();
        let mut optimizer = Optimizer::new(params, ADAMW, 0.01).unwrap();
        let x = random(&[B, D], 5, device);
        device.ledger().reset();
        let hidden = weights.iter().try_fold(x, |x, w| x.matmul(w)).unwrap();
        hidden.matmul(&head).unwrap().mean().unwrap().backward().unwrap();
        optimizer.step().unwrap();
        let (layer, head) = ((2 * B * D * D) as u64, (2 * B * D) as u64);
        let layers = LAYERS as u64;
        // The data need no gradient.
        let want = named(&[
            ("Forward", "mm", layers + 1, layers * layer + head),
            ("Backward", "mm (dX)", layers, (layers - 1) * layer + head),
            ("Backward", "mm (dW)", layers + 1, layers * layer + head),
        ]);
        assert_eq!(flops(device), want, "{device}");
        let all = device.ledger().by_operation();
        assert_eq!((all[0].phase, all[0].name), (Phase::Forward, "mm"), "in the order of their first runs");
        let steps: Vec<_> = all.iter().filter(|o| o.phase == Phase::Optimizer).collect();
        let bytes = (4 * (LAYERS * D * D + D)) as u64;
        assert_eq!(steps.len(), 1);
        assert_eq!((steps[0].name, steps[0].calls), ("adamw", layers + 1));
        assert_eq!((steps[0].read_bytes, steps[0].written_bytes), (4 * bytes, 3 * bytes));
        device.ledger().reset();
        assert!(device.ledger().by_operation().is_empty());
    });
}

#[test]
fn a_step_of_a_gpt_is_counted_by_operation() {
    let [b, t, d, h, l, v] = [2, 7, 8, 2, 2, 11];
    each_device(|device| {
        let mut gpt = Gpt::new(GptConfig::new(v, t, l, h, d), &mut Generator::new(0), device).unwrap();
        gpt.pack().unwrap();
        let mut optimizer = Optimizer::new(gpt.parameters(), ADAMW, 1e-3).unwrap();
        let tokens: Vec<Scalar> = (0..b * t).map(|i| Scalar::Int((i * i % v) as i64)).collect();
        let tokens = Tensor::from_scalars(&tokens, &[b, t], DType::I64, device).unwrap();
        device.ledger().reset();
        gpt.loss(&tokens, &tokens, &mut Mode::Eval).unwrap().backward().unwrap();
        optimizer.step().unwrap();
        // Queries, keys and values, what follows the heads, and the MLP, four times as wide as the stream.
        let linear = (l * 2 * b * t * (d * 3 * d + d * d + d * 4 * d + 4 * d * d)) as u64;
        let head = (2 * b * t * d * v) as u64;
        // Scores, and the values that they weigh, of h heads of the width d / h.
        let attention = (l * 2 * b * h * t * t * (d / h) * 2) as u64;
        let (layers, count) = (4 * l as u64, 2 * l as u64);
        let want = named(&[
            ("Forward", "addmm", layers, linear),
            ("Forward", "bmm", count, attention),
            ("Forward", "mm", 1, head),
            ("Backward", "mm (dX)", layers + 1, linear + head),
            ("Backward", "mm (dW)", layers + 1, linear + head),
            ("Backward", "bmm (dX)", count, attention),
            ("Backward", "bmm (dW)", count, attention),
        ]);
        assert_eq!(flops(device), want, "{device}");
        let all = device.ledger().by_operation();
        let calls = |phase, name| all.iter().find(|o| (o.phase, o.name) == (phase, name)).map(|o| o.calls);
        assert_eq!(calls(Phase::Forward, "embedding"), Some(1));
        assert_eq!(calls(Phase::Forward, "native_layer_norm"), Some(2 * l as u64 + 1));
        assert_eq!(calls(Phase::Forward, "_softmax"), Some(l as u64));
        assert_eq!(calls(Phase::Forward, "gelu"), Some(l as u64));
        assert_eq!(calls(Phase::Backward, "gelu_backward"), Some(l as u64));
        assert_eq!(calls(Phase::Backward, "embedding_dense_backward"), Some(1));
        assert_eq!(calls(Phase::Optimizer, "adamw"), Some(1), "{all:?}");
    });
}

type InPlace = fn(&Tensor, &Tensor) -> napkin_engine::Result<()>;
type OutOfPlace = fn(&Tensor, &Tensor) -> napkin_engine::Result<Tensor>;

/// In place and not.
const OPERATIONS: [(InPlace, OutOfPlace); 10] = [
    (|x, y| x.add_(y), |x, y| x.add(y)),
    (|x, y| x.sub_(y), |x, y| x.sub(y)),
    (|x, y| x.mul_(y), |x, y| x.mul(y)),
    (|x, y| x.div_(y), |x, y| x.div(y)),
    (|x, _| x.mul_(0.3), |x, _| x.mul(0.3)),
    (|x, _| x.pow_(2.0), |x, _| x.pow(2.0)),
    (|x, _| x.exp_(), |x, _| x.exp()),
    (|x, _| x.sin_(), |x, _| x.sin()),
    (|x, _| x.relu_(), |x, _| x.relu()),
    (|x, _| x.clamp_(Some((-0.5).into()), None), |x, _| x.clamp(Some((-0.5).into()), None)),
];

#[test]
fn writing_in_place_needs_no_memory_and_one_kernel() {
    each_device(|device| {
        for (i, (in_place, out_of_place)) in OPERATIONS.iter().enumerate() {
            for shape in [&[0][..], &[1], &[3, 17], &[5, 64]] {
                for (is_turned, is_alias) in [(false, false), (false, true), (true, false), (true, true)] {
                    let x = || {
                        let x = random(shape, 1, device);
                        if is_turned { x.reshape(&[1, -1]).unwrap().t().unwrap() } else { x }
                    };
                    let y = random(x().shape(), 2, device);
                    let (argument, x) = (x(), x());
                    let other = if is_alias { &argument } else { &y };
                    let want = values(&out_of_place(&argument, other).unwrap());
                    device.ledger().reset();
                    let before = device.ledger().totals();
                    in_place(&x, if is_alias { &x } else { &y }).unwrap();
                    let after = device.ledger().totals();
                    assert_eq!(after.peak_bytes, before.peak_bytes, "{device}: operation {i}");
                    assert_eq!(after.ops, 1, "{device}: operation {i}");
                    assert_eq!(values(&x), want, "{device}: operation {i}");
                }
            }
        }
        // A part of what is read lies elsewhere in the same storage: that goes by a temporary.
        let x = random(&[6, 6], 1, device);
        let want = values(&x.add(&x.t().unwrap()).unwrap());
        let got = x.copy().unwrap();
        let columns = got.as_strided(&[6, 6], &[1, 6], 0).unwrap();
        if got.add_(&columns).is_ok() {
            assert_eq!(values(&got), want);
        }
    });
}

/// With a derivative: the same values and gradients, in less memory where the derivative allows it.
#[test]
fn derivatives_survive_writing_in_place() {
    each_device(|device| {
        for (i, (in_place, out_of_place)) in OPERATIONS.iter().enumerate() {
            let gradients = |write: bool| {
                let (a, b) = (leaf(&[3, 17], 1, device), leaf(&[3, 17], 2, device));
                let x = a.mul(2.0).unwrap();
                let x = if write {
                    in_place(&x, &b).unwrap();
                    x
                } else {
                    out_of_place(&x, &b).unwrap()
                };
                x.mul(&x).unwrap().add(&b).unwrap().sum().unwrap().backward().unwrap();
                [values(&x), values(&a.grad().unwrap()), values(&b.grad().unwrap())]
            };
            assert_eq!(gradients(true), gradients(false), "{device}: operation {i}");
        }
        let a = leaf(&[100], 1, device);
        let x = a.mul(2.0).unwrap();
        device.ledger().reset();
        let before = device.ledger().totals().peak_bytes;
        x.relu_().unwrap();
        assert_eq!(device.ledger().totals().peak_bytes, before, "{device}");
    });
}

#[test]
fn gradients_add_up_where_they_are() {
    each_device(|device| {
        let a = leaf(&[1000], 1, device);
        let pass = || a.mul(2.0).unwrap().sum().unwrap().backward().unwrap();
        pass();
        let first = a.grad().unwrap();
        pass();
        assert!(first.shares_storage_with(&a.grad().unwrap()));
        assert_eq!(values(&first), vec![4.0; 1000]);
        // Two leaves whose gradients are the same numbers do not share them.
        let (b, c) = (leaf(&[8], 2, device), leaf(&[8], 3, device));
        let g = random(&[8], 4, device);
        b.add(&c).unwrap().backward_with(Some(&g), false).unwrap();
        clip_grad_norm_(&[b.clone(), c.clone()], 1e-3).unwrap();
        let (b, c) = (b.grad().unwrap(), c.grad().unwrap());
        assert!(!b.shares_storage_with(&c) && !b.shares_storage_with(&g) && !c.shares_storage_with(&g));
        let norm = values(&b).iter().chain(&values(&c)).map(|x| x * x).sum::<f32>().sqrt();
        assert!((norm - 1e-3).abs() < 1e-6, "{device}: {norm}");
    });
}

#[test]
fn clipping_and_scaling_write_over_the_gradients() {
    each_device(|device| {
        let p = leaf(&[4096], 1, device);
        p.mul(3.0).unwrap().sum().unwrap().backward().unwrap();
        let mut scaler = GradScaler::new(GradScalerConfig::default()).unwrap();
        let optimizer = Optimizer::new(vec![p.clone()], Rule::SGD, 0.1).unwrap();
        device.ledger().reset();
        let before = device.ledger().totals().peak_bytes;
        clip_grad_norm_(std::slice::from_ref(&p), 1.0).unwrap();
        let square = 4 * 4096;
        let more = device.ledger().totals().peak_bytes - before;
        assert!(more < square + 1024, "{device}: the squares for the norm at most, not {more} bytes");
        device.ledger().reset();
        scaler.unscale_(&optimizer).unwrap();
        let more = device.ledger().totals().peak_bytes - before;
        assert!(more < 1024, "{device}: {more} bytes");
        let all = device.ledger().by_operation();
        assert!(all.iter().all(|o| o.phase == Phase::Optimizer), "{all:?}");
    });
}
