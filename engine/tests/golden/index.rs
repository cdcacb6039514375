//! Indexing, writing in place and the other names of torch, with gradients and refusals, against PyTorch's figures from
//! golden/index.py; on the GPU what it computes with.

use std::collections::HashMap;

use crate::figures::{
    Figure, Gradients, Out, close, close_twice, dtype, outcome, scalar, tolerance, upstream,
};
use crate::harness::{block_on, each_device};
use napkin_engine::layout::IndexItem;
use napkin_engine::nn::functional;
use napkin_engine::tensor::{Arg, Index, Rounding, Tolerance};
use napkin_engine::{DType, Device, Result, Scalar, Tensor};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Case {
    tensors: Vec<Figure>,
    steps: Vec<(String, String, String, Vec<Value>)>,
    grads: bool,
    out: Option<Out>,
    grad_fn: Option<String>,
    error: Option<String>,
    leaf_grads: Option<Gradients>,
    twice: Option<Gradients>,
}

type Names = HashMap<String, Tensor>;

/// The arguments of one step.
struct Given<'a> {
    args: &'a [Value],
    names: &'a Names,
}

impl<'a> Given<'a> {
    fn int(&self, at: usize) -> isize {
        self.args[at].as_i64().unwrap() as isize
    }

    fn count(&self, at: usize) -> usize {
        self.int(at).unsigned_abs()
    }

    fn real(&self, at: usize) -> f64 {
        self.args[at].as_f64().unwrap()
    }

    fn is(&self, at: usize) -> bool {
        self.args[at].as_bool().unwrap()
    }

    fn ints(&self, at: usize) -> Vec<isize> {
        self.args[at].as_array().unwrap().iter().map(|v| v.as_i64().unwrap() as isize).collect()
    }

    fn counts(&self, at: usize) -> Vec<usize> {
        self.ints(at).iter().map(|n| n.unsigned_abs()).collect()
    }

    fn number(&self, at: usize) -> Scalar {
        scalar(&self.args[at])
    }

    fn tensor(&self, at: usize) -> &'a Tensor {
        &self.names[&self.args[at].as_str().unwrap()[1..]]
    }

    fn arg(&self, at: usize) -> Arg<'a> {
        match &self.args[at] {
            Value::String(name) if name.starts_with('$') => (&self.names[&name[1..]]).into(),
            number => scalar(number).into(),
        }
    }

    fn bound(&self, at: usize) -> Option<Scalar> {
        self.args.get(at).filter(|v| !v.is_null()).map(scalar)
    }

    fn items(&self) -> Vec<Index<'a>> {
        let item = |item: &'a Value| -> Index<'a> {
            let int = |at: usize| item.get(at).and_then(Value::as_i64).map(|n| n as isize);
            match item[0].as_str().unwrap() {
                "at" => int(1).unwrap().into(),
                "slice" => Index::slice(int(1), int(2), int(3).unwrap_or(1)),
                "none" => Index::NEW_AXIS,
                "ellipsis" => IndexItem::Ellipsis.into(),
                "bool" => item[1].as_bool().unwrap().into(),
                _ => (&self.names[item[1].as_str().unwrap()]).into(),
            }
        };
        self.args[0].as_array().unwrap().iter().map(item).collect()
    }
}

