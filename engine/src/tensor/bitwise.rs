//! Operations on the bits of whole numbers.

use super::Tensor;
use super::elementwise::{Arg, Pair};
use crate::dtype::{Category, DType};
use crate::error::{Error, Result};
use crate::program::{Bits, Compute, Instr, Program};

macro_rules! bitwise {
    ($($name:ident $op:ident $kernel:literal $torch:literal;)+) => {
        /// On the bits of whole numbers, or truth values.
        impl Tensor {
            $(
                #[doc = concat!("`", $torch, "`")]
                ///
                /// # Errors
                /// As [`Tensor::add`], and for real numbers.
                pub fn $name<'a>(&self, other: impl Into<Arg<'a>>) -> Result<Self> {
                    self.on_bits(stringify!($name), $kernel, Bits::$op, other.into())
                }
            )+
        }
    };
}

bitwise! {
    bitwise_and And "bitwise_and_cpu" "self & other";
    bitwise_or Or "bitwise_or_cpu" "self | other";
    bitwise_xor Xor "bitwise_xor_cpu" "self ^ other";
    bitwise_left_shift ShiftLeft "lshift_cpu" "self << other";
    bitwise_right_shift ShiftRight "rshift_cpu" "self >> other";
}

impl Tensor {
    /// `~self`; of truth values the opposite.
    ///
    /// # Errors
    /// For real numbers.
    pub fn bitwise_not(&self) -> Result<Self> {
        match self.dtype() {
            DType::Bool => self.logical_not(),
            _ => self.on_bits("bitwise_not", "bitwise_not_cpu", Bits::Xor, Arg::Scalar((-1).into())),
        }
    }

    fn on_bits(&self, op: &'static str, kernel: &str, bits: Bits, other: Arg<'_>) -> Result<Self> {
        let pair = Pair::new(op, self, other)?;
        let is_shift = matches!(bits, Bits::ShiftLeft | Bits::ShiftRight);
        if pair.dtype.category() == Category::Floating || is_shift && pair.dtype == DType::Bool {
            return Err(Error::not_implemented(op, kernel, pair.dtype.scalar_type()));
        }
        let program = [Instr::Input(0), pair.second_operand(), Instr::Bits(bits)];
        pair.run_program(&Program::new(Compute::of(pair.dtype), program), pair.dtype)
    }
}
