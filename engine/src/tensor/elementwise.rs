//! What elementwise operations have in common: arguments that are promoted and broadcast, programs that run;
//! and comparisons, logic and choice.

use super::Tensor;
use crate::autograd::Node;
use crate::device::Device;
use crate::dtype::{self, Category, DType, result_type};
use crate::error::{Error, Result};
use crate::layout::{Layout, broadcast_shapes};
use crate::program::{Binary, Compute, Instr, Program};
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

/// Two arguments made ready, with the shape and the dtype that they have together.
pub(super) struct Pair {
    pub(super) a: Tensor,
    b: Other,
    shape: Vec<usize>,
    pub(super) dtype: DType,
    /// Half precision rounds no number that stands second.
    is_exact: bool,
}

pub(super) enum Other {
    Tensor(Tensor),
    Scalar(Scalar),
}

impl Pair {
    pub(super) fn new(op: &'static str, a: &Tensor, b: Arg<'_>) -> Result<Self> {
        Self::of(op, a, b, false)
    }

    /// For a product or a quotient: there PyTorch takes a number that stands second as it is, where otherwise half
    /// precision rounds it.
    pub(super) fn exact(op: &'static str, a: &Tensor, b: Arg<'_>) -> Result<Self> {
        Self::of(op, a, b, true)
    }

    fn of(op: &'static str, a: &Tensor, b: Arg<'_>, is_exact: bool) -> Result<Self> {
        match b {
            Arg::Scalar(scalar) => {
                let dtype = result_type(&[a.as_promoted(), dtype::Operand::Scalar(scalar.category())])?;
                let shape = a.shape().to_vec();
                let b = if is_exact && dtype.is_half() { scalar } else { scalar.wrapped(dtype) };
                Ok(Self { a: a.clone(), b: Other::Scalar(b), shape, dtype, is_exact })
            }
            Arg::Tensor(b) => {
                a.same_device(op, b)?;
                let dtype = result_type(&[a.as_promoted(), b.as_promoted()])?;
                let shape = broadcast_shapes(a.shape(), b.shape())?;
                Ok(Self { a: a.clone(), b: Other::Tensor(b.clone()), shape, dtype, is_exact })
            }
        }
    }

    /// `op` of both, computed in `compute`, as elements of `out`.
    pub(super) fn run(&self, op: Binary, compute: Compute, out: DType) -> Result<Tensor> {
        match &self.b {
            Other::Scalar(scalar) => self.a.mapped(&Program::scalar(compute, op, *scalar), out),
            Other::Tensor(_) => self.run_program(&Program::binary(compute, op), out),
        }
    }

    /// The second argument in a program whose first input is the first one.
    pub(super) fn second_operand(&self) -> Instr {
        match &self.b {
            Other::Scalar(scalar) => Instr::Const(*scalar),
            Other::Tensor(_) => Instr::Input(1),
        }
    }

    /// A program of both, see [`Pair::second_operand`], as elements of `out`.
    pub(super) fn run_program(&self, program: &Program, out: DType) -> Result<Tensor> {
        match &self.b {
            Other::Scalar(_) => self.a.mapped(program, out),
            Other::Tensor(b) => {
                let over = |t: &Tensor, is_exact| {
                    let t = self.rounded(t, is_exact)?;
                    if t.shape() == self.shape {
                        return Ok(t);
                    }
                    Ok(t.with_layout(t.layout().broadcast_to(&self.shape)?))
                };
                over(&self.a, false)?.combined(program, &[&over(b, self.is_exact)?], out)
            }
        }
    }

    /// An argument as half precision holds it, if that is what both have together.
    fn rounded(&self, t: &Tensor, is_exact: bool) -> Result<Tensor> {
        let is_wide = t.dtype() != self.dtype && t.dtype().size_bytes() > 1;
        if self.dtype.is_half() && is_wide && !(is_exact && t.shape().is_empty()) {
            t.detach().to_dtype(self.dtype)
        } else {
            Ok(t.clone())
        }
    }

    pub(super) fn tensors(&self) -> Vec<&Tensor> {
        match &self.b {
            Other::Scalar(_) => vec![&self.a],
            Other::Tensor(b) => vec![&self.a, b],
        }
    }

    /// What the derivative of a product keeps: each argument if the other one needs a gradient.
    pub(super) fn factors(&self) -> Vec<&Tensor> {
        match &self.b {
            Other::Scalar(_) => Vec::new(),
            Other::Tensor(b) => {
                let kept =
                    [(&self.a, b), (b, &self.a)].into_iter().filter(|(_, other)| other.requires_grad());
                kept.map(|(own, _)| own).collect()
            }
        }
    }

    /// Which of both need a gradient, and of what shape and dtype.
    pub(super) fn needs(&self) -> Needs {
        let of = |t: &Tensor| t.requires_grad().then(|| (t.shape().to_vec(), t.dtype()));
        Needs {
            a: of(&self.a),
            b: match &self.b {
                Other::Scalar(_) => None,
                Other::Tensor(b) => of(b),
            },
        }
    }
}

