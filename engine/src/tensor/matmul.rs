//! `torch.matmul` in all its broadcasting forms.

use super::Tensor;
use super::views::signed;
use crate::amp::lowered;
use crate::autograd::{Node, Place, creates_graph};
use crate::dtype::{DType, promote_types};
use crate::error::{Error, Result};
use crate::layout::{Layout, broadcast_shapes};

/// A product of matrices, and those of its derivative: for the left side, in a model what flows through it, and for the
/// right one, its weight.
pub(super) const MM: [&str; 3] = ["mm", "mm (dX)", "mm (dW)"];
/// The same of batches of matrices.
const BMM: [&str; 3] = ["bmm", "bmm (dX)", "bmm (dW)"];

impl Tensor {
    /// `self @ other`: vectors are given a dimension of size 1 that is dropped again, the last two
    /// dimensions are multiplied, the ones before them are broadcast.
    ///
    /// # Errors
    /// With PyTorch's message if the inner sizes differ or an operand is a scalar.
    pub fn matmul(&self, other: &Self) -> Result<Self> {
        self.same_device("matmul", other)?;
        if let Some([Some(a), Some(b)]) = lowered([Some(self), Some(other)])? {
            return a.matmul(&b);
        }
        match (self.shape().len(), other.shape().len()) {
            (0, _) | (_, 0) => Err(Error::shape(
                "matmul",
                format!(
                    "both arguments to matmul need to be at least 1D, but they are {}D and {}D",
                    self.shape().len(),
                    other.shape().len()
                ),
            )),
            (1, 1) => self.dot(other),
            (2, 1) if self.dtype() != other.dtype() || self.shape()[1] != other.numel() => self.mv(other),
            (1, _) => self.unsqueeze(0)?.matmul(other)?.squeeze(Some(-2)),
            (rank, 1) => {
                let out = self.matmul(&other.unsqueeze(1)?)?.squeeze(Some(-1))?;
                Ok(if rank == 2 { out.called("MvBackward0") } else { out })
            }
            // (…, m, k) @ (k, n) is one product of (…·m, k) wherever the rows can be seen as one.
            (rank @ 3.., 2) if self.numel() > 0 => {
                let k = self.shape()[rank - 1].cast_signed();
                match self.layout().reshape(&[-1, k])? {
                    (Some(_), _) => {
                        let mut shape = signed(self.shape());
                        let rows = self.view(&[-1, k])?.product(other)?;
                        shape[rank - 1] = rows.shape()[1].cast_signed();
                        rows.seen_as(&shape)
                    }
                    (None, _) => self.product(other),
                }
            }
            _ => self.product(other),
        }
    }

    /// A product of operands of rank 2 and more, in their dtype whatever autocast says.
    pub(super) fn product(&self, other: &Self) -> Result<Self> {
        let (a, b) = (self.shape(), other.shape());
        let (m, k, n) = (a[a.len() - 2], a[a.len() - 1], b[b.len() - 1]);
        if k != b[b.len() - 2] {
            return Err(mismatch("mm", a, b));
        }
        let dtype = promote_types(self.dtype(), other.dtype())?;
        if dtype == DType::Bool {
            return Err(Error::not_implemented("matmul", "addmm_impl_cpu_", "Bool"));
        }
        if self.dtype() != other.dtype() {
            let message = if a.len() == 2 && b.len() == 2 {
                let (a, b) = (self.dtype().cpp_name(), other.dtype().cpp_name());
                format!("expected m1 and m2 to have the same dtype, but got: {a} != {b}")
            } else {
                let (a, b) = (self.dtype().scalar_type(), other.dtype().scalar_type());
                format!("expected scalar type {a} but found {b}")
            };
            return Err(Error::DType { op: "matmul", message });
        }
        let batch = broadcast_shapes(batch_of(self.layout()), batch_of(other.layout()))?;
        let with = |tail: [usize; 2]| [batch.as_slice(), &tail].concat();
        let a = self.broadcast_to(&with([m, k]))?;
        let b = other.broadcast_to(&with([k, n]))?;
        let name = if batch.is_empty() { "MmBackward0" } else { "UnsafeViewBackward0" };
        let [forward, of_left, of_right] = if batch.is_empty() { MM } else { BMM };
        // d(AB) = dA·B + A·dB, so A receives G·Bᵀ and B receives Aᵀ·G.
        let (needs_a, needs_b) = (a.requires_grad(), b.requires_grad());
        let saved: Vec<&Self> =
            [needs_b.then_some(&a), needs_a.then_some(&b)].into_iter().flatten().collect();
        let node =
            Node::record_each(name, &[&a, &b], &saved, move |input, g, saved, into| match (input, saved) {
                (0, [.., b]) => product_back(of_left, g, &b.transpose(-2, -1)?, into),
                (_, [a, ..]) => product_back(of_right, &a.transpose(-2, -1)?, g, into),
                (_, []) => Err(Error::Autograd("a product saved nothing".into())),
            });
        Ok(product_into(forward, &a, &b, None)?.made_by(node))
    }
}

/// `a @ b`, both `(batch…, m, k)` and `(batch…, k, n)` with equal batches and dtypes, into that tensor if one is
/// given, and without history; the ledger counts it by that name.
pub(super) fn product_into(name: &'static str, a: &Tensor, b: &Tensor, into: Place<'_>) -> Result<Tensor> {
    let (rows, columns) = (a.shape(), b.shape());
    let k = rows[rows.len() - 1];
    let shape = [&rows[..rows.len() - 1], &columns[columns.len() - 1..]].concat();
    let out = match into {
        Some(place) => place.clone(),
        None => Tensor::empty(&shape, a.dtype(), a.device())?,
    };
    a.device().backend().matmul(a.operand(), b.operand(), out.operand())?;
    let flops = 2 * (out.numel() as u64) * (k as u64);
    a.device().ledger().ran(name, flops, a.bytes() + b.bytes(), out.bytes());
    Ok(out)
}

/// [`product_into`] in a derivative; recorded where gradients are.
pub(super) fn product_back(name: &'static str, a: &Tensor, b: &Tensor, into: Place<'_>) -> Result<Tensor> {
    if creates_graph() { a.matmul(b) } else { product_into(name, a, b, into) }
}

/// Of a product by that name, if it is one of matrices.
pub(super) fn mismatch(op: &'static str, a: &[usize], b: &[usize]) -> Error {
    let message = if a.len() == 2 && b.len() == 2 {
        format!("{op}: mat1 and mat2 shapes cannot be multiplied ({}x{} and {}x{})", a[0], a[1], b[0], b[1])
    } else if b.len() == 2 {
        let rows: usize = a[..a.len() - 1].iter().product();
        format!(
            "{op}: mat1 and mat2 shapes cannot be multiplied ({rows}x{} and {}x{})",
            a[a.len() - 1],
            b[0],
            b[1]
        )
    } else {
        format!(
            "Expected size for first two dimensions of batch2 tensor to be: [{}, {}] but got: [{}, {}].",
            a[..a.len() - 2].iter().product::<usize>(),
            a[a.len() - 1],
            b[..b.len() - 2].iter().product::<usize>(),
            b[b.len() - 2]
        )
    };
    Error::shape("matmul", message)
}

fn batch_of(layout: &Layout) -> &[usize] {
    &layout.shape()[..layout.rank() - 2]
}
