//! Elementwise operations, reductions and copies, with the derivative of each beside it.

use super::Tensor;
use super::views::signed;
use crate::DType;
use crate::autograd::Node;
use crate::backend::Reduction;
use crate::error::{Error, Result};
use crate::layout::{Layout, broadcast_shapes, wrap_dim};
use crate::program::{Binary, Instr, Program, Unary};

/// The dtype of the result of an operation on two dtypes, as `torch.promote_types`.
///
/// # Errors
/// 8-bit floats are promoted with nothing but themselves.
pub fn promote_types(a: DType, b: DType) -> Result<DType> {
    use DType::{BF16, F16, F32};
    match (a, b) {
        _ if a == b => Ok(a),
        (F32 | F16 | BF16, F32 | F16 | BF16) => Ok(F32),
        _ => Err(Error::DType {
            op: "promote_types",
            message: format!(
                "Promotion for Float8 Types is not supported, attempted to promote {} and {}",
                scalar_type(a),
                scalar_type(b)
            ),
        }),
    }
}

/// The name of a dtype in PyTorch's C++ messages.
fn scalar_type(dtype: DType) -> &'static str {
    match dtype {
        DType::F32 => "Float",
        DType::F16 => "Half",
        DType::BF16 => "BFloat16",
        DType::F8E4M3FN => "Float8_e4m3fn",
        DType::F8E5M2 => "Float8_e5m2",
    }
}

/// Elementwise.
impl Tensor {
    /// `program(self)` into a new tensor of the same shape.
    fn mapped(&self, program: &Program, dtype: DType) -> Result<Self> {
        let out = Self::empty(self.shape(), dtype, self.device())?;
        out.run(program, &[self])?;
        Ok(out)
    }

    /// Both operands broadcast to one shape, and the dtype of the result.
    fn broadcast_with(&self, op: &'static str, other: &Self) -> Result<(Self, Self, DType)> {
        self.same_device(op, other)?;
        let shape = broadcast_shapes(self.shape(), other.shape())?;
        let dtype = promote_types(self.dtype(), other.dtype())?;
        Ok((self.broadcast_to(&shape)?, other.broadcast_to(&shape)?, dtype))
    }

    pub(super) fn same_device(&self, op: &'static str, other: &Self) -> Result<()> {
        if self.device() == other.device() {
            return Ok(());
        }
        Err(Error::Device { op, a: self.device().to_string(), b: other.device().to_string() })
    }

    fn combined(&self, program: &Program, other: &Self, dtype: DType) -> Result<Self> {
        let out = Self::empty(self.shape(), dtype, self.device())?;
        out.run(program, &[self, other])?;
        Ok(out)
    }

    /// `self + other`, broadcast.
    ///
    /// # Errors
    /// If the shapes do not broadcast or devices or dtypes do not go together.
    pub fn add(&self, other: &Self) -> Result<Self> {
        let (a, b, dtype) = self.broadcast_with("add", other)?;
        // d(a + b) = da + db
        let node =
            Node::record("AddBackward0", &[&a, &b], &[], |g, _| Ok(vec![Some(g.clone()), Some(g.clone())]));
        Ok(a.combined(&Program::binary(Binary::Add), &b, dtype)?.made_by(node))
    }

    /// `self - other`, broadcast.
    ///
    /// # Errors
    /// As [`Tensor::add`].
    pub fn sub(&self, other: &Self) -> Result<Self> {
        let (a, b, dtype) = self.broadcast_with("sub", other)?;
        let needs_b = b.requires_grad();
        // d(a − b) = da − db
        let node = Node::record("SubBackward0", &[&a, &b], &[], move |g, _| {
            Ok(vec![Some(g.clone()), if needs_b { Some(g.neg()?) } else { None }])
        });
        Ok(a.combined(&Program::binary(Binary::Sub), &b, dtype)?.made_by(node))
    }

    /// `self * other`, broadcast.
    ///
    /// # Errors
    /// As [`Tensor::add`].
    pub fn mul(&self, other: &Self) -> Result<Self> {
        let (a, b, dtype) = self.broadcast_with("mul", other)?;
        let (needs_a, needs_b) = (a.requires_grad(), b.requires_grad());
        // d(a · b) = b · da + a · db
        let node = Node::record("MulBackward0", &[&a, &b], &[&a, &b], move |g, saved| {
            Ok(vec![
                if needs_a { Some(g.mul(&saved[1])?) } else { None },
                if needs_b { Some(g.mul(&saved[0])?) } else { None },
            ])
        });
        Ok(a.combined(&Program::binary(Binary::Mul), &b, dtype)?.made_by(node))
    }

