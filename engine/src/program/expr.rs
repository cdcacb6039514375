//! Elementwise formulas written as formulas.

use std::ops::{Add, Div, Mul, Sub};

use super::{Binary, Compute, Instr, Program, Unary};

/// A formula of inputs and numbers, to become a [`Program`]. What stands in it twice is computed twice.
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

    fn binary(mut self, op: Binary, right: Self) -> Self {
        self.0.extend(right.0);
        self.0.push(Instr::Binary(op));
        self
    }

    /// The program that computes it.
    #[must_use]
    pub fn program(self, compute: Compute) -> Program {
        Program::new(compute, self.0)
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
                    self.binary(Binary::$op, right.into())
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
