//! Twin of shaders/whole.wgsl: arithmetic of whole numbers, which wraps around.

use std::cmp::Ordering;

use super::Number;
use crate::backend::Reduction;
use crate::program::{Binary, Bits, Unary};
use crate::scalar::Scalar;

impl Number for i64 {
    fn constant(value: Scalar) -> Self {
        value.as_i64()
    }

    fn is_true(self) -> bool {
        self != 0
    }

    fn unary(op: Unary, x: Self) -> Option<Self> {
        Some(match op {
            Unary::Neg => x.wrapping_neg(),
            Unary::Abs => x.wrapping_abs(),
            Unary::Sign => x.signum(),
            Unary::Relu => x.max(0),
            Unary::Not => (x == 0).into(),
            Unary::IsNan | Unary::IsInf => 0,
            Unary::Floor | Unary::Ceil | Unary::Trunc | Unary::Round => x,
            _ => return None,
        })
    }

    fn binary(op: Binary, a: Self, b: Self) -> Self {
        let quotient = if b == 0 { 0 } else { a.wrapping_div(b) };
        let rest = a.wrapping_sub(quotient.wrapping_mul(b));
        let down = rest != 0 && b != 0 && (rest < 0) != (b < 0);
        match op {
            Binary::Add => a.wrapping_add(b),
            Binary::Sub => a.wrapping_sub(b),
            Binary::Mul => a.wrapping_mul(b),
            Binary::Div => quotient,
            Binary::FloorDiv => quotient - Self::from(down),
            Binary::Remainder => rest + if down { b } else { 0 },
            Binary::Fmod => rest,
            Binary::Pow => power(a, b),
            // No whole number.
            Binary::Atan2 => 0,
            Binary::Max => a.max(b),
            Binary::Min => a.min(b),
            Binary::Eq => (a == b).into(),
            Binary::Ne => (a != b).into(),
            Binary::Lt => (a < b).into(),
            Binary::Le => (a <= b).into(),
            Binary::Gt => (a > b).into(),
            Binary::Ge => (a >= b).into(),
            Binary::And => (a != 0 && b != 0).into(),
            Binary::Or => (a != 0 || b != 0).into(),
            Binary::Xor => ((a != 0) != (b != 0)).into(),
        }
    }

    fn bits(op: Bits, a: Self, b: Self) -> Option<Self> {
        let by = if (0..64).contains(&b) { Some(b as u32) } else { None };
        Some(match op {
            Bits::And => a & b,
            Bits::Or => a | b,
            Bits::Xor => a ^ b,
            Bits::ShiftLeft => by.map_or(0, |by| a << by),
            Bits::ShiftRight => a >> by.unwrap_or(63),
        })
    }

    fn identity(op: Reduction) -> Self {
        match op {
            Reduction::Sum => 0,
            Reduction::Prod => 1,
            Reduction::Max => Self::MIN,
            Reduction::Min => Self::MAX,
        }
    }

    fn scaled(self, _: f64) -> Self {
        self
    }

    fn order(self, other: Self) -> Ordering {
        self.cmp(&other)
    }

    fn is_nan(self) -> bool {
        false
    }
}

/// By one multiplication after the other, as long as that changes anything.
fn power(base: i64, exponent: i64) -> i64 {
    match (base, exponent) {
        (_, 0) | (1, _) => 1,
        (-1, _) => 1 - 2 * (exponent & 1),
        (_, ..0) | (0, _) => 0,
        _ => {
            // Any even number to the power of 64 is 0; of odd ones the exponent counts modulo 2⁶².
            let steps = if base % 2 == 0 { exponent.min(64) } else { exponent };
            (0..63).rev().fold(1i64, |result, bit| {
                let square = result.wrapping_mul(result);
                if steps >> bit & 1 == 1 { square.wrapping_mul(base) } else { square }
            })
        }
    }
}
