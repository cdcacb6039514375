//! Operations on tensors of every dtype and layout, their gradients and their refusals, against PyTorch's
//! figures from golden/ops.py, on the CPU and on the GPU, which refuses float64 and nothing else.

use crate::figures::{
    Figure, Gradients, Out, close, close_twice, dtype, outcome, scalar, tolerance, upstream,
};
use crate::harness::{block_on, each_device};
use napkin_engine::dtype::{Operand, promote_types, result_type};
use napkin_engine::nn::functional::{self, Attention, Gelu, LossReduction};
use napkin_engine::tensor::Arg;
use napkin_engine::{DType, Device, Error, Result, Scalar, Tensor};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Golden {
    promotions: Vec<(String, String, Option<String>)>,
    arange: Vec<Range>,
    linspace: Vec<Range>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Range {
    args: [Value; 3],
    dtype: Option<String>,
    values: Vec<Value>,
}

#[derive(Deserialize)]
struct Case {
    op: String,
    inputs: Vec<Input>,
    #[serde(default)]
    dims: Vec<isize>,
    #[serde(default)]
    keepdim: bool,
    #[serde(default)]
    args: Vec<Value>,
    min: Option<Value>,
    max: Option<Value>,
    out: Option<Out>,
    error: Option<String>,
    grads: Option<Gradients>,
    twice: Option<Gradients>,
    grad_error: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Input {
    Tensor(Figure),
    Scalar { scalar: Value },
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("ops.json")).unwrap()
}

impl Case {
    fn int(&self, at: usize) -> isize {
        self.args[at].as_i64().unwrap() as isize
    }

    fn shape(&self, at: usize) -> Vec<usize> {
        serde_json::from_value(self.args[at].clone()).unwrap()
    }

    fn is(&self, at: usize) -> bool {
        self.args[at].as_bool().unwrap()
    }
}

enum Given {
    Tensor(Tensor),
    Scalar(Scalar),
}

impl Input {
    fn on(&self, device: &Device) -> Result<Given> {
        Ok(match self {
            Self::Scalar { scalar: value } => Given::Scalar(scalar(value)),
            Self::Tensor(figure) => Given::Tensor(figure.on(device)?),
        })
    }
}

impl Given {
    fn tensor(&self) -> &Tensor {
        match self {
            Self::Tensor(tensor) => tensor,
            Self::Scalar(_) => panic!("a number where a tensor belongs"),
        }
    }

    fn arg(&self) -> Arg<'_> {
        match self {
            Self::Tensor(tensor) => tensor.into(),
            Self::Scalar(scalar) => (*scalar).into(),
        }
    }

    fn promoted(&self) -> Operand {
        match self {
            Self::Tensor(tensor) if tensor.shape().is_empty() => Operand::ZeroDim(tensor.dtype()),
            Self::Tensor(tensor) => Operand::Tensor(tensor.dtype()),
            Self::Scalar(scalar) => Operand::Scalar(scalar.category()),
        }
    }
}

