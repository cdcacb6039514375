//! What random numbers make of tensors: fills of every real dtype, chances, dropout's masks, torch.nn.init and the
//! weights that modules begin with, against PyTorch's figures from golden/init.py.

use crate::figures::dtype;
use crate::harness::{block_on, each_device};
use napkin_engine::autograd::no_grad;
use napkin_engine::nn::init::{self, Fan, Nonlinearity};
use napkin_engine::nn::{
    Embedding, Heads, LayerNorm, Linear, Module, MultiheadAttention, RMSNorm, functional,
};
use napkin_engine::random::Generator;
use napkin_engine::{DType, Device, Result, Scalar, Tensor};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Golden {
    fills: Vec<Fill>,
    chances: Vec<Chance>,
    masks: Vec<Mask>,
    inits: Vec<Init>,
    modules: Vec<Begun>,
}

#[derive(Deserialize)]
struct Fill {
    op: String,
    args: Vec<f64>,
    seed: u64,
    shape: Vec<usize>,
    strides: Option<Vec<usize>>,
    dtype: String,
    values: Option<Vec<f64>>,
    error: Option<String>,
    /// Two draws of `randint` after it.
    next: Vec<i64>,
}

#[derive(Deserialize)]
struct Chance {
    dtype: String,
    seed: u64,
    p: Vec<f64>,
    drawn: String,
}

#[derive(Deserialize)]
struct Mask {
    n: usize,
    p: f64,
    seed: u64,
    dtype: String,
    kept: String,
    /// The first ones.
    values: Vec<f64>,
}

#[derive(Deserialize)]
struct Init {
    function: String,
    shape: Vec<usize>,
    dtype: String,
    seed: u64,
    settings: serde_json::Map<String, Value>,
    values: Option<Vec<f64>>,
    error: Option<String>,
}

#[derive(Deserialize)]
struct Begun {
    module: String,
    args: Vec<Value>,
    state: Vec<(String, Vec<usize>, Vec<f64>)>,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("init.json")).unwrap()
}

fn values(x: &Tensor) -> Vec<f64> {
    block_on(x.to_scalars()).unwrap().into_iter().map(Scalar::as_f64).collect()
}

/// Within 1e-6 of values of usual size; in float64 within its last digits, and halves may round to their neighbour.
fn check(got: &[f64], want: &[f64], dtype: DType, what: &str) {
    assert_eq!(got.len(), want.len(), "{what}");
    let tolerance = match dtype {
        DType::F64 => 1e-14,
        DType::F32 => 1e-6,
        _ => dtype.format().map_or(0.0, |format| format.info().eps),
    };
    for (i, (got, want)) in got.iter().zip(want).enumerate() {
        assert!(
            (got - want).abs() <= tolerance * want.abs().max(1.0),
            "{what}: value {i} is {got}, not {want}"
        );
    }
}

/// What the GPU has no storage for is tried on the CPU only.
fn has(device: &Device, dtype: DType) -> bool {
    *device == Device::cpu() || dtype != DType::F64
}

fn words_of(error: &str) -> &str {
    error.split_once(": ").map_or(error, |(_, words)| words)
}

#[test]
fn tensors_are_filled_as_pytorch_fills_them() {
    let fills = golden().fills;
    assert!(fills.len() > 170);
    each_device(|device| {
        for fill in &fills {
            let dtype = dtype(&fill.dtype);
            if !has(device, dtype) {
                continue;
            }
            let what = format!("{device}: {} {:?} of {:?} {dtype}", fill.op, fill.args, fill.shape);
            let mut generator = Generator::new(fill.seed);
            let mut filled = || -> Result<Tensor> {
                let x = match &fill.strides {
                    Some(strides) => {
                        Tensor::zeros(&[200], dtype, device)?.as_strided(&fill.shape, strides, 0)?
                    }
                    None => Tensor::zeros(&fill.shape, dtype, device)?,
                };
                match fill.op.as_str() {
                    "normal_" => x.normal_(fill.args[0], fill.args[1], &mut generator)?,
                    "uniform_" => x.uniform_(fill.args[0], fill.args[1], &mut generator)?,
                    _ => x.bernoulli_(fill.args[0], &mut generator)?,
                }
                Ok(x)
            };
            match (filled(), &fill.values) {
                (Ok(x), Some(want)) => check(&values(&x), want, dtype, &what),
                (Err(error), None) => {
                    let want = fill.error.as_deref().unwrap();
                    assert!(want.ends_with(words_of(&error.to_string())), "{what}: {error} and {want}");
                }
                (got, want) => panic!("{what}: {got:?}, not {want:?}"),
            }
            assert_eq!(generator.randint(0, 1 << 20, 2).unwrap(), fill.next, "{what}: what is drawn next");
        }
    });
}

