//! `x @ weightᵀ + bias`, whose gradients of weight and bias are written where the parameters keep them.

use super::Tensor;
use super::matmul::{MM, product_back, product_into};
use super::views::signed;
use crate::amp::lowered;
use crate::autograd::{Node, Place, creates_graph, is_grad_enabled};
use crate::backend::{Operand, Reduction};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::program::{Binary, Compute, Expr, Program};

/// Operands of different dtypes: what PyTorch says depends on whether it multiplies alone or adds a bias, too.
fn mixed(x: DType, weight: DType, has_bias: bool) -> Error {
    let message = if has_bias {
        let (x, weight) = (x.scalar_type(), weight.scalar_type());
        format!("mat1 and mat2 must have the same dtype, but got {x} and {weight}")
    } else {
        let (x, weight) = (x.cpp_name(), weight.cpp_name());
        format!("expected m1 and m2 to have the same dtype, but got: {x} != {weight}")
    };
    Error::DType { op: "linear", message }
}

impl Tensor {
    /// `torch.nn.functional.linear(self, weight, bias)`: from `(…, in)` to `(…, out)` with weight `(out, in)` and
    /// bias `(out,)`.
    ///
    /// # Errors
    /// With PyTorch's message if the shapes do not fit or dtypes or devices differ.
    pub fn linear(&self, weight: &Self, bias: Option<&Self>) -> Result<Self> {
        if let Some([Some(x), Some(weight), bias]) = lowered([Some(self), Some(weight), bias])? {
            return x.linear(&weight, bias.as_ref());
        }
        if self.dtype() != weight.dtype() && weight.shape().len() == 2 {
            return Err(mixed(self.dtype(), weight.dtype(), bias.is_some()));
        }
        if !self.is_plain(weight, bias) {
            return self.matmul_with_bias(weight, bias);
        }
        self.as_rows()?.rows_times(weight, bias)?.shaped_like(self)
    }

    /// `activation(self.linear(weight, bias))` in one kernel, `activation` being that formula, where nothing is recorded:
    /// its derivative would need what it is applied to. `None` where it is, or where the kernel would round otherwise.
    ///
    /// # Errors
    /// If the device fails.
    pub(crate) fn linear_then(
        &self,
        weight: &Self,
        bias: Option<&Self>,
        activation: impl FnOnce(Expr) -> Expr,
    ) -> Result<Option<Self>> {
        let inputs = [Some(self), Some(weight), bias];
        let is_recorded = is_grad_enabled() && inputs.iter().flatten().any(|t| t.requires_grad());
        let is_wide = matches!(self.dtype(), DType::F32 | DType::F64);
        if is_recorded || !is_wide || !self.is_plain(weight, bias) {
            return Ok(None);
        }
        let product = if bias.is_some() { Expr::input(0) + Expr::input(1) } else { Expr::input(0) };
        let program = activation(product).program(Compute::of(self.dtype()));
        let (rows, addends) = (self.as_rows()?, bias.as_slice());
        let out = product_then(&rows, &weight.t()?, &program, addends, self.dtype(), None)?;
        out.shaped_like(self).map(Some)
    }

    /// Whether it is one product of matrices.
    fn is_plain(&self, weight: &Self, bias: Option<&Self>) -> bool {
        let (&[.., width], &[out, inputs]) = (self.shape(), weight.shape()) else { return false };
        self.numel() > 0
            && width == inputs
            && weight.dtype() == self.dtype()
            && self.dtype().is_floating_point()
            && weight.device() == self.device()
            && bias.is_none_or(|b| {
                b.shape() == [out] && b.dtype() == self.dtype() && b.device() == self.device()
            })
    }

    /// All but the last dimension as one.
    pub(crate) fn as_rows(&self) -> Result<Self> {
        if self.shape().len() == 2 {
            return Ok(self.clone());
        }
        let width = self.shape().last().copied().unwrap_or(1);
        self.reshape(&[-1, width.cast_signed()])
    }

    /// The rows of a result in the dimensions of what it was made from.
    pub(crate) fn shaped_like(&self, input: &Self) -> Result<Self> {
        let mut shape = signed(input.shape());
        if let (Some(last), &[_, width]) = (shape.last_mut(), self.shape()) {
            *last = width.cast_signed();
        }
        if shape.len() == 2 { Ok(self.clone()) } else { self.seen_as(&shape) }
    }