fn run(case: &Case, inputs: &[Given], device: &Device) -> Result<Tensor> {
    let x = inputs[0].tensor();
    let other = || inputs[1].arg();
    let (dims, keepdim) = (case.dims.as_slice(), case.keepdim);
    match case.op.as_str() {
        "neg" => x.neg(),
        "abs" => x.abs(),
        "sign" => x.sign(),
        "sqrt" => x.sqrt(),
        "rsqrt" => x.rsqrt(),
        "reciprocal" => x.reciprocal(),
        "exp" => x.exp(),
        "exp2" => x.exp2(),
        "expm1" => x.expm1(),
        "log" => x.log(),
        "log2" => x.log2(),
        "log10" => x.log10(),
        "log1p" => x.log1p(),
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tanh" => x.tanh(),
        "sigmoid" => x.sigmoid(),
        "erf" => x.erf(),
        "relu" => x.relu(),
        "floor" => x.floor(),
        "ceil" => x.ceil(),
        "trunc" => x.trunc(),
        "round" => x.round(),
        "logical_not" => x.logical_not(),
        "isnan" => x.isnan(),
        "isinf" => x.isinf(),
        "isfinite" => x.isfinite(),
        "add" => x.add(other()),
        "sub" => x.sub(other()),
        "mul" => x.mul(other()),
        "div" => x.div(other()),
        "floor_divide" => x.floor_divide(other()),
        "remainder" => x.remainder(other()),
        "fmod" => x.fmod(other()),
        "maximum" => x.maximum(other()),
        "minimum" => x.minimum(other()),
        "eq" => x.eq(other()),
        "ne" => x.ne(other()),
        "lt" => x.lt(other()),
        "le" => x.le(other()),
        "gt" => x.gt(other()),
        "ge" => x.ge(other()),
        "logical_and" => x.logical_and(inputs[1].tensor()),
        "logical_or" => x.logical_or(inputs[1].tensor()),
        "logical_xor" => x.logical_xor(inputs[1].tensor()),
        "pow" => x.pow(other()),
        "clamp" => {
            let bound = |value: &Option<Value>| value.as_ref().map(scalar);
            x.clamp(bound(&case.min), bound(&case.max))
        }
        "where" => x.where_(other(), inputs[2].arg()),
        "sum" => x.sum_dims(dims, keepdim),
        "mean" => x.mean_dims(dims, keepdim),
        "prod" => x.prod(dims.first().copied(), keepdim),
        "amax" => x.amax(dims, keepdim),
        "amin" => x.amin(dims, keepdim),
        "var" => x.var(dims, 1.0, keepdim),
        "std" => x.std(dims, 0.0, keepdim),
        "norm" => x.norm(dims, keepdim),
        "logsumexp" => x.logsumexp(dims, keepdim),
        "any" => x.any(dims, keepdim),
        "all" => x.all(dims, keepdim),
        "matmul" => x.matmul(inputs[1].tensor()),
        "gather" => x.gather(case.int(0), inputs[1].tensor()),
        "index_select" => x.index_select(case.int(0), inputs[1].tensor()),
        "scatter_add" => x.scatter_add(case.int(0), inputs[1].tensor(), inputs[2].tensor()),
        "embedding" => x.embedding(inputs[1].tensor()),
        "cumsum" => x.cumsum(case.int(0)),
        "flip" if x.shape().is_empty() => x.flip(&[]),
        "flip" => x.flip(&[case.int(0)]),
        "roll" => x.roll(case.int(0), case.int(1)),
        "sort" => Ok(x.sort(case.int(0), case.is(1))?.0),
        "argsort" => Ok(x.sort(case.int(0), case.is(1))?.1),
        "argmax" => x.argmax(Some(case.int(0)), case.is(1)),
        "argmin" => x.argmin(Some(case.int(0)), case.is(1)),
        "topk" => Ok(x.topk(case.int(0).unsigned_abs(), case.int(1), case.is(2))?.0),
        "triu" => x.triu(case.int(0) as i64),
        "tril" => x.tril(case.int(0) as i64),
        "diagonal" => x.diagonal(case.int(0), case.int(1), case.int(2)),
        "masked_fill" => x.masked_fill(inputs[1].tensor(), scalar(&case.args[0]).as_f64()),
        "one_hot" => x.one_hot(case.int(0).unsigned_abs()),
        "cat" => Tensor::cat(&inputs.iter().map(Given::tensor).collect::<Vec<_>>(), case.int(0)),
        "stack" => Tensor::stack(&inputs.iter().map(Given::tensor).collect::<Vec<_>>(), case.int(0)),
        "chunk" => {
            let parts = x.chunk(case.int(0).unsigned_abs(), case.int(1))?;
            let parts = parts.iter().map(|part| part.mul(2)).collect::<Result<Vec<_>>>()?;
            Tensor::cat(&parts.iter().collect::<Vec<_>>(), case.int(1))
        }
        "softmax" => functional::softmax(x, case.int(0)),
        "log_softmax" => functional::log_softmax(x, case.int(0)),
        "gelu" if case.args[0] == "tanh" => functional::gelu(x, Gelu::Tanh),
        "gelu" => functional::gelu(x, Gelu::Exact),
        "silu" => functional::silu(x),
        "linear" => functional::linear(x, inputs[1].tensor(), Some(inputs[2].tensor())),
        "layer_norm" => {
            let (weight, bias) = (inputs[1].tensor(), inputs[2].tensor());
            functional::layer_norm(
                x,
                &case.shape(0),
                Some(weight),
                Some(bias),
                case.args[1].as_f64().unwrap(),
            )
        }
        "rms_norm" => {
            functional::rms_norm(x, &case.shape(0), Some(inputs[1].tensor()), case.args[1].as_f64())
        }
        "cross_entropy" => {
            let reduction = match case.args[0].as_str().unwrap() {
                "none" => LossReduction::None,
                "mean" => LossReduction::Mean,
                _ => LossReduction::Sum,
            };
            functional::cross_entropy(x, inputs[1].tensor(), reduction)
        }
        "sdpa" => {
            let (key, value) = (inputs[1].tensor(), inputs[2].tensor());
            let how = Attention { is_causal: case.is(0), ..Attention::default() };
            functional::scaled_dot_product_attention(x, key, value, how)
        }
        "flatten" => x.flatten(case.int(0), case.int(1)),
        "unfold" => x.unfold(case.int(0), case.int(1).unsigned_abs(), case.int(2).unsigned_abs()),
        "result_type" => {
            Tensor::empty(&[0], result_type(&inputs.iter().map(Given::promoted).collect::<Vec<_>>())?, device)
        }
        op => panic!("{op} is not known to this test"),
    }
}

/// Functions of several steps: what cancels on the way was of the size of the inputs.
const OF_STEPS: [&str; 6] = ["softmax", "gelu", "layer_norm", "rms_norm", "cross_entropy", "sdpa"];