/// What a step gives; nothing where it writes.
async fn step(op: &str, x: &Tensor, given: Given<'_>) -> Result<Option<Tensor>> {
    let done = |result: Result<()>| result.map(|()| None);
    let out = match op {
        "index" => x.index(&given.items()).await,
        "set_index" => return done(x.set_index(&given.items(), given.arg(1)).await),
        "index_put_" => {
            let names = given.args[0].as_array().unwrap();
            let indices: Vec<_> = names.iter().map(|n| Some(&given.names[n.as_str().unwrap()])).collect();
            return done(x.index_put_(&indices, given.tensor(1), given.is(2)).await);
        }
        "neg_" => return done(x.neg_()),
        "abs_" => return done(x.abs_()),
        "exp_" => return done(x.exp_()),
        "sqrt_" => return done(x.sqrt_()),
        "relu_" => return done(x.relu_()),
        "zero_" => return done(x.zero_()),
        "sin_" => return done(x.sin_()),
        "tanh_" => return done(x.tanh_()),
        "sigmoid_" => return done(x.sigmoid_()),
        "reciprocal_" => return done(x.reciprocal_()),
        "log_" => return done(x.log_()),
        "add_" => return done(x.add_(given.arg(0))),
        "sub_" => return done(x.sub_(given.arg(0))),
        "mul_" => return done(x.mul_(given.arg(0))),
        "div_" => return done(x.div_(given.arg(0))),
        "pow_" => return done(x.pow_(given.arg(0))),
        "remainder_" => return done(x.remainder_(given.arg(0))),
        "floor_divide_" => return done(x.floor_divide_(given.arg(0))),
        "copy_" => return done(x.copy_(given.tensor(0))),
        "fill_" => return done(x.fill_(given.number(0))),
        "masked_fill_" => return done(x.masked_fill_(given.tensor(0), given.arg(1))),
        "clamp_" => return done(x.clamp_(given.bound(0), given.bound(1))),
        "requires_grad_" => return done(x.set_requires_grad(given.is(0))),
        "clone" => x.copy(),
        "detach" => Ok(x.detach()),
        "mul" => x.mul(given.arg(0)),
        "add" => x.add(given.arg(0)),
        "exp" => x.exp(),
        "gt" => x.gt(given.arg(0)),
        "matmul" => x.matmul(given.tensor(0)),
        "transpose" if x.shape().is_empty() => Ok(x.clone()),
        "transpose" => x.transpose(given.int(0), given.int(1)),
        "expand" => x.expand(&given.ints(0)),
        "expand_as" => x.expand_as(given.tensor(0)),
        "view_as" => x.view_as(given.tensor(0)),
        "size" => x.size(given.int(0)).map(|_| x.clone()),
        "unfold" => x.unfold(given.int(0), given.count(1), given.count(2)),
        "split" => Ok(x.split_size(given.count(0), given.int(1))?.swap_remove(0)),
        "chunk" => Ok(x.chunk(given.count(0), given.int(1))?.swap_remove(0)),
        "unbind" if given.args.len() == 1 => Ok(x.unbind(0)?.swap_remove(given.count(0))),
        "unbind" => Ok(x.unbind(given.int(0))?.swap_remove(given.count(1))),
        "tensor_split" if given.args.len() == 2 => {
            Ok(x.tensor_split(given.count(0), 0)?.swap_remove(given.count(1)))
        }
        "tensor_split" => Ok(x.tensor_split(given.count(0), given.int(1))?.swap_remove(given.count(2))),
        "gather" => x.gather(given.int(0), given.tensor(1)),
        "take" => x.take(given.tensor(0)),
        "nonzero" => x.nonzero().await,
        "masked_select" => x.masked_select(given.tensor(0)).await,
        "index_add" => x.index_add(given.int(0), given.tensor(1), given.tensor(2), given.real(3)),
        "scatter" => x.scatter(given.int(0), given.tensor(1), given.arg(2)),
        "scatter_add" => x.scatter_add(given.int(0), given.tensor(1), given.tensor(2)),
        "mm" => x.mm(given.tensor(0)),
        "bmm" => x.bmm(given.tensor(0)),
        "mv" => x.mv(given.tensor(0)),
        "dot" => x.dot(given.tensor(0)),
        "outer" => x.outer(given.tensor(0)),
        "addmm" => x.addmm(given.tensor(0), given.tensor(1), given.number(2), given.number(3)),
        "baddbmm" => x.baddbmm(given.tensor(0), given.tensor(1), given.number(2), given.number(3)),
        "max_dim" => x.max_dim(given.int(0), given.is(1)).map(|(values, _)| values),
        "min_dim" => x.min_dim(given.int(0), given.is(1)).map(|(values, _)| values),
        "max_place" => x.max_dim(given.int(0), given.is(1)).map(|(_, places)| places),
        "min_place" => x.min_dim(given.int(0), given.is(1)).map(|(_, places)| places),
        "median_dim" => x.median_dim(given.int(0), given.is(1)).map(|(values, _)| values),
        "max" => x.max(),
        "min" => x.min(),
        "median" => x.median(),
        "fmax" => x.fmax(given.arg(0)),
        "fmin" => x.fmin(given.arg(0)),
        "maximum" => x.maximum(given.arg(0)),
        "minimum" => x.minimum(given.arg(0)),
        "repeat" => x.repeat(&given.counts(0)),
        "tile" => x.tile(&given.counts(0)),
        "repeat_interleave" => {
            let dim = given.args[1].as_i64().map(|d| d as isize);
            match &given.args[0] {
                Value::String(_) => x.repeat_interleave_each(given.tensor(0), dim).await,
                _ => x.repeat_interleave(given.count(0), dim),
            }
        }
        "movedim" => x.movedim(&given.ints(0), &given.ints(1)),
        "swapaxes" => x.swapaxes(given.int(0), given.int(1)),
        "lerp" => x.lerp(given.tensor(0), given.arg(1)),
        "addcmul" => x.addcmul(given.tensor(0), given.tensor(1), given.number(2)),
        "addcdiv" => x.addcdiv(given.tensor(0), given.tensor(1), given.number(2)),
        "div_rounded" => {
            let mode = if given.args[1] == "floor" { Rounding::Floor } else { Rounding::Trunc };
            x.div_rounded(given.arg(0), mode)
        }
        "tan" => x.tan(),
        "sinh" => x.sinh(),
        "cosh" => x.cosh(),
        "asin" => x.asin(),
        "acos" => x.acos(),
        "atan" => x.atan(),
        "atan2" => x.atan2(given.arg(0)),
        "softplus" => functional::softplus(x, given.real(0), given.real(1)),
        "logsigmoid" => functional::logsigmoid(x),
        "leaky_relu" => functional::leaky_relu(x, given.real(0)),
        "elu" => functional::elu(x, given.real(0)),
        "hardtanh" => functional::hardtanh(x, given.number(0), given.number(1)),
        "std_mean0" => x.std_mean(&given.ints(0), given.real(1), given.is(2)).map(|(std, _)| std),
        "var_mean1" => x.var_mean(&given.ints(0), given.real(1), given.is(2)).map(|(_, mean)| mean),
        "cumprod" => x.cumprod(given.int(0)),
        "cumsum" => x.cumsum(given.int(0)),
        "prod" => x.prod(given.args.first().map(|_| given.int(0)), false),
        "isclose" => {
            let tolerance = Tolerance { rtol: given.real(1), atol: given.real(2), equal_nan: given.is(3) };
            x.isclose(given.tensor(0), tolerance)
        }
        "bitwise_and" => x.bitwise_and(given.arg(0)),
        "bitwise_or" => x.bitwise_or(given.arg(0)),
        "bitwise_xor" => x.bitwise_xor(given.arg(0)),
        "bitwise_not" => x.bitwise_not(),
        "bitwise_left_shift" => x.bitwise_left_shift(given.arg(0)),
        "bitwise_right_shift" => x.bitwise_right_shift(given.arg(0)),
        op => panic!("{op} is not known to this test"),
    };
    out.map(Some)
}

