//! Formulas in TeX's mathematics, for a `$…$` or an `align`.

use super::{Leaf, Notation};
use crate::{Number, Op, Unit, format};

/// Symbols, or numbers with their units.
pub(crate) enum Tex {
    Symbols,
    Numbers,
}

impl Notation for Tex {
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
        match (op, self) {
            (Op::Add, _) => format!("{a} + {b}"),
            (Op::Sub, _) => format!("{a} - {b}"),
            (Op::Mul, Self::Symbols) => format!(r"{a} \, {b}"),
            (Op::Mul, Self::Numbers) => format!(r"{a} \times {b}"),
            (Op::Div, _) => format!(r"\frac{{{a}}}{{{b}}}"),
            (Op::CeilDiv, _) => format!(r"\left\lceil \frac{{{a}}}{{{b}}} \right\rceil"),
            (Op::Max, _) => format!(r"\max\left({a},\, {b}\right)"),
            (Op::Min, _) => format!(r"\min\left({a},\, {b}\right)"),
            (Op::Pow, _) => format!("{{{a}}}^{{{b}}}"),
        }
    }

    fn root(&self, of: &str) -> String {
        format!(r"\sqrt{{{of}}}")
    }

    fn floor(&self, of: &str) -> String {
        format!(r"\left\lfloor {of} \right\rfloor")
    }

    fn parenthesised(&self, of: &str) -> String {
        format!(r"\left({of}\right)")
    }
}

/// "989.5\,\text{TFLOP/s}"
pub(crate) fn number(value: Number, unit: Unit) -> String {
    let text = format::full(value, unit);
    let (number, label) = text.split_once(' ').unwrap_or((&text, ""));
    let number = match number.split_once('e') {
        Some((digits, power)) => format!(r"{digits} \times 10^{{{power}}}"),
        None => number.replace('$', r"\$"),
    };
    if label.is_empty() { number } else { format!(r"{number}\,\text{{{}}}", escaped(label)) }
}

/// "d_{\mathrm{ff}}"
pub(crate) fn symbol(symbol: &str) -> String {
    let (base, below) = symbol.split_once('_').unwrap_or((symbol, ""));
    let word = |text: &str| match text.chars().count() {
        1 => greek(text).map_or_else(|| text.to_owned(), str::to_owned),
        _ => format!(r"\mathrm{{{text}}}"),
    };
    if below.is_empty() { word(base) } else { format!("{}_{{{}}}", word(base), word(below)) }
}

fn greek(letter: &str) -> Option<&'static str> {
    Some(match letter {
        "α" => r"\alpha",
        "β" => r"\beta",
        "γ" => r"\gamma",
        "Φ" => r"\Phi",
        _ => return None,
    })
}

/// Text with TeX's own characters made plain.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '$' | '%' | '&' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
            '\\' => out.push_str(r"\textbackslash{}"),
            '~' => out.push_str(r"\textasciitilde{}"),
            '^' => out.push_str(r"\textasciicircum{}"),
            _ => out.push(c),
        }
    }
    out
}
