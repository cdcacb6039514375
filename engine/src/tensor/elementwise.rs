//! Elementwise operations with PyTorch's promotion and broadcasting, the derivative of each beside it.

use super::Tensor;
use crate::autograd::Node;
use crate::dtype::{self, Category, DType, result_type};
use crate::error::{Error, Result};
use crate::layout::broadcast_shapes;
use crate::program::{Binary, Compute, Instr, Program, Unary};
use crate::scalar::Scalar;

/// The second argument of an operation: a tensor or a number.
#[derive(Clone, Copy)]
pub enum Arg<'a> {
    /// A tensor, broadcast.
    Tensor(&'a Tensor),
    /// A number.
    Scalar(Scalar),
}

impl<'a> From<&'a Tensor> for Arg<'a> {
    fn from(tensor: &'a Tensor) -> Self {
        Self::Tensor(tensor)
    }
}

impl<S: Into<Scalar>> From<S> for Arg<'_> {
    fn from(scalar: S) -> Self {
        Self::Scalar(scalar.into())
    }
}

/// Two arguments made ready: of one shape, with the dtype that they have together.
struct Pair {
    a: Tensor,
    b: Other,
    dtype: DType,
}

enum Other {
    Tensor(Tensor),
    Scalar(Scalar),
}

impl Pair {
    fn new(op: &'static str, a: &Tensor, b: Arg<'_>) -> Result<Self> {
        match b {
            Arg::Scalar(scalar) => {
                let dtype = result_type(&[a.as_promoted(), dtype::Operand::Scalar(scalar.category())])?;
                Ok(Self { a: a.clone(), b: Other::Scalar(scalar.wrapped(dtype)), dtype })
            }
            Arg::Tensor(b) => {
                a.same_device(op, b)?;
                let dtype = result_type(&[a.as_promoted(), b.as_promoted()])?;
                let shape = broadcast_shapes(a.shape(), b.shape())?;
                Ok(Self { a: a.broadcast_to(&shape)?, b: Other::Tensor(b.broadcast_to(&shape)?), dtype })
            }
        }
    }

    /// `op` of both, computed in `compute`, as elements of `out`.
    fn run(&self, op: Binary, compute: Compute, out: DType) -> Result<Tensor> {
        match &self.b {
            Other::Scalar(scalar) => self.a.mapped(&Program::scalar(compute, op, *scalar), out),
            Other::Tensor(b) => self.a.combined(&Program::binary(compute, op), &[b], out),
        }
    }

    fn tensors(&self) -> Vec<&Tensor> {
        match &self.b {
            Other::Scalar(_) => vec![&self.a],
            Other::Tensor(b) => vec![&self.a, b],
        }
    }

    /// Which of both need a gradient, and what dtypes they have.
    fn needs(&self) -> Needs {
        let of = |t: &Tensor| t.requires_grad().then(|| t.dtype());
        Needs {
            a: of(&self.a),
            b: match &self.b {
                Other::Scalar(_) => None,
                Other::Tensor(b) => of(b),
            },
        }
    }
}

/// The dtypes of the arguments that need gradients.
#[derive(Clone, Copy)]
struct Needs {
    a: Option<DType>,
    b: Option<DType>,
}

impl Needs {
    /// The gradients of both arguments, each computed only if it is needed, in its argument's dtype.
    fn gradients(
        self,
        da: impl FnOnce() -> Result<Tensor>,
        db: impl FnOnce() -> Result<Tensor>,
    ) -> Result<Vec<Option<Tensor>>> {
        let da = self.a.map(|dtype| da()?.to_dtype(dtype)).transpose()?;
        Ok(vec![da, self.b.map(|dtype| db()?.to_dtype(dtype)).transpose()?])
    }
}

/// The second argument in a derivative: saved as a tensor, or the number.
fn second(saved: &[Tensor], scalar: Option<Scalar>) -> Arg<'_> {
    match (scalar, saved.get(1)) {
        (Some(scalar), _) => Arg::Scalar(scalar),
        (None, Some(b)) => Arg::Tensor(b),
        (None, None) => Arg::Scalar(Scalar::Int(1)),
    }
}

/// Running programs.
impl Tensor {
    pub(super) fn as_promoted(&self) -> dtype::Operand {
        if self.shape().is_empty() {
            dtype::Operand::ZeroDim(self.dtype())
        } else {
            dtype::Operand::Tensor(self.dtype())
        }
    }

    /// `program(self)` into a new tensor of the same shape.
    pub(super) fn mapped(&self, program: &Program, dtype: DType) -> Result<Self> {
        self.combined(program, &[], dtype)
    }

