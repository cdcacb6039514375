//! Elementwise formulas written as formulas.

use std::collections::HashMap;
use std::ops::{Add, Div, Mul, Sub};

use super::{Binary, Compute, Instr, Program, Unary};

/// A formula of inputs and numbers, to become a [`Program`]. What stands in it twice is computed once.
#[derive(Debug, Clone)]
pub struct Expr(Vec<Instr>);

impl Expr {
    /// The element of that input.
    #[must_use]
    pub fn input(at: usize) -> Self {
        Self(vec![Instr::Input(at)])
    }

    /// `op(self)`
    #[must_use]
    pub fn unary(mut self, op: Unary) -> Self {
        self.0.push(Instr::Unary(op));
        self
    }

    /// `op(self, right)`
    #[must_use]
    pub fn binary(mut self, op: Binary, right: impl Into<Self>) -> Self {
        self.0.extend(right.into().0);
        self.0.push(Instr::Binary(op));
        self
    }

    /// `a` where this is not 0, else `b`.
    #[must_use]
    pub fn choose(mut self, a: impl Into<Self>, b: impl Into<Self>) -> Self {
        self.0.extend(a.into().0);
        self.0.extend(b.into().0);
        self.0.push(Instr::Where);
        self
    }

    /// The program that computes it.
    #[must_use]
    pub fn program(self, compute: Compute) -> Program {
        let (values, root) = values(&self.0);
        let mut instrs = Vec::new();
        if let Some(root) = root {
            write(&values, root, &mut HashMap::new(), &mut instrs);
        }
        Program::new(compute, instrs)
    }
}

/// An instruction with the numbers of its arguments.
type Value = (Instr, Vec<usize>);

/// The distinct values of a formula, and the number of the last one.
fn values(instrs: &[Instr]) -> (Vec<Value>, Option<usize>) {
    let (mut values, mut stack): (Vec<Value>, Vec<usize>) = (Vec::new(), Vec::new());
    for instr in instrs {
        let arguments = stack.split_off(stack.len().saturating_sub(instr.arity()));
        let value = (*instr, arguments);
        let at = values.iter().position(|other| is_same(other, &value)).unwrap_or_else(|| {
            values.push(value);
            values.len() - 1
        });
        stack.push(at);
    }
    (values, stack.pop())
}

/// Equal, and with zeros of one sign.
fn is_same(a: &Value, b: &Value) -> bool {
    let is_negative = |value: &Value| matches!(value.0, Instr::Const(c) if c.as_f64().is_sign_negative());
    a == b && is_negative(a) == is_negative(b)
}

/// Writes what leaves that value; `done` are the instructions that have left values before.
fn write(values: &[Value], at: usize, done: &mut HashMap<usize, usize>, instrs: &mut Vec<Instr>) {
    let (instr, arguments) = &values[at];
    if let Some(&before) = done.get(&at) {
        instrs.push(Instr::Again(before));
        return;
    }
    arguments.iter().for_each(|&argument| write(values, argument, done, instrs));
    instrs.push(*instr);
    // Inputs and numbers are as cheap as what has been kept.
    if !arguments.is_empty() {
        done.insert(at, instrs.len() - 1);
    }
}

impl From<f64> for Expr {
    fn from(value: f64) -> Self {
        Self(vec![Instr::Const(value.into())])
    }
}

macro_rules! operators {
    ($($trait:ident $name:ident $op:ident;)+) => {
        $(
            impl<R: Into<Self>> $trait<R> for Expr {
                type Output = Self;

                fn $name(self, right: R) -> Self {
                    self.binary(Binary::$op, right)
                }
            }

            impl $trait<Expr> for f64 {
                type Output = Expr;

                fn $name(self, right: Expr) -> Expr {
                    Expr::from(self).binary(Binary::$op, right)
                }
            }
        )+
    };
}

operators! {
    Add add Add;
    Sub sub Sub;
    Mul mul Mul;
    Div div Div;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_twice_is_computed_once() {
        use Instr::{Again, Binary as Do, Const, Input, Unary as Of};
        let x = || Expr::input(0);
        let tanh = || (x() * 2.0).unary(Unary::Tanh);
        let program = (tanh() * (1.0 - tanh())).program(Compute::F32);
        let two = Const(2.0.into());
        let want = [
            Input(0),
            two,
            Do(Binary::Mul),
            Of(Unary::Tanh),
            Const(1.0.into()),
            Again(3),
            Do(Binary::Sub),
            Do(Binary::Mul),
        ];
        assert_eq!(program.instrs, want);
        assert_eq!(x().program(Compute::F32).instrs, [Input(0)]);
        let square = || x() * x();
        let instrs = (square() + square()).program(Compute::F32).instrs;
        assert_eq!(instrs, [Input(0), Input(0), Do(Binary::Mul), Again(2), Do(Binary::Add)]);
    }
}
