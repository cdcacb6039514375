//! Functions of one argument, the derivative of each beside it.

use super::Tensor;
use super::elementwise::Arg;
use crate::autograd::Node;
use crate::dtype::{self, DType, result_type};
use crate::error::{Error, Result};
use crate::program::{Binary, Compute, Expr, Instr, Program, Unary};
use crate::scalar::Scalar;

/// What the derivative of a function is told in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    Argument,
    Result,
    /// The gradient alone.
    Nothing,
    /// Nothing: it is constant between its steps.
    Flat,
}

macro_rules! functions {
    ($($(#[$doc:meta])+ $name:ident $op:ident $backward:literal $kept:ident |$g:ident, $x:ident| $derivative:expr;)+) => {
        /// Functions of one real argument; of whole numbers they are of the default dtype.
        impl Tensor {
            $(
                $(#[$doc])+
                ///
                /// # Errors
                /// If the device fails or memory does not allow the result.
                pub fn $name(&self) -> Result<Self> {
                    let dtype = self.real();
                    let program = Program::unary(Compute::of(dtype), Unary::$op);
                    self.function($backward, &program, dtype, Kept::$kept, |$g, $x| $derivative)
                }
            )+
        }
    };
}

functions! {
    /// `torch.sqrt(x)`; d√x = dx / 2√x
    sqrt Sqrt "SqrtBackward0" Result |g, y| g.div(&y.mul(2.0)?);
    /// `torch.rsqrt(x)`; d(1/√x) = −½ (1/√x)³ dx
    rsqrt Rsqrt "RsqrtBackward0" Result |g, y| g.mul(&y.pow(3.0)?)?.mul(-0.5);
    /// `torch.reciprocal(x)`; d(1/x) = −dx / x²
    reciprocal Reciprocal "ReciprocalBackward0" Result |g, y| g.mul(&y.mul(y)?)?.neg();
    /// `torch.exp(x)`; deˣ = eˣ dx
    exp Exp "ExpBackward0" Result |g, y| g.mul(y);
    /// `torch.exp2(x)`; d2ˣ = 2ˣ ln 2 dx
    exp2 Exp2 "Exp2Backward0" Result |g, y| g.mul(y)?.mul(std::f64::consts::LN_2);
    /// `torch.expm1(x)`; d(eˣ − 1) = eˣ dx
    expm1 Expm1 "Expm1Backward0" Result |g, y| g.mul(&y.add(1.0)?);
    /// `torch.log(x)`; d ln x = dx / x
    log Log "LogBackward0" Argument |g, x| g.div(x);
    /// `torch.log2(x)`; d log₂ x = dx / (x ln 2)
    log2 Log2 "Log2Backward0" Argument |g, x| g.div(&x.mul(std::f64::consts::LN_2)?);
    /// `torch.log10(x)`; d log₁₀ x = dx / (x ln 10)
    log10 Log10 "Log10Backward0" Argument |g, x| g.div(&x.mul(std::f64::consts::LN_10)?);
    /// `torch.log1p(x)`; d ln(1 + x) = dx / (1 + x)
    log1p Log1p "Log1PBackward0" Argument |g, x| g.div(&x.add(1.0)?);
    /// `torch.sin(x)`; d sin x = cos x dx
    sin Sin "SinBackward0" Argument |g, x| g.mul(&x.cos()?);
    /// `torch.cos(x)`; d cos x = −sin x dx
    cos Cos "CosBackward0" Argument |g, x| g.mul(&x.sin()?)?.neg();
    /// `torch.tanh(x)`; d tanh x = (1 − tanh² x) dx
    tanh Tanh "TanhBackward0" Result |g, y| g.times("tanh_backward", y, |y| 1.0 - y.clone() * y);
    /// `torch.sigmoid(x)`; dσ = σ (1 − σ) dx
    sigmoid Sigmoid "SigmoidBackward0" Result |g, y| g.times("sigmoid_backward", y, |y| (1.0 - y.clone()) * y);
    /// `torch.erf(x)`; d erf x = 2/√π e^(−x²) dx
    erf Erf "ErfBackward0" Argument |g, x| g.mul(&x.mul(x)?.neg()?.exp()?)?.mul(std::f64::consts::FRAC_2_SQRT_PI);
}

macro_rules! same {
    ($($(#[$doc:meta])+ $name:ident $op:ident $backward:literal $kept:ident |$g:ident, $x:ident| $derivative:expr;)+) => {
        /// Functions whose results have the argument's dtype.
        impl Tensor {
            $(
                $(#[$doc])+
                ///
                /// # Errors
                /// For truth values where PyTorch refuses them, or if the device fails or memory does not allow the
                /// result.
                pub fn $name(&self) -> Result<Self> {
                    self.refuse_bool(Unary::$op)?;
                    let program = Program::unary(Compute::of(self.dtype()), Unary::$op);
                    self.function($backward, &program, self.dtype(), Kept::$kept, |$g, $x| $derivative)
                }
            )+
        }
    };
}

same! {
    /// `-x`; d(−x) = −dx
    neg Neg "NegBackward0" Nothing |g, _x| g.neg();
    /// `torch.abs(x)`; d|x| = sign x dx
    abs Abs "AbsBackward0" Argument |g, x| g.mul(&x.sign()?);
    /// `torch.sign(x)`; constant between its steps
    sign Sign "SignBackward0" Flat |g, _x| g.full_like(0.0);
    /// `torch.relu(x)`; passes what is not below 0
    relu Relu "ReluBackward0" Result |g, y| y.le(0)?.where_(0.0, g);
    /// `torch.floor(x)`; constant between its steps
    floor Floor "FloorBackward0" Flat |g, _x| g.full_like(0.0);
    /// `torch.ceil(x)`; constant between its steps
    ceil Ceil "CeilBackward0" Flat |g, _x| g.full_like(0.0);
    /// `torch.trunc(x)`; constant between its steps
    trunc Trunc "TruncBackward0" Flat |g, _x| g.full_like(0.0);
    /// `torch.round(x)`, ties to even; constant between its steps
    round Round "RoundBackward0" Flat |g, _x| g.full_like(0.0);
}

/// What they have in common, and tests.
impl Tensor {
    /// A function of one argument; its derivative is told of the gradient and of what is kept.
    pub(super) fn function(
        &self,
        name: &'static str,
        program: &Program,
        dtype: DType,
        keeps: Kept,
        derivative: fn(&Self, &Self) -> Result<Self>,
    ) -> Result<Self> {
        let record = |kept: &[&Self]| {
            let derivative =
                move |g: &Self, saved: &[Self]| Ok(vec![Some(derivative(g, saved.first().unwrap_or(g))?)]);
            match keeps {
                Kept::Flat => Node::record_flat(name, &[self], kept, derivative),
                _ => Node::record(name, &[self], kept, derivative),
            }
        };
        // What is kept of the argument is kept before the result may be written over it.
        match keeps {
            Kept::Result => {
                let out = self.mapped(program, dtype)?;
                let node = record(&[&out]);
                Ok(out.made_by(node))
            }
            Kept::Argument | Kept::Nothing | Kept::Flat => {
                let node = if keeps == Kept::Argument { record(&[self]) } else { record(&[]) };
                Ok(self.mapped(program, dtype)?.made_by(node))
            }
        }
    }

    /// A gradient times a slope, which is computed from a result, in one kernel.
    fn times(&self, name: &'static str, result: &Self, slope: fn(Expr) -> Expr) -> Result<Self> {
        let program = (Expr::input(0) * slope(Expr::input(1))).program(Compute::of(self.dtype()));
        self.combined_back(&program.named(name), &[result], self.dtype())
    }

    /// What truth values do not have, in PyTorch's words.
    fn refuse_bool(&self, op: Unary) -> Result<()> {
        let message = match op {
            _ if self.dtype() != DType::Bool => return Ok(()),
            Unary::Neg => {
                "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, \
                 use the `~` or `logical_not()` operator instead."
            }
            Unary::Abs => return Err(Error::not_implemented("abs", "abs_cpu", "Bool")),
            Unary::Relu => "Boolean inputs not supported for relu",
            _ => return Ok(()),
        };
        let message = message.to_owned();
        Err(if op == Unary::Neg {
            Error::NotImplemented { op: "neg", message }
        } else {
            Error::DType { op: "relu", message }
        })
    }

    /// `torch.logical_not(self)`
    ///
    /// # Errors
    /// If the device fails.
    pub fn logical_not(&self) -> Result<Self> {
        self.tested(Unary::Not)
    }

    /// `torch.isnan(self)`
    ///
    /// # Errors
    /// If the device fails.
    pub fn isnan(&self) -> Result<Self> {
        self.tested(Unary::IsNan)
    }

    /// `torch.isinf(self)`
    ///
    /// # Errors
    /// If the device fails.
    pub fn isinf(&self) -> Result<Self> {
        self.tested(Unary::IsInf)
    }

    /// `torch.isfinite(self)`
    ///
    /// # Errors
    /// If the device fails.
    pub fn isfinite(&self) -> Result<Self> {
        self.isnan()?.logical_or(&self.isinf()?)?.logical_not()
    }

    fn tested(&self, op: Unary) -> Result<Self> {
        self.mapped(&Program::unary(Compute::of(self.dtype()), op), DType::Bool)
    }

    /// `torch.clamp(self, min, max)`
    ///
    /// # Errors
    /// If neither bound is given.
    pub fn clamp(&self, min: Option<Scalar>, max: Option<Scalar>) -> Result<Self> {
        let bounds = [min, max].into_iter().flatten().map(|bound| dtype::Operand::Scalar(bound.category()));
        let mut operands = vec![self.as_promoted()];
        operands.extend(bounds);
        if operands.len() == 1 {
            let message = "torch.clamp: At least one of 'min' or 'max' must not be None".into();
            return Err(Error::Value { op: "clamp", message });
        }
        let dtype = result_type(&operands)?;
        let mut instrs = vec![Instr::Input(0)];
        for (bound, op) in [(min, Binary::Max), (max, Binary::Min)] {
            if let Some(bound) = bound {
                instrs.extend([Instr::Const(bound), Instr::Binary(op)]);
            }
        }
        // What lies strictly within the bounds passes.
        let from = self.dtype();
        let node = Node::record("ClampBackward1", &[self], &[self], move |g, saved| {
            let mut gradient = g.clone();
            for (bound, op) in [(min, Binary::Gt), (max, Binary::Lt)] {
                if let Some(bound) = bound {
                    gradient = saved[0].compared("clamp", op, Arg::Scalar(bound))?.where_(&gradient, 0.0)?;
                }
            }
            Ok(vec![Some(gradient.to_dtype(from)?)])
        });
        Ok(self.mapped(&Program::new(Compute::of(dtype), instrs).named("clamp"), dtype)?.made_by(node))
    }
}
