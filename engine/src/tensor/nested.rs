//! `torch.tensor` of lists in lists.

use super::Tensor;
use crate::device::Device;
use crate::dtype::{Category, DType};
use crate::error::{Error, Result};
use crate::scalar::Scalar;

/// A number, or a list of such.
#[derive(Debug, Clone, PartialEq)]
pub enum Nested {
    /// `3.0`
    Number(Scalar),
    /// `[1, 2]`, `[[1], [2]]`
    List(Vec<Nested>),
}

impl<S: Into<Scalar>> From<S> for Nested {
    fn from(number: S) -> Self {
        Self::Number(number.into())
    }
}

impl<T: Into<Self>> From<Vec<T>> for Nested {
    fn from(list: Vec<T>) -> Self {
        Self::List(list.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Self>, const N: usize> From<[T; N]> for Nested {
    fn from(list: [T; N]) -> Self {
        Self::List(list.into_iter().map(Into::into).collect())
    }
}

impl Tensor {
    /// `torch.tensor(data, dtype=dtype)` of a number or of lists in lists; without a dtype that of all numbers
    /// together: bool, int64, or the default dtype.
    ///
    /// # Errors
    /// With PyTorch's message if lists of one depth differ in length, or numbers stand beside lists.
    pub fn from_nested(data: &Nested, dtype: Option<DType>, device: &Device) -> Result<Self> {
        // The shape is that of what comes first at each depth.
        let mut shape = Vec::new();
        let mut first = Some(data);
        while let Some(Nested::List(list)) = first {
            shape.push(list.len());
            first = list.first();
        }
        let mut values = Vec::new();
        // Depth first, without recursion: lists may be as deep as they like.
        let mut pending = vec![(data, 0)];
        while let Some((item, depth)) = pending.pop() {
            match (item, shape.get(depth)) {
                (Nested::Number(number), None) => values.push(*number),
                (Nested::List(list), Some(&length)) if list.len() == length => {
                    pending.extend(list.iter().rev().map(|item| (item, depth + 1)));
                }
                (Nested::List(list), Some(&length)) => {
                    return Err(Error::shape(
                        "tensor",
                        format!("expected sequence of length {length} at dim {depth} (got {})", list.len()),
                    ));
                }
                (Nested::Number(_), Some(_)) => {
                    return Err(Error::DType { op: "tensor", message: "not a sequence".into() });
                }
                (Nested::List(_), None) => {
                    let message = "'list' object cannot be interpreted as an integer";
                    return Err(Error::DType { op: "tensor", message: message.into() });
                }
            }
        }
        let widest = values.iter().map(|value| value.category()).max();
        let dtype = dtype.unwrap_or(DType::of(widest.unwrap_or(Category::Floating)));
        let overflows = |value: &Scalar| match *value {
            // A negative number may stand for the bits of one without a sign.
            Scalar::Int(number) if dtype == DType::U8 => number.unsigned_abs() > u8::MAX.into(),
            Scalar::Int(_) => value.wrapped(dtype) != *value && dtype.category() == Category::Integral,
            _ => false,
        };
        if values.iter().any(overflows) {
            let message = format!("value cannot be converted to type {} without overflow", dtype.name());
            return Err(Error::Value { op: "tensor", message });
        }
        Self::from_scalars(&values, &shape, dtype, device)
    }
}
