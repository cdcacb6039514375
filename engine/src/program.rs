//! Elementwise programs: a chain of operations as data, so that one dispatch (or one pass over
//! memory) computes the whole chain.

mod expr;

pub use expr::Expr;

use crate::DType;
use crate::dtype::Category;
use crate::scalar::Scalar;

/// Operations with their meaning and what PyTorch calls them.
macro_rules! operations {
    ($(#[$meta:meta])* $type:ident: $($(#[$meaning:meta])* $operation:ident = $name:literal,)+) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $type {
            $($(#[$meaning])* $operation,)+
        }

        impl $type {
            /// All of them.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$operation),+];

            /// What PyTorch calls it.
            const fn name(self) -> &'static str {
                match self {
                    $(Self::$operation => $name,)+
                }
            }
        }
    };
}

operations! {
    /// Operations of one argument.
    Unary:
    /// `-x`
    Neg = "neg",
    /// `|x|`
    Abs = "abs",
    /// −1, 0 or 1
    Sign = "sign",
    /// `√x`
    Sqrt = "sqrt",
    /// `1/√x`
    Rsqrt = "rsqrt",
    /// `1/x`
    Reciprocal = "reciprocal",
    /// `eˣ`
    Exp = "exp",
    /// `2ˣ`
    Exp2 = "exp2",
    /// `eˣ − 1`
    Expm1 = "expm1",
    /// `ln x`
    Log = "log",
    /// `log₂ x`
    Log2 = "log2",
    /// `log₁₀ x`
    Log10 = "log10",
    /// `ln(1 + x)`
    Log1p = "log1p",
    /// Sine.
    Sin = "sin",
    /// Cosine.
    Cos = "cos",
    /// Hyperbolic tangent.
    Tanh = "tanh",
    /// `1/(1 + e⁻ˣ)`
    Sigmoid = "sigmoid",
    /// The error function.
    Erf = "erf",
    /// `max(x, 0)`, NaN kept
    Relu = "relu",
    /// The largest whole number that is not larger.
    Floor = "floor",
    /// The smallest whole number that is not smaller.
    Ceil = "ceil",
    /// Without what is behind the point.
    Trunc = "trunc",
    /// The nearest whole number, the even one of two.
    Round = "round",
    /// 1 where x is 0, else 0
    Not = "logical_not",
    /// 1 where x is not a number, else 0
    IsNan = "isnan",
    /// 1 where x is infinite, else 0
    IsInf = "isinf",
}

operations! {
    /// Operations of two arguments.
    Binary:
    /// `a + b`
    Add = "add",
    /// `a − b`
    Sub = "sub",
    /// `a · b`
    Mul = "mul",
    /// `a / b`
    Div = "div",
    /// `a // b`, rounded down
    FloorDiv = "floor_divide",
    /// `a % b`, with the sign of b
    Remainder = "remainder",
    /// The rest of `a / b` rounded towards 0, with the sign of a
    Fmod = "fmod",
    /// `aᵇ`
    Pow = "pow",
    /// The angle of the point (b, a), from −π to π
    Atan2 = "atan2",
    /// The larger; NaN if one is NaN
    Max = "maximum",
    /// The smaller; NaN if one is NaN
    Min = "minimum",
    /// 1 where `a = b`, else 0
    Eq = "eq",
    /// 1 where `a ≠ b`, else 0
    Ne = "ne",
    /// 1 where `a < b`, else 0
    Lt = "lt",
    /// 1 where `a ≤ b`, else 0
    Le = "le",
    /// 1 where `a > b`, else 0
    Gt = "gt",
    /// 1 where `a ≥ b`, else 0
    Ge = "ge",
    /// 1 where neither is 0, else 0
    And = "logical_and",
    /// 1 where one is not 0, else 0
    Or = "logical_or",
    /// 1 where exactly one is not 0, else 0
    Xor = "logical_xor",
}

operations! {
    /// Operations on the bits of two whole numbers.
    Bits:
    /// `a & b`
    And = "bitwise_and",
    /// `a | b`
    Or = "bitwise_or",
    /// `a ^ b`
    Xor = "bitwise_xor",
    /// `a << b`; 0 where b is negative or 64 and more
    ShiftLeft = "bitwise_left_shift",
    /// `a >> b` with the sign of a; only the sign is left where b is negative or 64 and more
    ShiftRight = "bitwise_right_shift",
}

/// One instruction of a postfix program.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Instr {
    /// Push the element of that input.
    Input(usize),
    /// Push a constant.
    Const(Scalar),
    /// Push the value that the instruction of that number left.
    Again(usize),
    /// Replace the top.
    Unary(Unary),
    /// Replace the two topmost; the top is the right argument.
    Binary(Binary),
    /// Replace the two topmost, which are whole numbers; the top is the right argument.
    Bits(Bits),
    /// Replace the three topmost, `condition, a, b` with b at the top: a where the condition is not 0.
    Where,
}