    /// `self / other`, broadcast.
    ///
    /// # Errors
    /// As [`Tensor::add`].
    pub fn div(&self, other: &Self) -> Result<Self> {
        let (a, b, dtype) = self.broadcast_with("div", other)?;
        let needs_b = b.requires_grad();
        // d(a / b) = da / b − a · db / b²
        let node = Node::record("DivBackward0", &[&a, &b], &[&a, &b], move |g, saved| {
            let (a, b) = (&saved[0], &saved[1]);
            let da = g.div(b)?;
            let db = if needs_b { Some(da.mul(&a.div(b)?)?.neg()?) } else { None };
            Ok(vec![Some(da), db])
        });
        Ok(a.combined(&Program::binary(Binary::Div), &b, dtype)?.made_by(node))
    }

    /// `-self`
    ///
    /// # Errors
    /// If the device fails.
    pub fn neg(&self) -> Result<Self> {
        // d(−x) = −dx
        let node = Node::record("NegBackward0", &[self], &[], |g, _| Ok(vec![Some(g.neg()?)]));
        Ok(self.mapped(&Program::unary(Unary::Neg), self.dtype())?.made_by(node))
    }

    /// `self + scalar`
    ///
    /// # Errors
    /// If the device fails.
    pub fn add_scalar(&self, scalar: f32) -> Result<Self> {
        // d(x + c) = dx
        let node = Node::record("AddBackward0", &[self], &[], |g, _| Ok(vec![Some(g.clone())]));
        Ok(self.mapped(&Program::scalar(Binary::Add, scalar), self.dtype())?.made_by(node))
    }

    /// `self * scalar`
    ///
    /// # Errors
    /// If the device fails.
    pub fn mul_scalar(&self, scalar: f32) -> Result<Self> {
        // d(c · x) = c · dx
        let node =
            Node::record("MulBackward0", &[self], &[], move |g, _| Ok(vec![Some(g.mul_scalar(scalar)?)]));
        Ok(self.mapped(&Program::scalar(Binary::Mul, scalar), self.dtype())?.made_by(node))
    }

    /// `self ** exponent`
    ///
    /// # Errors
    /// If the device fails.
    pub fn pow(&self, exponent: f32) -> Result<Self> {
        // d(xᵖ) = p · xᵖ⁻¹ · dx, in one pass over memory; p = 0 gives zero even where x = 0.
        let node = Node::record("PowBackward0", &[self], &[self], move |g, saved| {
            if exponent == 0.0 {
                return Ok(vec![Some(g.full_like(0.0)?)]);
            }
            let mut program = power(1, exponent - 1.0);
            program.extend([
                Instr::Const(exponent),
                Instr::Binary(Binary::Mul),
                Instr::Input(0),
                Instr::Binary(Binary::Mul),
            ]);
            Ok(vec![Some(g.combined(&Program(program), &saved[0], g.dtype())?)])
        });
        Ok(self.mapped(&Program(power(0, exponent)), self.dtype())?.made_by(node))
    }
}

/// `inputᵖ`: whole small powers as products, so that they are as exact as a product.
fn power(input: usize, exponent: f32) -> Vec<Instr> {
    let x = Instr::Input(input);
    if exponent == 1.0 {
        vec![x]
    } else if exponent == 2.0 {
        vec![x, x, Instr::Binary(Binary::Mul)]
    } else if exponent == 3.0 {
        vec![x, x, Instr::Binary(Binary::Mul), x, Instr::Binary(Binary::Mul)]
    } else {
        vec![x, Instr::Const(exponent), Instr::Binary(Binary::Pow)]
    }
}

/// Reductions.
impl Tensor {
    /// `x.sum()`
    ///
    /// # Errors
    /// If the device fails.
    pub fn sum(&self) -> Result<Self> {
        self.sum_dims(&[], false)
    }

    /// `x.mean()`; NaN for a tensor without elements.
    ///
    /// # Errors
    /// If the device fails.
    pub fn mean(&self) -> Result<Self> {
        self.mean_dims(&[], false)
    }

    /// `x.sum(dim=dims, keepdim=keepdim)`; no dims means all of them.
    ///
    /// # Errors
    /// If a dimension is out of range or named twice.
    pub fn sum_dims(&self, dims: &[isize], keepdim: bool) -> Result<Self> {
        self.reduced("sum", "SumBackward1", dims, keepdim, false)
    }

    /// `x.mean(dim=dims, keepdim=keepdim)`; no dims means all of them.
    ///
    /// # Errors
    /// As [`Tensor::sum_dims`].
    pub fn mean_dims(&self, dims: &[isize], keepdim: bool) -> Result<Self> {
        self.reduced("mean", "MeanBackward1", dims, keepdim, true)
    }