/// The shapes and dtypes of the arguments that need gradients.
pub(super) struct Needs {
    a: Option<(Vec<usize>, DType)>,
    pub(super) b: Option<(Vec<usize>, DType)>,
}

impl Needs {
    /// The gradients of both arguments, each computed only if it is needed, summed to its argument's shape and in its
    /// dtype.
    pub(super) fn gradients(
        &self,
        da: impl FnOnce() -> Result<Tensor>,
        db: impl FnOnce() -> Result<Tensor>,
    ) -> Result<Vec<Option<Tensor>>> {
        let fitted = |(shape, dtype): &(Vec<usize>, DType), g: Tensor| g.sum_to(shape)?.to_dtype(*dtype);
        let da = self.a.as_ref().map(|own| fitted(own, da()?)).transpose()?;
        Ok(vec![da, self.b.as_ref().map(|own| fitted(own, db()?)).transpose()?])
    }
}

/// The second argument in a derivative: the last tensor saved, or the number.
pub(super) fn second(saved: &[Tensor], scalar: Option<Scalar>) -> Arg<'_> {
    match (scalar, saved.last()) {
        (Some(scalar), _) => Arg::Scalar(scalar),
        (None, Some(b)) => Arg::Tensor(b),
        (None, None) => Arg::Scalar(Scalar::Int(1)),
    }
}

/// Running programs.
impl Tensor {
    pub(crate) fn as_promoted(&self) -> dtype::Operand {
        if self.shape().is_empty() {
            dtype::Operand::ZeroDim(self.dtype())
        } else {
            dtype::Operand::Tensor(self.dtype())
        }
    }

    /// `program(self)` into a new tensor of the same shape.
    pub(crate) fn mapped(&self, program: &Program, dtype: DType) -> Result<Self> {
        self.combined(program, &[], dtype)
    }

    /// `program(self, others…)`, all of one shape, into a new tensor.
    pub(crate) fn combined(&self, program: &Program, others: &[&Self], dtype: DType) -> Result<Self> {
        let inputs = [&[self], others].concat();
        let given_up = inputs.iter().copied().find(|input| {
            let mut others = inputs.iter().filter(|other| other.shares_storage_with(input));
            input.may_become(dtype) && others.all(|other| other.operand().is(&input.operand()))
        });
        let out = match given_up {
            Some(input) => input.detach(),
            None => Self::room(&inputs, dtype, self.device())?,
        };
        out.run(program, &inputs)?;
        Ok(out)
    }

    /// Room for the result of an operation on the elements of tensors of one shape.
    pub(super) fn room(inputs: &[&Self], dtype: DType, device: &Device) -> Result<Self> {
        let layouts: Vec<_> = inputs.iter().map(|input| input.layout()).collect();
        let layout = Layout::of_result(&layouts);
        let room = Self::empty(layout.shape(), dtype, device)?;
        Ok(if *room.layout() == layout { room } else { room.with_layout(layout) })
    }

    pub(crate) fn same_device(&self, op: &'static str, other: &Self) -> Result<()> {
        if self.device() == other.device() {
            return Ok(());
        }
        if self.device().is_meta() || other.device().is_meta() {
            let there = if self.device().is_meta() { other } else { self }.device();
            let message = format!("Tensor on device {there} is not on the expected device meta!");
            return Err(Error::Value { op, message });
        }
        Err(Error::Device { op, a: self.device().to_string(), b: other.device().to_string() })
    }

    /// The dtype of a real function of this tensor.
    pub(super) fn real(&self) -> DType {
        if self.dtype().is_floating_point() { self.dtype() } else { DType::standard() }
    }
}

impl Arg<'_> {
    /// The kind of its numbers.
    #[must_use]
    pub fn category(&self) -> Category {
        match self {
            Self::Tensor(tensor) => tensor.dtype().category(),
            Self::Scalar(scalar) => scalar.category(),
        }
    }

    pub(super) fn scalar(&self) -> Option<Scalar> {
        match self {
            Self::Scalar(scalar) => Some(*scalar),
            Self::Tensor(_) => None,
        }
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
    pub(super) fn compared(&self, op: &'static str, binary: Binary, other: Arg<'_>) -> Result<Self> {
        let pair = Pair::new(op, self, other)?;
        pair.run(binary, Compute::of(pair.dtype), DType::Bool)
    }

    /// `torch.where(self, a, b)`: a where this is true.
    ///
    /// # Errors
    /// If this holds no truth values, the shapes do not broadcast, or devices or dtypes do not go together.
    pub fn where_<'a, 'b>(&self, a: impl Into<Arg<'a>>, b: impl Into<Arg<'b>>) -> Result<Self> {
        self.choice("WhereBackward0", a.into(), b.into())
    }

    pub(super) fn choice(&self, name: &'static str, a: Arg<'_>, b: Arg<'_>) -> Result<Self> {
        if self.dtype() != DType::Bool {
            let message = format!(
                "where expected condition to be a boolean tensor, but got a tensor with dtype {}",
                self.dtype().scalar_type()
            );
            return Err(Error::DType { op: "where", message });
        }
        let sides = [a, b];
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
        let node = Node::record(name, &inputs, &[&condition], move |g, saved| {
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