    /// `program(self, others…)`, all of one shape, into a new tensor.
    pub(super) fn combined(&self, program: &Program, others: &[&Self], dtype: DType) -> Result<Self> {
        let out = Self::empty(self.shape(), dtype, self.device())?;
        let inputs = [&[self], others].concat();
        out.run(program, &inputs)?;
        Ok(out)
    }

    pub(super) fn same_device(&self, op: &'static str, other: &Self) -> Result<()> {
        if self.device() == other.device() {
            return Ok(());
        }
        Err(Error::Device { op, a: self.device().to_string(), b: other.device().to_string() })
    }

    /// The dtype of a real function of this tensor.
    fn real(&self) -> DType {
        if self.dtype().is_floating_point() { self.dtype() } else { DType::DEFAULT }
    }
}

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
        let other = other.into();
        let pair = Pair::new("sub", self, other)?;
        let of_bool = [self.dtype() == DType::Bool, other.category() == Category::Bool];
        if of_bool != [false, false] {
            let message = if of_bool == [true, true] {
                "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or \
                 `logical_xor()` operator instead."
            } else {
                "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a \
                 mask, use the `~` or `logical_not()` operator instead."
            };
            return Err(Error::DType { op: "sub", message: message.into() });
        }
        let needs = pair.needs();
        // d(a − b) = da − db
        let node = Node::record("SubBackward0", &pair.tensors(), &[], move |g, _| {
            needs.gradients(|| Ok(g.clone()), || g.neg())
        });
        Ok(pair.run(Binary::Sub, Compute::of(pair.dtype), pair.dtype)?.made_by(node))
    }

    /// `self * other`
    ///
    /// # Errors
    /// As [`Tensor::add`].
    pub fn mul<'a>(&self, other: impl Into<Arg<'a>>) -> Result<Self> {
        let other = other.into();
        let pair = Pair::new("mul", self, other)?;
        let (needs, scalar) = (pair.needs(), other.scalar());
        let saved = if scalar.is_some() { Vec::new() } else { pair.tensors() };
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
        let pair = Pair::new("div", self, other)?;
        let (needs, scalar) = (pair.needs(), other.scalar());
        let saved = if scalar.is_some() { Vec::new() } else { pair.tensors() };
        // d(a / b) = da / b − a · db / b²
        let node = Node::record("DivBackward0", &pair.tensors(), &saved, move |g, saved| {
            needs.gradients(
                || g.div(second(saved, scalar)),
                || g.div(&saved[1])?.mul(&saved[0].div(&saved[1])?)?.neg(),
            )
        });
        let dtype = if pair.dtype.is_floating_point() { pair.dtype } else { DType::DEFAULT };
        Ok(pair.run(Binary::Div, Compute::of(dtype), dtype)?.made_by(node))
    }

    /// `self // other`, rounded down; no derivative.
    ///
    /// # Errors
    /// As [`Tensor::add`], and where a whole number is divided by 0.
    pub fn floor_divide<'a>(&self, other: impl Into<Arg<'a>>) -> Result<Self> {
        let pair = Pair::new("floor_divide", self, other.into())?;
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
        self.rest("remainder", "RemainderBackward0", Binary::Remainder, other.into(), |a, b| {
            a.floor_divide(b)
        })
    }

    /// `torch.fmod(self, other)`, with the sign of `self`.
    ///
    /// # Errors
    /// As [`Tensor::floor_divide`].
    pub fn fmod<'a>(&self, other: impl Into<Arg<'a>>) -> Result<Self> {
        self.rest("fmod", "FmodBackward0", Binary::Fmod, other.into(), |a, b| a.div(b)?.trunc())
    }

    fn rest(
        &self,
        op: &'static str,
        name: &'static str,
        binary: Binary,
        other: Arg<'_>,
        quotient: fn(&Self, &Self) -> Result<Self>,
    ) -> Result<Self> {
        let pair = Pair::new(op, self, other)?;
        let needs = pair.needs();
        let saved = if needs.b.is_some() { pair.tensors() } else { Vec::new() };
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
        let exponent = exponent.into();
        let pair = Pair::new("pow", self, exponent)?;
        let needs = pair.needs();
        let Some(scalar) = exponent.scalar() else {
            // d(aᵇ) = b aᵇ⁻¹ da + aᵇ ln a db, the last 0 where a is 0 and b is not negative
            let node = Node::record("PowBackward1", &pair.tensors(), &pair.tensors(), move |g, saved| {
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
        // d(xᵖ) = p · xᵖ⁻¹ · dx, in one pass over memory; p = 0 gives zero even where x = 0.
        let node = Node::record("PowBackward0", &[&pair.a], &[&pair.a], move |g, saved| {
            let power = scalar.as_f64();
            needs
                .gradients(
                    || {
                        if power == 0.0 {
                            return g.full_like(0.0);
                        }
                        let mut program = raised(1, power - 1.0);
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
        });
        let compute = Compute::of(pair.dtype);
        let program = if compute == Compute::I64 {
            Program::scalar(compute, Binary::Pow, scalar)
        } else {
            Program::new(compute, raised(0, scalar.as_f64()))
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
        // The one that is taken receives the gradient; of two equal ones each a half.
        let node = Node::record(name, &pair.tensors(), &pair.tensors(), move |g, saved| {
            let (a, half) = (&saved[0], g.mul(0.5)?);
            let b = second(saved, scalar);
            let larger = a.compared("gt", Binary::Gt, b)?;
            let smaller = a.compared("lt", Binary::Lt, b)?;
            let (of_a, of_b) = if binary == Binary::Max { (&larger, &smaller) } else { (&smaller, &larger) };
            needs.gradients(
                || of_a.where_(g, &of_b.where_(0.0, &half)?),
                || of_b.where_(g, &of_a.where_(0.0, &half)?),
            )
        });
        Ok(pair.run(binary, Compute::of(pair.dtype), pair.dtype)?.made_by(node))
    }
}

impl Arg<'_> {
    fn category(&self) -> Category {
        match self {
            Self::Tensor(tensor) => tensor.dtype().category(),
            Self::Scalar(scalar) => scalar.category(),
        }
    }

    fn scalar(&self) -> Option<Scalar> {
        match self {
            Self::Scalar(scalar) => Some(*scalar),
            Self::Tensor(_) => None,
        }
    }
}

/// `inputᵖ`: whole small powers as products, so that they are as exact as a product.
fn raised(input: usize, exponent: f64) -> Vec<Instr> {
    let x = Instr::Input(input);
    let times = Instr::Binary(Binary::Mul);
    if exponent == 1.0 {
        vec![x]
    } else if exponent == 2.0 {
        vec![x, x, times]
    } else if exponent == 3.0 {
        vec![x, x, times, x, times]
    } else {
        vec![x, Instr::Const(exponent.into()), Instr::Binary(Binary::Pow)]
    }
}

macro_rules! comparisons {
    ($($name:ident $op:ident $torch:literal;)+) => {
        /// Comparisons and logic: truth values without derivatives.
        impl Tensor {
            $(
                #[doc = concat!("`", $torch, "` for each element")]
                ///
                /// # Errors
                /// If the shapes do not broadcast or devices or dtypes do not go together.
                pub fn $name<'a>(&self, other: impl Into<Arg<'a>>) -> Result<Self> {
                    self.compared(stringify!($name), Binary::$op, other.into())
                }
            )+
        }
    };
}

comparisons! {
    eq Eq "self == other";
    ne Ne "self != other";
    lt Lt "self < other";
    le Le "self <= other";
    gt Gt "self > other";
    ge Ge "self >= other";
}

macro_rules! logic {
    ($($name:ident $op:ident;)+) => {
        /// Logic: what is not 0 is true.
        impl Tensor {
            $(
                #[doc = concat!("`torch.", stringify!($name), "(self, other)`")]
                ///
                /// # Errors
                /// If the shapes do not broadcast or devices or dtypes do not go together.
                pub fn $name(&self, other: &Self) -> Result<Self> {
                    self.compared(stringify!($name), Binary::$op, other.into())
                }
            )+
        }
    };
}

logic! {
    logical_and And;
    logical_or Or;
    logical_xor Xor;
}

impl Tensor {
    fn compared(&self, op: &'static str, binary: Binary, other: Arg<'_>) -> Result<Self> {
        let pair = Pair::new(op, self, other)?;
        pair.run(binary, Compute::of(pair.dtype), DType::Bool)
    }

    /// `torch.where(self, a, b)`: a where this is true.
    ///
    /// # Errors
    /// If this holds no truth values, the shapes do not broadcast, or devices or dtypes do not go together.
    pub fn where_<'a, 'b>(&self, a: impl Into<Arg<'a>>, b: impl Into<Arg<'b>>) -> Result<Self> {
        if self.dtype() != DType::Bool {
            let message = format!(
                "where expected condition to be a boolean tensor, but got a tensor with dtype {}",
                self.dtype().scalar_type()
            );
            return Err(Error::DType { op: "where", message });
        }
        let sides = [a.into(), b.into()];
        let mut shape = self.shape().to_vec();
        let mut operands = Vec::new();
        for side in sides {
            operands.push(match side {
                Arg::Tensor(tensor) => {
                    self.same_device("where", tensor)?;
                    shape = broadcast_shapes(&shape, tensor.shape())?;
                    tensor.as_promoted()
                }
                Arg::Scalar(scalar) => dtype::Operand::Scalar(scalar.category()),
            });
        }
        let dtype = result_type(&operands)?;
        let condition = self.broadcast_to(&shape)?;
        let (mut inputs, mut instrs) = (Vec::new(), vec![Instr::Input(0)]);
        let mut given = Vec::new();
        for (side, is_first) in sides.into_iter().zip([true, false]) {
            instrs.push(match side {
                Arg::Scalar(scalar) => Instr::Const(scalar),
                Arg::Tensor(tensor) => {
                    inputs.push(tensor.broadcast_to(&shape)?);
                    given.push((is_first, tensor.dtype(), tensor.requires_grad()));
                    Instr::Input(inputs.len())
                }
            });
        }
        instrs.push(Instr::Where);
        let inputs: Vec<&Self> = inputs.iter().collect();
        // Each side receives the gradient where it was taken.
        let node = Node::record("WhereBackward0", &inputs, &[&condition], move |g, saved| {
            let one = |&(is_first, dtype, needed): &(bool, DType, bool)| -> Result<Option<Self>> {
                if !needed {
                    return Ok(None);
                }
                let own = if is_first { saved[0].where_(g, 0.0)? } else { saved[0].where_(0.0, g)? };
                own.to_dtype(dtype).map(Some)
            };
            given.iter().map(one).collect()
        });
        Ok(condition.combined(&Program::new(Compute::of(dtype), instrs), &inputs, dtype)?.made_by(node))
    }
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
                    let out = self.mapped(&Program::unary(Compute::of(dtype), Unary::$op), dtype)?;
                    let kept = functions!(@kept $kept self out);
                    let node = Node::record($backward, &[self], &[kept], |$g, saved| {
                        let $x = &saved[0];
                        Ok(vec![Some($derivative?)])
                    });
                    Ok(out.made_by(node))
                }
            )+
        }
    };
    // What the derivative is told in: the argument, or the result.
    (@kept argument $argument:ident $result:ident) => { $argument };
    (@kept result $argument:ident $result:ident) => { &$result };
}

