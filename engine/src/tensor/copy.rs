//! Copies: of dtype, of device, into memory of their own.

use super::Tensor;
use crate::autograd::Node;
use crate::dtype::{DType, result_type};
use crate::error::Result;
use crate::layout::Layout;
use crate::program::Program;

/// Copies.
impl Tensor {
    /// `x.contiguous()`: itself where it is contiguous, else a copy.
    ///
    /// # Errors
    /// If memory does not allow the copy.
    pub fn contiguous(&self) -> Result<Self> {
        if self.layout().is_contiguous() { Ok(self.clone()) } else { self.straight() }
    }

    /// `x.clone(memory_format=torch.contiguous_format)`: a contiguous copy.
    ///
    /// # Errors
    /// If memory does not allow the copy.
    pub fn straight(&self) -> Result<Self> {
        self.copied_to(Self::empty(self.shape(), self.dtype(), self.device())?)
    }

    /// `x.to(dtype)`: itself where it has that dtype, else a converted copy that lies as it does, without gaps.
    ///
    /// # Errors
    /// If memory does not allow the copy.
    pub fn to_dtype(&self, dtype: DType) -> Result<Self> {
        if dtype == self.dtype() {
            Ok(self.clone())
        } else {
            self.copied_to(self.empty_like_as(dtype, self.device())?)
        }
    }

    /// What `compute` makes of these tensors. Where that is half precision, it is computed in float32 and rounded once, as
    /// by one kernel of PyTorch's: in between nothing is rounded or overflows.
    ///
    /// # Errors
    /// If the dtypes do not go together, and as `compute`.
    pub fn rounded_once<const N: usize>(
        tensors: [&Self; N],
        compute: impl FnOnce([&Self; N]) -> Result<Self>,
    ) -> Result<Self> {
        let dtype = result_type(&tensors.map(Self::as_promoted))?;
        if !dtype.is_half() {
            return compute(tensors);
        }
        let mut wide = tensors.map(Self::clone);
        for tensor in &mut wide {
            *tensor = tensor.to_dtype(dtype)?.to_dtype(DType::F32)?;
        }
        let found = compute(wide.each_ref())?;
        let rounded = found.to_dtype(dtype)?;
        Ok(match found.grad_fn_name() {
            Some(name) => rounded.called(name),
            None => rounded,
        })
    }

    /// `x.clone()`: a copy that lies as it does, without gaps.
    ///
    /// # Errors
    /// If memory does not allow the copy.
    pub fn copy(&self) -> Result<Self> {
        self.copied_to(self.empty_like()?)
    }

    /// A contiguous copy without history.
    pub(crate) fn duplicate(&self) -> Result<Self> {
        self.converted(self.dtype())
    }

    /// The same in another dtype.
    pub(super) fn converted(&self, dtype: DType) -> Result<Self> {
        let out = Self::empty(self.shape(), dtype, self.device())?;
        out.run(&Program::copy(self.dtype()), &[self])?;
        Ok(out)
    }

    /// Itself where both are contiguous, else a copy that lies as `other` of this shape does, without gaps.
    pub(crate) fn laid_like(&self, other: &Self) -> Result<Self> {
        if self.layout().is_contiguous() && Layout::of_result(&[other.layout()]).is_contiguous() {
            return Ok(self.clone());
        }
        self.copied_to(other.empty_like_as(self.dtype(), self.device())?)
    }

    fn copied_to(&self, out: Self) -> Result<Self> {
        let from = self.dtype();
        let name = if from == out.dtype() { "CloneBackward0" } else { "ToCopyBackward0" };
        // Whole numbers have no derivative.
        let node = out
            .dtype()
            .is_floating_point()
            .then(|| Node::record(name, &[self], &[], move |g, _| Ok(vec![Some(g.to_dtype(from)?)])))
            .flatten();
        out.run(&Program::copy(from), &[self])?;
        Ok(out.made_by(node))
    }

    /// `x.to(device)`: itself where it is there, else a contiguous copy without history.
    ///
    /// # Errors
    /// If a device fails or memory does not allow the copy.
    pub async fn to_device(&self, device: &crate::Device) -> Result<Self> {
        if self.device() == device {
            return Ok(self.clone());
        }
        if device.is_meta() {
            return self.empty_like_as(self.dtype(), device);
        }
        let bytes = self.contiguous()?.own_bytes().await?;
        Self::from_bytes(&bytes, self.shape(), self.dtype(), device)
    }
}
