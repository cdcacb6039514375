//! Products of vectors and matrices by their own names, and sums with them.

use super::Tensor;
use super::linear::product_then;
use super::matmul::{MM, mismatch, product_back};
use crate::amp::lowered;
use crate::autograd::{Node, Place, no_grad};
use crate::dtype::{Category, DType};
use crate::error::{Error, Result};
use crate::program::{Compute, Expr};
use crate::scalar::Scalar;

impl DType {
    /// The name of the type that PyTorch's C++ code computes with, as some of its messages have it.
    pub(crate) fn cpp_name(self) -> &'static str {
        match self {
            Self::F64 => "double",
            Self::F32 => "float",
            Self::F16 => "c10::Half",
            Self::BF16 => "c10::BFloat16",
            Self::F8E4M3FN => "c10::Float8_e4m3fn",
            Self::F8E5M2 => "c10::Float8_e5m2",
            Self::I64 => "long int",
            Self::I32 => "int",
            Self::I16 => "short int",
            Self::I8 => "signed char",
            Self::U8 => "unsigned char",
            Self::Bool => "bool",
        }
    }
}

/// Products.
impl Tensor {
    /// `torch.mm(self, other)`: of two matrices, without broadcasting.
    ///
    /// # Errors
    /// With PyTorch's message if one is no matrix, or the inner sizes or dtypes differ.
    pub fn mm(&self, other: &Self) -> Result<Self> {
        self.check_matrices("mm", other)?;
        self.matmul(other)
    }

    fn check_matrices(&self, op: &'static str, other: &Self) -> Result<()> {
        for (name, tensor) in [("self", self), ("mat2", other)] {
            if tensor.shape().len() != 2 {
                let message = format!("{op}: {name} must be a matrix, got {}-D tensor", tensor.shape().len());
                return Err(Error::shape(op, message));
            }
        }
        if self.shape()[1] == other.shape()[0] {
            Ok(())
        } else {
            Err(mismatch(op, self.shape(), other.shape()))
        }
    }

    /// `torch.bmm(self, other)`: of two batches of matrices, `(b, m, k)` and `(b, k, n)`, without broadcasting.
    ///
    /// # Errors
    /// With PyTorch's message if one has not three dimensions, or the batches, inner sizes or dtypes differ.
    pub fn bmm(&self, other: &Self) -> Result<Self> {
        for (name, tensor) in [("batch1", self), ("batch2", other)] {
            if tensor.shape().len() != 3 {
                return Err(Error::shape("bmm", format!("{name} must be a 3D tensor")));
            }
        }
        let (a, b) = (self.shape(), other.shape());
        if a[0] != b[0] || a[2] != b[1] {
            return Err(mismatch("bmm", a, b));
        }
        Ok(self.matmul(other)?.called("BmmBackward0"))
    }

    /// `torch.mv(self, vector)`: of a matrix `(m, k)` and a vector `(k,)`.
    ///
    /// # Errors
    /// With PyTorch's message if the numbers of dimensions, sizes or dtypes do not fit.
    pub fn mv(&self, vector: &Self) -> Result<Self> {
        let (&[rows, inner], &[length]) = (self.shape(), vector.shape()) else {
            let message = format!(
                "vector + matrix @ vector expected, got 1, {}, {}",
                self.shape().len(),
                vector.shape().len()
            );
            return Err(Error::shape("mv", message));
        };
        if inner != length {
            let message = format!("size mismatch, got input ({rows}), mat ({rows}x{inner}), vec ({length})");
            return Err(Error::shape("mv", message));
        }
        if self.dtype() != vector.dtype() {
            let (matrix, vector) = (self.dtype().scalar_type(), vector.dtype().scalar_type());
            let message = format!(
                "addmv input tensors must have the same dtype, but got {vector}, {matrix}, and {vector}"
            );
            return Err(Error::DType { op: "mv", message });
        }
        self.same_device("mv", vector)?;
        self.product(&vector.unsqueeze(1)?)?.squeeze(Some(-1))
    }