impl Instr {
    /// Values that it takes from the stack; it leaves one.
    #[must_use]
    pub fn arity(self) -> usize {
        match self {
            Self::Input(_) | Self::Const(_) | Self::Again(_) => 0,
            Self::Unary(_) => 1,
            Self::Binary(_) | Self::Bits(_) => 2,
            Self::Where => 3,
        }
    }
}

/// What a program computes in: inputs are converted to it, results from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Compute {
    /// For floating-point dtypes of at most 32 bits.
    F32,
    /// For float64.
    F64,
    /// For whole numbers and truth values; results wrap around in their dtype.
    I64,
}

impl Compute {
    /// What elements of a dtype are computed in.
    #[must_use]
    pub fn of(dtype: DType) -> Self {
        match dtype.category() {
            Category::Floating if dtype == DType::F64 => Self::F64,
            Category::Floating => Self::F32,
            Category::Integral | Category::Bool => Self::I64,
        }
    }
}

/// A postfix program that leaves one value: the element of the output.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// What it computes in, whatever the dtypes of inputs and output.
    pub compute: Compute,
    /// Its instructions.
    pub instrs: Vec<Instr>,
    /// What it is called in reports, where that is not the name of its instruction.
    name: Option<&'static str>,
}

impl Program {
    /// These instructions.
    #[must_use]
    pub fn new(compute: Compute, instrs: impl Into<Vec<Instr>>) -> Self {
        Self { compute, instrs: instrs.into(), name: None }
    }

    /// The same program under a name for reports.
    #[must_use]
    pub(crate) fn named(self, name: &'static str) -> Self {
        Self { name: Some(name), ..self }
    }

    /// The operation that it is, as PyTorch calls it; the last one of several.
    pub(crate) fn name(&self) -> &'static str {
        let of_last = || match self.instrs.last() {
            None | Some(Instr::Input(_) | Instr::Again(_)) => "copy_",
            Some(Instr::Const(_)) => "fill_",
            Some(Instr::Unary(op)) => op.name(),
            Some(Instr::Binary(op)) => op.name(),
            Some(Instr::Bits(op)) => op.name(),
            Some(Instr::Where) => "where",
        };
        self.name.unwrap_or_else(of_last)
    }

    /// Copies its input of that dtype, and converts it to the output's.
    #[must_use]
    pub fn copy(from: DType) -> Self {
        Self::new(Compute::of(from), [Instr::Input(0)])
    }

    /// The same value everywhere.
    #[must_use]
    pub fn fill(value: Scalar, dtype: DType) -> Self {
        // What is not 0 is true, also where it would be cut off to 0 as a whole number.
        let value = if dtype == DType::Bool { Scalar::Bool(value.as_f64() != 0.0) } else { value };
        Self::new(Compute::of(dtype), [Instr::Const(value)])
    }

    /// `op(x)`
    #[must_use]
    pub fn unary(compute: Compute, op: Unary) -> Self {
        Self::new(compute, [Instr::Input(0), Instr::Unary(op)])
    }

    /// `op(a, b)`
    #[must_use]
    pub fn binary(compute: Compute, op: Binary) -> Self {
        Self::new(compute, [Instr::Input(0), Instr::Input(1), Instr::Binary(op)])
    }

    /// `op(x, scalar)`
    #[must_use]
    pub fn scalar(compute: Compute, op: Binary, scalar: Scalar) -> Self {
        Self::new(compute, [Instr::Input(0), Instr::Const(scalar), Instr::Binary(op)])
    }
}
