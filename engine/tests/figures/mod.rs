//! Tensors and numbers as the scripts in golden/ write them.
#![allow(dead_code, reason = "each test takes what it needs")]

use napkin_engine::autograd::{GradOptions, grad};
use napkin_engine::{DType, Device, Result, Scalar, Tensor};
use serde::Deserialize;
use serde_json::Value;

/// A tensor: its storage and how it lies there.
#[derive(Deserialize)]
pub struct Figure {
    pub dtype: String,
    pub shape: Vec<usize>,
    pub stride: Vec<usize>,
    pub offset: usize,
    pub storage: Vec<Value>,
}

impl Figure {
    /// The tensor, a leaf that requires a gradient where it can have one.
    pub fn on(&self, device: &Device) -> Result<Tensor> {
        let values: Vec<Scalar> = self.storage.iter().map(scalar).collect();
        let flat = Tensor::from_scalars(&values, &[values.len()], dtype(&self.dtype), device)?;
        let view = flat.as_strided(&self.shape, &self.stride, self.offset)?;
        view.set_requires_grad(view.dtype().is_floating_point())?;
        Ok(view)
    }
}

/// What an operation gives.
#[derive(Deserialize)]
pub struct Out {
    pub dtype: String,
    pub shape: Vec<usize>,
    pub values: Vec<Value>,
}

/// The result beside the figure that it is like in dtype and shape; `None` after a refusal in PyTorch's words.
pub fn outcome<'a>(
    got: Result<Tensor>,
    want: Option<&'a Out>,
    refusal: Option<&str>,
) -> std::result::Result<Option<(Tensor, &'a Out)>, String> {
    // A GPU refuses some things only when somebody waits.
    let settled = got.and_then(|out| pollster::block_on(out.device().synchronize()).map(|()| out));
    let out = match (settled, refusal) {
        (Err(error), Some(expected)) => {
            let said = error.to_string().replace("torch.cuda.", "torch.");
            let is_refusal = said.contains(expected);
            return if is_refusal { Ok(None) } else { Err(format!("says {said:?}, not {expected:?}")) };
        }
        (Err(error), None) => return Err(format!("fails: {error}")),
        (Ok(_), Some(expected)) => return Err(format!("gives a result, not {expected:?}")),
        (Ok(out), None) => out,
    };
    let want = want.ok_or("the case has no result")?;
    if out.dtype() != dtype(&want.dtype) || out.shape() != want.shape {
        return Err(format!("is {out:?}, not {} {:?}", want.dtype, want.shape));
    }
    Ok(Some((out, want)))
}

/// A dtype by its name.
pub fn dtype(name: &str) -> DType {
    DType::from_name(name).unwrap_or_else(|| panic!("no dtype {name}"))
}

/// A number, or the name of one that JSON does not have.
pub fn scalar(value: &Value) -> Scalar {
    match value {
        Value::Bool(value) => Scalar::Bool(*value),
        Value::String(name) => Scalar::Float(name.parse().unwrap()),
        number => number.as_i64().map_or_else(|| Scalar::Float(number.as_f64().unwrap()), Scalar::Int),
    }
}

/// What PyTorch may differ by: rounding of the dtype, a few times.
pub fn tolerance(dtype: DType) -> f64 {
    match dtype {
        DType::F64 => 1e-13,
        DType::F32 => 2e-6,
        DType::F16 => 4e-3,
        DType::BF16 => 3e-2,
        _ => 0.0,
    }
}

/// Whether values are PyTorch's within the tolerance of the dtype, relative to the value, a tenth of the largest, or
/// `scale`.
pub fn close(got: &[Scalar], want: &[Value], dtype: DType, scale: f64) -> std::result::Result<(), String> {
    if got.len() != want.len() {
        return Err(format!("{} values instead of {}", got.len(), want.len()));
    }
    let want: Vec<Scalar> = want.iter().map(scalar).collect();
    let largest = want.iter().map(|v| v.as_f64().abs()).filter(|v| v.is_finite()).fold(0.0, f64::max);
    for (i, (got, want)) in got.iter().zip(&want).enumerate() {
        let (g, w) = (got.as_f64(), want.as_f64());
        let same = match (got, want) {
            (Scalar::Int(g), Scalar::Int(w)) => g == w,
            _ => {
                g == w
                    || (g.is_nan() && w.is_nan())
                    || (g - w).abs() <= tolerance(dtype) * w.abs().max(largest * 0.1).max(scale)
            }
        };
        if !same {
            return Err(format!("element {i} is {got:?}, not {want:?}"));
        }
    }
    Ok(())
}

/// The gradient that arrives in the scripts: neither symmetric nor constant.
pub fn upstream(out: &Tensor) -> Result<Tensor> {
    let weights: Vec<Scalar> =
        (0..out.numel()).map(|i| Scalar::Float(((7 * i) % 5) as f64 / 2.0 - 1.0 + 0.25)).collect();
    Tensor::from_scalars(&weights, out.shape(), out.dtype(), out.device())
}

/// Figures of gradients, where there are some.
pub type Gradients = Vec<Option<Vec<Value>>>;

/// Whether the gradients of the weighed gradients, by the leaves and by the gradient that arrives, are these.
pub fn close_twice(out: &Tensor, leaves: &[&Tensor], want: &Gradients) -> std::result::Result<(), String> {
    let text = |error: napkin_engine::Error| format!("twice: {error}");
    let arriving = upstream(out).map_err(text)?;
    arriving.set_requires_grad(true).map_err(text)?;
    let leaves: Vec<&Tensor> = leaves.iter().copied().filter(|leaf| leaf.requires_grad()).collect();
    let loose = GradOptions { retain_graph: Some(true), allow_unused: true, ..GradOptions::default() };
    let recorded = GradOptions { grad_outputs: Some(&[Some(&arriving)]), create_graph: true, ..loose };
    let first = grad(&[out], &leaves, recorded).map_err(text)?;
    let first: Vec<Tensor> = first.into_iter().flatten().filter(Tensor::requires_grad).collect();
    let given = first.iter().map(upstream).collect::<Result<Vec<_>>>().map_err(text)?;
    let given: Vec<Option<&Tensor>> = given.iter().map(Some).collect();
    let inputs = [leaves.as_slice(), &[&arriving]].concat();
    let first: Vec<&Tensor> = first.iter().collect();
    let second = grad(&first, &inputs, GradOptions { grad_outputs: Some(&given), ..loose }).map_err(text)?;
    assert_eq!(second.len(), want.len(), "figures for other leaves");
    for (i, ((got, want), input)) in second.into_iter().zip(want).zip(&inputs).enumerate() {
        let zeros = vec![Value::from(0.0); input.numel()];
        let got = got.map_or_else(|| input.detach().zeros_like(), Ok).map_err(text)?;
        let got = pollster::block_on(got.to_scalars()).map_err(text)?;
        // Terms may cancel that were much larger.
        close(&got, want.as_ref().unwrap_or(&zeros), DType::F64, 1e3)
            .map_err(|what| format!("twice, gradient {i}: {what}"))?;
    }
    Ok(())
}
