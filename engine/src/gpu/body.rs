//! A program as the text of a WGSL function.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::operand::Number;
use crate::error::{Error, Result};
use crate::program::{Binary, Bits, Instr, Program, Unary};
use crate::scalar::Scalar;

/// Functions of shaders/functions.wgsl and shaders/real.wgsl that vectors need too, and how many arguments they have.
const OF_REALS: [(&str, usize); 19] = [
    ("square_root", 1),
    ("logarithm", 1),
    ("exponential", 1),
    ("two_to_the", 1),
    ("expm1", 1),
    ("log1p", 1),
    ("sine", 1),
    ("cosine", 1),
    ("hyperbolic_tangent", 1),
    ("error_function", 1),
    ("nan_mark", 1),
    ("infinity_mark", 1),
    ("power", 2),
    ("angle", 2),
    ("fmod", 2),
    ("remainder", 2),
    ("floor_divide", 2),
    ("larger", 2),
    ("smaller", 2),
];

/// What shaders/map.wgsl is filled with.
#[derive(Default)]
pub(crate) struct Body {
    /// One `let` per instruction.
    pub(crate) text: String,
    /// The name of the last value.
    pub(crate) result: String,
    /// Constants, as words of the uniforms.
    pub(crate) constants: Vec<u32>,
    /// The functions that the text calls for four elements at a time.
    pub(crate) vectors: String,
}

impl Body {
    /// Writes a program; `inputs` are the expressions of its inputs, and constants begin at that word of the uniforms.
    pub(crate) fn new(
        program: &Program,
        number: Number,
        vector: bool,
        inputs: &[String],
        first_constant: usize,
    ) -> Result<Self> {
        let malformed =
            |what: &str| Error::Value { op: "map", message: format!("malformed program: {what}") };
        let four = if vector { "4" } else { "" };
        let ty = if vector { number.four() } else { number.wgsl() };
        let mut calls = BTreeSet::new();
        let mut body = Self::default();
        let mut stack: Vec<usize> = Vec::new();
        for (at, instr) in program.instrs.iter().enumerate() {
            let arity = instr.arity();
            let Some(height) = stack.len().checked_sub(arity) else {
                return Err(malformed("an operation without arguments"));
            };
            let arguments: Vec<String> = stack.drain(height..).map(|i| format!("v{i}")).collect();
            let mut call = |name: &'static str| {
                calls.insert((name, arity));
                format!("{name}{four}({})", arguments.join(", "))
            };
            let value = match *instr {
                Instr::Input(i) => match inputs.get(i) {
                    None => return Err(malformed(&format!("input {i} of {}", inputs.len()))),
                    Some(input) => input.clone(),
                },
                Instr::Const(value) => {
                    let constant = body.constant(number, value, first_constant);
                    if vector { splatted(number, &constant) } else { constant }
                }
                Instr::Again(before) if before < at => format!("v{before}"),
                Instr::Again(_) => return Err(malformed("a value before it is there")),
                Instr::Unary(op) if number == Number::F32 => unary(op, &arguments[0], ty, four),
                Instr::Unary(op) => match unary_of_whole(op)? {
                    Some(name) => call(name),
                    None => arguments[0].clone(),
                },
                Instr::Binary(op) if number == Number::F32 => {
                    binary(op, &arguments[0], &arguments[1], ty, four)
                }
                Instr::Binary(op) => call(binary_of_whole(op)?),
                Instr::Bits(op) if number == Number::F32 => {
                    let message = format!("{op:?} takes the bits of whole numbers");
                    return Err(Error::DType { op: "map", message });
                }
                Instr::Bits(op) => call(bits_of_whole(op)),
                Instr::Where if number == Number::F32 => {
                    format!("select({}, {}, {} == {ty}(0.0))", arguments[1], arguments[2], arguments[0])
                }
                Instr::Where => call("choose"),
            };
            let _ = writeln!(body.text, "    let v{at} = {value};");
            stack.push(at);
        }
        match stack.as_slice() {
            [result] => body.result = format!("v{result}"),
            _ => return Err(malformed("it does not leave one value")),
        }
        if vector {
            if number == Number::F32 {
                calls.extend(OF_REALS.iter().filter(|(name, _)| body.text.contains(name)));
            }
            body.vectors = calls.into_iter().map(|(name, arity)| by_component(name, arity, ty)).collect();
        }
        Ok(body)
    }

    /// Whether the text calls functions of shaders/functions.wgsl or of what it needs.
    pub(crate) fn needs_functions(&self) -> bool {
        OF_REALS.iter().any(|(name, _)| self.text.contains(name))
    }

    /// A constant in the uniforms.
    fn constant(&mut self, number: Number, value: Scalar, first: usize) -> String {
        let words = number.words(value);
        let place = |slot: usize| format!("params.data[{}].{}", slot / 4, ["x", "y", "z", "w"][slot % 4]);
        let slot = first + self.constants.len();
        let text = match number {
            Number::I64 => format!("vec2<u32>({}, {})", place(slot), place(slot + 1)),
            Number::F32 | Number::I32 => format!("bitcast<{}>({})", number.wgsl(), place(slot)),
        };
        self.constants.extend(words);
        text
    }
}

