//! The ways to write a formula: symbols, numbers, Python, TeX, MathML.

mod mathml;
mod plain;
mod tex;

pub use mathml::escaped;
pub(crate) use mathml::{MathMl, number as mathml_number, symbol as mathml_symbol};
pub(crate) use plain::{Numbers, Python, Symbols, plain_symbol};
pub(crate) use tex::{Tex, escaped as tex_text, number as tex_number, symbol as tex_symbol};

use crate::expr::ATOM;
use crate::{Expr, Number, Op, Unit};

/// A named number of a formula.
pub(crate) struct Leaf<'a> {
    pub(crate) name: &'a str,
    pub(crate) symbol: &'a str,
    pub(crate) value: Number,
    pub(crate) unit: Unit,
}

/// How to write the parts of a formula.
pub(crate) trait Notation {
    /// Whether quotients and powers are drawn and need no parentheses.
    const IS_DRAWN: bool = false;

    fn constant(&self, value: Number, unit: Unit) -> String;
    fn leaf(&self, leaf: &Leaf<'_>) -> String;
    fn binary(&self, op: Op, a: &str, b: &str) -> String;
    fn root(&self, of: &str) -> String;
    fn floor(&self, of: &str) -> String;
    fn parenthesised(&self, of: &str) -> String {
        format!("({of})")
    }
}

/// The formula in that notation.
pub(crate) fn write<N: Notation>(expr: &Expr, notation: &N) -> String {
    match expr {
        Expr::Constant { value, unit } => notation.constant(*value, *unit),
        Expr::Input(input) => notation.leaf(&Leaf {
            name: input.name,
            symbol: input.symbol,
            value: input.value,
            unit: input.unit,
        }),
        Expr::Step(step) => {
            notation.leaf(&Leaf { name: step.name, symbol: step.symbol, value: step.value, unit: step.unit })
        }
        Expr::Root(of) => notation.root(&write(of, notation)),
        Expr::Floor(of) => notation.floor(&write(of, notation)),
        Expr::Binary(op, sides) => {
            let side = |expr: &Expr, needs: bool| {
                let text = write(expr, notation);
                if needs { notation.parenthesised(&text) } else { text }
            };
            let own = op.precedence();
            let drawn = N::IS_DRAWN && *op == Op::Div;
            let (a, b) = (precedence::<N>(&sides.0), precedence::<N>(&sides.1));
            let closed = drawn || own == ATOM;
            // Also for equal precedence on the right: Python has to round in the same order.
            let left = !closed && (a < own || *op == Op::Pow && a < ATOM);
            let right = !closed && b <= own && !(N::IS_DRAWN && *op == Op::Pow);
            notation.binary(*op, &side(&sides.0, left), &side(&sides.1, right && b < ATOM))
        }
    }
}

fn precedence<N: Notation>(expr: &Expr) -> u8 {
    match expr {
        // A fraction that is drawn stands by itself in a product.
        Expr::Binary(Op::Div, _) if N::IS_DRAWN => 3,
        Expr::Binary(op, _) => op.precedence(),
        _ => ATOM,
    }
}
