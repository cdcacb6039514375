//! Formulas as trees: one tree gives the value, the unit, the symbols, the numbers and the Python.

use std::ops::{Add, Div, Mul, Sub};
use std::sync::Arc;

use crate::catalogue::Mark;
use crate::{Derivation, Derived, Error, Number, Provenance, Quantity, Result, Source, Unit};

/// A formula. Cloning shares its parts.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Expr {
    /// A number of the formula itself, such as the 6 of 6·N·D.
    Constant {
        /// How much.
        value: Number,
        /// Of what.
        unit: Unit,
    },
    /// A number that somebody gives.
    Input(Arc<Input>),
    /// The result of another derivation.
    Step(Arc<Derivation>),
    /// Two formulas combined.
    Binary(Op, Arc<(Expr, Expr)>),
    /// A square root.
    Root(Arc<Expr>),
    /// Rounded down to a whole number.
    Floor(Arc<Expr>),
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
    /// Quotient of whole numbers, rounded up.
    CeilDiv,
    /// The larger.
    Max,
    /// The smaller.
    Min,
    /// Power; the exponent is a plain number.
    Pow,
}

/// A given number.
#[derive(Debug, Clone)]
pub struct Input {
    /// Python name; with the unit in it where there is one.
    pub name: &'static str,
    /// Symbol in the formula; what follows an underscore is a subscript.
    pub symbol: &'static str,
    /// What it is, in words.
    pub title: String,
    /// How much.
    pub value: Number,
    /// Of what.
    pub unit: Unit,
    /// Where it is from, if not from the reader.
    pub sources: Vec<Source>,
    /// How far to trust it, if somebody has said.
    pub mark: Option<Mark>,
    /// Who says so; nobody where whoever asks has typed it.
    pub provenance: Option<Provenance>,
}

impl Expr {
    /// A number of the formula itself.
    #[must_use]
    pub fn constant(value: f64, unit: Unit) -> Self {
        Self::Constant { value: value.into(), unit }
    }

    /// A quantity from the reader.
    ///
    /// # Errors
    /// [`Error::Input`] for what is negative or not finite.
    pub fn given<Q: Quantity>(
        name: &'static str,
        symbol: &'static str,
        title: impl Into<String>,
        quantity: Q,
    ) -> Result<Self> {
        let (value, unit) = (quantity.number(), Q::UNIT);
        let (title, sources) = (title.into(), Vec::new());
        Self::input(Input { name, symbol, title, value, unit, sources, mark: None, provenance: None })
    }

    /// A whole number without unit, such as a size.
    #[must_use]
    pub fn size(name: &'static str, symbol: &'static str, title: impl Into<String>, value: u64) -> Self {
        let (title, value) = (title.into(), value.into());
        Self::Input(Arc::new(Input {
            name,
            symbol,
            title,
            value,
            unit: Unit::NONE,
            sources: Vec::new(),
            mark: None,
            provenance: None,
        }))
    }

    /// A number with sources.
    ///
    /// # Errors
    /// [`Error::Input`] for what is negative or not finite.
    pub fn input(input: Input) -> Result<Self> {
        let value = input.value.to_f64();
        if !value.is_finite() || value < 0.0 {
            let got = crate::decimal::shortest(value);
            return Err(Error::input(input.name, "finite and not negative", &got));
        }
        Ok(Self::Input(Arc::new(input)))
    }

    /// The larger of two.
    #[must_use]
    pub fn max(self, other: impl Into<Self>) -> Self {
        self.combine(Op::Max, other.into())
    }

    /// The smaller of two.
    #[must_use]
    pub fn min(self, other: impl Into<Self>) -> Self {
        self.combine(Op::Min, other.into())
    }

    /// The quotient of whole numbers, rounded up.
    #[must_use]
    pub fn div_ceil(self, other: impl Into<Self>) -> Self {
        self.combine(Op::CeilDiv, other.into())
    }

