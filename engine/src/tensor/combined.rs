//! Functions made of others: between two tensors, products added, quotients rounded.

use super::Tensor;
use super::elementwise::{Arg, Pair};
use super::functions::Kept;
use crate::autograd::Node;
use crate::dtype::{Category, DType};
use crate::error::{Error, Result};
use crate::program::{Binary, Compute, Expr, Instr, Program, Unary};
use crate::scalar::Scalar;

/// How a quotient is rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    /// `rounding_mode='floor'`: down.
    Floor,
    /// `rounding_mode='trunc'`: towards 0.
    Trunc,
}

/// √((1 − x) (1 + x)): the other side of the right angle whose sine is x.
fn other_side(x: &Expr) -> Expr {
    ((1.0 - x.clone()) * (x.clone() + 1.0)).unary(Unary::Sqrt)
}

/// (op(x) − op(−x)) / 2, where op leaves x its sign: the two have different ones, so that nothing cancels.
fn half_difference(op: Unary, x: &Expr) -> Expr {
    (x.clone().unary(op) - x.clone().unary(Unary::Neg).unary(op)) * 0.5
}

macro_rules! formulas {
    ($(
        $(#[$doc:meta])+ $name:ident |$input:ident| $formula:expr;
        $backward:literal $kept:ident |$g:ident, $x:ident| $derivative:expr;
    )+) => {
        /// Functions of one real argument that are no instruction but a formula; of whole numbers they are of the default dtype.
        impl Tensor {
            $(
                $(#[$doc])+
                ///
                /// # Errors
                /// If the device fails or memory does not allow the result.
                pub fn $name(&self) -> Result<Self> {
                    let (dtype, $input) = (self.real(), &Expr::input(0));
                    let program = $formula.program(Compute::of(dtype)).named(stringify!($name));
                    self.function($backward, &program, dtype, Kept::$kept, |$g, $x| $derivative)
                }
            )+
        }
    };
}

formulas! {
    /// `torch.tan(self)`; d tan x = (1 + tan² x) dx
    tan |x| x.clone().unary(Unary::Sin) / x.clone().unary(Unary::Cos);
    "TanBackward0" Result |g, y| g.mul(&y.mul(y)?.add(1.0)?);

    /// `torch.sinh(self)`; d sinh x = cosh x dx
    sinh |x| half_difference(Unary::Expm1, x);
    "SinhBackward0" Argument |g, x| g.mul(&x.cosh()?);

    /// `torch.cosh(self)`; d cosh x = sinh x dx
    cosh |x| (x.clone().unary(Unary::Exp) + x.clone().unary(Unary::Neg).unary(Unary::Exp)) * 0.5;
    "CoshBackward0" Argument |g, x| g.mul(&x.sinh()?);

    /// `torch.atan(self)`; d atan x = dx / (1 + x²)
    atan |x| x.clone().binary(Binary::Atan2, 1.0);
    "AtanBackward0" Argument |g, x| g.div(&x.mul(x)?.add(1.0)?);

    /// `torch.asin(self)`; d asin x = dx / √(1 − x²)
    asin |x| x.clone().binary(Binary::Atan2, other_side(x));
    "AsinBackward0" Argument |g, x| g.div(&x.mul(x)?.neg()?.add(1.0)?.sqrt()?);

    /// `torch.acos(self)`; d acos x = −dx / √(1 − x²)
    acos |x| other_side(x).binary(Binary::Atan2, x.clone());
    "AcosBackward0" Argument |g, x| g.div(&x.mul(x)?.neg()?.add(1.0)?.sqrt()?)?.neg();
}

impl Tensor {
    /// `torch.div(self, other, rounding_mode=mode)`: of whole numbers a whole one; constant between its steps.
    ///
    /// # Errors
    /// As [`Tensor::add`], and where a whole number is divided by 0.
    pub fn div_rounded<'a>(&self, other: impl Into<Arg<'a>>, mode: Rounding) -> Result<Self> {
        let pair = Pair::exact("div", self, other.into())?;
        let needs = pair.needs();
        let node = Node::record_flat("DivBackward2", &pair.tensors(), &[], move |g, _| {
            needs.gradients(|| g.zeros_like(), || g.zeros_like())
        });
        let compute = Compute::of(pair.dtype);
        let quotient = match mode {
            Rounding::Floor => vec![Instr::Binary(Binary::FloorDiv)],
            // Whole quotients are cut off by themselves.
            Rounding::Trunc if compute == Compute::I64 => vec![Instr::Binary(Binary::Div)],
            Rounding::Trunc => vec![Instr::Binary(Binary::Div), Instr::Unary(Unary::Trunc)],
        };
        let program = [vec![Instr::Input(0), pair.second_operand()], quotient].concat();
        Ok(pair.run_program(&Program::new(compute, program).named("div"), pair.dtype)?.made_by(node))
    }

    /// `torch.lerp(self, end, weight)`: self + weight · (end − self), from the nearer side, so that a weight of 1 gives
    /// the end.
    ///
    /// # Errors
    /// If dtypes differ or are not real, or the shapes do not broadcast.
    pub fn lerp<'a>(&self, end: &Self, weight: impl Into<Arg<'a>>) -> Result<Self> {
        let weight = weight.into();
        let mut given = vec![("end", end)];
        if let Arg::Tensor(weight) = weight {
            given.push(("weight", weight));
        }
        for (name, tensor) in given {
            if tensor.dtype() != self.dtype() {
                let (own, other) = (self.dtype().cpp_name(), tensor.dtype().cpp_name());
                let message = format!("expected dtype {own} for `{name}` but got dtype {other}");
                return Err(Error::DType { op: "lerp", message });
            }
        }
        if !self.dtype().is_floating_point() {
            let kind = if matches!(weight, Arg::Tensor(_)) { "tensor" } else { "scalar" };
            let kernel = format!("lerp_kernel_{kind}");
            return Err(Error::not_implemented("lerp", &kernel, self.dtype().scalar_type()));
        }
        match weight {
            Arg::Scalar(weight) => Self::rounded_once([self, end], |[start, end]| {
                let (distance, weight) = (end.sub(start)?, weight.as_f64());
                if weight.abs() < 0.5 {
                    start.add(&distance.mul(weight)?)
                } else {
                    end.sub(&distance.mul(1.0 - weight)?)
                }
            }),
            Arg::Tensor(weight) => Self::rounded_once([self, end, weight], |[start, end, weight]| {
                let (distance, left) = (end.sub(start)?, weight.rsub(1)?);
                let (near, far) = (start.add(&distance.mul(weight)?)?, end.sub(&distance.mul(&left)?)?);
                weight.detach().abs()?.lt(0.5)?.where_(&near, &far)
            }),
        }
    }

    /// `torch.addcmul(self, a, b, value=value)`: self + value · a · b
    ///
    /// # Errors
    /// As [`Tensor::add`].
    pub fn addcmul(&self, a: &Self, b: &Self, value: impl Into<Scalar>) -> Result<Self> {
        let value = value.into();
        Self::rounded_once([self, a, b], |[x, a, b]| x.add(&x.times_value(&a.mul(b)?, value)?))
    }

    /// `torch.addcdiv(self, a, b, value=value)`: self + value · a / b
    ///
    /// # Errors
    /// As [`Tensor::add`], and for whole numbers alone.
    pub fn addcdiv(&self, a: &Self, b: &Self, value: impl Into<Scalar>) -> Result<Self> {
        if [a, b].iter().all(|t| t.dtype().category() != Category::Floating) {
            let message =
                "Integer division with addcdiv is no longer supported, and in a future  release addcdiv \
                           will perform a true division of tensor1 and tensor2. The historic addcdiv behavior can be \
                           implemented as (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer \
                           inputs and as (input + value * tensor1 / tensor2) for float inputs. The future addcdiv \
                           behavior is just the latter implementation: (input + value * tensor1 / tensor2), for all \
                           dtypes."
                    .into();
            return Err(Error::DType { op: "addcdiv", message });
        }
        let value = value.into();
        Self::rounded_once([self, a, b], |[x, a, b]| x.add(&x.times_value(&a.div(b)?, value)?))
    }

    fn times_value(&self, term: &Self, value: Scalar) -> Result<Self> {
        match value {
            _ if value.as_f64() == 1.0 => Ok(term.clone()),
            Scalar::Float(_)
                if self.dtype().category().max(term.dtype().category()) != Category::Floating =>
            {
                term.mul(value.as_i64())
            }
            value => term.mul(value),
        }
    }

    /// `torch.std_mean(self, dim=dims, correction=correction, keepdim=keepdim)`; no dims means all of them.
    ///
    /// # Errors
    /// As [`Tensor::var`].
    pub fn std_mean(&self, dims: &[isize], correction: f64, keepdim: bool) -> Result<(Self, Self)> {
        self.check_real("std_mean")?;
        Ok((self.std(dims, correction, keepdim)?, self.mean_dims(dims, keepdim)?))
    }

    /// `torch.var_mean(self, dim=dims, correction=correction, keepdim=keepdim)`; no dims means all of them.
    ///
    /// # Errors
    /// As [`Tensor::var`].
    pub fn var_mean(&self, dims: &[isize], correction: f64, keepdim: bool) -> Result<(Self, Self)> {
        self.check_real("var_mean")?;
        Ok((self.var(dims, correction, keepdim)?, self.mean_dims(dims, keepdim)?))
    }

    fn check_real(&self, op: &'static str) -> Result<()> {
        if self.dtype().is_floating_point() {
            return Ok(());
        }
        let message = format!("{op} only support floating point and complex dtypes");
        Err(Error::DType { op, message })
    }

    /// `torch.atan2(self, other)`: the angle of the point (other, self); d atan2(y, x) = (x dy − y dx) / (x² + y²)
    ///
    /// # Errors
    /// As [`Tensor::add`].
    pub fn atan2<'a>(&self, other: impl Into<Arg<'a>>) -> Result<Self> {
        let pair = Pair::new("atan2", self, other.into())?;
        let dtype = if pair.dtype.is_floating_point() { pair.dtype } else { DType::standard() };
        let needs = pair.needs();
        let node = Node::record("Atan2Backward0", &pair.tensors(), &pair.tensors(), move |g, saved| {
            let (Some(y), Some(x)) = (saved.first(), saved.last()) else {
                return Err(Error::Autograd("an angle saved nothing".into()));
            };
            let square = x.mul(x)?.add(&y.mul(y)?)?;
            let share = square.eq(0)?.where_(0.0, &g.div(&square)?)?;
            needs.gradients(|| share.mul(x), || share.mul(y)?.neg())
        });
        Ok(pair.run(Binary::Atan2, Compute::of(dtype), dtype)?.made_by(node))
    }
}
