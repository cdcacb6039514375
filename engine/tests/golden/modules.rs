//! Modules with PyTorch's weights: outputs, losses and every gradient against its figures from golden/modules.py; and
//! what a tree of modules does with its parameters.

use std::collections::HashMap;

use crate::harness::{block_on, each_device};
use napkin_engine::nn::functional::Gelu;
use napkin_engine::nn::utils::clip_grad_norm_;
use napkin_engine::nn::{
    Activation, DeepLinear, Dropout, Embedding, Gpt, GptConfig, Heads, LayerNorm, Linear, Mlp, Mode, Module,
    MultiheadAttention, NormKind, RMSNorm,
};
use napkin_engine::optim::{Optimizer, ParamGroup, Rule, Schedule};
use napkin_engine::random::Generator;
use napkin_engine::{DType, Device, Result, Scalar, Tensor};
use serde::Deserialize;
use serde_json::Value;

type Named = Vec<(String, Vec<usize>, Vec<f64>)>;

#[derive(Deserialize)]
struct Golden {
    cases: Vec<Case>,
    gpts: Vec<GptCase>,
    learning: Learning,
    refusals: Vec<Refusal>,
}

#[derive(Deserialize)]
struct Case {
    module: String,
    args: HashMap<String, Value>,
    /// Of the generator, in training.
    seed: Option<u64>,
    state: Named,
    x: Figure,
    out: Figure,
    grads: Named,
    x_grad: Option<Vec<f64>>,
}

#[derive(Deserialize)]
struct Figure {
    shape: Vec<usize>,
    values: Vec<f64>,
}

#[derive(Deserialize)]
struct GptCase {
    config: HashMap<String, Value>,
    /// The weights that a seed (its place in the list) gives.
    begun: Named,
    state: Named,
    seed: Option<u64>,
    num_params: usize,
    shape: Vec<usize>,
    tokens: Vec<i64>,
    targets: Vec<i64>,
    logits: Vec<f64>,
    loss: f64,
    grads: Named,
}

#[derive(Deserialize)]
struct Learning {
    config: HashMap<String, Value>,
    /// Two batches of two texts of eight tokens.
    text: Vec<i64>,
    losses: Vec<f64>,
    norms: Vec<f64>,
}

#[derive(Deserialize)]
struct Refusal {
    strict: bool,
    state: Vec<(String, Vec<usize>)>,
    error: Option<String>,
    #[serde(default)]
    missing: Vec<String>,
    #[serde(default)]
    unexpected: Vec<String>,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("modules.json")).unwrap()
}

fn tensor(shape: &[usize], values: &[f64], device: &Device) -> Tensor {
    let values: Vec<f32> = values.iter().map(|&v| v as f32).collect();
    Tensor::from_slice(&values, shape, DType::F32, device).unwrap()
}

fn whole(shape: &[usize], values: &[i64], device: &Device) -> Tensor {
    let values: Vec<Scalar> = values.iter().map(|&v| Scalar::Int(v)).collect();
    Tensor::from_scalars(&values, shape, DType::I64, device).unwrap()
}

/// Within 2e-5 of the largest, as float32 allows.
fn check(got: &Tensor, shape: &[usize], want: &[f64], what: &str) {
    assert_eq!(got.shape(), shape, "{what}");
    let scale = want.iter().fold(1e-2_f64, |most, v| most.max(v.abs()));
    for (i, (got, want)) in block_on(got.to_vec()).unwrap().iter().zip(want).enumerate() {
        let away = (f64::from(*got) - want).abs();
        assert!(away <= 2e-5 * scale, "{what}: value {i} is {got}, not {want}");
    }
}

fn check_grads(module: &mut dyn Module, want: &Named, what: &str) {
    let got = module.named_parameters();
    assert_eq!(got.len(), want.len(), "{what}");
    for ((name, parameter), (expected, shape, values)) in got.iter().zip(want) {
        assert_eq!(name, expected, "{what}");
        check(&parameter.grad().unwrap(), shape, values, &format!("{what}: gradient of {name}"));
    }
}