    /// A power; the exponent is a plain number.
    #[must_use]
    pub fn pow(self, exponent: impl Into<Self>) -> Self {
        self.combine(Op::Pow, exponent.into())
    }

    /// The square root.
    #[must_use]
    pub fn root(self) -> Self {
        Self::Root(Arc::new(self))
    }

    /// Rounded down to a whole number.
    #[must_use]
    pub fn floor(self) -> Self {
        Self::Floor(Arc::new(self))
    }

    fn combine(self, op: Op, other: Self) -> Self {
        Self::Binary(op, Arc::new((self, other)))
    }

    /// Its value in the order in which it is written: exact where all parts are whole, else in double precision.
    /// `None` where it divides by zero, a whole number falls below 0 or exceeds 2¹²⁸.
    #[must_use]
    pub fn value(&self) -> Option<Number> {
        match self {
            Self::Constant { value, .. } => Some(*value),
            Self::Input(input) => Some(input.value),
            Self::Step(step) => Some(step.value),
            Self::Root(of) => of.value().map(Number::root),
            Self::Floor(of) => of.value()?.floor(),
            Self::Binary(op, sides) => {
                let (a, b) = (sides.0.value()?, sides.1.value()?);
                match op {
                    Op::Add => a.plus(b),
                    Op::Sub => a.minus(b),
                    Op::Mul => a.times(b),
                    Op::Div => a.over(b),
                    Op::CeilDiv => a.over_rounded_up(b),
                    Op::Max => Some(a.larger(b)),
                    Op::Min => Some(a.smaller(b)),
                    Op::Pow => a.power(b),
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
            Self::Root(of) => of.unit()?.root(),
            Self::Floor(of) => of.unit(),
            Self::Binary(op, sides) => {
                let (a, b) = (sides.0.unit()?, sides.1.unit()?);
                match op {
                    Op::Mul => Some(a.times(b)),
                    Op::Div | Op::CeilDiv => Some(a.per(b)),
                    Op::Add | Op::Sub | Op::Max | Op::Min => (a == b).then_some(a),
                    Op::Pow => (a == Unit::NONE && b == Unit::NONE).then_some(a),
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
            Self::Root(of) | Self::Floor(of) => of.leaves(visit),
            leaf => visit(leaf),
        }
    }
}

impl Op {
    /// How strongly it binds.
    pub(crate) const fn precedence(self) -> u8 {
        match self {
            Self::Add | Self::Sub => 1,
            Self::Mul | Self::Div => 2,
            Self::Pow => 3,
            Self::CeilDiv | Self::Max | Self::Min => ATOM,
        }
    }
}

/// What needs no parentheses anywhere.
pub(crate) const ATOM: u8 = 4;

/// A plain number of the formula.
impl From<f64> for Expr {
    fn from(value: f64) -> Self {
        Self::constant(value, Unit::NONE)
    }
}

impl From<&Expr> for Expr {
    fn from(expr: &Expr) -> Self {
        expr.clone()
    }
}

/// As a step of a further formula.
impl<Q: Quantity> From<&Derived<Q>> for Expr {
    fn from(derived: &Derived<Q>) -> Self {
        derived.expr()
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident;)+) => {$(
        impl<T: Into<Expr>> $trait<T> for Expr {
            type Output = Expr;
            fn $method(self, other: T) -> Expr {
                self.combine(Op::$trait, other.into())
            }
        }

        impl<T: Into<Expr>> $trait<T> for &Expr {
            type Output = Expr;
            fn $method(self, other: T) -> Expr {
                self.clone().combine(Op::$trait, other.into())
            }
        }

        impl $trait<Expr> for f64 {
            type Output = Expr;
            fn $method(self, other: Expr) -> Expr {
                Expr::from(self).combine(Op::$trait, other)
            }
        }

        impl $trait<&Expr> for f64 {
            type Output = Expr;
            fn $method(self, other: &Expr) -> Expr {
                Expr::from(self).combine(Op::$trait, other.clone())
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
