//! Numbers that a dtype cannot hold, in PyTorch's words: it refuses them where one number fills a tensor.

use napkin_engine::{DType, Scalar};
use rustpython_vm::{PyResult, VirtualMachine};

/// Where the number is going.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// A new tensor of Python's numbers: floats become infinite, and dtypes have their own names.
    Data,
    /// All elements; of the floats only float32 is refused.
    Fill,
    /// Some of the elements.
    Masked,
}

/// # Errors
/// When the dtype cannot hold the number.
pub(super) fn fits(value: Scalar, dtype: DType, to: Target, vm: &VirtualMachine) -> PyResult<()> {
    let (name, largest) = match dtype {
        DType::U8 => ("uint8_t", 255.0),
        DType::I8 => ("int8_t", 127.0),
        DType::I16 => ("int16_t", 32_767.0),
        DType::I32 => ("int", 2_147_483_647.0),
        DType::I64 => ("int64_t", 9_223_372_036_854_775_807.0),
        DType::F32 if to != Target::Data => ("float", f64::from(f32::MAX)),
        DType::F16 if to == Target::Masked => ("c10::Half", 65_504.0),
        DType::BF16 if to == Target::Masked => ("c10::BFloat16", 3.389_531_389_251_535_5e38),
        _ => return Ok(()),
    };
    let number = value.as_f64();
    let is_held = if dtype.is_floating_point() {
        !number.is_finite() || number.abs() <= largest
    } else {
        // Of the unsigned ones negative numbers wrap around.
        let smallest = if dtype == DType::U8 { -largest } else { -largest - 1.0 };
        matches!(value, Scalar::Int(_)) && dtype == DType::I64 || (smallest..=largest).contains(&number)
    };
    if is_held {
        return Ok(());
    }
    let name = if to == Target::Data { dtype.name() } else { name };
    Err(vm.new_runtime_error(format!("value cannot be converted to type {name} without overflow")))
}