/// Runs the steps; the last result, and the leaves where gradients went.
fn run(
    case: &Case,
    device: &Device,
    leaves: &mut Vec<Tensor>,
    twice: &mut std::result::Result<(), String>,
) -> Result<Tensor> {
    let given = case.tensors.iter().map(|figure| figure.on(device)).collect::<Result<Vec<_>>>()?;
    let mut names: Names = HashMap::new();
    for (i, leaf) in given.iter().enumerate() {
        // Without its origin: a leaf like any other.
        let leaf = leaf.detach();
        leaf.set_requires_grad(case.grads && leaf.dtype().is_floating_point())?;
        names.insert(format!("t{i}"), leaf);
    }
    let mut last = names["t0"].clone();
    for (name, op, on, args) in &case.steps {
        let given = Given { args, names: &names };
        if let Some(result) = block_on(step(op, &names[on], given))? {
            last = result.clone();
            names.insert(name.clone(), result);
        }
    }
    leaves.extend((0..given.len()).map(|i| names[&format!("t{i}")].clone()));
    if last.requires_grad() {
        if let Some(want) = &case.twice {
            *twice = close_twice(&last, &leaves.iter().collect::<Vec<_>>(), want);
        }
        last.backward_with(Some(&upstream(&last)?), false)?;
    }
    Ok(last)
}

