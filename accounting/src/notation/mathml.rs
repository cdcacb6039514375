//! Formulas in MathML Core, which browsers draw.

use super::{Leaf, Notation};
use crate::{Number, Op, Unit, format};

/// Symbols, or numbers with their units.
pub(crate) enum MathMl {
    Symbols,
    Numbers,
}

impl Notation for MathMl {
    const IS_DRAWN: bool = true;

    fn constant(&self, value: Number, unit: Unit) -> String {
        match self {
            Self::Symbols => number(value, Unit::NONE),
            Self::Numbers => number(value, unit),
        }
    }

    fn leaf(&self, leaf: &Leaf<'_>) -> String {
        match self {
            Self::Symbols => symbol(leaf.symbol),
            Self::Numbers => number(leaf.value, leaf.unit),
        }
    }

    fn binary(&self, op: Op, a: &str, b: &str) -> String {
        let infix = |sign: &str| format!("{a}<mo>{sign}</mo>{b}");
        let fraction = || format!("<mfrac>{}{}</mfrac>", row(a), row(b));
        let call = |name: &str| {
            format!("<mi>{name}</mi><mrow><mo>(</mo>{a}<mo separator=\"true\">,</mo>{b}<mo>)</mo></mrow>")
        };
        match (op, self) {
            (Op::Add, _) => infix("+"),
            (Op::Sub, _) => infix("−"),
            (Op::Mul, Self::Symbols) => infix("·"),
            (Op::Mul, Self::Numbers) => infix("×"),
            (Op::Div, _) => fraction(),
            (Op::CeilDiv, _) => format!("<mrow><mo>⌈</mo>{}<mo>⌉</mo></mrow>", fraction()),
            (Op::Max, _) => call("max"),
            (Op::Min, _) => call("min"),
            (Op::Pow, _) => format!("<msup>{}{}</msup>", row(a), row(b)),
        }
    }

    fn root(&self, of: &str) -> String {
        format!("<msqrt>{of}</msqrt>")
    }

    fn floor(&self, of: &str) -> String {
        format!("<mrow><mo>⌊</mo>{of}<mo>⌋</mo></mrow>")
    }

    fn parenthesised(&self, of: &str) -> String {
        format!("<mrow><mo>(</mo>{of}<mo>)</mo></mrow>")
    }
}

fn row(of: &str) -> String {
    format!("<mrow>{of}</mrow>")
}

/// "<mn>989.5</mn><mspace/><mtext>TFLOP/s</mtext>"
pub(crate) fn number(value: Number, unit: Unit) -> String {
    let text = format::full(value, unit);
    let (number, label) = text.split_once(' ').unwrap_or((&text, ""));
    let number = match number.split_once('e') {
        Some((digits, power)) => {
            format!("<mn>{digits}</mn><mo>·</mo><msup><mn>10</mn><mn>{power}</mn></msup>")
        }
        None => format!("<mn>{}</mn>", escaped(number)),
    };
    if label.is_empty() {
        return number;
    }
    format!("<mrow>{number}<mspace width=\"0.2em\"/><mtext>{}</mtext></mrow>", escaped(label))
}

/// "<msub><mi>d</mi><mi>ff</mi></msub>"
pub(crate) fn symbol(symbol: &str) -> String {
    match symbol.split_once('_') {
        Some((base, below)) => {
            format!("<msub><mi>{}</mi><mi>{}</mi></msub>", escaped(base), escaped(below))
        }
        None => format!("<mi>{}</mi>", escaped(symbol)),
    }
}

/// Text with the characters of markup made plain.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
