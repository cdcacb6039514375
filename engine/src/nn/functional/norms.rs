//! Normalisation of rows: one kernel forward, one backward, and one for weight and bias.

use crate::autograd::{Node, creates_graph};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::layout::join;
use crate::rows::Rows;
use crate::tensor::Tensor;
use crate::tensor::views::signed;

use super::softmax::refuse;

/// `layer_norm(x, normalized_shape, weight, bias, eps)` over the last dimensions, which have that shape: mean 0
/// and variance 1, then scaled and moved.
///
/// # Errors
/// With PyTorch's message if the last dimensions, weight or bias have another shape, or x is not real.
pub fn layer_norm(
    x: &Tensor,
    normalized_shape: &[usize],
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    eps: f64,
) -> Result<Tensor> {
    check("layer_norm", x, normalized_shape, [("weight", weight), ("bias", bias)])?;
    normalized(x, normalized_shape, [weight, bias], Rows::Norm { centred: true, eps })
}

/// `rms_norm(x, normalized_shape, weight, eps)` over the last dimensions: divided by the root of the mean of the
/// squares (Zhang and Sennrich 2019). Without `eps` that of what is computed in.
///
/// # Errors
/// As [`layer_norm`].
pub fn rms_norm(
    x: &Tensor,
    normalized_shape: &[usize],
    weight: Option<&Tensor>,
    eps: Option<f64>,
) -> Result<Tensor> {
    check("rms_norm", x, normalized_shape, [("weight", weight), ("bias", None)])?;
    let of_dtype = if x.dtype() == DType::F64 { f64::EPSILON } else { f64::from(f32::EPSILON) };
    let op = Rows::Norm { centred: false, eps: eps.unwrap_or(of_dtype) };
    normalized(x, normalized_shape, [weight, None], op)
}

fn check(
    op: &'static str,
    x: &Tensor,
    normalized_shape: &[usize],
    parameters: [(&str, Option<&Tensor>); 2],
) -> Result<()> {
    let list = |shape: &[usize]| join(shape.iter());
    let fault = |message: String| Err(Error::Shape { op, message });
    if normalized_shape.is_empty() {
        return fault(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got \
             normalized_shape = []"
                .into(),
        );
    }
    for (name, parameter) in parameters {
        if let Some(parameter) = parameter
            && parameter.shape() != normalized_shape
        {
            return fault(format!(
                "Expected {name} to be of same shape as normalized_shape, but got {name} of shape [{}] and \
                 normalized_shape = [{}]",
                list(parameter.shape()),
                list(normalized_shape)
            ));
        }
    }
    if !x.shape().ends_with(normalized_shape) {
        return fault(format!(
            "Given normalized_shape=[{0}], expected input with shape [*{2}{0}], but got input of size[{1}]",
            list(normalized_shape),
            list(x.shape()),
            // As PyTorch has it.
            if op == "layer_norm" { ", " } else { "" }
        ));
    }
    refuse(if op == "layer_norm" { "LayerNormKernelImpl" } else { "rms_norm" }, x.dtype())?;
    let mut mixed = parameters.iter().filter_map(|(_, parameter)| parameter.map(Tensor::dtype));
    if op == "layer_norm" && mixed.clone().any(|dtype| dtype != x.dtype()) {
        if !matches!(x.dtype(), DType::F16 | DType::BF16 | DType::F32) {
            return fault("mixed dtype (CPU): all inputs must share same datatype.".into());
        }
        if x.dtype() == DType::F32 || mixed.any(|dtype| dtype != DType::F32) {
            return fault("mixed dtype (CPU): expect parameter to have scalar type of Float".into());
        }
    }
    Ok(())
}

