//! The same bytes as elements of another dtype.

use super::Tensor;
use crate::DType;
use crate::error::{Error, Result};
use crate::layout::Layout;

impl Tensor {
    /// `x.view(dtype)`: the same storage read as elements of another dtype, without history. Between dtypes of
    /// different size the last dimension grows or shrinks.
    ///
    /// # Errors
    /// With PyTorch's message if elements of the other size do not fall on whole elements of this one.
    pub fn view_dtype(&self, dtype: DType) -> Result<Self> {
        let layout = self.layout();
        let reread = |layout| self.shared(self.0.version.clone(), layout, dtype);
        let (from, to) = (self.dtype().size_bytes(), dtype.size_bytes());
        if from == to {
            return Ok(reread(layout.clone()));
        }
        let fault = |rule: String, got: Option<usize>| {
            let (from, to) = (self.dtype().scalar_type(), dtype.scalar_type());
            let but = got.map_or_else(String::new, |got| format!(", but got {got}"));
            let message = format!("{rule} to view {from} as {to} (different element sizes){but}");
            Err(Error::Shape { op: "view", message })
        };
        let (mut shape, mut strides, mut offset) =
            (layout.shape().to_vec(), layout.strides().to_vec(), layout.offset());
        let (Some(size), Some(stride)) = (shape.last_mut(), strides.pop()) else {
            return fault("self.dim() cannot be 0".into(), None);
        };
        if stride != 1 {
            return fault("self.stride(-1) must be 1".into(), Some(stride));
        }
        if to < from {
            let ratio = from / to;
            let places = strides.iter_mut().chain([size, &mut offset]);
            places.for_each(|x| *x = x.saturating_mul(ratio));
        } else {
            let ratio = to / from;
            let places = [("size(-1)".into(), *size), ("storage_offset()".into(), offset)];
            let strided = strides.iter().enumerate().map(|(d, &stride)| (format!("stride({d})"), stride));
            let mut places = places.into_iter().chain(strided);
            if let Some((name, got)) = places.find(|(_, x)| !x.is_multiple_of(ratio)) {
                return fault(format!("self.{name} must be divisible by {ratio}"), Some(got));
            }
            strides.iter_mut().chain([size, &mut offset]).for_each(|x| *x /= ratio);
        }
        strides.push(1);
        Ok(reread(Layout::strided(&shape, &strides, offset)?))
    }
}
