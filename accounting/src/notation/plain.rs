//! Formulas as lines of text.

use super::{Leaf, Notation};
use crate::{Number, Op, Unit, format};

/// "6·N·D"
pub(crate) struct Symbols;

impl Notation for Symbols {
    fn constant(&self, value: Number, _: Unit) -> String {
        format::full(value, Unit::NONE)
    }

    fn leaf(&self, leaf: &Leaf<'_>) -> String {
        plain_symbol(leaf.symbol)
    }

    fn binary(&self, op: Op, a: &str, b: &str) -> String {
        for_people(op, "·", a, b)
    }

    fn root(&self, of: &str) -> String {
        format!("√({of})")
    }

    fn floor(&self, of: &str) -> String {
        format!("⌊{of}⌋")
    }
}

/// "6 FLOP/param/token × 70 B params × 15 T tokens"
pub(crate) struct Numbers;

impl Notation for Numbers {
    fn constant(&self, value: Number, unit: Unit) -> String {
        format::full(value, unit)
    }

    fn leaf(&self, leaf: &Leaf<'_>) -> String {
        format::full(leaf.value, leaf.unit)
    }

    fn binary(&self, op: Op, a: &str, b: &str) -> String {
        for_people(op, " × ", a, b)
    }

    fn root(&self, of: &str) -> String {
        Symbols.root(of)
    }

    fn floor(&self, of: &str) -> String {
        Symbols.floor(of)
    }
}

/// "6 * params * tokens"
pub(crate) struct Python;

impl Notation for Python {
    fn constant(&self, value: Number, _: Unit) -> String {
        format::python(value)
    }

    fn leaf(&self, leaf: &Leaf<'_>) -> String {
        leaf.name.to_owned()
    }

    fn binary(&self, op: Op, a: &str, b: &str) -> String {
        match op {
            Op::Add => format!("{a} + {b}"),
            Op::Sub => format!("{a} - {b}"),
            Op::Mul => format!("{a} * {b}"),
            Op::Div => format!("{a} / {b}"),
            Op::CeilDiv => format!("-(-({a}) // ({b}))"),
            Op::Max => format!("max({a}, {b})"),
            Op::Min => format!("min({a}, {b})"),
            Op::Pow => format!("{a} ** {b}"),
        }
    }

    fn root(&self, of: &str) -> String {
        format!("math.sqrt({of})")
    }

    fn floor(&self, of: &str) -> String {
        format!("math.floor({of})")
    }
}

fn for_people(op: Op, times: &str, a: &str, b: &str) -> String {
    match op {
        Op::Add => format!("{a} + {b}"),
        Op::Sub => format!("{a} − {b}"),
        Op::Mul => format!("{a}{times}{b}"),
        Op::Div => format!("{a} / {b}"),
        Op::CeilDiv => format!("⌈{a} / {b}⌉"),
        Op::Max => format!("max({a}, {b})"),
        Op::Min => format!("min({a}, {b})"),
        Op::Pow => format!("{a}^{b}"),
    }
}

/// With digits below the line where the subscript is a digit: "t₁", and "d_ff".
pub(crate) fn plain_symbol(symbol: &str) -> String {
    match symbol.split_once('_') {
        Some((base, below)) if below.len() == 1 => match below.chars().next().and_then(|c| c.to_digit(10)) {
            Some(digit) => {
                let below = char::from_u32('₀' as u32 + digit).unwrap_or('₀');
                format!("{base}{below}")
            }
            None => symbol.to_owned(),
        },
        _ => symbol.to_owned(),
    }
}