/// The forward kernel, and its derivative recorded.
fn normalized(
    x: &Tensor,
    normalized_shape: &[usize],
    [weight, bias]: [Option<&Tensor>; 2],
    op: Rows,
) -> Result<Tensor> {
    let centred = matches!(op, Rows::Norm { centred: true, .. });
    let lead = &x.shape()[..x.shape().len() - normalized_shape.len()];
    let columns = normalized_shape.iter().product::<usize>();
    let as_rows = [lead, &[columns]].concat();
    let flat = move |t: &Tensor| t.detach().reshape(&signed(&as_rows));
    let row = |t: Option<&Tensor>| t.map(|t| t.detach().reshape(&[columns.cast_signed()])).transpose();
    let (rows_of_x, weight_row, bias_row) = (flat(x)?, row(weight)?, row(bias)?);

    let kept = if x.dtype() == DType::F64 { DType::F64 } else { DType::F32 };
    let per_row = || Tensor::empty(&[lead, &[1]].concat(), kept, x.device());
    let out = Tensor::empty(x.shape(), x.dtype(), x.device())?;
    let (rstd, mean) = (per_row()?, if centred { Some(per_row()?) } else { None });
    let flat_out = flat(&out)?;
    let outputs: Vec<&Tensor> = [&flat_out, &rstd].into_iter().chain(&mean).collect();
    Tensor::run_rows(op, &[Some(&rows_of_x), weight_row.as_ref(), bias_row.as_ref()], &outputs)?;

    let inputs: Vec<&Tensor> = [x].into_iter().chain(weight).chain(bias).collect();
    let needs = [Some(x), weight, bias].map(|t| t.is_some_and(Tensor::requires_grad));
    let dtypes = [Some(x), weight, bias].map(|t| t.map(Tensor::dtype));
    let (has_weight, shape) = (weight.is_some(), normalized_shape.to_vec());
    let saved: Vec<&Tensor> = [x, &rstd].into_iter().chain(&mean).chain(weight).collect();
    let name = if centred { "NativeLayerNormBackward0" } else { "MulBackward0" };
    let node = Node::record(name, &inputs, &saved, move |g, saved| {
        if creates_graph() {
            let weight = if has_weight { saved.last() } else { None };
            let all = recorded_back(g, &saved[0], weight, op, shape.len())?;
            let fitted = |(gradient, dtype): (Tensor, Option<DType>)| {
                dtype.map(|dtype| gradient.to_dtype(dtype)).transpose()
            };
            let all = all.into_iter().zip(dtypes).map(fitted).collect::<Result<Vec<_>>>()?;
            return Ok(all.into_iter().zip(dtypes).filter_map(|(g, dtype)| dtype.map(|_| g)).collect());
        }
        let (g_rows, x_rows, rstd) = (flat(g)?, flat(&saved[0])?, &saved[1]);
        let mean = centred.then(|| &saved[2]);
        let weight = if has_weight { saved.last() } else { None };
        let weight_row = weight.map(|w| w.reshape(&[-1])).transpose()?;
        let known = [Some(&g_rows), Some(&x_rows), Some(rstd), mean];
        let [need_x, need_weight, need_bias] = needs;
        let dx = if need_x {
            let dx = Tensor::empty(g.shape(), saved[0].dtype(), g.device())?;
            let inputs = [&known[..], &[weight_row.as_ref()]].concat();
            Tensor::run_rows(Rows::NormBackward, &inputs, &[&flat(&dx)?])?;
            Some(dx)
        } else {
            None
        };
        let parameter = |dtype: Option<DType>| {
            let dtype = dtype.unwrap_or(DType::F32);
            if g.numel() == 0 {
                Tensor::zeros(&shape, dtype, g.device())
            } else {
                Tensor::empty(&shape, dtype, g.device())
            }
        };
        let dweight = if need_weight { Some(parameter(dtypes[1])?) } else { None };
        let dbias = match (need_bias, need_weight) {
            (true, true) => Some(parameter(dtypes[2])?),
            (true, false) => Some(g.sum_to(&shape)?.to_dtype(dtypes[2].unwrap_or(g.dtype()))?),
            _ => None,
        };
        if let Some(dweight) = &dweight
            && g.numel() > 0
        {
            let outputs: Vec<Tensor> =
                [dweight].into_iter().chain(&dbias).map(|t| t.view(&[-1])).collect::<Result<_>>()?;
            Tensor::run_rows(Rows::NormParameters, &known, &outputs.iter().collect::<Vec<_>>())?;
        }
        let mut gradients = vec![dx];
        gradients.extend(has_weight.then_some(dweight));
        gradients.extend(dtypes[2].map(|_| dbias));
        Ok(gradients)
    });
    Ok(out.made_by(node))
}

/// The gradients of x, weight and bias by recorded operations, over the last dimensions, as many as that.
fn recorded_back(
    g: &Tensor,
    x: &Tensor,
    weight: Option<&Tensor>,
    op: Rows,
    rank: usize,
) -> Result<[Tensor; 3]> {
    let Rows::Norm { centred, eps } = op else {
        return Err(Error::Autograd("a norm of another kind".into()));
    };
    let wide = if x.dtype() == DType::F64 { DType::F64 } else { DType::F32 };
    let dims: Vec<isize> = (1..=rank.cast_signed()).map(|d| -d).collect();
    let mean = |t: &Tensor| t.mean_dims(&dims, true);
    let (g, x) = (g.to_dtype(wide)?, x.to_dtype(wide)?);
    let away = if centred { x.sub(&mean(&x)?)? } else { x };
    let rstd = mean(&away.mul(&away)?)?.add(eps)?.rsqrt()?;
    let h = away.mul(&rstd)?;
    let u = weight.map_or_else(|| Ok(g.clone()), |weight| g.mul(weight)?.to_dtype(wide))?;
    let rest = if centred { u.sub(&mean(&u)?)? } else { u.clone() };
    let dx = rest.sub(&h.mul(&mean(&u.mul(&h)?)?)?)?.mul(&rstd)?;
    let of_parameters = &h.shape()[h.shape().len() - rank..];
    Ok([dx, g.mul(&h)?.sum_to(of_parameters)?, g.sum_to(of_parameters)?])
}
