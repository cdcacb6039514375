//! The element types a tensor can hold.

use crate::format::Format;

/// Element type of a tensor, named as in PyTorch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DType {
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
}

impl DType {
    /// Every dtype, widest first.
    pub const ALL: [Self; 5] = [Self::F32, Self::F16, Self::BF16, Self::F8E4M3FN, Self::F8E5M2];

    /// Bytes per element.
    #[must_use]
    pub const fn size_bytes(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F16 | Self::BF16 => 2,
            Self::F8E4M3FN | Self::F8E5M2 => 1,
        }
    }

    /// The name after `torch.`: `float32`, `bfloat16`, ….
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => "float32",
            Self::F16 => "float16",
            Self::BF16 => "bfloat16",
            Self::F8E4M3FN => "float8_e4m3fn",
            Self::F8E5M2 => "float8_e5m2",
        }
    }

    /// The dtype of that PyTorch name or of a common short form (`f32`, `half`, `bf16`, `e4m3`, …).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name.strip_prefix("torch.").unwrap_or(name) {
            "float32" | "float" | "f32" | "fp32" => Self::F32,
            "float16" | "half" | "f16" | "fp16" => Self::F16,
            "bfloat16" | "bf16" => Self::BF16,
            "float8_e4m3fn" | "e4m3" | "fp8_e4m3" => Self::F8E4M3FN,
            "float8_e5m2" | "e5m2" | "fp8_e5m2" => Self::F8E5M2,
            _ => return None,
        })
    }

    /// The bit format behind the dtype.
    #[must_use]
    pub const fn format(self) -> Format {
        match self {
            Self::F32 => Format::FP32,
            Self::F16 => Format::FP16,
            Self::BF16 => Format::BF16,
            Self::F8E4M3FN => Format::E4M3,
            Self::F8E5M2 => Format::E5M2,
        }
    }
}

impl std::fmt::Display for DType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "torch.{}", self.name())
    }
}
