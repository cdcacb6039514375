//! Elementwise programs: a chain of operations as data, so that one dispatch (or one pass over
//! memory) computes the whole chain.

/// Operations of one argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unary {
    /// `-x`
    Neg,
    /// `|x|`
    Abs,
    /// `√x`
    Sqrt,
    /// `1/√x`
    Rsqrt,
    /// `eˣ`
    Exp,
    /// `ln x`
    Log,
    /// `max(x, 0)`, NaN kept
    Relu,
}

/// Operations of two arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Binary {
    /// `a + b`
    Add,
    /// `a − b`
    Sub,
    /// `a · b`
    Mul,
    /// `a / b`
    Div,
    /// `aᵇ`
    Pow,
}

/// One instruction of a postfix program.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Instr {
    /// Push the element of that input.
    Input(usize),
    /// Push a constant.
    Const(f32),
    /// Replace the top.
    Unary(Unary),
    /// Replace the two topmost; the top is the right argument.
    Binary(Binary),
}

/// A postfix program that leaves one value: the element of the output. Computed in f32, whatever
/// the dtypes of inputs and output.
#[derive(Debug, Clone, PartialEq)]
pub struct Program(pub Vec<Instr>);

impl Program {
    /// Copies (and converts) its input.
    #[must_use]
    pub fn copy() -> Self {
        Self(vec![Instr::Input(0)])
    }

    /// The same value everywhere.
    #[must_use]
    pub fn fill(value: f32) -> Self {
        Self(vec![Instr::Const(value)])
    }

    /// `op(x)`
    #[must_use]
    pub fn unary(op: Unary) -> Self {
        Self(vec![Instr::Input(0), Instr::Unary(op)])
    }

    /// `op(a, b)`
    #[must_use]
    pub fn binary(op: Binary) -> Self {
        Self(vec![Instr::Input(0), Instr::Input(1), Instr::Binary(op)])
    }

    /// `op(x, scalar)`
    #[must_use]
    pub fn scalar(op: Binary, scalar: f32) -> Self {
        Self(vec![Instr::Input(0), Instr::Const(scalar), Instr::Binary(op)])
    }
}
