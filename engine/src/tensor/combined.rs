//! Functions made of others: between two tensors, products added, quotients rounded.

use super::Tensor;
use super::elementwise::{Arg, Pair};
use crate::autograd::Node;
use crate::dtype::{Category, DType};
use crate::error::{Error, Result};
use crate::program::{Binary, Compute, Instr, Program, Unary};
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
const OTHER_SIDE: [Instr; 8] = [
    Instr::Const(Scalar::Float(1.0)),
    Instr::Input(0),
    Instr::Binary(Binary::Sub),
    Instr::Input(0),
    Instr::Const(Scalar::Float(1.0)),
    Instr::Binary(Binary::Add),
    Instr::Binary(Binary::Mul),
    Instr::Unary(Unary::Sqrt),
];

impl Tensor {
    /// `torch.div(self, other, rounding_mode=mode)`: of whole numbers a whole one; constant between its steps.
    ///
    /// # Errors
    /// As [`Tensor::add`], and where a whole number is divided by 0.
    pub fn div_rounded<'a>(&self, other: impl Into<Arg<'a>>, mode: Rounding) -> Result<Self> {
        let pair = Pair::new("div", self, other.into())?;
        let needs = pair.needs();
        let node = Node::record("DivBackward2", &pair.tensors(), &[], move |g, _| {
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
            let message =
                format!("\"lerp_kernel_{kind}\" not implemented for '{}'", self.dtype().scalar_type());
            return Err(Error::DType { op: "lerp", message });
        }
        let distance = end.sub(self)?;
        let (near, far) = match weight {
            Arg::Scalar(weight) => {
                let weight = weight.as_f64();
                return if weight.abs() < 0.5 {
                    self.add(&distance.mul(weight)?)
                } else {
                    end.sub(&distance.mul(1.0 - weight)?)
                };
            }
            Arg::Tensor(weight) => {
                let left = weight.neg()?.add(1.0)?;
                (self.add(&distance.mul(weight)?)?, end.sub(&distance.mul(&left)?)?)
            }
        };
        let Arg::Tensor(weight) = weight else { return Ok(near) };
        weight.detach().abs()?.lt(0.5)?.where_(&near, &far)
    }

    /// `torch.addcmul(self, a, b, value=value)`: self + value · a · b
    ///
    /// # Errors
    /// As [`Tensor::add`].
    pub fn addcmul(&self, a: &Self, b: &Self, value: impl Into<Scalar>) -> Result<Self> {
        let product = a.mul(b)?;
        self.add(&self.times_value(&product, value.into())?)
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
        let quotient = a.div(b)?;
        self.add(&self.times_value(&quotient, value.into())?)
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

    /// `torch.tan(self)`; d tan x = (1 + tan² x) dx
    ///
    /// # Errors
    /// If the device fails or memory does not allow the result.
    pub fn tan(&self) -> Result<Self> {
        let x = Instr::Input(0);
        let program = [x, Instr::Unary(Unary::Sin), x, Instr::Unary(Unary::Cos), Instr::Binary(Binary::Div)];
        self.of_result(["tan", "TanBackward0"], &program, |g, y| g.mul(&y.mul(y)?.add(1.0)?))
    }

    /// `torch.sinh(self)`; d sinh x = cosh x dx
    ///
    /// # Errors
    /// If the device fails or memory does not allow the result.
    pub fn sinh(&self) -> Result<Self> {
        let (x, expm1) = (Instr::Input(0), Instr::Unary(Unary::Expm1));
        // (eˣ − 1) / 2 − (e⁻ˣ − 1) / 2: the two have different signs, so that nothing cancels.
        let program = [
            x,
            expm1,
            x,
            Instr::Unary(Unary::Neg),
            expm1,
            Instr::Binary(Binary::Sub),
            Instr::Const(0.5.into()),
            Instr::Binary(Binary::Mul),
        ];
        self.of_argument(["sinh", "SinhBackward0"], &program, |g, x| g.mul(&x.cosh()?))
    }

    /// `torch.cosh(self)`; d cosh x = sinh x dx
    ///
    /// # Errors
    /// If the device fails or memory does not allow the result.
    pub fn cosh(&self) -> Result<Self> {
        let (x, half) = (Instr::Input(0), Instr::Const(0.5.into()));
        let exp = Instr::Unary(Unary::Exp);
        let program = [
            x,
            exp,
            x,
            Instr::Unary(Unary::Neg),
            exp,
            Instr::Binary(Binary::Add),
            half,
            Instr::Binary(Binary::Mul),
        ];
        self.of_argument(["cosh", "CoshBackward0"], &program, |g, x| g.mul(&x.sinh()?))
    }

    /// `torch.atan2(self, other)`: the angle of the point (other, self); d atan2(y, x) = (x dy − y dx) / (x² + y²)
    ///
    /// # Errors
    /// As [`Tensor::add`].
    pub fn atan2<'a>(&self, other: impl Into<Arg<'a>>) -> Result<Self> {
        let pair = Pair::new("atan2", self, other.into())?;
        let dtype = if pair.dtype.is_floating_point() { pair.dtype } else { DType::DEFAULT };
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

    /// `torch.atan(self)`; d atan x = dx / (1 + x²)
    ///
    /// # Errors
    /// If the device fails or memory does not allow the result.
    pub fn atan(&self) -> Result<Self> {
        let program = [Instr::Input(0), Instr::Const(1.0.into()), Instr::Binary(Binary::Atan2)];
        self.of_argument(["atan", "AtanBackward0"], &program, |g, x| g.div(&x.mul(x)?.add(1.0)?))
    }

    /// `torch.asin(self)`; d asin x = dx / √(1 − x²)
    ///
    /// # Errors
    /// If the device fails or memory does not allow the result.
    pub fn asin(&self) -> Result<Self> {
        let program = [&[Instr::Input(0)], &OTHER_SIDE[..], &[Instr::Binary(Binary::Atan2)]].concat();
        self.of_argument(["asin", "AsinBackward0"], &program, |g, x| {
            g.div(&x.mul(x)?.neg()?.add(1.0)?.sqrt()?)
        })
    }

    /// `torch.acos(self)`; d acos x = −dx / √(1 − x²)
    ///
    /// # Errors
    /// If the device fails or memory does not allow the result.
    pub fn acos(&self) -> Result<Self> {
        let program = [&OTHER_SIDE[..], &[Instr::Input(0), Instr::Binary(Binary::Atan2)]].concat();
        self.of_argument(["acos", "AcosBackward0"], &program, |g, x| {
            g.div(&x.mul(x)?.neg()?.add(1.0)?.sqrt()?)?.neg()
        })
    }

    /// `torch.atanh(self)`: ½ ln((1 + x) / (1 − x)); d atanh x = dx / (1 − x²)
    ///
    /// # Errors
    /// If the device fails or memory does not allow the result.
    pub fn atanh(&self) -> Result<Self> {
        let (x, log1p) = (Instr::Input(0), Instr::Unary(Unary::Log1p));
        let program = [
            x,
            log1p,
            x,
            Instr::Unary(Unary::Neg),
            log1p,
            Instr::Binary(Binary::Sub),
            Instr::Const(0.5.into()),
            Instr::Binary(Binary::Mul),
        ];
        self.of_argument(["atanh", "AtanhBackward0"], &program, |g, x| g.div(&x.mul(x)?.neg()?.add(1.0)?))
    }

    /// A real function by a program, whose derivative is told in its result.
    fn of_result(
        &self,
        [operation, name]: [&'static str; 2],
        program: &[Instr],
        derivative: fn(&Self, &Self) -> Result<Self>,
    ) -> Result<Self> {
        let dtype = self.real();
        let out = self.mapped(&Program::new(Compute::of(dtype), program).named(operation), dtype)?;
        let node =
            Node::record(name, &[self], &[&out], move |g, saved| Ok(vec![Some(derivative(g, &saved[0])?)]));
        Ok(out.made_by(node))
    }

    /// A real function by a program, whose derivative is told in its argument.
    fn of_argument(
        &self,
        [operation, name]: [&'static str; 2],
        program: &[Instr],
        derivative: fn(&Self, &Self) -> Result<Self>,
    ) -> Result<Self> {
        let dtype: DType = self.real();
        let node =
            Node::record(name, &[self], &[self], move |g, saved| Ok(vec![Some(derivative(g, &saved[0])?)]));
        Ok(self.mapped(&Program::new(Compute::of(dtype), program).named(operation), dtype)?.made_by(node))
    }
}