functions! {
    /// `torch.sqrt(x)`; d√x = dx / 2√x
    sqrt Sqrt "SqrtBackward0" result |g, y| g.div(&y.mul(2.0)?);
    /// `torch.rsqrt(x)`; d(1/√x) = −½ (1/√x)³ dx
    rsqrt Rsqrt "RsqrtBackward0" result |g, y| g.mul(&y.pow(3.0)?)?.mul(-0.5);
    /// `torch.reciprocal(x)`; d(1/x) = −dx / x²
    reciprocal Reciprocal "ReciprocalBackward0" result |g, y| g.mul(&y.mul(y)?)?.neg();
    /// `torch.exp(x)`; deˣ = eˣ dx
    exp Exp "ExpBackward0" result |g, y| g.mul(y);
    /// `torch.exp2(x)`; d2ˣ = 2ˣ ln 2 dx
    exp2 Exp2 "Exp2Backward0" result |g, y| g.mul(y)?.mul(std::f64::consts::LN_2);
    /// `torch.expm1(x)`; d(eˣ − 1) = eˣ dx
    expm1 Expm1 "Expm1Backward0" result |g, y| g.mul(&y.add(1.0)?);
    /// `torch.log(x)`; d ln x = dx / x
    log Log "LogBackward0" argument |g, x| g.div(x);
    /// `torch.log2(x)`; d log₂ x = dx / (x ln 2)
    log2 Log2 "Log2Backward0" argument |g, x| g.div(&x.mul(std::f64::consts::LN_2)?);
    /// `torch.log10(x)`; d log₁₀ x = dx / (x ln 10)
    log10 Log10 "Log10Backward0" argument |g, x| g.div(&x.mul(std::f64::consts::LN_10)?);
    /// `torch.log1p(x)`; d ln(1 + x) = dx / (1 + x)
    log1p Log1p "Log1PBackward0" argument |g, x| g.div(&x.add(1.0)?);
    /// `torch.sin(x)`; d sin x = cos x dx
    sin Sin "SinBackward0" argument |g, x| g.mul(&x.cos()?);
    /// `torch.cos(x)`; d cos x = −sin x dx
    cos Cos "CosBackward0" argument |g, x| g.mul(&x.sin()?)?.neg();
    /// `torch.tanh(x)`; d tanh x = (1 − tanh² x) dx
    tanh Tanh "TanhBackward0" result |g, y| g.sub(&g.mul(&y.mul(y)?)?);
    /// `torch.sigmoid(x)`; dσ = σ (1 − σ) dx
    sigmoid Sigmoid "SigmoidBackward0" result |g, y| g.mul(&y.sub(&y.mul(y)?)?);
    /// `torch.erf(x)`; d erf x = 2/√π e^(−x²) dx
    erf Erf "ErfBackward0" argument |g, x| g.mul(&x.mul(x)?.neg()?.exp()?)?.mul(std::f64::consts::FRAC_2_SQRT_PI);
}

