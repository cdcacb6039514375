//! The element types a tensor can hold.

use std::cell::Cell;

use crate::error::{Error, Result};
use crate::format::Format;
use crate::scalar::Scalar;

/// Element type of a tensor, named as in PyTorch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DType {
    /// IEEE binary64, `torch.float64`.
    F64,
    /// IEEE binary32, `torch.float32`.
    F32,
    /// IEEE binary16, `torch.float16`.
    F16,
    /// The upper half of binary32, `torch.bfloat16`.
    BF16,
    /// 4 exponent and 3 fraction bits, finite only, `torch.float8_e4m3fn`.
    F8E4M3FN,
    /// 5 exponent and 2 fraction bits, `torch.float8_e5m2`.
    F8E5M2,
    /// Whole numbers of 64 bits with a sign, `torch.int64`.
    I64,
    /// Whole numbers of 32 bits with a sign, `torch.int32`.
    I32,
    /// Whole numbers of 16 bits with a sign, `torch.int16`.
    I16,
    /// Whole numbers of 8 bits with a sign, `torch.int8`.
    I8,
    /// Whole numbers from 0 to 255, `torch.uint8`.
    U8,
    /// Truth values, a byte each, `torch.bool`.
    Bool,
}

/// What kind of number a dtype holds, in the order in which promotion goes up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    /// Truth values.
    Bool,
    /// Whole numbers.
    Integral,
    /// Real numbers.
    Floating,
}

/// What PyTorch calls a dtype: behind `torch.`, in its C++ messages, and for short.
struct Names {
    torch: &'static str,
    scalar_type: &'static str,
    short: &'static [&'static str],
}

thread_local! {
    static STANDARD: Cell<DType> = const { Cell::new(DType::F32) };
}

impl DType {
    /// Every dtype. Its length is counted by the last one, so that none is forgotten here.
    pub const ALL: [Self; Self::Bool as usize + 1] = [
        Self::F64,
        Self::F32,
        Self::F16,
        Self::BF16,
        Self::F8E4M3FN,
        Self::F8E5M2,
        Self::I64,
        Self::I32,
        Self::I16,
        Self::I8,
        Self::U8,
        Self::Bool,
    ];

    /// Those that matrix kernels take, widest first: their arithmetic is in float32.
    pub const UP_TO_F32: [Self; 5] = [Self::F32, Self::F16, Self::BF16, Self::F8E4M3FN, Self::F8E5M2];

    /// Bytes per element.
    #[must_use]
    pub const fn size_bytes(self) -> usize {
        match self {
            Self::F64 | Self::I64 => 8,
            Self::F32 | Self::I32 => 4,
            Self::F16 | Self::BF16 | Self::I16 => 2,
            Self::F8E4M3FN | Self::F8E5M2 | Self::I8 | Self::U8 | Self::Bool => 1,
        }
    }

    const fn names(self) -> Names {
        let (torch, scalar_type, short): (_, _, &[_]) = match self {
            Self::F64 => ("float64", "Double", &["double", "f64", "fp64"]),
            Self::F32 => ("float32", "Float", &["float", "f32", "fp32"]),
            Self::F16 => ("float16", "Half", &["half", "f16", "fp16"]),
            Self::BF16 => ("bfloat16", "BFloat16", &["bf16"]),
            Self::F8E4M3FN => ("float8_e4m3fn", "Float8_e4m3fn", &["e4m3", "fp8_e4m3"]),
            Self::F8E5M2 => ("float8_e5m2", "Float8_e5m2", &["e5m2", "fp8_e5m2"]),
            Self::I64 => ("int64", "Long", &["long", "i64"]),
            Self::I32 => ("int32", "Int", &["int", "i32"]),
            Self::I16 => ("int16", "Short", &["short", "i16"]),
            Self::I8 => ("int8", "Char", &["i8"]),
            Self::U8 => ("uint8", "Byte", &["u8"]),
            Self::Bool => ("bool", "Bool", &[]),
        };
        Names { torch, scalar_type, short }
    }

