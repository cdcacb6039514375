//! Twin of shaders/map.wgsl.

use crate::program::{Binary, Instr, Program, Unary};

/// The program for every element; inputs are in row-major order of the output. `None` if the program
/// is malformed.
#[must_use]
pub fn map(program: &Program, inputs: &[&[f64]], numel: usize) -> Option<Vec<f64>> {
    (0..numel).map(|i| element(program, inputs, i)).collect()
}

fn element(program: &Program, inputs: &[&[f64]], i: usize) -> Option<f64> {
    let mut stack = Vec::new();
    for instr in &program.0 {
        let value = match *instr {
            Instr::Input(input) => *inputs.get(input)?.get(i)?,
            Instr::Const(value) => value.into(),
            Instr::Unary(op) => {
                let x: f64 = stack.pop()?;
                match op {
                    Unary::Neg => -x,
                    Unary::Abs => x.abs(),
                    Unary::Sqrt => x.sqrt(),
                    Unary::Rsqrt => 1.0 / x.sqrt(),
                    Unary::Exp => x.exp(),
                    Unary::Log => x.ln(),
                    // NaN stays NaN.
                    Unary::Relu => {
                        if x <= 0.0 {
                            0.0
                        } else {
                            x
                        }
                    }
                }
            }
            Instr::Binary(op) => {
                let (b, a): (f64, f64) = (stack.pop()?, stack.pop()?);
                match op {
                    Binary::Add => a + b,
                    Binary::Sub => a - b,
                    Binary::Mul => a * b,
                    Binary::Div => a / b,
                    Binary::Pow => a.powf(b),
                }
            }
        };
        stack.push(value);
    }
    match stack.as_slice() {
        &[result] => Some(result),
        _ => None,
    }
}
