//! Number formats as hardware tables distinguish them.

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// A format in which a device multiplies. Hardware has one rate for both fp8 variants and one for
/// all fp4 variants, so there is one of each here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum DType {
    /// IEEE binary32, on the vector units.
    Fp32,
    /// Stored as fp32, multiplied with 10 fraction bits by tensor cores.
    Tf32,
    /// IEEE binary16.
    Fp16,
    /// The upper half of binary32.
    Bf16,
    /// PyTorch's float8_e4m3fn or float8_e5m2.
    Fp8,
    /// float4_e2m1fn.
    Fp4,
    /// Integers; rates are in OP/s, not FLOP/s.
    Int8,
}

impl DType {
    /// Every dtype, widest first. Its length is counted by the last one, so that none is forgotten here.
    pub const ALL: [Self; Self::Int8 as usize + 1] =
        [Self::Fp32, Self::Tf32, Self::Fp16, Self::Bf16, Self::Fp8, Self::Fp4, Self::Int8];

    /// The name in hardware tables: `fp32`, `bf16`, ….
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fp32 => "fp32",
            Self::Tf32 => "tf32",
            Self::Fp16 => "fp16",
            Self::Bf16 => "bf16",
            Self::Fp8 => "fp8",
            Self::Fp4 => "fp4",
            Self::Int8 => "int8",
        }
    }

    /// Reads the names of hardware tables and those of PyTorch (`float32`, `bfloat16`, …).
    ///
    /// # Errors
    /// A sentence that names `field` and lists the dtypes.
    pub fn parse(field: &str, text: &str) -> Result<Self> {
        let name = text.trim().to_ascii_lowercase();
        Ok(match name.strip_prefix("torch.").unwrap_or(&name) {
            "fp32" | "f32" | "float32" => Self::Fp32,
            "tf32" => Self::Tf32,
            "fp16" | "f16" | "float16" | "half" => Self::Fp16,
            "bf16" | "bfloat16" => Self::Bf16,
            "fp8" | "float8" | "e4m3" | "e4m3fn" | "e5m2" | "float8_e4m3fn" | "float8_e5m2" => Self::Fp8,
            "fp4" | "float4" | "e2m1" | "float4_e2m1" | "float4_e2m1fn" => Self::Fp4,
            "int8" | "i8" => Self::Int8,
            _ => return Err(Error::input(field, "one of fp32, tf32, fp16, bf16, fp8, fp4 and int8", text)),
        })
    }

    /// Bytes of one stored element, without block scales.
    #[must_use]
    pub const fn bytes_per_element(self) -> f64 {
        match self {
            Self::Fp32 | Self::Tf32 => 4.0,
            Self::Fp16 | Self::Bf16 => 2.0,
            Self::Fp8 | Self::Int8 => 1.0,
            Self::Fp4 => 0.5,
        }
    }
}

impl std::fmt::Display for DType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Whether half of the weights, two of every four, are zero and skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sparsity {
    /// Every product counts: how models are trained.
    #[default]
    Dense,
    /// 2:4 structured sparsity, which doubles the rate on paper.
    Sparse,
}