fn check(case: &Case, device: &Device) -> std::result::Result<(), String> {
    let text = |error: Error| error.to_string();
    let inputs =
        case.inputs.iter().map(|input| input.on(device)).collect::<Result<Vec<_>>>().map_err(text)?;
    let result = run(case, &inputs, device);
    let Some((out, want)) = outcome(result, case.out.as_ref(), case.error.as_deref())? else { return Ok(()) };
    let scale = if OF_STEPS.contains(&case.op.as_str()) { 2.0 } else { 0.0 };
    close(&block_on(out.to_scalars()).map_err(text)?, &want.values, out.dtype(), scale)?;
    let Some(grads) = &case.grads else {
        return if out.requires_grad() { Err("requires a gradient".into()) } else { Ok(()) };
    };
    if let Some(twice) = &case.twice {
        let tensors = inputs.iter().filter_map(|input| match input {
            Given::Tensor(tensor) => Some(tensor),
            Given::Scalar(_) => None,
        });
        close_twice(&out, &tensors.collect::<Vec<_>>(), twice)?;
    }
    let upstream = upstream(&out).map_err(text)?;
    match (out.backward_with(Some(&upstream), false), &case.grad_error) {
        (Ok(()), None) => {}
        (Err(error), Some(expected)) if error.to_string().contains(expected.as_str()) => return Ok(()),
        (result, expected) => return Err(format!("backward: {result:?} instead of {expected:?}")),
    }
    // A gradient is as exact as the least exact of what it is computed from.
    let dtypes = inputs.iter().filter_map(|input| match input {
        Given::Tensor(tensor) => Some(tensor.dtype()),
        Given::Scalar(_) => None,
    });
    let rough = dtypes.max_by(|a, b| tolerance(*a).total_cmp(&tolerance(*b))).unwrap_or(DType::F32);
    for (i, (input, grad)) in inputs.iter().zip(grads).enumerate() {
        let Some(grad) = grad else { continue };
        let got = input.tensor().grad().ok_or_else(|| format!("input {i} has no gradient"))?;
        if got.dtype() != input.tensor().dtype() || got.shape() != input.tensor().shape() {
            return Err(format!("gradient {i} is {got:?}"));
        }
        let got = block_on(got.to_scalars()).map_err(text)?;
        close(&got, grad, rough, scale).map_err(|what| format!("gradient {i}: {what}"))?;
    }
    Ok(())
}

/// Whether float64 comes up in the case.
fn has_float64(case: &Case) -> bool {
    let is_double = |name: &str| dtype(name) == DType::F64;
    let inputs = case.inputs.iter().any(|input| match input {
        Input::Tensor(figure) => is_double(&figure.dtype),
        Input::Scalar { .. } => false,
    });
    inputs || case.out.as_ref().is_some_and(|out| is_double(&out.dtype))
}

#[test]
fn operations_are_pytorchs() {
    let cases = golden().cases;
    let twice = cases.iter().filter(|case| case.twice.is_some()).count();
    assert!(cases.len() >= 600 && twice >= 100, "{} cases, {twice} of them twice", cases.len());
    each_device(|device| {
        let is_cpu = device.to_string() == "cpu";
        let mut faults = Vec::new();
        for (i, case) in cases.iter().enumerate() {
            match check(case, device) {
                Err(what) if !is_cpu && has_float64(case) && what.contains("have no float64") => {}
                Err(what) => faults.push(format!("{device}: case {i}, {}: {what}", case.op)),
                Ok(()) => {}
            }
        }
        assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    });
}

#[test]
fn promotion_is_pytorchs() {
    for (a, b, want) in golden().promotions {
        let got = promote_types(dtype(&a), dtype(&b)).ok();
        assert_eq!(got, want.as_deref().map(dtype), "{a} and {b}");
    }
}

#[test]
fn ranges_are_pytorchs() {
    let device = Device::cpu();
    for Range { args, dtype: name, values } in golden().arange {
        let [start, end, step] = args.each_ref().map(scalar);
        let got = Tensor::arange(start, end, step, None, &device).unwrap();
        assert_eq!(Some(got.dtype()), name.as_deref().map(dtype), "{args:?}");
        close(&block_on(got.to_scalars()).unwrap(), &values, got.dtype(), 0.0)
            .unwrap_or_else(|e| panic!("{args:?}: {e}"));
    }
    for Range { args, values, .. } in golden().linspace {
        let [start, end, steps] = args.each_ref().map(scalar);
        let steps = usize::try_from(steps.as_i64()).unwrap();
        let got = Tensor::linspace(start.as_f64(), end.as_f64(), steps, DType::F32, &device).unwrap();
        close(&block_on(got.to_scalars()).unwrap(), &values, DType::F32, 0.0)
            .unwrap_or_else(|e| panic!("{args:?}: {e}"));
    }
}