/// Four times the same.
pub(crate) fn splatted(number: Number, value: &str) -> String {
    match number {
        Number::I64 => format!("wide_splat({value})"),
        Number::F32 | Number::I32 => format!("{}({value})", number.four()),
    }
}

/// A function for four elements, component by component.
fn by_component(name: &str, arity: usize, ty: &str) -> String {
    let names = &["a", "b", "c"][..arity];
    let parameters: Vec<String> = names.iter().map(|name| format!("{name}: {ty}")).collect();
    let parts = ["x", "y", "z", "w"].map(|part| {
        let arguments: Vec<String> = names.iter().map(|name| format!("{name}.{part}")).collect();
        format!("{name}({})", arguments.join(", "))
    });
    let (parameters, parts) = (parameters.join(", "), parts.join(", "));
    format!("\nfn {name}4({parameters}) -> {ty} {{\n    return {ty}({parts});\n}}\n")
}

/// The function of shaders/whole.wgsl; none for what whole numbers are already.
///
/// # Errors
/// For functions whose values are no whole numbers.
fn unary_of_whole(op: Unary) -> Result<Option<&'static str>> {
    Ok(match op {
        Unary::Neg => Some("negative"),
        Unary::Abs => Some("absolute"),
        Unary::Sign => Some("signum"),
        Unary::Relu => Some("rectified"),
        Unary::Not => Some("inverse"),
        Unary::IsNan | Unary::IsInf => Some("nothing"),
        Unary::Floor | Unary::Ceil | Unary::Trunc | Unary::Round => None,
        _ => {
            let message = format!("{op:?} of whole numbers is no whole number");
            return Err(Error::DType { op: "map", message });
        }
    })
}

/// The function of shaders/whole.wgsl.
fn bits_of_whole(op: Bits) -> &'static str {
    match op {
        Bits::And => "bits_of_both",
        Bits::Or => "bits_of_either",
        Bits::Xor => "bits_of_one",
        Bits::ShiftLeft => "shifted_left",
        Bits::ShiftRight => "shifted_right",
    }
}

/// The function of shaders/whole.wgsl.
///
/// # Errors
/// For functions whose values are no whole numbers.
fn binary_of_whole(op: Binary) -> Result<&'static str> {
    Ok(match op {
        Binary::Atan2 => {
            let message = format!("{op:?} of whole numbers is no whole number");
            return Err(Error::DType { op: "map", message });
        }
        Binary::Add => "add",
        Binary::Sub => "subtract",
        Binary::Mul => "multiply",
        Binary::Div => "quotient",
        Binary::FloorDiv => "floor_divide",
        Binary::Remainder => "remainder",
        Binary::Fmod => "fmod",
        Binary::Pow => "power",
        Binary::Max => "larger",
        Binary::Min => "smaller",
        Binary::Eq => "equal",
        Binary::Ne => "unequal",
        Binary::Lt => "below",
        Binary::Le => "not_above",
        Binary::Gt => "above",
        Binary::Ge => "not_below",
        Binary::And => "both",
        Binary::Or => "either",
        Binary::Xor => "one_of",
    })
}

