//! Element by element.

use napkin_engine::dtype::Category;
use napkin_engine::tensor::Rounding;
use napkin_engine::{DType, Scalar, Tensor};
use rustpython_vm::PyResult;

use super::{Operation, operations};
use crate::torch::OrRaise;
use crate::torch::arguments::{Bound, Operand};
use crate::torch::overflow::{Target, fits};

/// Operations that the engine calls by the names that they have in Python: of one tensor, the same in place, of two
/// operands, the same in place.
macro_rules! by_name {
    ($($one:ident)+; $($one_:ident)+; $($two:ident)+; $($two_:ident)+;) => {
        operations! {
            $(concat!(stringify!($one), "(Tensor input)") => |a| a.tensor(0)?.$one();)+
            $(concat!(stringify!($one_), "(Tensor input)") => |a| a.changed(a.tensor(0)?.$one_());)+
            $(concat!(stringify!($two), "(Tensor input, Operand other)") => |a| a.tensor(0)?.$two(a.operand(1)?.arg());)+
            $(concat!(stringify!($two_), "(Tensor input, Operand other)") => |a| {
                a.changed(a.tensor(0)?.$two_(a.operand(1)?.arg()))
            };)+
        }
    };
}

pub(super) const BY_NAME: &[Operation] = by_name! {
    sqrt rsqrt reciprocal exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh
    sigmoid erf abs sign relu floor ceil trunc round neg logical_not isnan isinf isfinite bitwise_not;
    neg_ abs_ exp_ log_ sqrt_ rsqrt_ reciprocal_ sin_ cos_ tanh_ sigmoid_ relu_ floor_ ceil_ trunc_ zero_;
    floor_divide remainder fmod pow maximum minimum fmax fmin atan2 eq ne lt le gt ge bitwise_and bitwise_or
    bitwise_xor bitwise_left_shift bitwise_right_shift mul;
    mul_ div_ floor_divide_ remainder_;
};

pub(super) const OPERATIONS: &[Operation] = operations! {
    "square(Tensor input)" => |a| a.tensor(0)?.pow(2);
    "logical_and(Tensor input, Tensor other)" => |a| a.tensor(0)?.logical_and(&a.tensor(1)?);
    "logical_or(Tensor input, Tensor other)" => |a| a.tensor(0)?.logical_or(&a.tensor(1)?);
    "logical_xor(Tensor input, Tensor other)" => |a| a.tensor(0)?.logical_xor(&a.tensor(1)?);
    "pow(Scalar input, Tensor exponent)" => |a| a.tensor(1)?.rpow(a.scalar(0)?);
    "add(Tensor input, Operand other, *, Scalar alpha=1)" => |a| a.tensor(0)?.add(scaled(a)?.arg());
    "sub(Tensor input, Operand other, *, Scalar alpha=1)" => |a| a.tensor(0)?.sub(subtrahend(a)?.arg());
    "rsub(Tensor input, Tensor other, *, Scalar alpha=1)" => |a| less(a)?;
    "rsub(Tensor input, Scalar other, Scalar alpha=1)" => |a| less(a)?;
    "_beside(Tensor input, Scalar number)" => |a| a.tensor(0)?.beside(a.scalar(1)?);
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
    "sub_(Tensor input, Operand other, *, Scalar alpha=1)" => |a| a.changed(a.tensor(0)?.sub_(subtrahend(a)?.arg()));
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
    "fill_(Tensor input, Scalar value)" => |a| {
        let (x, value) = (a.tensor(0)?, a.scalar(1)?);
        fits(value, x.dtype(), Target::Fill, a.vm)?;
        a.changed(x.fill_(value))
    };
    "_become(Tensor input, Tensor found)" => |a| a.changed(a.tensor(0)?.become_(&a.tensor(1)?));
    "copy_(Tensor input, Tensor src, bool non_blocking=False)" => |a| {
        let (to, from) = (a.tensor(0)?, a.tensor(1)?);
        let from = crate::wait::wait(from.to_device(to.device())).or_raise(a.vm)?;
        a.changed(to.copy_(&from))
    };
};

/// The second argument times `alpha`.
fn scaled(a: &Bound<'_>) -> PyResult<Operand> {
    let (other, alpha) = (a.operand(1)?, alpha(a)?);
    let Some(alpha) = alpha else { return Ok(other) };
    Ok(match other {
        Operand::Tensor(other) => {
            let is_alike = other.dtype() == a.tensor(0)?.dtype();
            Operand::Tensor(times(&other, alpha, is_alike).or_raise(a.vm)?)
        }
        Operand::Scalar(other) => Operand::Scalar(match (alpha, other) {
            (Scalar::Float(_), _) | (_, Scalar::Float(_)) => Scalar::Float(alpha.as_f64() * other.as_f64()),
            _ => Scalar::Int(alpha.as_i64().wrapping_mul(other.as_i64())),
        }),
    })
}

/// Likewise; a truth value as it is, which will be refused.
fn subtrahend(a: &Bound<'_>) -> PyResult<Operand> {
    let other = a.operand(1)?;
    if other.arg().category() == Category::Bool { Ok(other) } else { scaled(a) }
}

/// The second argument less the first times `alpha`.
fn less(a: &Bound<'_>) -> PyResult<Tensor> {
    let (x, other) = (a.tensor(0)?, a.operand(1)?);
    let is_alike = !matches!(&other, Operand::Tensor(other) if other.dtype() != x.dtype());
    let x = match alpha(a)? {
        Some(alpha) if x.dtype() != DType::Bool => times(&x, alpha, is_alike).or_raise(a.vm)?,
        _ => x,
    };
    x.rsub(other.arg()).or_raise(a.vm)
}

/// The third argument, which is a whole number where the others are.
fn alpha(a: &Bound<'_>) -> PyResult<Option<Scalar>> {
    let alpha = a.maybe_scalar(2)?;
    let is_float = a.tensor(0)?.dtype().is_floating_point()
        || match a.operand(1)? {
            Operand::Tensor(other) => other.dtype().is_floating_point(),
            Operand::Scalar(other) => matches!(other, Scalar::Float(_)),
        };
    if matches!(alpha, Some(Scalar::Float(_))) && !is_float {
        let message = "For integral input tensors, argument alpha must not be a floating point number.";
        return Err(a.vm.new_runtime_error(message));
    }
    Ok(alpha)
}

/// Half precision rounds the factor and the product, too, where both terms have it.
fn times(tensor: &Tensor, alpha: Scalar, is_alike: bool) -> napkin_engine::Result<Tensor> {
    let is_rounded = is_alike && tensor.dtype().is_half();
    tensor.mul(if is_rounded { alpha.wrapped(tensor.dtype()) } else { alpha })
}