fn load(module: &mut dyn Module, state: &Named, device: &Device) {
    let own: Vec<String> = module.state_dict().into_iter().map(|(name, _)| name).collect();
    let names: Vec<&String> = state.iter().map(|(name, ..)| name).collect();
    assert_eq!(own.iter().collect::<Vec<_>>(), names, "PyTorch's names in its order");
    let state: Vec<(String, Tensor)> =
        state.iter().map(|(name, shape, values)| (name.clone(), tensor(shape, values, device))).collect();
    module.load_state_dict(&state, true).unwrap();
}

fn mode<'a>(seed: Option<u64>, generator: &'a mut Generator) -> Mode<'a> {
    match seed {
        Some(seed) => {
            *generator = Generator::new(seed);
            Mode::Train(generator)
        }
        None => Mode::Eval,
    }
}

fn activation(name: &str) -> Activation {
    match name {
        "relu" => Activation::Relu,
        "gelu" => Activation::Gelu(Gelu::Exact),
        "gelu_tanh" => Activation::Gelu(Gelu::Tanh),
        "silu" => Activation::Silu,
        other => panic!("no activation {other}"),
    }
}

type Forward<M> = fn(&M, &Tensor, &mut Mode<'_>) -> Result<Tensor>;

impl Case {
    fn size(&self, name: &str) -> usize {
        self.args[name].as_u64().unwrap() as usize
    }

    fn sizes(&self, name: &str) -> Vec<usize> {
        serde_json::from_value(self.args[name].clone()).unwrap()
    }

    fn flag(&self, name: &str) -> bool {
        self.args[name].as_bool().unwrap()
    }

    fn run(&self, device: &Device) {
        let generator = &mut Generator::new(0);
        match self.module.as_str() {
            "Linear" => {
                let linear =
                    Linear::new(self.size("in"), self.size("out"), self.flag("bias"), generator, device);
                self.check(linear, |m, x, _| m.forward(x), device);
            }
            "Embedding" => {
                let embedding = Embedding::new(self.size("n"), self.size("dim"), generator, device);
                self.check(embedding, |m, x, _| m.forward(x), device);
            }
            "LayerNorm" => {
                let norm = LayerNorm::new(&self.sizes("shape"), LayerNorm::EPS, self.flag("bias"), device);
                self.check(norm, |m, x, _| m.forward(x), device);
            }
            "RMSNorm" => {
                let norm = RMSNorm::new(&self.sizes("shape"), self.args["eps"].as_f64(), device);
                self.check(norm, |m, x, _| m.forward(x), device);
            }
            "MultiheadAttention" => {
                let dropout = Dropout { p: self.args["dropout"].as_f64().unwrap() };
                let heads =
                    Heads { is_causal: self.flag("is_causal"), dropout, ..Heads::new(self.size("heads")) };
                let module =
                    MultiheadAttention::new(self.size("dim"), heads, self.flag("bias"), generator, device);
                self.check(module, MultiheadAttention::forward, device);
            }
            "Mlp" => {
                let (f, gate) =
                    (activation(self.args["activation"].as_str().unwrap()), self.flag("is_gated"));
                let (dim, hidden) = (self.size("dim"), self.size("hidden"));
                let mlp = Mlp::new(dim, hidden, f, gate, self.flag("bias"), generator, device);
                self.check(mlp, Mlp::forward, device);
            }
            _ => {
                let model = DeepLinear::new(self.size("dim"), self.size("layers"), generator, device);
                self.check(model, |m, x, _| m.forward(x), device);
            }
        }
    }

    fn check<M: Module>(&self, module: Result<M>, forward: Forward<M>, device: &Device) {
        let what = format!("{device}: {} {:?}", self.module, self.args);
        let mut module = module.unwrap();
        load(&mut module, &self.state, device);
        let x = if self.module == "Embedding" {
            whole(&self.x.shape, &self.x.values.iter().map(|&v| v as i64).collect::<Vec<_>>(), device)
        } else {
            let x = tensor(&self.x.shape, &self.x.values, device);
            x.set_requires_grad(true).unwrap();
            x
        };
        let mut generator = Generator::new(0);
        let out = forward(&module, &x, &mut mode(self.seed, &mut generator)).unwrap();
        check(&out, &self.out.shape, &self.out.values, &what);
        let weight = |i: usize| ((i % 5 + 1) as f64) * if i.is_multiple_of(2) { 1.0 } else { -1.0 };
        let weights: Vec<f64> = (0..out.numel()).map(weight).collect();
        if out.numel() > 0 {
            let loss = out.mul(&tensor(out.shape(), &weights, device)).unwrap().mean().unwrap();
            loss.backward().unwrap();
            check_grads(&mut module, &self.grads, &what);
            if let Some(want) = &self.x_grad {
                check(&x.grad().unwrap(), &self.x.shape, want, &format!("{what}: gradient of x"));
            }
        }
        module.zero_grad();
        assert!(module.parameters().iter().all(|p| p.grad().is_none()));
    }
}

#[test]
fn modules_compute_what_pytorchs_compute() {
    let cases = golden().cases;
    assert_eq!(cases.len(), 32);
    each_device(|device| {
        cases.iter().for_each(|case| case.run(device));
    });
}

fn gpt_config(config: &HashMap<String, Value>) -> GptConfig {
    let size = |name: &str| config[name].as_u64().unwrap() as usize;
    let flag = |name: &str| config[name].as_bool().unwrap();
    let new = GptConfig::new(size("vocab_size"), size("context"), size("layers"), size("heads"), size("dim"));
    GptConfig {
        kv_heads: size("kv_heads"),
        d_ff: size("d_ff"),
        norm: if config["norm"] == "rms" { NormKind::Rms } else { NormKind::Layer },
        activation: activation(config["activation"].as_str().unwrap()),
        is_gated: flag("is_gated"),
        dropout: config["dropout"].as_f64().unwrap(),
        bias: flag("bias"),
        is_tied: flag("is_tied"),
        ..new
    }
}

#[test]
fn gpts_compute_what_pytorchs_compute() {
    let gpts = golden().gpts;
    assert_eq!(gpts.len(), 9);
    each_device(|device| {
        for (i, case) in gpts.iter().enumerate() {
            let what = format!("{device}: {:?}", gpt_config(&case.config));
            let mut gpt = Gpt::new(gpt_config(&case.config), &mut Generator::new(i as u64), device).unwrap();
            assert_eq!(gpt.num_params(), case.num_params, "{what}");
            for ((name, got), (_, shape, want)) in gpt.state_dict().iter().zip(&case.begun) {
                assert_eq!(got.shape(), shape);
                for (got, want) in block_on(got.to_vec()).unwrap().iter().zip(want) {
                    assert!((f64::from(*got) - want).abs() < 1e-6, "{what}: {name} begins with {got}");
                }
            }
            load(&mut gpt, &case.state, device);
            let (tokens, targets) =
                (whole(&case.shape, &case.tokens, device), whole(&case.shape, &case.targets, device));
            let mut generator = Generator::new(0);
            let logits = gpt.forward(&tokens, &mut mode(case.seed, &mut generator)).unwrap();
            check(&logits, &[&case.shape[..], &[11]].concat(), &case.logits, &what);
            let loss = gpt.loss(&tokens, &targets, &mut mode(case.seed, &mut generator)).unwrap();
            check(&loss, &[], &[case.loss], &what);
            loss.backward().unwrap();
            check_grads(&mut gpt, &case.grads, &what);
        }
    });
}

/// All together: dropout, gradients gathered over two batches and clipped, groups, a schedule; the weights lie side by
/// side.
#[test]
fn a_gpt_learns_as_pytorchs_learns() {
    let learning = golden().learning;
    assert_eq!(learning.losses.len(), 40);
    each_device(|device| {
        let mut gpt = Gpt::new(gpt_config(&learning.config), &mut Generator::new(21), device).unwrap();
        gpt.pack().unwrap();
        let (matrices, others) = gpt.parameters().into_iter().partition(|p| p.shape().len() > 1);
        let group = |params: Vec<Tensor>, weight_decay| {
            let rule = Rule::AdamW { betas: [0.9, 0.95], eps: 1e-8, weight_decay };
            ParamGroup { params, rule, lr: 0.02 }
        };
        let mut optimizer = Optimizer::with_groups(vec![group(matrices, 0.1), group(others, 0.0)]).unwrap();
        let schedule = Schedule::warmup_cosine(5, 40, 0.001);
        let text = whole(&[2, 2, 8], &learning.text, device);
        let mut generator = Generator::new(22);
        for (step, (loss, norm)) in learning.losses.iter().zip(&learning.norms).enumerate() {
            optimizer.schedule(&schedule, step as u64).unwrap();
            optimizer.zero_grad();
            let mut total = 0.0;
            for batch in 0..2 {
                let batch = text.select(0, batch).unwrap();
                let (x, y) = (batch.narrow(1, 0, 7).unwrap(), batch.narrow(1, 1, 7).unwrap());
                let loss = gpt.loss(&x, &y, &mut Mode::Train(&mut generator)).unwrap().div(2).unwrap();
                loss.backward().unwrap();
                total += block_on(loss.item()).unwrap().as_f64();
            }
            let clipped = clip_grad_norm_(&gpt.parameters(), 1.0).unwrap();
            let got = [total, block_on(clipped.item()).unwrap().as_f64()];
            for (got, want) in got.into_iter().zip([loss, norm]) {
                // AdamW divides by the size of a gradient, so that its last digits grow from step to step.
                let bound = (1.0 + 0.1 * step as f64) * 1e-4;
                assert!((got - want).abs() <= bound * want, "{device}: step {step}: {got}, not {want}");
            }
            optimizer.step().unwrap();
        }
    });
}

#[test]
fn states_are_refused_in_pytorchs_words() {
    let refusals = golden().refusals;
    assert_eq!(refusals.len(), 8);
    each_device(|device| {
        for case in &refusals {
            let mut linear = Linear::new(3, 2, true, &mut Generator::new(0), device).unwrap();
            let before = block_on(linear.weight.to_vec()).unwrap();
            let state: Vec<_> = case
                .state
                .iter()
                .map(|(name, shape)| (name.clone(), Tensor::zeros(shape, DType::F32, device).unwrap()))
                .collect();
            match linear.load_state_dict(&state, case.strict) {
                Ok(keys) => {
                    assert_eq!(
                        (&keys.missing_keys, &keys.unexpected_keys),
                        (&case.missing, &case.unexpected)
                    );
                    assert!(case.error.is_none());
                }
                Err(error) => {
                    let error = error.to_string();
                    assert_eq!(error.strip_prefix("load_state_dict: "), case.error.as_deref());
                    assert_eq!(block_on(linear.weight.to_vec()).unwrap(), before, "nothing is half loaded");
                }
            }
        }
    });
}

fn small(is_tied: bool) -> Gpt {
    let config = GptConfig { is_tied, ..GptConfig::new(5, 3, 1, 1, 2) };
    Gpt::new(config, &mut Generator::new(0), &Device::cpu()).unwrap()
}

/// A tied weight has two names, is one parameter, and stays one whatever takes its place.
#[test]
fn a_tied_weight_is_replaced_once() {
    for is_tied in [false, true] {
        let mut gpt = small(is_tied);
        let (shown, parameters) = (gpt.state_dict().len(), gpt.parameters().len());
        assert_eq!(shown - parameters, usize::from(is_tied));
        let names: Vec<String> = gpt.named_parameters().into_iter().map(|(name, _)| name).collect();
        let before: Vec<Vec<f32>> = gpt.parameters().iter().map(|p| block_on(p.to_vec()).unwrap()).collect();

        gpt.pack().unwrap();
        let flat = gpt.parameters()[0].clone();
        assert_eq!(gpt.named_parameters().into_iter().map(|(name, _)| name).collect::<Vec<_>>(), names);
        assert_eq!(flat.storage_bytes(), 4 * gpt.num_params() as u64);
        assert!(gpt.parameters().iter().all(|p| p.shares_storage_with(&flat) && p.is_leaf()));
        assert_eq!(gpt.parameters().len(), parameters);
        let after: Vec<Vec<f32>> = gpt.parameters().iter().map(|p| block_on(p.to_vec()).unwrap()).collect();
        assert_eq!(after, before);

        gpt.to_dtype(DType::F64).unwrap();
        assert!(gpt.parameters().iter().all(|p| p.dtype() == DType::F64 && p.requires_grad()));
        assert_eq!((gpt.state_dict().len(), gpt.parameters().len()), (shown, parameters));

        let ids: Vec<usize> = gpt.parameters().iter().map(Tensor::id).collect();
        let fault = gpt.replace_parameters(&mut |name, old| {
            if name.ends_with("c_proj.bias") { old.matmul(&old.unsqueeze(0)?) } else { old.mul(2) }
        });
        assert!(fault.is_err());
        assert_eq!(
            gpt.parameters().iter().map(Tensor::id).collect::<Vec<_>>(),
            ids,
            "nothing is half replaced"
        );
    }
}

#[test]
fn models_move_between_devices() {
    each_device(|device| {
        let mut gpt = small(true);
        let before: Vec<Vec<f32>> = gpt.parameters().iter().map(|p| block_on(p.to_vec()).unwrap()).collect();
        block_on(gpt.to_device(device)).unwrap();
        assert!(gpt.parameters().iter().all(|p| p.device() == device && p.requires_grad() && p.is_leaf()));
        let after: Vec<Vec<f32>> = gpt.parameters().iter().map(|p| block_on(p.to_vec()).unwrap()).collect();
        assert_eq!(after, before);
        let (shown, own) = (gpt.state_dict().len(), gpt.parameters().len());
        assert_eq!(shown, own + 1);
        if *device != Device::cpu() {
            let error = gpt.load_state_dict(&small(true).state_dict(), true).unwrap_err().to_string();
            assert!(error.contains("Expected all tensors to be on the same device"), "{error}");
        }
    });
}

#[test]
fn bad_input_is_refused() {
    let cpu = Device::cpu();
    let generator = &mut Generator::new(0);
    let config = GptConfig::new(5, 3, 1, 2, 4);
    for (bad, words) in [
        (GptConfig { heads: 3, ..config }, "embed_dim must be divisible by num_heads"),
        (GptConfig { heads: 0, ..config }, "embed_dim must be divisible by num_heads"),
        (GptConfig { kv_heads: 0, ..config }, "divisible by the number of heads of keys"),
        (GptConfig { kv_heads: 3, ..config }, "divisible by the number of heads of keys"),
        (GptConfig { dropout: 1.5, ..config }, "dropout probability has to be between 0 and 1, but got 1.5"),
        (GptConfig { vocab_size: 1 << 60, ..config }, ""),
        (GptConfig::new(5, 3, 1, 1, usize::MAX), ""),
    ] {
        let error = Gpt::new(bad, generator, &cpu).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    let gpt = Gpt::new(config, generator, &cpu).unwrap();
    let forward = |shape: &[usize], tokens: &[i64]| {
        gpt.forward(&whole(shape, tokens, &cpu), &mut Mode::Eval).map(|_| ()).unwrap_err().to_string()
    };
    assert_eq!(forward(&[1, 4], &[0; 4]), "Cannot forward sequence of length 4, block size is only 3");
    assert!(forward(&[4], &[0; 4]).contains("(batch, time)"));
    assert!(forward(&[1, 2], &[0, 5]).contains("out of"));
    let empty = gpt.forward(&whole(&[0, 3], &[], &cpu), &mut Mode::Eval).unwrap();
    assert_eq!(empty.shape(), [0, 3, 5]);
    let heads = Heads { kv_heads: 0, ..Heads::new(0) };
    assert!(heads.attend(&Tensor::zeros(&[1, 2, 3], DType::F32, &cpu).unwrap(), &mut Mode::Eval).is_err());
    assert!(
        Heads::new(2).attend(&Tensor::zeros(&[1, 2, 8], DType::F32, &cpu).unwrap(), &mut Mode::Eval).is_err()
    );
}