    fn reduced(
        &self,
        op: &'static str,
        name: &'static str,
        dims: &[isize],
        keepdim: bool,
        mean: bool,
    ) -> Result<Self> {
        let rank = self.shape().len();
        let mut over = vec![dims.is_empty(); rank];
        for &dim in dims {
            let d = wrap_dim(op, dim, rank)?;
            if d < rank && std::mem::replace(&mut over[d], true) {
                return Err(Error::shape(op, format!("dim {d} appears multiple times in the list of dims")));
            }
        }
        let axes: Vec<usize> = (0..rank).filter(|&d| over[d]).collect();
        let kept: Vec<usize> = self.shape().iter().zip(&over).map(|(&n, &o)| if o { 1 } else { n }).collect();
        let shape: Vec<usize> =
            if keepdim { kept.clone() } else { (0..rank).filter(|&d| !over[d]).map(|d| kept[d]).collect() };
        let count: usize = axes.iter().map(|&d| self.shape()[d]).product();
        let scale = if mean { 1.0 / count as f32 } else { 1.0 };
        let full = self.shape().to_vec();
        // d Σx = Σ dx: every element receives the gradient of its sum, times 1/n for a mean.
        let node = Node::record(name, &[self], &[], move |g, _| {
            let g = if mean { g.mul_scalar(scale)? } else { g.clone() };
            Ok(vec![Some(g.reshape(&signed(&kept))?.broadcast_to(&full)?)])
        });
        let layout = Layout::contiguous(&shape)?;
        Ok(self.reduce_into(&axes, scale)?.with_layout(layout).made_by(node))
    }

    /// The scaled sums over `axes`, which are gone from the result.
    fn reduce_into(&self, axes: &[usize], scale: f32) -> Result<Self> {
        let kept: Vec<usize> =
            (0..self.shape().len()).filter(|d| !axes.contains(d)).map(|d| self.shape()[d]).collect();
        let out = Self::empty(&kept, self.dtype(), self.device())?;
        self.device().backend().reduce(Reduction::Sum, scale, self.operand(), axes, out.operand())?;
        self.device().ledger().ran(0, self.bytes(), out.bytes());
        Ok(out)
    }

    /// The sum over the dimensions along which `shape` was broadcast to this tensor's shape.
    pub(super) fn sum_to(&self, shape: &[usize]) -> Result<Self> {
        if self.shape() == shape {
            return Ok(self.clone());
        }
        let new = self.shape().len() - shape.len();
        let axes: Vec<usize> = (0..self.shape().len())
            .filter(|&d| d < new || (shape[d - new] == 1 && self.shape()[d] != 1))
            .collect();
        self.reduce_into(&axes, 1.0)?.view(&signed(shape))
    }
}

/// Copies.
impl Tensor {
    /// `x.contiguous()`: itself where it is contiguous, else a copy.
    ///
    /// # Errors
    /// If memory does not allow the copy.
    pub fn contiguous(&self) -> Result<Self> {
        if self.layout().is_contiguous() { Ok(self.clone()) } else { self.copied(self.dtype()) }
    }

    /// `x.to(dtype)`: itself where it has that dtype, else a converted copy.
    ///
    /// # Errors
    /// If memory does not allow the copy.
    pub fn to_dtype(&self, dtype: DType) -> Result<Self> {
        if dtype == self.dtype() { Ok(self.clone()) } else { self.copied(dtype) }
    }

    fn copied(&self, dtype: DType) -> Result<Self> {
        let from = self.dtype();
        let name = if from == dtype { "CloneBackward0" } else { "ToCopyBackward0" };
        let node = Node::record(name, &[self], &[], move |g, _| Ok(vec![Some(g.to_dtype(from)?)]));
        Ok(self.mapped(&Program::copy(), dtype)?.made_by(node))
    }

    /// `x.copy_(source)`, broadcast and converted; needs `no_grad` where a gradient is required.
    ///
    /// # Errors
    /// If the shapes do not broadcast, or autograd could not follow the write.
    pub fn copy_(&self, source: &Self) -> Result<()> {
        self.same_device("copy_", source)?;
        let source = source.broadcast_to(self.shape())?;
        // A kernel's output never is its input: go through a copy where both lie in one storage.
        let source = if self.shares_storage_with(&source) { source.copied(source.dtype())? } else { source };
        self.write("copy_", &Program::copy(), &[&source])
    }

    /// `x.fill_(value)`
    ///
    /// # Errors
    /// If autograd could not follow the write.
    pub fn fill_(&self, value: f32) -> Result<()> {
        self.write("fill_", &Program::fill(value), &[])
    }

    /// `x.to(device)`: itself where it is there, else a contiguous copy without history.
    ///
    /// # Errors
    /// If a device fails or memory does not allow the copy.
    pub async fn to_device(&self, device: &crate::Device) -> Result<Self> {
        if self.device() == device {
            return Ok(self.clone());
        }
        Self::from_slice(&self.to_vec().await?, self.shape(), self.dtype(), device)
    }
}

/// `torch.nn.functional.mse_loss(input, target)`: the mean of the squared differences.
///
/// # Errors
/// If the shapes do not broadcast.
pub fn mse_loss(input: &Tensor, target: &Tensor) -> Result<Tensor> {
    input.sub(target)?.pow(2.0)?.mean()
}

/// A layout that shows two operands' common batch, for products.
pub(super) fn batch_of(layout: &Layout) -> &[usize] {
    &layout.shape()[..layout.rank() - 2]
}
