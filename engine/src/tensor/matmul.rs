//! `torch.matmul` in all its broadcasting forms.

use super::Tensor;
use super::views::signed;
use crate::autograd::Node;
use crate::dtype::{DType, promote_types};
use crate::error::{Error, Result};
use crate::layout::{Layout, broadcast_shapes};

impl Tensor {
    /// `self @ other`: vectors are given a dimension of size 1 that is dropped again, the last two
    /// dimensions are multiplied, the ones before them are broadcast.
    ///
    /// # Errors
    /// With PyTorch's message if the inner sizes differ or an operand is a scalar.
    pub fn matmul(&self, other: &Self) -> Result<Self> {
        self.same_device("matmul", other)?;
        match (self.shape().len(), other.shape().len()) {
            (0, _) | (_, 0) => Err(Error::shape(
                "matmul",
                format!(
                    "both arguments to matmul need to be at least 1D, but they are {}D and {}D",
                    self.shape().len(),
                    other.shape().len()
                ),
            )),
            (1, 1) if self.numel() != other.numel() => Err(Error::shape(
                "matmul",
                format!(
                    "inconsistent tensor size, expected tensor [{}] and src [{}] to have the same number of \
                     elements, but got {} and {} elements respectively",
                    self.numel(),
                    other.numel(),
                    self.numel(),
                    other.numel()
                ),
            )),
            (1, 1) => self.unsqueeze(0)?.matmul(&other.unsqueeze(1)?)?.reshape(&[]),
            (1, _) => self.unsqueeze(0)?.matmul(other)?.squeeze(Some(-2)),
            (_, 1) => self.matmul(&other.unsqueeze(1)?)?.squeeze(Some(-1)),
            // (…, m, k) @ (k, n) is one product of (…·m, k) wherever the rows can be seen as one.
            (rank @ 3.., 2) if self.numel() > 0 => {
                let k = self.shape()[rank - 1].cast_signed();
                match self.layout().reshape(&[-1, k])? {
                    (Some(_), _) => {
                        let mut shape = signed(self.shape());
                        let rows = self.view(&[-1, k])?.product(other)?;
                        shape[rank - 1] = rows.shape()[1].cast_signed();
                        rows.view(&shape)
                    }
                    (None, _) => self.product(other),
                }
            }
            _ => self.product(other),
        }
    }

    /// A product of operands of rank 2 and more.
    fn product(&self, other: &Self) -> Result<Self> {
        let (a, b) = (self.shape(), other.shape());
        let (m, k, n) = (a[a.len() - 2], a[a.len() - 1], b[b.len() - 1]);
        if k != b[b.len() - 2] {
            return Err(mismatch(a, b));
        }
        let dtype = promote_types(self.dtype(), other.dtype())?;
        if dtype == DType::Bool {
            let message = "\"addmm_impl_cpu_\" not implemented for 'Bool'".into();
            return Err(Error::DType { op: "matmul", message });
        }
        if self.dtype() != other.dtype() {
            return Err(Error::DType {
                op: "matmul",
                message: format!(
                    "expected m1 and m2 to have the same dtype, but got {} and {}",
                    self.dtype(),
                    other.dtype()
                ),
            });
        }
        let batch = broadcast_shapes(batch_of(self.layout()), batch_of(other.layout()))?;
        let with = |tail: [usize; 2]| [batch.as_slice(), &tail].concat();
        let a = self.broadcast_to(&with([m, k]))?;
        let b = other.broadcast_to(&with([k, n]))?;
        let (needs_a, needs_b) = (a.requires_grad(), b.requires_grad());
        let name = if batch.is_empty() { "MmBackward0" } else { "BmmBackward0" };
        // d(AB) = dA·B + A·dB, so A receives G·Bᵀ and B receives Aᵀ·G.
        let node = Node::record(name, &[&a, &b], &[&a, &b], move |g, saved| {
            Ok(vec![
                if needs_a { Some(g.product(&saved[1].transpose(-2, -1)?)?) } else { None },
                if needs_b { Some(saved[0].transpose(-2, -1)?.product(g)?) } else { None },
            ])
        });
        let out = Self::empty(&with([m, n]), dtype, self.device())?;
        self.device().backend().matmul(a.operand(), b.operand(), out.operand())?;
        let flops = 2 * (out.numel() as u64) * (k as u64);
        self.device().ledger().ran(flops, self.bytes() + other.bytes(), out.bytes());
        Ok(out.made_by(node))
    }
}

fn mismatch(a: &[usize], b: &[usize]) -> Error {
    let message = if a.len() == 2 && b.len() == 2 {
        format!("mat1 and mat2 shapes cannot be multiplied ({}x{} and {}x{})", a[0], a[1], b[0], b[1])
    } else if b.len() == 2 {
        let rows: usize = a[..a.len() - 1].iter().product();
        format!("mat1 and mat2 shapes cannot be multiplied ({rows}x{} and {}x{})", a[a.len() - 1], b[0], b[1])
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
