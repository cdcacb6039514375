//! Formulas as trees: one tree gives the value, the unit, the symbols, the numbers and the Python.

use std::ops::{Add, Div, Mul, Sub};
use std::sync::Arc;

use crate::{Derivation, Error, Quantity, Result, Source, Unit, format};

/// A formula.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Expr {
    /// A number of the formula itself, such as the 6 of 6·N·D.
    Constant {
        /// How much.
        value: f64,
        /// Of what.
        unit: Unit,
    },
    /// A number that somebody gives.
    Input(Arc<Input>),
    /// The result of another derivation.
    Step(Arc<Derivation>),
    /// Two formulas combined.
    Binary(Op, Box<(Expr, Expr)>),
}

/// How two formulas combine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Op {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient.
    Div,
    /// The larger.
    Max,
}

/// A given number.
#[derive(Debug, Clone)]
pub struct Input {
    /// Python name; with the unit in it where there is one.
    pub name: &'static str,
    /// Symbol in the formula.
    pub symbol: &'static str,
    /// What it is, in words.
    pub title: String,
    /// How much.
    pub value: f64,
    /// Of what.
    pub unit: Unit,
    /// Where it is from, if not from the reader.
    pub sources: Vec<Source>,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Style {
    Symbols,
    Numbers,
    Python,
}

impl Expr {
    /// A number of the formula itself.
    #[must_use]
    pub const fn constant(value: f64, unit: Unit) -> Self {
        Self::Constant { value, unit }
    }

    /// A quantity from the reader.
    ///
    /// # Errors
    /// [`Error::Input`] for what is negative or not finite.
    pub fn given<Q: Quantity>(
        name: &'static str,
        symbol: &'static str,
        title: &str,
        quantity: Q,
    ) -> Result<Self> {
        Self::input(Input {
            name,
            symbol,
            title: title.to_owned(),
            value: quantity.value(),
            unit: Q::UNIT,
            sources: Vec::new(),
        })
    }

    /// A number with sources.
    ///
    /// # Errors
    /// [`Error::Input`] for what is negative or not finite.
    pub fn input(input: Input) -> Result<Self> {
        if !input.value.is_finite() || input.value < 0.0 {
            return Err(Error::input(
                input.name,
                "finite and not negative",
                &crate::decimal::shortest(input.value),
            ));
        }
        Ok(Self::Input(Arc::new(input)))
    }

    /// The larger of two.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        self.combine(Op::Max, other)
    }

    fn combine(self, op: Op, other: Self) -> Self {
        Self::Binary(op, Box::new((self, other)))
    }

    /// Its value, computed in double precision in the order in which it is written.
    #[must_use]
    pub fn value(&self) -> f64 {
        match self {
            Self::Constant { value, .. } => *value,
            Self::Input(input) => input.value,
            Self::Step(step) => step.value,
            Self::Binary(op, sides) => {
                let (a, b) = (sides.0.value(), sides.1.value());
                match op {
                    Op::Add => a + b,
                    Op::Sub => a - b,
                    Op::Mul => a * b,
                    Op::Div => a / b,
                    Op::Max => a.max(b),
                }
            }
        }
    }

    /// Its unit, or `None` if it adds or compares what cannot be.
    #[must_use]
    pub fn unit(&self) -> Option<Unit> {
        match self {
            Self::Constant { unit, .. } => Some(*unit),
            Self::Input(input) => Some(input.unit),
            Self::Step(step) => Some(step.unit),
            Self::Binary(op, sides) => {
                let (a, b) = (sides.0.unit()?, sides.1.unit()?);
                match op {
                    Op::Mul => Some(a.times(b)),
                    Op::Div => Some(a.per(b)),
                    Op::Add | Op::Sub | Op::Max => (a == b).then_some(a),
                }
            }
        }
    }

    /// Calls `visit` for every constant, input and step in it, from left to right.
    pub fn leaves<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            Self::Binary(_, sides) => {
                sides.0.leaves(visit);
                sides.1.leaves(visit);
            }
            leaf => visit(leaf),
        }
    }

    pub(crate) fn write(&self, style: Style, out: &mut String) {
        match self {
            Self::Constant { value, unit } => out.push_str(&match style {
                Style::Numbers => format::full(*value, *unit),
                Style::Symbols | Style::Python => format::full(*value, Unit::NONE),
            }),
            Self::Input(input) => leaf(style, out, input.name, input.symbol, input.value, input.unit),
            Self::Step(step) => leaf(style, out, step.name, step.symbol, step.value, step.unit),
            Self::Binary(Op::Max, sides) => {
                out.push_str("max(");
                sides.0.write(style, out);
                out.push_str(", ");
                sides.1.write(style, out);
                out.push(')');
            }
            Self::Binary(op, sides) => {
                sides.0.write_in_parentheses_if(sides.0.precedence() < self.precedence(), style, out);
                out.push_str(match (op, style) {
                    (Op::Add | Op::Max, _) => " + ",
                    (Op::Sub, Style::Python) => " - ",
                    (Op::Sub, _) => " − ",
                    (Op::Mul, Style::Symbols) => "·",
                    (Op::Mul, Style::Numbers) => " × ",
                    (Op::Mul, Style::Python) => " * ",
                    (Op::Div, _) => " / ",
                });
                // Also for equal precedence: Python has to round in the same order.
                sides.1.write_in_parentheses_if(sides.1.precedence() <= self.precedence(), style, out);
            }
        }
    }

    fn write_in_parentheses_if(&self, parentheses: bool, style: Style, out: &mut String) {
        if parentheses {
            out.push('(');
        }
        self.write(style, out);
        if parentheses {
            out.push(')');
        }
    }

    fn precedence(&self) -> u8 {
        match self {
            Self::Binary(Op::Add | Op::Sub, _) => 1,
            Self::Binary(Op::Mul | Op::Div, _) => 2,
            _ => 3,
        }
    }
}

fn leaf(style: Style, out: &mut String, name: &str, symbol: &str, value: f64, unit: Unit) {
    match style {
        Style::Symbols => out.push_str(symbol),
        Style::Numbers => out.push_str(&format::full(value, unit)),
        Style::Python => out.push_str(name),
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident;)+) => {$(
        impl $trait for Expr {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                self.combine(Op::$trait, other)
            }
        }
    )+};
}

operators! {
    Add add;
    Sub sub;
    Mul mul;
    Div div;
}
