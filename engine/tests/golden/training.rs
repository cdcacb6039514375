//! Muon, groups of parameters and learning-rate schedules against PyTorch's figures from golden/training.py; an
//! optimizer that goes on where another stopped.

use std::collections::HashMap;

use crate::harness::{block_on, each_device};
use crate::leaves::{check, leaf, push, tensor, values};
use napkin_engine::ledger::Tag;
use napkin_engine::optim::{AdjustLr, Optimizer, OptimizerState, ParamGroup, Rule, Schedule};
use napkin_engine::random::Generator;
use napkin_engine::{DType, Device, Tensor};
use serde::Deserialize;
use serde_json::Value;

type Settings = HashMap<String, Value>;

#[derive(Deserialize)]
struct Golden {
    muon: Vec<Muon>,
    groups: Groups,
    schedules: Vec<Rates>,
}

#[derive(Deserialize)]
struct Muon {
    shape: Vec<usize>,
    settings: Settings,
    start: Vec<f32>,
    gradients: Vec<Vec<f32>>,
    path: Vec<Vec<f64>>,
}

#[derive(Deserialize)]
struct Groups {
    shapes: Vec<Vec<usize>>,
    starts: Vec<Vec<f32>>,
    gradients: Vec<Vec<Option<Vec<f32>>>>,
    path: Vec<Vec<f64>>,
}

#[derive(Deserialize)]
struct Rates {
    name: String,
    settings: Settings,
    initial: f64,
    rates: Vec<f64>,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("training.json")).unwrap()
}

fn number(settings: &Settings, name: &str) -> f64 {
    settings[name].as_f64().unwrap()
}

fn muon(settings: &Settings) -> Rule {
    Rule::Muon {
        momentum: number(settings, "momentum"),
        nesterov: settings["nesterov"].as_bool().unwrap(),
        weight_decay: number(settings, "weight_decay"),
        ns_coefficients: serde_json::from_value(settings["ns_coefficients"].clone()).unwrap(),
        ns_steps: number(settings, "ns_steps") as u32,
        eps: number(settings, "eps"),
        adjust_lr: match settings["adjust_lr_fn"].as_str() {
            Some("match_rms_adamw") => AdjustLr::MatchRmsAdamW,
            Some("spectral_unclamped") => AdjustLr::SpectralUnclamped,
            _ => AdjustLr::Original,
        },
    }
}

#[test]
fn muon_goes_where_pytorchs_goes() {
    let cases = golden().muon;
    assert_eq!(cases.len(), 9);
    assert_eq!(muon(&cases[0].settings), Rule::MUON, "PyTorch's defaults");
    each_device(|device| {
        for case in &cases {
            let x = leaf(&case.shape, &case.start, device);
            let lr = number(&case.settings, "lr") as f32;
            let mut optimizer = Optimizer::new(vec![x.clone()], muon(&case.settings), lr).unwrap();
            for (step, (gradient, want)) in case.gradients.iter().zip(&case.path).enumerate() {
                optimizer.zero_grad();
                push(&x, gradient);
                optimizer.step().unwrap();
                let what = format!("{device}: {:?} {:?} after step {step}", case.shape, case.settings);
                check(&values(std::slice::from_ref(&x)), want, &what);
            }
        }
    });
}

/// Sums of many products differ in their last digits, and bfloat16 makes steps of these; what must hold is that the
/// update is nearly orthogonal.
#[test]
fn muons_updates_are_orthogonal() {
    each_device(|device| {
        for [rows, columns] in [[17, 33], [33, 17], [64, 48]] {
            let x = leaf(&[rows, columns], &vec![0.0; rows * columns], device);
            let Rule::Muon { momentum, nesterov, ns_coefficients, ns_steps, eps, .. } = Rule::MUON else {
                panic!("Muon is Muon");
            };
            let rule = Rule::Muon {
                momentum,
                nesterov,
                weight_decay: 0.0,
                ns_coefficients,
                ns_steps,
                eps,
                adjust_lr: AdjustLr::Original,
            };
            let mut optimizer = Optimizer::new(vec![x.clone()], rule, 1.0).unwrap();
            push(&x, &Generator::new(3).randn(rows * columns));
            optimizer.step().unwrap();
            let scale = (rows as f64 / columns as f64).max(1.0).sqrt();
            let update = x.detach().div(scale).unwrap();
            let update = if rows > columns { update.t().unwrap() } else { update };
            let gram = block_on(update.matmul(&update.t().unwrap()).unwrap().to_vec()).unwrap();
            let n = rows.min(columns);
            for (i, value) in gram.iter().enumerate() {
                // Singular values come out between 0.7 and 1.2.
                let (low, high) = if i % (n + 1) == 0 { (0.4, 1.6) } else { (-0.4, 0.4) };
                assert!((low..high).contains(value), "{device}: {rows} × {columns}: {value} at {i}");
            }
        }
    });
}