#[test]
fn a_leaf_that_needs_a_gradient_is_not_filled_unasked() {
    let x = Tensor::zeros(&[3], DType::F32, &Device::cpu()).unwrap();
    x.set_requires_grad(true).unwrap();
    let mut generator = Generator::new(0);
    let error = x.normal_(0.0, 1.0, &mut generator).unwrap_err().to_string();
    assert_eq!(error, "a leaf Variable that requires grad is being used in an in-place operation.");
    no_grad(|| x.normal_(0.0, 1.0, &mut generator)).unwrap();
    init::constant_(&x, 1.0).unwrap();
    assert_eq!(values(&x), [1.0; 3]);
}

#[test]
fn chances_are_taken_as_pytorch_takes_them() {
    let Golden { chances, masks, .. } = golden();
    assert!(chances.len() == 16 && masks.len() == 42);
    let drawn = |values: &[f64]| values.iter().map(|&v| if v == 0.0 { '0' } else { '1' }).collect::<String>();
    each_device(|device| {
        for Chance { dtype: name, seed, p, drawn: want } in &chances {
            let dtype = dtype(name);
            if !has(device, dtype) {
                continue;
            }
            let mut generator = Generator::new(*seed);
            let x = Tensor::rand(&[p.len()], dtype, &mut generator, device).unwrap();
            check(&values(&x), p, DType::F32, &format!("{device}: rand {dtype}"));
            let got = block_on(x.bernoulli(&mut generator)).unwrap();
            assert_eq!(got.dtype(), dtype);
            assert_eq!(drawn(&values(&got)), *want, "{device}: bernoulli of {} {dtype}", p.len());
        }
        for mask in &masks {
            let dtype = dtype(&mask.dtype);
            let x: Vec<f32> = (1..=mask.n).map(|i| (i % 7 + 1) as f32).collect();
            let x = Tensor::from_slice(&x, &[mask.n], dtype, device).unwrap();
            let y = functional::dropout(&x, mask.p, true, &mut Generator::new(mask.seed)).unwrap();
            let got = values(&y);
            assert_eq!(drawn(&got), mask.kept, "{device}: dropout {} of {} {dtype}", mask.p, mask.n);
            check(&got[..mask.n.min(40)], &mask.values, dtype, "dropout");
        }
    });
    let x = Tensor::full(&[3], 1.5, DType::F32, &Device::cpu()).unwrap();
    assert!(block_on(x.bernoulli(&mut Generator::new(0))).unwrap_err().to_string().contains("p_in <= 1"));
}

