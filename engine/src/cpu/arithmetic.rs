//! The operations of elementwise programs on chunks of numbers, with PyTorch's meaning.

use crate::error::{Error, Result};
use crate::program::{Binary, Bits, Unary};

use super::elements::Number;
use super::vector_math::{self, vectorized};

/// A number that programs compute in.
pub(super) trait Arithmetic: Number {
    /// `x = op(x)` for each.
    fn unary(op: Unary, x: &mut [Self]) -> Result<()>;
    /// `a = op(a, b)` for each pair.
    fn binary(op: Binary, a: &mut [Self], b: &[Self]) -> Result<()>;
    /// `a = op(a, b)` on the bits of each pair; only whole numbers have them.
    fn bits(op: Bits, _a: &mut [Self], _b: &[Self]) -> Result<()> {
        Err(Error::DType { op: "map", message: format!("{op:?} takes the bits of whole numbers") })
    }
    /// `a = op(a, b)` for each a.
    fn binary_scalar(op: Binary, a: &mut [Self], b: Self) -> Result<()>;

    /// 1 or 0.
    #[inline(always)]
    fn truth(value: bool) -> Self {
        Self::from_i64(value.into())
    }

    #[inline(always)]
    fn is_true(self) -> bool {
        self != Self::zeroed()
    }
}

#[inline(always)]
fn each<T: Copy>(x: &mut [T], f: impl Fn(T) -> T) -> Result<()> {
    for x in x {
        *x = f(*x);
    }
    Ok(())
}

/// The same for functions of many steps, with all vectors that the processor has.
#[inline(always)]
fn slow<T: Copy>(x: &mut [T], f: impl Fn(T) -> T) -> Result<()> {
    vectorized(
        #[inline(always)]
        || each(x, f),
    )
}

#[inline(always)]
fn pairs<T: Copy>(a: &mut [T], b: &[T], f: impl Fn(T, T) -> T) -> Result<()> {
    for (a, &b) in a.iter_mut().zip(b) {
        *a = f(*a, b);
    }
    Ok(())
}

/// The same for every type: comparisons and truth.
#[inline(always)]
fn compare<T: Arithmetic>(op: Binary, a: &mut [T], b: &[T]) -> Result<()> {
    match op {
        Binary::Eq => pairs(a, b, |a, b| T::truth(a == b)),
        Binary::Ne => pairs(a, b, |a, b| T::truth(a != b)),
        Binary::Lt => pairs(a, b, |a, b| T::truth(a < b)),
        Binary::Le => pairs(a, b, |a, b| T::truth(a <= b)),
        Binary::Gt => pairs(a, b, |a, b| T::truth(a > b)),
        Binary::Ge => pairs(a, b, |a, b| T::truth(a >= b)),
        Binary::And => pairs(a, b, |a, b| T::truth(a.is_true() && b.is_true())),
        Binary::Or => pairs(a, b, |a, b| T::truth(a.is_true() || b.is_true())),
        Binary::Xor => pairs(a, b, |a, b| T::truth(a.is_true() != b.is_true())),
        _ => Err(Error::Value { op: "map", message: format!("{op:?} compares nothing") }),
    }
}

macro_rules! floating {
    ($type:ident, $exp:expr, $tanh:expr, $sigmoid:expr, $erf:expr) => {
        impl Arithmetic for $type {
            fn unary(op: Unary, x: &mut [Self]) -> Result<()> {
                match op {
                    Unary::Neg => each(x, |x| -x),
                    Unary::Abs => each(x, Self::abs),
                    Unary::Sign => each(x, |x| Self::truth(x > 0.0) - Self::truth(x < 0.0)),
                    Unary::Sqrt => each(x, Self::sqrt),
                    Unary::Rsqrt => each(x, |x| 1.0 / x.sqrt()),
                    Unary::Reciprocal => each(x, |x| 1.0 / x),
                    Unary::Exp => slow(x, $exp),
                    Unary::Exp2 => each(x, Self::exp2),
                    Unary::Expm1 => each(x, Self::exp_m1),
                    Unary::Log => each(x, Self::ln),
                    Unary::Log2 => each(x, Self::log2),
                    Unary::Log10 => each(x, Self::log10),
                    Unary::Log1p => each(x, Self::ln_1p),
                    Unary::Sin => each(x, Self::sin),
                    Unary::Cos => each(x, Self::cos),
                    Unary::Tanh => slow(x, $tanh),
                    Unary::Sigmoid => slow(x, $sigmoid),
                    Unary::Erf => slow(x, $erf),
                    Unary::Relu => each(x, |x| if x <= 0.0 { 0.0 } else { x }),
                    Unary::Floor => each(x, Self::floor),
                    Unary::Ceil => each(x, Self::ceil),
                    Unary::Trunc => each(x, Self::trunc),
                    Unary::Round => each(x, Self::round_ties_even),
                    Unary::Not => each(x, |x| Self::truth(x == 0.0)),
                    Unary::IsNan => each(x, |x| Self::truth(x.is_nan())),
                    Unary::IsInf => each(x, |x| Self::truth(x.is_infinite())),
                }
            }

            fn binary(op: Binary, a: &mut [Self], b: &[Self]) -> Result<()> {
                match op {
                    Binary::Add => pairs(a, b, |a, b| a + b),
                    Binary::Sub => pairs(a, b, |a, b| a - b),
                    Binary::Mul => pairs(a, b, |a, b| a * b),
                    Binary::Div => pairs(a, b, |a, b| a / b),
                    Binary::FloorDiv => pairs(a, b, |a, b| {
                        if b == 0.0 {
                            return a / b;
                        }
                        let rest = a % b;
                        let down = rest != 0.0 && (b < 0.0) != (rest < 0.0);
                        let quotient = (a - rest) / b - Self::truth(down);
                        if quotient == 0.0 {
                            return (0.0 as Self).copysign(a / b);
                        }
                        let floor = quotient.floor();
                        floor + Self::truth(quotient - floor > 0.5)
                    }),
                    Binary::Remainder => pairs(a, b, |a, b| {
                        let rest = a % b;
                        if rest != 0.0 && (b < 0.0) != (rest < 0.0) { rest + b } else { rest }
                    }),
                    Binary::Fmod => pairs(a, b, |a, b| a % b),
                    Binary::Pow => pairs(a, b, Self::powf),
                    Binary::Atan2 => pairs(a, b, Self::atan2),
                    // Of two zeros the first.
                    Binary::Max => pairs(a, b, |a, b| if b > a || b.is_nan() { b } else { a }),
                    Binary::Min => pairs(a, b, |a, b| if b < a || b.is_nan() { b } else { a }),
                    _ => compare(op, a, b),
                }
            }

            fn binary_scalar(op: Binary, a: &mut [Self], b: Self) -> Result<()> {
                match op {
                    Binary::Add => each(a, |a| a + b),
                    Binary::Mul => each(a, |a| a * b),
                    // The exponents that PyTorch also computes without `pow`.
                    Binary::Pow if b == -1.0 => each(a, |a| 1.0 / a),
                    Binary::Pow if b == -2.0 => each(a, |a| 1.0 / (a * a)),
                    _ => one_by_one(op, a, b),
                }
            }
        }
    };
}

