//! What becomes fewer elements.

use napkin_engine::Tensor;
use napkin_engine::nn::functional;
use napkin_engine::tensor::Tolerance;
use rustpython_vm::PyResult;

use super::{Named, Operation, operations};
use crate::torch::OrRaise;
use crate::torch::arguments::Bound;
use crate::wait::wait;

pub(super) const OPERATIONS: &[Operation] = operations! {
    "sum(Tensor input, int[]? dim=None, bool keepdim=False, *, dtype? dtype=None)" => |a| {
        let x = converted(a, 3)?;
        match a.maybe_dims(1)? {
            Some(dims) => x.sum_dims(&dims, a.bool_or(2, false)?),
            None => x.sum(),
        }
        .and_then(|sum| a.dtype(3).map_or(Ok(sum.clone()), |dtype| sum.to_dtype(dtype)))
    };
    "mean(Tensor input, int[]? dim=None, bool keepdim=False, *, dtype? dtype=None)" => |a| {
        if let Some(dtype) = a.dtype(3).filter(|dtype| !dtype.is_floating_point()) {
            let class = dtype.scalar_type();
            return Err(a.vm.new_not_implemented_error(format!(
                "mean(): could not infer output dtype. Optional dtype must be either a floating point or complex dtype. Got: {class}"
            )));
        }
        let x = converted(a, 3)?;
        match a.maybe_dims(1)? {
            Some(dims) => x.mean_dims(&dims, a.bool_or(2, false)?),
            None => x.mean(),
        }
    };
    "prod(Tensor input, int? dim=None, bool keepdim=False)" => |a| a.tensor(0)?.prod(a.maybe_dim(1)?, a.bool_or(2, false)?);
    "amax(Tensor input, int[] dim=[], bool keepdim=False)" => |a| a.tensor(0)?.amax(&a.dims_or_all(1)?, a.bool_or(2, false)?);
    "amin(Tensor input, int[] dim=[], bool keepdim=False)" => |a| a.tensor(0)?.amin(&a.dims_or_all(1)?, a.bool_or(2, false)?);
    "any(Tensor input, int[]? dim=None, bool keepdim=False)" => |a| a.tensor(0)?.any(&a.dims_or_all(1)?, a.bool_or(2, false)?);
    "all(Tensor input, int[]? dim=None, bool keepdim=False)" => |a| a.tensor(0)?.all(&a.dims_or_all(1)?, a.bool_or(2, false)?);
    "var(Tensor input, int[]? dim=None, *, Scalar? correction=1, bool keepdim=False)" => |a| {
        a.tensor(0)?.var(&a.dims_or_all(1)?, a.float_or(2, 1.0)?, a.bool_or(3, false)?)
    };
    "std(Tensor input, int[]? dim=None, *, Scalar? correction=1, bool keepdim=False)" => |a| {
        a.tensor(0)?.std(&a.dims_or_all(1)?, a.float_or(2, 1.0)?, a.bool_or(3, false)?)
    };
    "var(Tensor input, int[]? dim, bool unbiased=True, bool keepdim=False)" => |a| {
        a.tensor(0)?.var(&a.dims_or_all(1)?, f64::from(u8::from(a.bool_or(2, true)?)), a.bool_or(3, false)?)
    };
    "std(Tensor input, int[]? dim, bool unbiased=True, bool keepdim=False)" => |a| {
        a.tensor(0)?.std(&a.dims_or_all(1)?, f64::from(u8::from(a.bool_or(2, true)?)), a.bool_or(3, false)?)
    };
    "var(Tensor input, bool unbiased)" => |a| a.tensor(0)?.var(&[], f64::from(u8::from(a.bool_or(1, true)?)), false);
    "std(Tensor input, bool unbiased)" => |a| a.tensor(0)?.std(&[], f64::from(u8::from(a.bool_or(1, true)?)), false);
    "logsumexp(Tensor input, int[] dim, bool keepdim=False)" => |a| a.tensor(0)?.logsumexp(&a.dims(1)?, a.bool_or(2, false)?);
    "_norm(Tensor input, Scalar ord, int[]? dim=None, bool keepdim=False)" => |a| {
        a.tensor(0)?.vector_norm(a.float_or(1, 2.0)?, &a.dims_or_all(2)?, a.bool_or(3, false)?)
    };
    "max(Tensor input)" => |a| a.tensor(0)?.max();
    "min(Tensor input)" => |a| a.tensor(0)?.min();
    "median(Tensor input)" => |a| a.tensor(0)?.median();
    "max(Tensor input, Tensor other)" => |a| a.tensor(0)?.maximum(&a.tensor(1)?);
    "min(Tensor input, Tensor other)" => |a| a.tensor(0)?.minimum(&a.tensor(1)?);
    "max(Tensor input, int dim, bool keepdim=False)" => |a| {
        pair(a, "max", a.tensor(0)?.max_dim(a.dim(1)?, a.bool_or(2, false)?))?
    };
    "min(Tensor input, int dim, bool keepdim=False)" => |a| {
        pair(a, "min", a.tensor(0)?.min_dim(a.dim(1)?, a.bool_or(2, false)?))?
    };
    "median(Tensor input, int dim, bool keepdim=False)" => |a| {
        pair(a, "median", a.tensor(0)?.median_dim(a.dim(1)?, a.bool_or(2, false)?))?
    };
    "argmax(Tensor input, int? dim=None, bool keepdim=False)" => |a| a.tensor(0)?.argmax(a.maybe_dim(1)?, a.bool_or(2, false)?);
    "argmin(Tensor input, int? dim=None, bool keepdim=False)" => |a| a.tensor(0)?.argmin(a.maybe_dim(1)?, a.bool_or(2, false)?);
    "cumsum(Tensor input, int dim, *, dtype? dtype=None)" => |a| converted(a, 2)?.cumsum(a.dim(1)?);
    "cumprod(Tensor input, int dim, *, dtype? dtype=None)" => |a| converted(a, 2)?.cumprod(a.dim(1)?);
    "sort(Tensor input, int dim=-1, bool descending=False, bool stable=False)" => |a| {
        pair(a, "sort", a.tensor(0)?.sort(a.dim_or(1, -1)?, a.bool_or(2, false)?))?
    };
    "argsort(Tensor input, int dim=-1, bool descending=False, bool stable=False)" => |a| {
        a.tensor(0)?.sort(a.dim_or(1, -1)?, a.bool_or(2, false)?).or_raise(a.vm)?.1
    };
    "topk(Tensor input, int k, int dim=-1, bool largest=True, bool sorted=True)" => |a| {
        pair(a, "topk", a.tensor(0)?.topk(a.size(1)?, a.dim_or(2, -1)?, a.bool_or(3, true)?))?
    };
    "var_mean(Tensor input, int[]? dim=None, *, Scalar? correction=1, bool keepdim=False)" => |a| {
        let (var, mean) = a.tensor(0)?.var_mean(&a.dims_or_all(1)?, a.float_or(2, 1.0)?, a.bool_or(3, false)?).or_raise(a.vm)?;
        vec![var, mean]
    };
    "std_mean(Tensor input, int[]? dim=None, *, Scalar? correction=1, bool keepdim=False)" => |a| {
        let (std, mean) = a.tensor(0)?.std_mean(&a.dims_or_all(1)?, a.float_or(2, 1.0)?, a.bool_or(3, false)?).or_raise(a.vm)?;
        vec![std, mean]
    };
    "isclose(Tensor input, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False)" => |a| {
        a.tensor(0)?.isclose(&a.tensor(1)?, tolerance(a)?)
    };
    "allclose(Tensor input, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False)" => |a| {
        wait(a.tensor(0)?.allclose(&a.tensor(1)?, tolerance(a)?))
    };
    "softmax(Tensor input, int dim, dtype? dtype=None)" => |a| functional::softmax(&converted(a, 2)?, a.dim(1)?);
    "log_softmax(Tensor input, int dim, dtype? dtype=None)" => |a| functional::log_softmax(&converted(a, 2)?, a.dim(1)?);
    "equal(Tensor input, Tensor other)" => |a| wait(a.tensor(0)?.equal(&a.tensor(1)?));
    "nonzero(Tensor input)" => |a| wait(a.tensor(0)?.nonzero());
    "_nonzero_as_tuple(Tensor input)" => |a| wait(a.tensor(0)?.nonzero_as_tuple());
    "masked_select(Tensor input, Tensor mask)" => |a| wait(a.tensor(0)?.masked_select(&a.tensor(1)?));
};

/// The first argument, in the dtype that was asked for.
fn converted(a: &Bound<'_>, dtype: usize) -> PyResult<Tensor> {
    let x = a.tensor(0)?;
    match a.dtype(dtype) {
        Some(dtype) => x.to_dtype(dtype).or_raise(a.vm),
        None => Ok(x),
    }
}

fn pair(
    a: &Bound<'_>,
    name: &'static str,
    values: napkin_engine::Result<(Tensor, Tensor)>,
) -> PyResult<Named> {
    Ok(Named(name, values.or_raise(a.vm)?))
}

/// The third argument and those after it.
fn tolerance(a: &Bound<'_>) -> PyResult<Tolerance> {
    let Tolerance { rtol, atol, equal_nan } = Tolerance::default();
    Ok(Tolerance {
        rtol: a.float_or(2, rtol)?,
        atol: a.float_or(3, atol)?,
        equal_nan: a.bool_or(4, equal_nan)?,
    })
}
