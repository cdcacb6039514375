//! Element by element.

use napkin_engine::tensor::{Arg, Rounding};
use napkin_engine::{DType, Scalar};
use rustpython_vm::PyResult;

use super::{Operation, operations};
use crate::torch::OrRaise;
use crate::torch::arguments::{Bound, Operand};
use crate::torch::overflow::{Target, fits};

pub(super) const OPERATIONS: &[Operation] = operations! {
    "sqrt(Tensor input)" => |a| a.tensor(0)?.sqrt();
    "rsqrt(Tensor input)" => |a| a.tensor(0)?.rsqrt();
    "reciprocal(Tensor input)" => |a| a.tensor(0)?.reciprocal();
    "exp(Tensor input)" => |a| a.tensor(0)?.exp();
    "exp2(Tensor input)" => |a| a.tensor(0)?.exp2();
    "expm1(Tensor input)" => |a| a.tensor(0)?.expm1();
    "log(Tensor input)" => |a| a.tensor(0)?.log();
    "log2(Tensor input)" => |a| a.tensor(0)?.log2();
    "log10(Tensor input)" => |a| a.tensor(0)?.log10();
    "log1p(Tensor input)" => |a| a.tensor(0)?.log1p();
    "sin(Tensor input)" => |a| a.tensor(0)?.sin();
    "cos(Tensor input)" => |a| a.tensor(0)?.cos();
    "tanh(Tensor input)" => |a| a.tensor(0)?.tanh();
    "sigmoid(Tensor input)" => |a| a.tensor(0)?.sigmoid();
    "erf(Tensor input)" => |a| a.tensor(0)?.erf();
    "abs(Tensor input)" => |a| a.tensor(0)?.abs();
    "sign(Tensor input)" => |a| a.tensor(0)?.sign();
    "relu(Tensor input)" => |a| a.tensor(0)?.relu();
    "floor(Tensor input)" => |a| a.tensor(0)?.floor();
    "ceil(Tensor input)" => |a| a.tensor(0)?.ceil();
    "trunc(Tensor input)" => |a| a.tensor(0)?.trunc();
    "round(Tensor input)" => |a| a.tensor(0)?.round();
    "neg(Tensor input)" => |a| a.tensor(0)?.neg();
    "square(Tensor input)" => |a| a.tensor(0)?.pow(2);
    "logical_not(Tensor input)" => |a| a.tensor(0)?.logical_not();
    "isnan(Tensor input)" => |a| a.tensor(0)?.isnan();
    "isinf(Tensor input)" => |a| a.tensor(0)?.isinf();
    "isfinite(Tensor input)" => |a| a.tensor(0)?.isfinite();
    "bitwise_not(Tensor input)" => |a| a.tensor(0)?.bitwise_not();
    "neg_(Tensor input)" => |a| a.changed(a.tensor(0)?.neg_());
    "abs_(Tensor input)" => |a| a.changed(a.tensor(0)?.abs_());
    "exp_(Tensor input)" => |a| a.changed(a.tensor(0)?.exp_());
    "log_(Tensor input)" => |a| a.changed(a.tensor(0)?.log_());
    "sqrt_(Tensor input)" => |a| a.changed(a.tensor(0)?.sqrt_());
    "rsqrt_(Tensor input)" => |a| a.changed(a.tensor(0)?.rsqrt_());
    "reciprocal_(Tensor input)" => |a| a.changed(a.tensor(0)?.reciprocal_());
    "floor_divide(Tensor input, Operand other)" => |a| a.tensor(0)?.floor_divide(a.operand(1)?.arg());
    "remainder(Tensor input, Operand other)" => |a| a.tensor(0)?.remainder(a.operand(1)?.arg());
    "fmod(Tensor input, Operand other)" => |a| a.tensor(0)?.fmod(a.operand(1)?.arg());
    "pow(Tensor input, Operand other)" => |a| a.tensor(0)?.pow(a.operand(1)?.arg());
    "maximum(Tensor input, Operand other)" => |a| a.tensor(0)?.maximum(a.operand(1)?.arg());
    "minimum(Tensor input, Operand other)" => |a| a.tensor(0)?.minimum(a.operand(1)?.arg());
    "fmax(Tensor input, Operand other)" => |a| a.tensor(0)?.fmax(a.operand(1)?.arg());
    "fmin(Tensor input, Operand other)" => |a| a.tensor(0)?.fmin(a.operand(1)?.arg());
    "atan2(Tensor input, Operand other)" => |a| a.tensor(0)?.atan2(a.operand(1)?.arg());
    "eq(Tensor input, Operand other)" => |a| a.tensor(0)?.eq(a.operand(1)?.arg());
    "ne(Tensor input, Operand other)" => |a| a.tensor(0)?.ne(a.operand(1)?.arg());
    "lt(Tensor input, Operand other)" => |a| a.tensor(0)?.lt(a.operand(1)?.arg());
    "le(Tensor input, Operand other)" => |a| a.tensor(0)?.le(a.operand(1)?.arg());
    "gt(Tensor input, Operand other)" => |a| a.tensor(0)?.gt(a.operand(1)?.arg());
    "ge(Tensor input, Operand other)" => |a| a.tensor(0)?.ge(a.operand(1)?.arg());
    "bitwise_and(Tensor input, Operand other)" => |a| a.tensor(0)?.bitwise_and(a.operand(1)?.arg());
    "bitwise_or(Tensor input, Operand other)" => |a| a.tensor(0)?.bitwise_or(a.operand(1)?.arg());
    "bitwise_xor(Tensor input, Operand other)" => |a| a.tensor(0)?.bitwise_xor(a.operand(1)?.arg());
    "logical_and(Tensor input, Tensor other)" => |a| a.tensor(0)?.logical_and(&a.tensor(1)?);
    "logical_or(Tensor input, Tensor other)" => |a| a.tensor(0)?.logical_or(&a.tensor(1)?);
    "logical_xor(Tensor input, Tensor other)" => |a| a.tensor(0)?.logical_xor(&a.tensor(1)?);
    "pow(Scalar input, Tensor exponent)" => |a| a.tensor(1)?.rpow(a.scalar(0)?);
    "add(Tensor input, Operand other, *, Scalar alpha=1)" => |a| a.tensor(0)?.add(scaled(a)?.arg());
    "sub(Tensor input, Operand other, *, Scalar alpha=1)" => |a| a.tensor(0)?.sub(scaled(a)?.arg());
    "rsub(Tensor input, Operand other)" => |a| match a.operand(1)? {
        Operand::Tensor(other) => other.sub(&a.tensor(0)?),
        Operand::Scalar(other) if a.tensor(0)?.dtype() == DType::Bool => a.tensor(0)?.sub(other),
        Operand::Scalar(other) => a.tensor(0)?.rsub(other),
    };
    "mul(Tensor input, Operand other)" => |a| a.tensor(0)?.mul(a.operand(1)?.arg());
    "div(Tensor input, Operand other, *, str? rounding_mode=None)" => |a| {
        let (x, other) = (a.tensor(0)?, a.operand(1)?);
        match a.string(2)?.as_deref() {
            None => x.div(other.arg()),
            Some("floor") => x.div_rounded(other.arg(), Rounding::Floor),
            Some("trunc") => x.div_rounded(other.arg(), Rounding::Trunc),
            Some(mode) => return Err(a.vm.new_runtime_error(format!(
                "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{mode}'"
            ))),
        }
    };
    "add_(Tensor input, Operand other, *, Scalar alpha=1)" => |a| a.changed(a.tensor(0)?.add_(scaled(a)?.arg()));
    "sub_(Tensor input, Operand other, *, Scalar alpha=1)" => |a| a.changed(a.tensor(0)?.sub_(scaled(a)?.arg()));
    "mul_(Tensor input, Operand other)" => |a| a.changed(a.tensor(0)?.mul_(a.operand(1)?.arg()));
    "div_(Tensor input, Operand other)" => |a| a.changed(a.tensor(0)?.div_(a.operand(1)?.arg()));
    "floor_divide_(Tensor input, Operand other)" => |a| a.changed(a.tensor(0)?.floor_divide_(a.operand(1)?.arg()));
    "remainder_(Tensor input, Operand other)" => |a| a.changed(a.tensor(0)?.remainder_(a.operand(1)?.arg()));
    "pow_(Tensor input, Operand exponent)" => |a| a.changed(a.tensor(0)?.pow_(a.operand(1)?.arg()));
    "clamp(Tensor input, Scalar? min=None, Scalar? max=None)" => |a| {
        a.tensor(0)?.clamp(a.maybe_scalar(1)?, a.maybe_scalar(2)?)
    };
    "clamp_(Tensor input, Scalar? min=None, Scalar? max=None)" => |a| {
        a.changed(a.tensor(0)?.clamp_(a.maybe_scalar(1)?, a.maybe_scalar(2)?))
    };
    "lerp(Tensor input, Tensor end, Operand weight)" => |a| a.tensor(0)?.lerp(&a.tensor(1)?, a.operand(2)?.arg());
    "addcmul(Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1)" => |a| {
        a.tensor(0)?.addcmul(&a.tensor(1)?, &a.tensor(2)?, a.scalar_or(3, 1)?)
    };
    "addcdiv(Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1)" => |a| {
        a.tensor(0)?.addcdiv(&a.tensor(1)?, &a.tensor(2)?, a.scalar_or(3, 1)?)
    };
    "where(Tensor condition, Operand input, Operand other)" => |a| {
        a.tensor(0)?.where_(a.operand(1)?.arg(), a.operand(2)?.arg())
    };
    "zero_(Tensor input)" => |a| a.changed(a.tensor(0)?.zero_());
    "fill_(Tensor input, Scalar value)" => |a| {
        let (x, value) = (a.tensor(0)?, a.scalar(1)?);
        fits(value, x.dtype(), Target::Fill, a.vm)?;
        a.changed(x.fill_(value))
    };
    "copy_(Tensor input, Tensor src, bool non_blocking=False)" => |a| {
        let (to, from) = (a.tensor(0)?, a.tensor(1)?);
        let from = crate::wait::wait(from.to_device(to.device())).or_raise(a.vm)?;
        a.changed(to.copy_(&from))
    };
};

/// The second argument times `alpha`.
fn scaled(a: &Bound<'_>) -> PyResult<Operand> {
    let (other, alpha) = (a.operand(1)?, a.maybe_scalar(2)?);
    let Some(alpha) = alpha else { return Ok(other) };
    let is_float = a.tensor(0)?.dtype().is_floating_point()
        || match &other {
            Operand::Tensor(other) => other.dtype().is_floating_point(),
            Operand::Scalar(other) => matches!(other, Scalar::Float(_)),
        };
    if matches!(alpha, Scalar::Float(_)) && !is_float {
        let message = "For integral input tensors, argument alpha must not be a floating point number.";
        return Err(a.vm.new_runtime_error(message));
    }
    Ok(match other {
        Operand::Tensor(other) => Operand::Tensor(other.mul(Arg::Scalar(alpha)).or_raise(a.vm)?),
        Operand::Scalar(other) => Operand::Scalar(match (alpha, other) {
            (Scalar::Float(_), _) | (_, Scalar::Float(_)) => Scalar::Float(alpha.as_f64() * other.as_f64()),
            _ => Scalar::Int(alpha.as_i64().wrapping_mul(other.as_i64())),
        }),
    })
}