/// An operation of one real number; `four` is the ending of the functions for vectors.
fn unary(op: Unary, x: &str, ty: &str, four: &str) -> String {
    let truth = |condition: &str| format!("select({ty}(0.0), {ty}(1.0), {condition})");
    match op {
        Unary::Neg => format!("-{x}"),
        Unary::Abs => format!("abs({x})"),
        Unary::Sign => {
            format!("{} - {}", truth(&format!("{x} > {ty}(0.0)")), truth(&format!("{x} < {ty}(0.0)")))
        }
        Unary::Sqrt => format!("square_root{four}({x})"),
        Unary::Rsqrt => format!("{ty}(1.0) / square_root{four}({x})"),
        Unary::Reciprocal => format!("{ty}(1.0) / {x}"),
        Unary::Exp => format!("exponential{four}({x})"),
        Unary::Exp2 => format!("two_to_the{four}({x})"),
        Unary::Expm1 => format!("expm1{four}({x})"),
        Unary::Log => format!("logarithm{four}({x})"),
        Unary::Log2 => format!("logarithm{four}({x}) * 1.44269504"),
        Unary::Log10 => format!("logarithm{four}({x}) * 0.43429448"),
        Unary::Log1p => format!("log1p{four}({x})"),
        Unary::Sin => format!("sine{four}({x})"),
        Unary::Cos => format!("cosine{four}({x})"),
        Unary::Tanh => format!("hyperbolic_tangent{four}({x})"),
        Unary::Sigmoid => format!("{ty}(1.0) / ({ty}(1.0) + exponential{four}(-{x}))"),
        Unary::Erf => format!("error_function{four}({x})"),
        Unary::Relu => format!("select({x}, {ty}(0.0), {x} <= {ty}(0.0))"),
        Unary::Floor => format!("floor({x})"),
        Unary::Ceil => format!("ceil({x})"),
        Unary::Trunc => format!("trunc({x})"),
        Unary::Round => format!("round({x})"),
        Unary::Not => truth(&format!("{x} == {ty}(0.0)")),
        Unary::IsNan => format!("nan_mark{four}({x})"),
        Unary::IsInf => format!("infinity_mark{four}({x})"),
    }
}

/// An operation of two real numbers. Inequality is written as no equality: some drivers say of NaN that it is neither.
fn binary(op: Binary, a: &str, b: &str, ty: &str, four: &str) -> String {
    let truth = |condition: String| format!("select({ty}(0.0), {ty}(1.0), {condition})");
    let (left, right) = (format!("!({a} == {ty}(0.0))"), format!("!({b} == {ty}(0.0))"));
    match op {
        Binary::Add => format!("{a} + {b}"),
        Binary::Sub => format!("{a} - {b}"),
        Binary::Mul => format!("{a} * {b}"),
        Binary::Div => format!("{a} / {b}"),
        Binary::FloorDiv => format!("floor_divide{four}({a}, {b})"),
        Binary::Remainder => format!("remainder{four}({a}, {b})"),
        Binary::Fmod => format!("fmod{four}({a}, {b})"),
        Binary::Pow => format!("power{four}({a}, {b})"),
        Binary::Atan2 => format!("angle{four}({a}, {b})"),
        Binary::Max => format!("larger{four}({a}, {b})"),
        Binary::Min => format!("smaller{four}({a}, {b})"),
        Binary::Eq => truth(format!("{a} == {b}")),
        Binary::Ne => truth(format!("!({a} == {b})")),
        Binary::Lt => truth(format!("{a} < {b}")),
        Binary::Le => truth(format!("{a} <= {b}")),
        Binary::Gt => truth(format!("{a} > {b}")),
        Binary::Ge => truth(format!("{a} >= {b}")),
        Binary::And => truth(format!("{left} & {right}")),
        Binary::Or => truth(format!("{left} | {right}")),
        Binary::Xor => truth(format!("({left}) != ({right})")),
    }
}