    /// By the rules of broadcasting.
    fn matmul_with_bias(&self, weight: &Self, bias: Option<&Self>) -> Result<Self> {
        let product = match weight.shape() {
            [_] => self.matmul(weight),
            _ => self.matmul(&weight.transpose(-2, -1)?),
        };
        let Some(bias) = bias else { return product };
        // With a bias it goes by another name.
        let product = product.map_err(|error| match error {
            Error::Shape { message, .. } if message.starts_with("mm:") => {
                Error::shape("addmm", format!("add{message}"))
            }
            other => other,
        });
        product?.add(bias)
    }

    /// Of a matrix.
    fn rows_times(&self, weight: &Self, bias: Option<&Self>) -> Result<Self> {
        let inputs: Vec<&Self> = [Some(self), Some(weight), bias].into_iter().flatten().collect();
        let saved: Vec<&Self> =
            [weight.requires_grad().then_some(self), self.requires_grad().then_some(weight)]
                .into_iter()
                .flatten()
                .collect();
        let name = if bias.is_some() { "AddmmBackward0" } else { "MmBackward0" };
        let [forward, of_x, of_weight] = MM;
        // With Y = X Wᵀ + b: dX = G W, dW = Gᵀ X, db the sum of the rows of G.
        let node =
            Node::record_each(name, &inputs, &saved, move |input, g, saved, into| match (input, saved) {
                (0, [.., weight]) => product_back(of_x, g, weight, None),
                (1, [x, ..]) => product_back(of_weight, &g.t()?, x, into),
                (2, _) => g.sum_rows_into(into),
                _ => Err(Error::Autograd("a product saved nothing".into())),
            });
        let weight = crate::autograd::no_grad(|| weight.t())?;
        let out = match bias {
            Some(bias) => {
                let add = Program::binary(Compute::of(self.dtype()), Binary::Add).named("addmm");
                product_then(self, &weight, &add, &[bias], self.dtype(), None)?
            }
            None => product_into(forward, self, &weight, None)?,
        };
        Ok(out.made_by(node))
    }

    /// The sum of the rows of a matrix, into that tensor if one is given, in a derivative; recorded where gradients are.
    pub(crate) fn sum_rows_into(&self, into: Place<'_>) -> Result<Self> {
        if creates_graph() {
            return self.sum_dims(&[0], false);
        }
        let out = match into {
            Some(place) => place.clone(),
            None => Self::empty(&self.shape()[1..], self.dtype(), self.device())?,
        };
        self.device().backend().reduce(Reduction::Sum, 1.0, self.operand(), &[0], out.operand())?;
        self.device().ledger().ran("sum", 0, self.bytes(), out.bytes());
        Ok(out)
    }
}

/// `program(a @ b, inputs…)` of matrices in one kernel, into that tensor if one is given, else into a new one of that
/// dtype; inputs are broadcast. Without history.
pub(crate) fn product_then(
    a: &Tensor,
    b: &Tensor,
    program: &Program,
    inputs: &[&Tensor],
    dtype: DType,
    into: Place<'_>,
) -> Result<Tensor> {
    let (shape, k) = ([a.shape()[0], b.shape()[1]], a.shape()[1]);
    let out = match into {
        Some(place) => place.clone(),
        None => Tensor::empty(&shape, dtype, a.device())?,
    };
    let layouts = inputs.iter().map(|t| t.layout().broadcast_to(&shape)).collect::<Result<Vec<_>>>()?;
    let operands = inputs.iter().zip(&layouts).map(|(t, layout)| Operand { layout, ..t.operand() });
    let operands: Vec<_> = operands.collect();
    a.device().backend().matmul_then(a.operand(), b.operand(), program, &operands, out.operand())?;
    let flops = 2 * (out.numel() as u64) * (k as u64);
    let read = [&[a, b], inputs].concat().iter().map(|t| t.bytes()).sum();
    a.device().ledger().ran(program.name(), flops, read, out.bytes());
    Ok(out)
}