floating!(f32, vector_math::exp, vector_math::tanh, vector_math::sigmoid, vector_math::erf);
floating!(f64, f64::exp, f64::tanh, |x: f64| 1.0 / (1.0 + (-x).exp()), libm::erf);

#[inline(never)]
fn one_by_one<T: Arithmetic>(op: Binary, a: &mut [T], b: T) -> Result<()> {
    let right = [b; 64];
    a.chunks_mut(right.len()).try_for_each(|a| T::binary(op, a, &right[..a.len()]))
}

impl Arithmetic for i64 {
    fn unary(op: Unary, x: &mut [Self]) -> Result<()> {
        match op {
            Unary::Neg => each(x, Self::wrapping_neg),
            Unary::Abs => each(x, Self::wrapping_abs),
            Unary::Sign => each(x, Self::signum),
            Unary::Relu => each(x, |x| x.max(0)),
            Unary::Floor | Unary::Ceil | Unary::Trunc | Unary::Round => Ok(()),
            Unary::Not => each(x, |x| Self::truth(x == 0)),
            Unary::IsNan | Unary::IsInf => each(x, |_| 0),
            _ => Err(Error::DType {
                op: "map",
                message: format!("{op:?} of whole numbers is no whole number"),
            }),
        }
    }

    fn binary(op: Binary, a: &mut [Self], b: &[Self]) -> Result<()> {
        let divides = matches!(op, Binary::Div | Binary::FloorDiv | Binary::Remainder | Binary::Fmod);
        if divides && b.contains(&0) {
            return Err(Error::Value { op: "div", message: "ZeroDivisionError".into() });
        }
        match op {
            Binary::Add => pairs(a, b, Self::wrapping_add),
            Binary::Sub => pairs(a, b, Self::wrapping_sub),
            Binary::Mul => pairs(a, b, Self::wrapping_mul),
            Binary::Div => pairs(a, b, Self::wrapping_div),
            Binary::FloorDiv => pairs(a, b, |a, b| {
                let rest = a.wrapping_rem(b);
                a.wrapping_div(b) - Self::from(rest != 0 && (rest < 0) != (b < 0))
            }),
            Binary::Remainder => pairs(a, b, |a, b| {
                let rest = a.wrapping_rem(b);
                if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }
            }),
            Binary::Fmod => pairs(a, b, Self::wrapping_rem),
            Binary::Pow => pairs(a, b, power),
            Binary::Max => pairs(a, b, Ord::max),
            Binary::Min => pairs(a, b, Ord::min),
            _ => compare(op, a, b),
        }
    }

    fn bits(op: Bits, a: &mut [Self], b: &[Self]) -> Result<()> {
        let shift = |b: Self| u32::try_from(b).ok().filter(|&b| b < Self::BITS);
        match op {
            Bits::And => pairs(a, b, |a, b| a & b),
            Bits::Or => pairs(a, b, |a, b| a | b),
            Bits::Xor => pairs(a, b, |a, b| a ^ b),
            Bits::ShiftLeft => pairs(a, b, |a, b| shift(b).map_or(0, |b| a << b)),
            Bits::ShiftRight => pairs(a, b, |a, b| a >> shift(b).unwrap_or(Self::BITS - 1)),
        }
    }

    fn binary_scalar(op: Binary, a: &mut [Self], b: Self) -> Result<()> {
        one_by_one(op, a, b)
    }
}

/// `baseᵉ`, wrapping; to a negative power only 1 and −1 are whole, and the rest is 0.
fn power(base: i64, exponent: i64) -> i64 {
    match (base, u64::try_from(exponent)) {
        (_, Ok(mut left)) => {
            let (mut square, mut result) = (base, 1i64);
            while left > 0 {
                if left & 1 == 1 {
                    result = result.wrapping_mul(square);
                }
                square = square.wrapping_mul(square);
                left >>= 1;
            }
            result
        }
        (1, Err(_)) => 1,
        (-1, Err(_)) => {
            if exponent % 2 == 0 {
                1
            } else {
                -1
            }
        }
        (_, Err(_)) => 0,
    }
}