#[test]
fn groups_have_rules_and_learning_rates_of_their_own() {
    let groups = golden().groups;
    let schedule = Schedule::CosineAnnealing { t_max: 30, eta_min: 0.001 };
    let adamw = |weight_decay| Rule::AdamW { betas: [0.9, 0.999], eps: 1e-8, weight_decay };
    each_device(|device| {
        for is_packed in [false, true] {
            let mut x: Vec<Tensor> = groups
                .shapes
                .iter()
                .zip(&groups.starts)
                .map(|(shape, start)| leaf(shape, start, device))
                .collect();
            if is_packed {
                x = Tensor::pack(&x).unwrap();
            }
            let mut optimizer = Optimizer::with_groups(vec![
                ParamGroup { params: x[..2].to_vec(), rule: adamw(0.3), lr: 0.05 },
                ParamGroup { params: x[2..].to_vec(), rule: adamw(0.0), lr: 0.01 },
            ])
            .unwrap();
            for (step, (gradients, want)) in groups.gradients.iter().zip(&groups.path).enumerate() {
                optimizer.schedule(&schedule, step as u64).unwrap();
                optimizer.zero_grad();
                for (x, gradient) in x.iter().zip(gradients) {
                    gradient.iter().for_each(|gradient| push(x, gradient));
                }
                optimizer.step().unwrap();
                check(&values(&x), want, &format!("{device}, packed: {is_packed}, after step {step}"));
            }
            assert_eq!(optimizer.steps(), [50, 17, 50]);
        }
    });
}

/// Parameters that lie side by side move with one kernel, to where the others move.
#[test]
fn packed_parameters_take_one_kernel() {
    each_device(|device| {
        let before = device.ledger().totals().allocated.of(Tag::OptimizerState);
        let run = |is_packed: bool| {
            let mut generator = Generator::new(5);
            let mut leaves: Vec<Tensor> = [&[8, 4][..], &[3], &[5, 4], &[1], &[64]]
                .iter()
                .map(|shape| leaf(shape, &generator.randn(shape.iter().product()), device))
                .collect();
            if is_packed {
                leaves = Tensor::pack(&leaves).unwrap();
            }
            let rule = Rule::AdamW { betas: [0.9, 0.95], eps: 1e-8, weight_decay: 0.1 };
            let mut optimizer = Optimizer::new(leaves.clone(), rule, 0.1).unwrap();
            let held = device.ledger().totals().allocated.of(Tag::OptimizerState) - before;
            assert_eq!(held, 2 * 4 * 120, "two values of state for each of a parameter");
            let mut ops = 0;
            for _ in 0..3 {
                optimizer.zero_grad();
                leaves.iter().for_each(|x| push(x, &generator.randn(x.numel())));
                let before = device.ledger().totals().ops;
                optimizer.step().unwrap();
                ops = device.ledger().totals().ops - before;
            }
            (values(&leaves), ops)
        };
        let (loose, packed) = (run(false), run(true));
        assert_eq!(loose.0, packed.0, "{device}");
        assert_eq!((loose.1, packed.1), (5, 1), "{device}");
    });
}

const DOWN: Schedule = Schedule::CosineAnnealing { t_max: 10, eta_min: 0.0 };

