//! Twin of shaders/map.wgsl.

use std::cmp::Ordering;

use super::Number;
use crate::backend::Reduction;
use crate::program::{Binary, Instr, Program, Unary};
use crate::scalar::Scalar;

/// The program for every element; inputs are in row-major order of the output. `None` if the program
/// is malformed.
#[must_use]
pub fn map<T: Number>(program: &Program, inputs: &[&[T]], numel: usize) -> Option<Vec<T>> {
    (0..numel).map(|i| element(program, inputs, i)).collect()
}

fn element<T: Number>(program: &Program, inputs: &[&[T]], i: usize) -> Option<T> {
    let (mut stack, mut left) = (Vec::new(), Vec::new());
    for instr in &program.instrs {
        let value = match *instr {
            Instr::Input(input) => *inputs.get(input)?.get(i)?,
            Instr::Const(value) => T::constant(value),
            Instr::Again(at) => *left.get(at)?,
            Instr::Unary(op) => T::unary(op, stack.pop()?)?,
            Instr::Binary(op) => {
                let (b, a) = (stack.pop()?, stack.pop()?);
                T::binary(op, a, b)
            }
            Instr::Bits(op) => {
                let (b, a) = (stack.pop()?, stack.pop()?);
                T::bits(op, a, b)?
            }
            Instr::Where => {
                let (b, a, condition): (T, T, T) = (stack.pop()?, stack.pop()?, stack.pop()?);
                if condition.is_true() { a } else { b }
            }
        };
        stack.push(value);
        left.push(value);
    }
    match stack.as_slice() {
        &[result] => Some(result),
        _ => None,
    }
}

impl Number for f64 {
    /// Kernels get their constants in what they compute in.
    fn constant(value: Scalar) -> Self {
        Self::from(value.as_f64() as f32)
    }

    fn is_true(self) -> bool {
        self != 0.0
    }

    fn unary(op: Unary, x: Self) -> Option<Self> {
        Some(unary(op, x))
    }

    fn binary(op: Binary, a: Self, b: Self) -> Self {
        binary(op, a, b)
    }

    fn identity(op: Reduction) -> Self {
        match op {
            Reduction::Sum => 0.0,
            Reduction::Prod => 1.0,
            Reduction::Max => Self::NEG_INFINITY,
            Reduction::Min => Self::INFINITY,
        }
    }

    fn scaled(self, scale: f64) -> Self {
        self * scale
    }

    fn order(self, other: Self) -> Ordering {
        self.partial_cmp(&other).unwrap_or_else(|| self.is_nan().cmp(&other.is_nan()))
    }

    fn is_nan(self) -> bool {
        self.is_nan()
    }
}

fn truth(value: bool) -> f64 {
    f64::from(u8::from(value))
}

fn unary(op: Unary, x: f64) -> f64 {
    match op {
        Unary::Neg => -x,
        Unary::Abs => x.abs(),
        Unary::Sign => truth(x > 0.0) - truth(x < 0.0),
        Unary::Sqrt => x.sqrt(),
        Unary::Rsqrt => 1.0 / x.sqrt(),
        Unary::Reciprocal => 1.0 / x,
        Unary::Exp => x.exp(),
        Unary::Exp2 => x.exp2(),
        Unary::Expm1 => x.exp_m1(),
        Unary::Log => x.ln(),
        Unary::Log2 => x.log2(),
        Unary::Log10 => x.log10(),
        Unary::Log1p => x.ln_1p(),
        Unary::Sin => x.sin(),
        Unary::Cos => x.cos(),
        Unary::Tanh => x.tanh(),
        Unary::Sigmoid => 1.0 / (1.0 + (-x).exp()),
        Unary::Erf => libm::erf(x),
        // NaN stays NaN.
        Unary::Relu => {
            if x <= 0.0 {
                0.0
            } else {
                x
            }
        }
        Unary::Floor => x.floor(),
        Unary::Ceil => x.ceil(),
        Unary::Trunc => x.trunc(),
        Unary::Round => x.round_ties_even(),
        Unary::Not => truth(x == 0.0),
        Unary::IsNan => truth(x.is_nan()),
        Unary::IsInf => truth(x.is_infinite()),
    }
}

fn binary(op: Binary, a: f64, b: f64) -> f64 {
    let rest = a % b;
    let is_of_other_sign = rest != 0.0 && (b < 0.0) != (rest < 0.0);
    match op {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::Div => a / b,
        Binary::FloorDiv if b == 0.0 => a / b,
        Binary::FloorDiv => {
            let quotient = ((a - rest) / b).round_ties_even() - truth(is_of_other_sign);
            if quotient == 0.0 { 0f64.copysign(a / b) } else { quotient }
        }
        Binary::Remainder if is_of_other_sign => rest + b,
        Binary::Remainder | Binary::Fmod => rest,
        Binary::Pow => a.powf(b),
        Binary::Atan2 => a.atan2(b),
        Binary::Max => {
            if b > a || b.is_nan() {
                b
            } else {
                a
            }
        }
        Binary::Min => {
            if b < a || b.is_nan() {
                b
            } else {
                a
            }
        }
        Binary::Eq => truth(a == b),
        Binary::Ne => truth(a != b),
        Binary::Lt => truth(a < b),
        Binary::Le => truth(a <= b),
        Binary::Gt => truth(a > b),
        Binary::Ge => truth(a >= b),
        Binary::And => truth(a != 0.0 && b != 0.0),
        Binary::Or => truth(a != 0.0 || b != 0.0),
        Binary::Xor => truth((a != 0.0) != (b != 0.0)),
    }
}
