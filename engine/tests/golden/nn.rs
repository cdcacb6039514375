//! Functions of `torch.nn.functional`, their gradients and their refusals, against PyTorch's figures from
//! golden/nn.py, on every backend.

use crate::figures::{Figure, Gradients, Out, close, close_twice, outcome, tolerance, upstream};
use crate::harness::{block_on, each_device};
use napkin_engine::nn::functional::{self, Attention, CrossEntropy, Gelu, LossReduction};
use napkin_engine::{Device, Result, Tensor};
use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    op: String,
    inputs: Vec<Option<Figure>>,
    /// The input that needs no gradient.
    constant: Option<usize>,
    options: Options,
    out: Option<Out>,
    error: Option<String>,
    grad_fn: Option<String>,
    grads: Option<Gradients>,
    twice: Option<Gradients>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Options {
    dim: isize,
    approximate: String,
    reduction: Option<String>,
    shape: Vec<usize>,
    eps: Option<f64>,
    ignore_index: Option<i64>,
    smoothing: f64,
    causal: bool,
    scale: Option<f64>,
    gqa: bool,
}

impl Options {
    fn reduction(&self) -> LossReduction {
        match self.reduction.as_deref() {
            Some("none") => LossReduction::None,
            Some("sum") => LossReduction::Sum,
            _ => LossReduction::Mean,
        }
    }
}

fn run(case: &Case, inputs: &[Option<Tensor>]) -> Result<Tensor> {
    let at = |i: usize| inputs.get(i).and_then(Option::as_ref);
    let (x, options) = (at(0).unwrap(), &case.options);
    match case.op.as_str() {
        "softmax" => functional::softmax(x, options.dim),
        "log_softmax" => functional::log_softmax(x, options.dim),
        "gelu" if options.approximate == "tanh" => functional::gelu(x, Gelu::Tanh),
        "gelu" => functional::gelu(x, Gelu::Exact),
        "silu" => functional::silu(x),
        "mse_loss" => functional::mse_loss(x, at(1).unwrap(), options.reduction()),
        "layer_norm" => functional::layer_norm(x, &options.shape, at(1), at(2), options.eps.unwrap_or(1e-5)),
        "rms_norm" => functional::rms_norm(x, &options.shape, at(1), options.eps),
        "cross_entropy" => {
            let how = CrossEntropy {
                weight: at(2),
                ignore_index: options.ignore_index.unwrap_or(-100),
                reduction: options.reduction(),
                label_smoothing: options.smoothing,
            };
            functional::cross_entropy(x, at(1).unwrap(), how)
        }
        "attention" => {
            let how = Attention {
                attn_mask: at(3),
                is_causal: options.causal,
                scale: options.scale,
                enable_gqa: options.gqa,
                dropout: None,
            };
            functional::scaled_dot_product_attention(x, at(1).unwrap(), at(2).unwrap(), how)
        }
        op => panic!("{op} is not known to this test"),
    }
}

fn check(case: &Case, device: &Device) -> std::result::Result<(), String> {
    let mut inputs = Vec::new();
    for (i, figure) in case.inputs.iter().enumerate() {
        let input = figure.as_ref().map(|figure| figure.on(device).unwrap());
        if let Some(input) = input.as_ref().filter(|_| case.constant == Some(i)) {
            input.set_requires_grad(false).unwrap();
        }
        inputs.push(input);
    }
    let result = run(case, &inputs);
    let Some((out, want)) = outcome(result, case.out.as_ref(), case.error.as_deref())? else { return Ok(()) };
    // Sums cancel what was of the size of the inputs, and PyTorch rounds to a narrow dtype on the way.
    let rough = inputs.iter().flatten().map(Tensor::dtype).filter(|dtype| dtype.is_floating_point());
    let rough = rough.max_by(|a, b| tolerance(*a).total_cmp(&tolerance(*b))).unwrap();
    close(&block_on(out.to_scalars()).unwrap(), &want.values, rough, 2.0)?;
    if case.grad_fn.is_some() && out.grad_fn_name() != case.grad_fn.as_deref() {
        return Err(format!("is made by {:?}, not {:?}", out.grad_fn_name(), case.grad_fn));
    }
    if let Some(twice) = &case.twice {
        close_twice(&out, &inputs.iter().flatten().collect::<Vec<_>>(), twice)?;
    }
    out.backward_with(Some(&upstream(&out).unwrap()), false).map_err(|error| error.to_string())?;
    for (i, (input, grad)) in inputs.iter().zip(case.grads.as_ref().unwrap()).enumerate() {
        let (Some(input), Some(want)) = (input, grad) else { continue };
        let got = input.grad().ok_or_else(|| format!("input {i} has no gradient"))?;
        if got.dtype() != input.dtype() || got.shape() != input.shape() {
            return Err(format!("gradient {i} is {got:?}"));
        }
        let got = block_on(got.to_scalars()).unwrap();
        close(&got, want, rough, 2.0).map_err(|what| format!("gradient {i}: {what}"))?;
    }
    Ok(())
}

/// Whether a GPU, which has no float64, is to agree.
fn is_for_gpu(case: &Case) -> bool {
    case.inputs.iter().flatten().all(|figure| figure.dtype != "float64")
}

#[test]
fn functions_are_pytorchs() {
    let golden: Golden = serde_json::from_str(include_str!("nn.json")).unwrap();
    assert!(golden.cases.len() >= 600, "{} cases", golden.cases.len());
    each_device(|device| {
        let is_cpu = device.to_string() == "cpu";
        let mut faults = Vec::new();
        for (i, case) in golden.cases.iter().enumerate().filter(|(_, case)| is_cpu || is_for_gpu(case)) {
            if let Err(what) = check(case, device) {
                let shapes: Vec<_> = case.inputs.iter().flatten().map(|x| (&x.dtype, &x.shape)).collect();
                faults.push(format!("{device}: case {i}, {} {shapes:?}: {what}", case.op));
            }
        }
        assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    });
}