fn made(device: &Device) -> (Vec<Tensor>, Optimizer) {
    let mut generator = Generator::new(5);
    let leaves: Vec<Tensor> = [&[3, 4][..], &[5], &[2, 2]]
        .iter()
        .map(|shape| leaf(shape, &generator.randn(shape.iter().product()), device))
        .collect();
    let rules = [
        Rule::MUON,
        Rule::Adam { betas: [0.9, 0.999], eps: 1e-8, weight_decay: 0.0 },
        Rule::Sgd { momentum: 0.9, dampening: 0.0, nesterov: true, weight_decay: 0.0 },
    ];
    let group = |(x, rule): (&Tensor, Rule)| ParamGroup { params: vec![x.clone()], rule, lr: 0.05 };
    let groups = leaves.iter().zip(rules).map(group).collect();
    (leaves, Optimizer::with_groups(groups).unwrap())
}

fn steps(leaves: &[Tensor], optimizer: &mut Optimizer, range: std::ops::Range<u64>) {
    for step in range {
        optimizer.schedule(&DOWN, step).unwrap();
        optimizer.zero_grad();
        let mut generator = Generator::new(step);
        leaves.iter().for_each(|x| push(x, &generator.randn(x.numel())));
        optimizer.step().unwrap();
    }
}

#[test]
fn an_optimizer_goes_on_where_another_stopped() {
    each_device(|device| {
        let (leaves, mut optimizer) = made(device);
        steps(&leaves, &mut optimizer, 0..4);
        let state = optimizer.state_dict();
        let names: Vec<&str> = state.tensors.iter().map(|(name, _)| name.as_str()).collect();
        let expected = ["0.momentum_buffer", "1.exp_avg", "1.exp_avg_sq", "2.momentum_buffer"];
        assert_eq!(names, expected.map(|name| format!("state.{name}")));
        assert_eq!(state.numbers["state.1.step"], 4.0);
        assert_eq!(state.numbers["param_groups.2.lr"], f64::from(DOWN.lr(0.05f32.into(), 3) as f32));
        // What a file would hold.
        let copy = |t: &Tensor| tensor(t.shape(), &block_on(t.to_vec()).unwrap(), device);
        let tensors = state.tensors.iter().map(|(name, t)| (name.clone(), copy(t))).collect();
        let saved = OptimizerState { tensors, numbers: state.numbers.clone() };
        let parameters: Vec<Vec<f32>> = leaves.iter().map(|t| block_on(t.to_vec()).unwrap()).collect();
        steps(&leaves, &mut optimizer, 4..9);

        let (others, mut resumed) = made(device);
        let model: Vec<(String, Tensor)> = others
            .iter()
            .zip(&parameters)
            .map(|(t, values)| (String::new(), tensor(t.shape(), values, device)))
            .collect();
        for (other, (_, value)) in others.iter().zip(&model) {
            napkin_engine::autograd::no_grad(|| other.copy_(value)).unwrap();
        }
        resumed.load_state_dict(&saved).unwrap();
        assert_eq!(resumed.state_dict().numbers, saved.numbers);
        steps(&others, &mut resumed, 4..9);
        assert_eq!(values(&others), values(&leaves), "{device}: bit for bit");

        refuses_other_states(&mut resumed, &saved, device);
    });
}

