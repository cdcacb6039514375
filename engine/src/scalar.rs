//! Single numbers, as they stand in a script: a truth value, a whole number or a real one.

use crate::DType;

/// A number without a dtype. As in PyTorch it takes the dtype of the tensor it meets, unless it is of a
/// higher category: a real number turns whole tensors into float32.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scalar {
    /// `True`, `False`
    Bool(bool),
    /// `3`
    Int(i64),
    /// `3.0`
    Float(f64),
}

impl Scalar {
    /// As a double; whole numbers beyond 2⁵³ are rounded.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Bool(value) => f64::from(u8::from(value)),
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    /// As a whole number; what is behind the point is cut off, what does not fit is the smallest i64, as the
    /// processor's conversion has it.
    #[must_use]
    pub fn as_i64(self) -> i64 {
        match self {
            Self::Bool(value) => value.into(),
            Self::Int(value) => value,
            Self::Float(value) => whole(value),
        }
    }
}

impl Scalar {
    /// The number as a whole number of that dtype or half precision would hold it; for others it stays as it is.
    #[must_use]
    pub fn wrapped(self, dtype: DType) -> Self {
        match dtype {
            DType::I64 => Self::Int(self.as_i64()),
            DType::I32 => Self::Int((self.as_i64() as i32).into()),
            DType::I16 => Self::Int((self.as_i64() as i16).into()),
            DType::I8 => Self::Int((self.as_i64() as i8).into()),
            DType::U8 => Self::Int((self.as_i64() as u8).into()),
            DType::F16 | DType::BF16 => {
                let value = self.as_f64();
                Self::Float(dtype.format().map_or(value, |format| format.decode(format.encode(value))))
            }
            _ => self,
        }
    }
}

/// A double as i64: towards 0; NaN and what does not fit become the smallest i64.
pub(crate) fn whole(value: f64) -> i64 {
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    if (-BEYOND..BEYOND).contains(&value) { value as i64 } else { i64::MIN }
}

macro_rules! from {
    ($($type:ty: $variant:ident;)+) => {$(
        impl From<$type> for Scalar {
            fn from(value: $type) -> Self {
                Self::$variant(value.into())
            }
        }
    )+};
}

from! {
    bool: Bool;
    i32: Int;
    i64: Int;
    u8: Int;
    f32: Float;
    f64: Float;
}