impl Init {
    fn run(&self, x: &Tensor, generator: &mut Generator) -> Result<()> {
        let number =
            |name: &str, default: f64| self.settings.get(name).map_or(default, |v| v.as_f64().unwrap());
        let text = |name: &str, default: &'static str| {
            self.settings.get(name).map_or(default.to_owned(), |v| v.as_str().unwrap().to_owned())
        };
        let mode = if text("mode", "fan_in") == "fan_in" { Fan::In } else { Fan::Out };
        let nonlinearity = match text("nonlinearity", "leaky_relu").as_str() {
            "linear" => Nonlinearity::Linear,
            "sigmoid" => Nonlinearity::Sigmoid,
            "tanh" => Nonlinearity::Tanh,
            "relu" => Nonlinearity::Relu,
            "selu" => Nonlinearity::Selu,
            _ => Nonlinearity::LeakyRelu(number("a", 0.0)),
        };
        let (mean, std) = (number("mean", 0.0), number("std", 1.0));
        match self.function.as_str() {
            "normal_" => init::normal_(x, mean, std, generator),
            "uniform_" => init::uniform_(x, number("a", 0.0), number("b", 1.0), generator),
            "xavier_uniform_" => init::xavier_uniform_(x, number("gain", 1.0), generator),
            "kaiming_uniform_" => init::kaiming_uniform_(x, mode, nonlinearity, generator),
            "trunc_normal_" => {
                init::trunc_normal_(x, mean, std, [number("a", -2.0), number("b", 2.0)], generator)
            }
            other => panic!("{other} is no function of this test"),
        }
    }
}

#[test]
fn parameters_begin_as_pytorchs() {
    let inits = golden().inits;
    assert!(inits.len() > 90);
    each_device(|device| {
        for case in &inits {
            let dtype = dtype(&case.dtype);
            if !has(device, dtype) {
                continue;
            }
            let what = format!("{device}: {} of {:?} {dtype} {:?}", case.function, case.shape, case.settings);
            let x = Tensor::zeros(&case.shape, dtype, device).unwrap();
            x.set_requires_grad(true).unwrap();
            match (case.run(&x, &mut Generator::new(case.seed)), &case.values) {
                (Ok(()), Some(want)) => check(&values(&x), want, dtype, &what),
                (Err(error), None) => assert_eq!(error.to_string(), *case.error.as_ref().unwrap(), "{what}"),
                (got, _) => panic!("{what}: {got:?}"),
            }
        }
    });
    let x = Tensor::zeros(&[4], DType::F32, &Device::cpu()).unwrap();
    for (std, bounds) in [
        (0.0, [-1.0, 1.0]),
        (1.0, [1.0, 1.0]),
        (1.0, [2.0, -2.0]),
        (f64::NAN, [-1.0, 1.0]),
        (1.0, [1e6, 2e6]),
    ] {
        assert!(init::trunc_normal_(&x, 0.0, std, bounds, &mut Generator::new(0)).is_err());
    }
}

#[test]
fn modules_begin_as_pytorchs() {
    let modules = golden().modules;
    assert_eq!(modules.len(), 9);
    each_device(|device| {
        for Begun { module, args, state } in &modules {
            let size = |i: usize| args[i].as_u64().unwrap() as usize;
            let generator = &mut Generator::new(11);
            let mut got: Box<dyn Module> = match module.as_str() {
                "Linear" => {
                    let bias = args.get(2).is_none_or(|bias| bias.as_bool().unwrap());
                    Box::new(Linear::new(size(0), size(1), bias, generator, device).unwrap())
                }
                "Embedding" => Box::new(Embedding::new(size(0), size(1), generator, device).unwrap()),
                "LayerNorm" => Box::new(LayerNorm::new(&[size(0)], LayerNorm::EPS, true, device).unwrap()),
                "RMSNorm" => Box::new(RMSNorm::new(&[size(0)], None, device).unwrap()),
                _ => {
                    let heads = Heads::new(size(1));
                    Box::new(MultiheadAttention::new(size(0), heads, true, generator, device).unwrap())
                }
            };
            let got = got.state_dict();
            let names = |state: Vec<&String>| state.into_iter().cloned().collect::<Vec<_>>();
            assert_eq!(
                names(got.iter().map(|(name, _)| name).collect()),
                names(state.iter().map(|(name, ..)| name).collect())
            );
            for ((name, got), (_, shape, want)) in got.iter().zip(state) {
                assert_eq!(got.shape(), shape);
                check(&values(got), want, DType::F32, &format!("{device}: {module} {args:?} {name}"));
            }
        }
    });
}