fn check(case: &Case, device: &Device) -> std::result::Result<(), String> {
    // Where a derivative is missing PyTorch names the operation that wrote.
    let refusal = case.error.as_ref().map(|error| error.replace("floor_divide_ is", "floor_divide is"));
    let (mut leaves, mut twice) = (Vec::new(), Ok(()));
    let result = run(case, device, &mut leaves, &mut twice);
    let Some((out, want)) = outcome(result, case.out.as_ref(), refusal.as_deref())? else { return Ok(()) };
    twice?;
    let dtypes = leaves.iter().map(Tensor::dtype);
    let rough = dtypes.fold(out.dtype(), |a, b| if tolerance(a) < tolerance(b) { b } else { a });
    close(&block_on(out.to_scalars()).unwrap(), &want.values, rough, 0.0)?;
    if out.requires_grad() != case.grad_fn.is_some() && case.leaf_grads.is_none() {
        return Err(format!("grad_fn is {:?}, not {:?}", out.grad_fn_name(), case.grad_fn));
    }
    let last = case.steps.last().map(|step| step.1.as_str());
    if last == Some("index") && out.grad_fn_name() != case.grad_fn.as_deref() {
        return Err(format!("grad_fn is {:?}, not {:?}", out.grad_fn_name(), case.grad_fn));
    }
    let Some(grads) = &case.leaf_grads else { return Ok(()) };
    for (i, (leaf, want)) in leaves.iter().zip(grads).enumerate() {
        match (leaf.grad(), want) {
            (None, None) => {}
            (Some(got), Some(want)) => {
                let got = block_on(got.to_scalars()).unwrap();
                close(&got, want, rough, 0.0).map_err(|what| format!("gradient {i}: {what}"))?;
            }
            (got, want) => return Err(format!("gradient {i} is {got:?}, not {want:?}")),
        }
    }
    Ok(())
}

/// Whether a GPU that computes in float32 and whole numbers knows all dtypes of the case, and PyTorch has a result:
/// refusals that need the values of indices come later there.
fn is_for_gpu(case: &Case) -> bool {
    let known = |name: &str| dtype(name) != DType::F64;
    case.tensors.iter().all(|figure| known(&figure.dtype))
        && case.out.as_ref().is_some_and(|out| known(&out.dtype))
}

fn check_all(cases: &[Case]) {
    each_device(|device| {
        let is_cpu = device.to_string() == "cpu";
        let mut faults = Vec::new();
        let mut ran = 0;
        for (i, case) in cases.iter().enumerate().filter(|(_, case)| is_cpu || is_for_gpu(case)) {
            ran += 1;
            if let Err(what) = check(case, device) {
                let steps: Vec<String> =
                    case.steps.iter().map(|s| format!("{} = {}.{}{:?}", s.0, s.2, s.1, s.3)).collect();
                faults.push(format!("{device}: case {i}, {}: {what}", steps.join("; ")));
            }
        }
        assert!(ran * 4 >= cases.len(), "{device} ran {ran} of {} cases", cases.len());
        assert!(faults.is_empty(), "{} faults of {ran}:\n{}", faults.len(), faults.join("\n"));
    });
}

#[test]
fn indexing_and_writing_are_pytorchs() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("index.json")).unwrap();
    assert!(cases.len() >= 700, "{} cases", cases.len());
    check_all(&cases);
}

#[test]
fn other_names_are_pytorchs() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("names.json")).unwrap();
    assert!(cases.len() >= 700, "{} cases", cases.len());
    check_all(&cases);
}