    /// `torch.dot(self, other)`: of two vectors of one length.
    ///
    /// # Errors
    /// With PyTorch's message if one is no vector, or the lengths or dtypes differ.
    pub fn dot(&self, other: &Self) -> Result<Self> {
        let (&[a], &[b]) = (self.shape(), other.shape()) else {
            let (a, b) = (self.shape().len(), other.shape().len());
            return Err(Error::shape("dot", format!("1D tensors expected, but got {a}D and {b}D tensors")));
        };
        if self.dtype() != other.dtype() {
            let (a, b) = (self.dtype().scalar_type(), other.dtype().scalar_type());
            let message = format!("dot : expected both vectors to have same dtype, but found {a} and {b}");
            return Err(Error::DType { op: "dot", message });
        }
        if a != b {
            let message = format!(
                "inconsistent tensor size, expected tensor [{a}] and src [{b}] to have the same number of elements, \
                 but got {a} and {b} elements respectively"
            );
            return Err(Error::shape("dot", message));
        }
        // d(a · b) = b · da + a · db
        let (needs_a, needs_b) = (self.requires_grad(), other.requires_grad());
        let kept = [if needs_b { self } else { other }, if needs_a { other } else { self }];
        let node = Node::record("DotBackward0", &[self, other], &kept, move |g, saved| {
            let of = |needs: bool, factor: &Self| needs.then(|| g.mul(factor)).transpose();
            Ok(vec![of(needs_a, &saved[1])?, of(needs_b, &saved[0])?])
        });
        self.same_device("dot", other)?;
        let product = no_grad(|| self.unsqueeze(0)?.product(&other.unsqueeze(1)?)?.view(&[]))?;
        Ok(product.detach().made_by(node))
    }

    /// `torch.outer(self, other)`: all products of the elements of two vectors.
    ///
    /// # Errors
    /// If one is no vector.
    pub fn outer(&self, other: &Self) -> Result<Self> {
        for (name, tensor) in [("self", self), ("vec2", other)] {
            if tensor.shape().len() != 1 {
                let message =
                    format!("outer: Expected 1-D argument {name}, but got {}-D", tensor.shape().len());
                return Err(Error::shape("outer", message));
            }
        }
        self.unsqueeze(1)?.mul(other)
    }

    /// `torch.addmm(self, a, b, beta=beta, alpha=alpha)`: `beta · self + alpha · a @ b`; with `beta` 0 this tensor is
    /// not looked at. Of whole numbers the factors are cut off to whole ones.
    ///
    /// # Errors
    /// As [`Tensor::mm`], and if this tensor does not broadcast to the product or has another dtype.
    pub fn addmm(
        &self,
        a: &Self,
        b: &Self,
        beta: impl Into<Scalar>,
        alpha: impl Into<Scalar>,
    ) -> Result<Self> {
        let (beta, alpha) = (beta.into(), alpha.into());
        if let Some([Some(own), Some(a), Some(b)]) = lowered([Some(self), Some(a), Some(b)])? {
            return own.addmm(&a, &b, beta, alpha);
        }
        a.check_matrices("addmm", b)?;
        if self.dtype() != b.dtype() {
            let (own, other) = (self.dtype().scalar_type(), b.dtype().scalar_type());
            let message = format!("self and mat2 must have the same dtype, but got {own} and {other}");
            return Err(Error::DType { op: "addmm", message });
        }
        let is_real = self.dtype().is_floating_point() && self.dtype() == a.dtype();
        if is_real && self.device() == a.device() && beta.as_f64() != 0.0 && a.numel() > 0 && b.numel() > 0 {
            return self.addmm_in_one(a, b, beta, alpha);
        }
        Ok(self.added_product(a.matmul(b)?, beta, alpha)?.called("AddmmBackward0"))
    }