macro_rules! kept {
    ($($(#[$doc:meta])+ $name:ident $op:ident $backward:literal |$g:ident, $x:ident| $derivative:expr;)+) => {
        /// Functions whose results have the argument's dtype.
        impl Tensor {
            $(
                $(#[$doc])+
                ///
                /// # Errors
                /// If the device fails or memory does not allow the result.
                pub fn $name(&self) -> Result<Self> {
                    self.refuse_bool(Unary::$op)?;
                    let program = Program::unary(Compute::of(self.dtype()), Unary::$op);
                    let node = Node::record($backward, &[self], &[self], |$g, saved| {
                        let $x = &saved[0];
                        Ok(vec![Some($derivative?)])
                    });
                    Ok(self.mapped(&program, self.dtype())?.made_by(node))
                }
            )+
        }
    };
}

kept! {
    /// `torch.abs(x)`; d|x| = sign x dx
    abs Abs "AbsBackward0" |g, x| g.mul(&x.sign()?);
    /// `torch.sign(x)`; constant between its steps
    sign Sign "SignBackward0" |g, _x| g.full_like(0.0);
    /// `torch.relu(x)`; passes what is not below 0
    relu Relu "ReluBackward0" |g, x| x.le(0)?.where_(0.0, g);
    /// `torch.floor(x)`; constant between its steps
    floor Floor "FloorBackward0" |g, _x| g.full_like(0.0);
    /// `torch.ceil(x)`; constant between its steps
    ceil Ceil "CeilBackward0" |g, _x| g.full_like(0.0);
    /// `torch.trunc(x)`; constant between its steps
    trunc Trunc "TruncBackward0" |g, _x| g.full_like(0.0);
    /// `torch.round(x)`, ties to even; constant between its steps
    round Round "RoundBackward0" |g, _x| g.full_like(0.0);
}

/// Negation and tests.
impl Tensor {
    /// `-self`
    ///
    /// # Errors
    /// For truth values.
    pub fn neg(&self) -> Result<Self> {
        self.refuse_bool(Unary::Neg)?;
        // d(−x) = −dx
        let node = Node::record("NegBackward0", &[self], &[], |g, _| Ok(vec![Some(g.neg()?)]));
        let program = Program::unary(Compute::of(self.dtype()), Unary::Neg);
        Ok(self.mapped(&program, self.dtype())?.made_by(node))
    }

    /// What truth values do not have, in PyTorch's words.
    fn refuse_bool(&self, op: Unary) -> Result<()> {
        let message = match op {
            _ if self.dtype() != DType::Bool => return Ok(()),
            Unary::Neg => {
                "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, \
                 use the `~` or `logical_not()` operator instead."
            }
            Unary::Abs => "\"abs_cpu\" not implemented for 'Bool'",
            Unary::Relu => "Boolean inputs not supported for relu",
            _ => return Ok(()),
        };
        Err(Error::DType { op: "bool", message: message.into() })
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
        // What lies within the bounds passes.
        let from = self.dtype();
        let node = Node::record("ClampBackward1", &[self], &[self], move |g, saved| {
            let mut gradient = g.clone();
            for (bound, op) in [(min, Binary::Ge), (max, Binary::Le)] {
                if let Some(bound) = bound {
                    gradient = saved[0].compared("clamp", op, Arg::Scalar(bound))?.where_(&gradient, 0.0)?;
                }
            }
            Ok(vec![Some(gradient.to_dtype(from)?)])
        });
        Ok(self.mapped(&Program::new(Compute::of(dtype), instrs), dtype)?.made_by(node))
    }
}
