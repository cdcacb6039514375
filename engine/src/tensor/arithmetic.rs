//! Arithmetic of two arguments, the derivative of each operation beside it.

use super::Tensor;
use super::combined::Rounding;
use super::elementwise::{Arg, Pair, second};
use crate::autograd::{Node, creates_graph};
use crate::dtype::{Category, DType, Operand, result_type};
use crate::error::{Error, Result};
use crate::program::{Binary, Compute, Instr, Program, Unary};
use crate::scalar::Scalar;

/// Arithmetic.
impl Tensor {
    /// `self + other`
    ///
    /// # Errors
    /// If the shapes do not broadcast or devices or dtypes do not go together.
    pub fn add<'a>(&self, other: impl Into<Arg<'a>>) -> Result<Self> {
        let pair = Pair::new("add", self, other.into())?;
        let needs = pair.needs();
        // d(a + b) = da + db
        let node = Node::record("AddBackward0", &pair.tensors(), &[], move |g, _| {
            needs.gradients(|| Ok(g.clone()), || Ok(g.clone()))
        });
        // The sum of truth values is whether one is true.
        let op = if pair.dtype == DType::Bool { Binary::Or } else { Binary::Add };
        Ok(pair.run(op, Compute::of(pair.dtype), pair.dtype)?.made_by(node))
    }

    /// `self - other`
    ///
    /// # Errors
    /// As [`Tensor::add`], and for truth values.
    pub fn sub<'a>(&self, other: impl Into<Arg<'a>>) -> Result<Self> {
        self.difference("SubBackward0", other.into())
    }

    fn difference(&self, name: &'static str, other: Arg<'_>) -> Result<Self> {
        let pair = self.subtracted("sub", other)?;
        let needs = pair.needs();
        // d(a − b) = da − db
        let node = Node::record(name, &pair.tensors(), &[], move |g, _| {
            needs.gradients(|| Ok(g.clone()), || g.neg())
        });
        Ok(pair.run(Binary::Sub, Compute::of(pair.dtype), pair.dtype)?.made_by(node))
    }

    /// Both sides of a difference, none of which are truth values.
    fn subtracted(&self, op: &'static str, other: Arg<'_>) -> Result<Pair> {
        let of_bool = [self.dtype() == DType::Bool, other.category() == Category::Bool];
        if of_bool != [false, false] {
            let message = if of_bool == [true, true] {
                "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or \
                 `logical_xor()` operator instead."
            } else {
                "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a \
                 mask, use the `~` or `logical_not()` operator instead."
            };
            return Err(Error::NotImplemented { op, message: message.into() });
        }
        Pair::new(op, self, other)
    }

    /// `other - self`
    ///
    /// # Errors
    /// As [`Tensor::sub`].
    pub fn rsub<'a>(&self, other: impl Into<Arg<'a>>) -> Result<Self> {
        let other = other.into();
        if let Arg::Tensor(other) = other {
            return other.difference("RsubBackward0", self.into());
        }
        let pair = self.subtracted("rsub", other)?;
        let needs = pair.needs();
        let node = Node::record("RsubBackward1", &[self], &[], move |g, _| {
            needs.gradients(|| g.neg(), || Ok(g.clone()))
        });
        let program = [pair.second_operand(), Instr::Input(0), Instr::Binary(Binary::Sub)];
        Ok(pair.run_program(&Program::new(Compute::of(pair.dtype), program), pair.dtype)?.made_by(node))
    }

    /// `self * other`
    ///
    /// # Errors
    /// As [`Tensor::add`].
    pub fn mul<'a>(&self, other: impl Into<Arg<'a>>) -> Result<Self> {
        let other = other.into();
        let pair = Pair::exact("mul", self, other)?;
        let (needs, scalar) = (pair.needs(), other.scalar());
        let saved = pair.factors();
        // d(a · b) = b · da + a · db
        let node = Node::record("MulBackward0", &pair.tensors(), &saved, move |g, saved| {
            needs.gradients(|| g.mul(second(saved, scalar)), || g.mul(&saved[0]))
        });
        Ok(pair.run(Binary::Mul, Compute::of(pair.dtype), pair.dtype)?.made_by(node))
    }

    /// `self / other`: of whole numbers a real one.
    ///
    /// # Errors
    /// As [`Tensor::add`].
    pub fn div<'a>(&self, other: impl Into<Arg<'a>>) -> Result<Self> {
        let other = other.into();
        let pair = Pair::exact("div", self, other)?;
        let (needs, scalar) = (pair.needs(), other.scalar());
        // The divisor comes second.
        let mut saved = pair.tensors();
        if needs.b.is_none() {
            saved.reverse();
            saved.truncate(1);
        }
        let saved = if scalar.is_some() { Vec::new() } else { saved };
        // d(a / b) = da / b − a · db / b²
        let node = Node::record("DivBackward0", &pair.tensors(), &saved, move |g, saved| {
            needs.gradients(
                || g.div(second(saved, scalar)),
                || g.div(&saved[1])?.mul(&saved[0].div(&saved[1])?)?.neg(),
            )
        });
        let dtype = if pair.dtype.is_floating_point() { pair.dtype } else { DType::standard() };
        Ok(pair.run(Binary::Div, Compute::of(dtype), dtype)?.made_by(node))
    }

    /// `self // other`, rounded down; no derivative.
    ///
    /// # Errors
    /// As [`Tensor::add`], and where a whole number is divided by 0.
    pub fn floor_divide<'a>(&self, other: impl Into<Arg<'a>>) -> Result<Self> {
        let pair = Pair::exact("floor_divide", self, other.into())?;
        let node = Node::record("NotImplemented", &pair.tensors(), &[], |_, _| {
            Err(Error::Autograd("derivative for aten::floor_divide is not implemented".into()))
        });
        Ok(pair.run(Binary::FloorDiv, Compute::of(pair.dtype), pair.dtype)?.made_by(node))
    }

    /// `self % other`, with the sign of `other`.
    ///
    /// # Errors
    /// As [`Tensor::floor_divide`].
    pub fn remainder<'a>(&self, other: impl Into<Arg<'a>>) -> Result<Self> {
        self.rest(
            "remainder",
            ["RemainderBackward0", "RemainderBackward1"],
            Binary::Remainder,
            other.into(),
            |a, b| a.div_rounded(b, Rounding::Floor),
        )
    }

    /// `torch.fmod(self, other)`, with the sign of `self`.
    ///
    /// # Errors
    /// As [`Tensor::floor_divide`].
    pub fn fmod<'a>(&self, other: impl Into<Arg<'a>>) -> Result<Self> {
        self.rest("fmod", ["FmodBackward0", "FmodBackward1"], Binary::Fmod, other.into(), |a, b| {
            a.div_rounded(b, Rounding::Trunc)
        })
    }

    fn rest(
        &self,
        op: &'static str,
        names: [&'static str; 2],
        binary: Binary,
        other: Arg<'_>,
        quotient: fn(&Self, &Self) -> Result<Self>,
    ) -> Result<Self> {
        let pair = Pair::new(op, self, other)?;
        let needs = pair.needs();
        let saved = if needs.b.is_some() { pair.tensors() } else { Vec::new() };
        let [of_number, of_tensor] = names;
        let name = if other.scalar().is_some() { of_number } else { of_tensor };
        // d(a − b ⌊a / b⌋) = da − ⌊a / b⌋ db
        let node = Node::record(name, &pair.tensors(), &saved, move |g, saved| {
            needs.gradients(|| Ok(g.clone()), || g.mul(&quotient(&saved[0], &saved[1])?)?.neg())
        });
        Ok(pair.run(binary, Compute::of(pair.dtype), pair.dtype)?.made_by(node))
    }

    /// `self ** exponent`
    ///
    /// # Errors
    /// As [`Tensor::add`], and for whole numbers to a negative number.
    pub fn pow<'a>(&self, exponent: impl Into<Arg<'a>>) -> Result<Self> {
        self.power("PowBackward1", exponent.into())
    }

    /// `base ** self`
    ///
    /// # Errors
    /// As [`Tensor::pow`].
    pub fn rpow(&self, base: Scalar) -> Result<Self> {
        self.beside(base)?.power("PowBackward2", Arg::Tensor(self))
    }

    /// A number on the left of this tensor, as a tensor of the dtype that both have together.
    ///
    /// # Errors
    /// If memory does not allow it.
    pub fn beside(&self, number: Scalar) -> Result<Self> {
        let dtype = result_type(&[self.as_promoted(), Operand::Scalar(number.category())])?;
        Self::full(&[], number, dtype, self.device())
    }

    /// A power whose derivative has that name where both may be tensors.
    fn power(&self, name: &'static str, exponent: Arg<'_>) -> Result<Self> {
        let pair = Pair::new("pow", self, exponent)?;
        if pair.dtype == DType::Bool {
            return match exponent.scalar() {
                Some(Scalar::Bool(true)) => self.copy(),
                Some(_) => self.ones_like(),
                None => Err(Error::not_implemented("pow", "pow", "Bool")),
            };
        }
        let needs = pair.needs();
        let Some(scalar) = exponent.scalar() else {
            // d(aᵇ) = b aᵇ⁻¹ da + aᵇ ln a db, the last 0 where a is 0 and b is not negative
            let node = Node::record(name, &pair.tensors(), &pair.tensors(), move |g, saved| {
                let (a, b) = (&saved[0], &saved[1]);
                needs.gradients(
                    || b.eq(0)?.where_(0.0, &g.mul(b)?.mul(&a.pow(&b.sub(1)?)?)?),
                    || {
                        let is_settled = a.eq(0)?.mul(&b.ge(0)?)?;
                        is_settled.where_(0.0, &g.mul(&a.pow(b)?.mul(&a.log()?)?)?)
                    },
                )
            });
            return Ok(pair.run(Binary::Pow, Compute::of(pair.dtype), pair.dtype)?.made_by(node));
        };
        if !pair.dtype.is_floating_point() && scalar.as_f64() < 0.0 {
            return Err(Error::Value {
                op: "pow",
                message: "Integers to negative integer powers are not allowed.".into(),
            });
        }
        let rounded = move |power: f64| Scalar::from(power).wrapped(pair.dtype).as_f64();
        // d(xᵖ) = p · xᵖ⁻¹ · dx, in one pass over memory; p = 0 gives zero even where x = 0.
        let power = scalar.as_f64();
        let derivative = move |g: &Self, saved: &[Self]| {
            needs
                .gradients(
                    || {
                        if power == 0.0 {
                            return g.full_like(0.0);
                        }
                        // PyTorch rounds each step of half precision.
                        if creates_graph() || pair.dtype.is_half() {
                            return g.mul(&saved[0].pow(power - 1.0)?.mul(scalar)?);
                        }
                        let mut program = raised(1, rounded(power - 1.0));
                        program.extend([
                            Instr::Const(scalar),
                            Instr::Binary(Binary::Mul),
                            Instr::Input(0),
                            Instr::Binary(Binary::Mul),
                        ]);
                        g.combined(&Program::new(Compute::of(g.dtype()), program), &[&saved[0]], g.dtype())
                    },
                    || Ok(g.clone()),
                )
                .map(|mut gradients| {
                    gradients.truncate(1);
                    gradients
                })
        };
        let (name, of_a) = ("PowBackward0", &[&pair.a]);
        let node = if power == 0.0 {
            Node::record_flat(name, of_a, of_a, derivative)
        } else {
            Node::record(name, of_a, of_a, derivative)
        };
        if pair.dtype == DType::BF16 && [3.0, -2.0].contains(&power) {
            // Here, too.
            let x = self.detach();
            let square = x.mul(&x)?;
            let out = if power == 3.0 { square.mul(&x) } else { square.reciprocal() };
            return Ok(out?.made_by(node));
        }
        let compute = Compute::of(pair.dtype);
        let program = if compute == Compute::I64 {
            Program::scalar(compute, Binary::Pow, scalar)
        } else {
            Program::new(compute, raised(0, rounded(scalar.as_f64()))).named("pow")
        };
        Ok(pair.a.mapped(&program, pair.dtype)?.made_by(node))
    }

    /// `torch.maximum(self, other)`
    ///
    /// # Errors
    /// As [`Tensor::add`].
    pub fn maximum<'a>(&self, other: impl Into<Arg<'a>>) -> Result<Self> {
        self.extreme("maximum", "MaximumBackward0", Binary::Max, other.into())
    }

    /// `torch.minimum(self, other)`
    ///
    /// # Errors
    /// As [`Tensor::add`].
    pub fn minimum<'a>(&self, other: impl Into<Arg<'a>>) -> Result<Self> {
        self.extreme("minimum", "MinimumBackward0", Binary::Min, other.into())
    }

    fn extreme(&self, op: &'static str, name: &'static str, binary: Binary, other: Arg<'_>) -> Result<Self> {
        let pair = Pair::new(op, self, other)?;
        let (needs, scalar) = (pair.needs(), other.scalar());
        // The one that is taken receives the gradient; of two equal ones each a half, and both of them where one is
        // NaN.
        let node = Node::record(name, &pair.tensors(), &pair.tensors(), move |g, saved| {
            let (a, half) = (&saved[0], g.mul(0.5)?);
            let b = second(saved, scalar);
            let larger = a.compared("gt", Binary::Gt, b)?;
            let smaller = a.compared("lt", Binary::Lt, b)?;
            let equal = a.compared("eq", Binary::Eq, b)?;
            let (of_a, of_b) = if binary == Binary::Max { (&larger, &smaller) } else { (&smaller, &larger) };
            needs.gradients(
                || equal.where_(&half, &of_b.where_(0.0, g)?),
                || equal.where_(&half, &of_a.where_(0.0, g)?),
            )
        });
        Ok(pair.run(binary, Compute::of(pair.dtype), pair.dtype)?.made_by(node))
    }
}

/// `inputᵖ`: whole small powers as products, so that they are as exact as a product; roots as such.
fn raised(input: usize, exponent: f64) -> Vec<Instr> {
    let x = Instr::Input(input);
    let times = Instr::Binary(Binary::Mul);
    if exponent == 1.0 {
        vec![x]
    } else if exponent == 2.0 {
        vec![x, x, times]
    } else if exponent == 3.0 {
        vec![x, x, times, x, times]
    } else if exponent == 0.5 {
        vec![x, Instr::Unary(Unary::Sqrt)]
    } else if exponent == -0.5 {
        vec![x, Instr::Unary(Unary::Rsqrt)]
    } else {
        vec![x, Instr::Const(exponent.into()), Instr::Binary(Binary::Pow)]
    }
}