fn refuses_other_states(optimizer: &mut Optimizer, saved: &OptimizerState, device: &Device) {
    let before: Vec<f32> = optimizer.state().iter().flat_map(|state| values(state)).collect();
    let mut refuse = |words: &str, change: &dyn Fn(&mut OptimizerState)| {
        let mut state = saved.clone();
        change(&mut state);
        let error = optimizer.load_state_dict(&state).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    refuse("Missing key in state_dict: \"state.2.momentum_buffer\"", &|s| {
        s.tensors.pop();
    });
    refuse("Missing key in state_dict: \"state.1.step\"", &|s| {
        s.numbers.remove("state.1.step");
    });
    refuse("Missing key in state_dict: \"param_groups.0.lr\"", &|s| {
        s.numbers.remove("param_groups.0.lr");
    });
    refuse("no number of steps", &|s| {
        s.numbers.insert("state.0.step".into(), -1.0);
    });
    refuse("no number of steps", &|s| {
        s.numbers.insert("state.0.step".into(), f64::NAN);
    });
    refuse("no number of steps", &|s| {
        s.numbers.insert("state.0.step".into(), 1.5);
    });
    refuse("Invalid learning rate", &|s| {
        s.numbers.insert("param_groups.0.lr".into(), -0.1);
    });
    refuse("has not", &|s| {
        s.numbers.insert("state.9.step".into(), 1.0);
    });
    refuse("size mismatch for state.0.momentum_buffer", &|s| {
        s.tensors[0].1 = Tensor::zeros(&[4, 3], DType::F32, device).unwrap();
    });
    refuse("has not", &|s| {
        s.tensors.push(("state.9.sum".into(), Tensor::zeros(&[1], DType::F32, device).unwrap()));
    });
    let after: Vec<f32> = optimizer.state().iter().flat_map(|state| values(state)).collect();
    assert_eq!(before, after, "nothing is half loaded");
}

#[test]
fn bad_groups_are_refused() {
    let device = Device::cpu();
    let x = leaf(&[3], &[0.0; 3], &device);
    let error =
        |params: Vec<Tensor>, rule, lr| Optimizer::new(params, rule, lr).map(|_| ()).unwrap_err().to_string();
    let wanted = "Muon only supports 2D parameters whereas we found a parameter with size: torch.Size([3])";
    assert!(error(vec![x.clone()], Rule::MUON, 0.1).contains(wanted));
    assert!(error(vec![x.clone()], Rule::SGD, -1.0).contains("Invalid learning rate: -1"));
    let twice = "some parameters appear in more than one parameter group";
    assert!(error(vec![x.clone(), x.clone()], Rule::SGD, 0.1).contains(twice));
    let mut optimizer = Optimizer::new(vec![x.clone()], Rule::SGD, 0.1).unwrap();
    let group = ParamGroup { params: vec![x], rule: Rule::SGD, lr: 0.1 };
    assert!(optimizer.add_param_group(group).unwrap_err().to_string().contains(twice));
    assert_eq!(optimizer.params().len(), 1);
    assert!(optimizer.schedule(&Schedule::CosineAnnealing { t_max: 3, eta_min: f64::NAN }, 3).is_err());
    let empty = Optimizer::new(vec![leaf(&[0, 3], &[], &device)], Rule::MUON, 0.1);
    push(&empty.as_ref().unwrap().params()[0], &[]);
    empty.unwrap().step().unwrap();
}

fn schedule(case: &Rates) -> Schedule {
    let number = |name: &str| number(&case.settings, name);
    let steps = |name: &str| case.settings[name].as_u64().unwrap();
    match case.name.as_str() {
        "linear" => Schedule::Linear {
            start_factor: number("start_factor"),
            end_factor: number("end_factor"),
            total_iters: steps("total_iters"),
        },
        "cosine" => Schedule::CosineAnnealing { t_max: steps("T_max"), eta_min: number("eta_min") },
        "warmup_cosine" => Schedule::warmup_cosine(steps("warmup"), steps("total"), number("eta_min")),
        _ => Schedule::Sequential {
            schedules: vec![
                Schedule::Linear { start_factor: 0.2, end_factor: 1.0, total_iters: 4 },
                Schedule::CosineAnnealing { t_max: 9, eta_min: 0.0 },
                Schedule::Linear { start_factor: 0.5, end_factor: 0.1, total_iters: 20 },
            ],
            milestones: vec![6, 15],
        },
    }
}

#[test]
fn schedules_are_pytorchs() {
    let cases = golden().schedules;
    assert_eq!(cases.len(), 12);
    for case in &cases {
        let schedule = schedule(case);
        for (step, want) in case.rates.iter().enumerate() {
            let got = schedule.lr(case.initial, step as u64);
            // PyTorch goes on from step to step, and gathers roundings.
            assert!((got - want).abs() < 1e-12, "{schedule:?}: {got} after {step} steps, not {want}");
        }
    }
    // What makes no sense is at least a number.
    let odd = [
        Schedule::Linear { start_factor: 0.0, end_factor: 1.0, total_iters: 0 },
        Schedule::CosineAnnealing { t_max: 0, eta_min: 0.0 },
        Schedule::Sequential { schedules: vec![], milestones: vec![1, 2] },
        Schedule::Sequential { schedules: vec![DOWN; 3], milestones: vec![9, 1] },
        Schedule::warmup_cosine(0, 0, 0.0),
    ];
    for schedule in odd {
        for steps in [0, 1, 5, u64::MAX] {
            assert!(schedule.lr(1.0, steps).is_finite(), "{schedule:?} after {steps}");
        }
    }
}