    /// The name after `torch.`: `float32`, `bfloat16`, ….
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.names().torch
    }

    /// The name in PyTorch's C++ messages: `Float`, `Long`, ….
    #[must_use]
    pub const fn scalar_type(self) -> &'static str {
        self.names().scalar_type
    }

    /// The dtype of that PyTorch name or of a common short form (`f32`, `half`, `bf16`, `e4m3`, …).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.strip_prefix("torch.").unwrap_or(name);
        Self::ALL.into_iter().find(|dtype| dtype.name() == name || dtype.names().short.contains(&name))
    }

    /// The bit format of a floating-point dtype of at most 32 bits.
    #[must_use]
    pub const fn format(self) -> Option<Format> {
        Some(match self {
            Self::F32 => Format::FP32,
            Self::F16 => Format::FP16,
            Self::BF16 => Format::BF16,
            Self::F8E4M3FN => Format::E4M3,
            Self::F8E5M2 => Format::E5M2,
            Self::F64 | Self::I64 | Self::I32 | Self::I16 | Self::I8 | Self::U8 | Self::Bool => return None,
        })
    }

    /// What kind of number it holds.
    #[must_use]
    pub const fn category(self) -> Category {
        match self {
            Self::Bool => Category::Bool,
            Self::I64 | Self::I32 | Self::I16 | Self::I8 | Self::U8 => Category::Integral,
            _ => Category::Floating,
        }
    }

    /// `dtype.is_floating_point`
    #[must_use]
    pub const fn is_floating_point(self) -> bool {
        matches!(self.category(), Category::Floating)
    }

    /// What a real number without a tensor becomes, `torch.get_default_dtype()`.
    #[must_use]
    pub fn standard() -> Self {
        STANDARD.get()
    }

    /// `torch.set_default_dtype(self)`, for this thread.
    ///
    /// # Errors
    /// If it holds no real numbers, or too few to compute with.
    pub fn set_standard(self) -> Result<()> {
        if !self.is_floating_point() || self.is_float8() {
            let message = "only floating-point types are supported as the default type".into();
            return Err(Error::DType { op: "set_default_dtype", message });
        }
        STANDARD.set(self);
        Ok(())
    }

    /// The dtype of a number of that kind that meets no tensor.
    #[must_use]
    pub fn of(category: Category) -> Self {
        match category {
            Category::Bool => Self::Bool,
            Category::Integral => Self::I64,
            Category::Floating => Self::standard(),
        }
    }

    /// Whether it holds real numbers in 16 bits, which are computed with in 32.
    #[must_use]
    pub const fn is_half(self) -> bool {
        matches!(self, Self::F16 | Self::BF16)
    }

    const fn is_float8(self) -> bool {
        matches!(self, Self::F8E4M3FN | Self::F8E5M2)
    }
}

impl std::fmt::Display for DType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "torch.{}", self.name())
    }
}

impl Scalar {
    /// What kind of number it is.
    #[must_use]
    pub const fn category(self) -> Category {
        match self {
            Self::Bool(_) => Category::Bool,
            Self::Int(_) => Category::Integral,
            Self::Float(_) => Category::Floating,
        }
    }
}

/// `torch.promote_types`: the smallest dtype that both can become without leaving their category.
///
/// # Errors
/// 8-bit floats are promoted with nothing but themselves.
pub fn promote_types(a: DType, b: DType) -> Result<DType> {
    use DType::{F16, F32, F64, I16, I32, I64};
    if a == b {
        return Ok(a);
    }
    // The order in which a category grows: bool, whole numbers, real ones.
    let (low, high) = if a.category() <= b.category() { (a, b) } else { (b, a) };
    if high.is_float8() || low.is_float8() {
        return Err(Error::DType {
            op: "promote_types",
            message: format!(
                "Promotion for Float8 Types is not supported, attempted to promote {} and {}",
                a.scalar_type(),
                b.scalar_type()
            ),
        });
    }
    if low.category() < high.category() {
        return Ok(high);
    }
    let either = |dtype| a == dtype || b == dtype;
    Ok(match high.category() {
        Category::Floating if either(F64) => F64,
        // float16 and bfloat16 hold neither all of the other.
        Category::Floating if either(F32) || either(F16) => F32,
        Category::Integral if either(I64) => I64,
        Category::Integral if either(I32) => I32,
        // int8 and uint8 hold neither all of the other.
        Category::Integral => I16,
        _ => high,
    })
}

/// An argument of an operation, as far as promotion goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Operand {
    /// A tensor with dimensions.
    Tensor(DType),
    /// A tensor without dimensions: counts where no other is of its category.
    ZeroDim(DType),
    /// A number: counts where no tensor is of its category, and then for the default dtype of it.
    Scalar(Category),
}

/// `torch.result_type` of all arguments of an operation.
///
/// # Errors
/// As [`promote_types`].
pub fn result_type(operands: &[Operand]) -> Result<DType> {
    let mut classes: [Option<DType>; 3] = [None; 3];
    for operand in operands {
        let (class, dtype) = match *operand {
            Operand::Tensor(dtype) => (0, dtype),
            Operand::ZeroDim(dtype) => (1, dtype),
            Operand::Scalar(category) => (2, DType::of(category)),
        };
        classes[class] = Some(match classes[class] {
            Some(have) => promote_types(have, dtype)?,
            None => dtype,
        });
    }
    // A class gives way to the one before it unless it is of a higher category.
    let mut result = None::<DType>;
    for dtype in classes.into_iter().flatten() {
        result = Some(match result {
            Some(have) if have.category() >= dtype.category() => have,
            Some(have) => promote_types(have, dtype)?,
            None => dtype,
        });
    }
    result
        .ok_or(Error::DType { op: "result_type", message: "at least one tensor or number is needed".into() })
}