    /// `torch.baddbmm(self, a, b, beta=beta, alpha=alpha)`: [`Tensor::addmm`] of batches of matrices.
    ///
    /// # Errors
    /// As [`Tensor::bmm`] and [`Tensor::addmm`].
    pub fn baddbmm(
        &self,
        a: &Self,
        b: &Self,
        beta: impl Into<Scalar>,
        alpha: impl Into<Scalar>,
    ) -> Result<Self> {
        let (beta, alpha) = (beta.into(), alpha.into());
        if let Some([Some(own), Some(a), Some(b)]) = lowered([Some(self), Some(a), Some(b)])? {
            return own.baddbmm(&a, &b, beta, alpha);
        }
        if a.dtype() == b.dtype() && self.dtype() != a.dtype() {
            let (own, other) = (self.dtype().cpp_name(), a.dtype().cpp_name());
            let message =
                format!("Input dtypes must be the same, got: input {own}, batch1: {other}, batch2: {other}");
            return Err(Error::DType { op: "baddbmm", message });
        }
        let sum = |[own, product]: [&Self; 2]| own.added_product(product.clone(), beta, alpha);
        Ok(Self::rounded_once([self, &a.bmm(b)?], sum)?.called("BaddbmmBackward0"))
    }

    /// [`Tensor::addmm`] of real numbers by one kernel.
    fn addmm_in_one(&self, a: &Self, b: &Self, beta: Scalar, alpha: Scalar) -> Result<Self> {
        let own = self.broadcast_to(&[a.shape()[0], b.shape()[1]])?;
        let times = |x: Expr, factor: Scalar| if factor.as_f64() == 1.0 { x } else { x * factor.as_f64() };
        let sum = times(Expr::input(0), alpha) + times(Expr::input(1), beta);
        let program = sum.program(Compute::of(self.dtype())).named("addmm");
        let [_, of_a, of_b] = MM;
        let (needs_a, needs_b) = (a.requires_grad(), b.requires_grad());
        let saved: Vec<&Self> = [needs_b.then_some(a), needs_a.then_some(b)].into_iter().flatten().collect();
        // d(β C + α A B) = β dC + α (dA B + A dB)
        let derivative = move |input: usize, g: &Self, saved: &[Self], into: Place<'_>| {
            let into = into.filter(|_| alpha.as_f64() == 1.0);
            let (found, factor) = match (input, saved) {
                (0, _) => (g.clone(), beta),
                (1, [.., b]) => (product_back(of_a, g, &b.transpose(-2, -1)?, into)?, alpha),
                (_, [a, ..]) => (product_back(of_b, &a.transpose(-2, -1)?, g, into)?, alpha),
                (_, []) => return Err(Error::Autograd("a product saved nothing".into())),
            };
            if factor.as_f64() == 1.0 { Ok(found) } else { found.mul(factor) }
        };
        let node = Node::record_each("AddmmBackward0", &[&own, a, b], &saved, derivative);
        Ok(product_then(a, b, &program, &[&own], self.dtype(), None)?.made_by(node))
    }

    fn added_product(&self, product: Self, beta: Scalar, alpha: Scalar) -> Result<Self> {
        let own = self.expand(&super::views::signed(product.shape()))?;
        let fitted = |factor: Scalar| match self.dtype().category() {
            Category::Floating => factor,
            _ => Scalar::Int(factor.as_i64()),
        };
        let scaled = |x: Self, factor: Scalar| if factor.as_f64() == 1.0 { Ok(x) } else { x.mul(factor) };
        let product = scaled(product, fitted(alpha))?;
        match fitted(beta) {
            // What is not looked at has a gradient, of 0.
            beta if beta.as_f64() == 0.0 && self.requires_grad() => {
                Self::zeros(&[], DType::Bool, self.device())?.where_(&own, &product)
            }
            beta if beta.as_f64() == 0.0 => Ok(product),
            beta => scaled(own, beta)?.add(&product),
        }
    }
}
