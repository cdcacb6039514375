//! Elementwise programs, interpreted over chunks: each instruction is one loop that the compiler
//! vectorises, and the chunk stays in the first-level cache between instructions.

use crate::backend::Operand;
use crate::program::{Binary, Instr, Program, Unary};
use crate::{DType, Error, Result};

use super::elements::{self, CHUNK};
use super::storage;
use super::walk::Walk;

pub(super) fn map(program: &Program, inputs: &[Operand<'_>], out: Operand<'_>) -> Result<()> {
    let depth = stack_depth(program, inputs.len())?;
    let words = inputs.iter().map(|&i| storage::read("map", i)).collect::<Result<Vec<_>>>()?;
    let mut out_words = storage::write("map", out)?;
    let mut layouts = vec![out.layout];
    layouts.extend(inputs.iter().map(|i| i.layout));
    let walk = Walk::new(&layouts);
    let numel = walk.numel();
    let sources: Vec<Source<'_>> = (inputs.iter().zip(&words).enumerate())
        .map(|(i, (input, words))| match walk.contiguous_from(i + 1) {
            Some(start) if input.dtype == DType::F32 => Source::Slice(&elements::as_f32(words)[start..]),
            _ => Source::Convert { words, dtype: input.dtype, operand: i + 1 },
        })
        .collect();
    // The bottom of the stack is the output itself where that is contiguous f32.
    let in_place = walk.contiguous_from(0).filter(|_| out.dtype == DType::F32);
    let chunk = CHUNK.min(numel);
    let mut scratch = vec![0f32; chunk * depth];
    let (scratch_bottom, upper) = scratch.split_at_mut(chunk);
    for start in (0..numel).step_by(CHUNK) {
        let len = chunk.min(numel - start);
        let chunk = Chunk { walk: &walk, sources: &sources, start, len };
        if let Some(first) = in_place {
            let bottom = &mut elements::as_f32_mut(&mut out_words)[first + start..][..len];
            chunk.run(program, Registers { bottom, upper });
        } else {
            let bottom = &mut scratch_bottom[..len];
            chunk.run(program, Registers { bottom, upper });
            walk.runs(0, start, len, |at, stride, range| {
                elements::store(&mut out_words, out.dtype, at, stride, &scratch_bottom[range]);
            });
        }
    }
    Ok(())
}

/// Largest number of values on the stack.
fn stack_depth(program: &Program, inputs: usize) -> Result<usize> {
    let fault = |message: String| Error::Value { op: "map", message };
    let (mut depth, mut deepest) = (0usize, 0);
    for instr in &program.0 {
        let (takes, gives) = match instr {
            Instr::Input(i) if *i >= inputs => {
                return Err(fault(format!("the program reads input {i} of {inputs}")));
            }
            Instr::Input(_) | Instr::Const(_) => (0, 1),
            Instr::Unary(_) => (1, 1),
            Instr::Binary(_) => (2, 1),
        };
        depth = depth
            .checked_sub(takes)
            .ok_or_else(|| fault(format!("{instr:?} finds {depth} values on the stack")))?
            + gives;
        deepest = deepest.max(depth);
    }
    if depth != 1 {
        return Err(fault(format!("the program leaves {depth} values instead of one")));
    }
    Ok(deepest)
}

/// Where an input's elements come from.
enum Source<'a> {
    /// They are there.
    Slice(&'a [f32]),
    /// They are gathered and converted.
    Convert { words: &'a [u64], dtype: DType, operand: usize },
}

/// A value on the stack.
#[derive(Clone, Copy)]
enum Slot<'a> {
    /// In the register of its height.
    Register,
    Slice(&'a [f32]),
    Const(f32),
}

/// One buffer per height of the stack; those above the bottom lie behind one another.
struct Registers<'a> {
    bottom: &'a mut [f32],
    upper: &'a mut [f32],
}

impl Registers<'_> {
    fn at(&mut self, height: usize) -> &mut [f32] {
        let len = self.bottom.len();
        match height.checked_sub(1) {
            None => self.bottom,
            Some(above) => &mut self.upper[above * len..][..len],
        }
    }

    /// The registers of `height` and of the height above.
    fn pair(&mut self, height: usize) -> (&mut [f32], &mut [f32]) {
        let len = self.bottom.len();
        match height.checked_sub(1) {
            None => (self.bottom, &mut self.upper[..len]),
            Some(above) => self.upper[above * len..][..2 * len].split_at_mut(len),
        }
    }
}

struct Chunk<'a> {
    walk: &'a Walk,
    sources: &'a [Source<'a>],
    start: usize,
    len: usize,
}

impl Chunk<'_> {
    /// Leaves the result in the bottom register. The program has passed [`stack_depth`].
    fn run(&self, program: &Program, mut registers: Registers<'_>) {
        let mut stack: Vec<Slot<'_>> = Vec::with_capacity(4);
        for instr in &program.0 {
            match *instr {
                Instr::Const(value) => stack.push(Slot::Const(value)),
                Instr::Input(i) => {
                    let slot = self.input(&self.sources[i], registers.at(stack.len()));
                    stack.push(slot);
                }
                Instr::Unary(op) => {
                    let Some(x) = stack.pop() else { return };
                    let register = registers.at(stack.len());
                    x.write_to(register);
                    unary(op, register);
                    stack.push(Slot::Register);
                }
                Instr::Binary(op) => {
                    let (Some(b), Some(a)) = (stack.pop(), stack.pop()) else { return };
                    let (left, right) = registers.pair(stack.len());
                    a.write_to(left);
                    match b {
                        Slot::Slice(b) => binary(op, left, b),
                        Slot::Register => binary(op, left, right),
                        Slot::Const(exponent) if op == Binary::Pow => pow_scalar(left, exponent),
                        Slot::Const(b) => {
                            right.fill(b);
                            binary(op, left, right);
                        }
                    }
                    stack.push(Slot::Register);
                }
            }
        }
        if let Some(result) = stack.pop() {
            result.write_to(registers.bottom);
        }
    }

    fn input<'a>(&self, source: &Source<'a>, register: &mut [f32]) -> Slot<'a> {
        match *source {
            Source::Slice(all) => Slot::Slice(&all[self.start..][..self.len]),
            Source::Convert { words, dtype, operand } => {
                self.walk.runs(operand, self.start, self.len, |at, stride, range| {
                    elements::load(words, dtype, at, stride, &mut register[range]);
                });
                Slot::Register
            }
        }
    }
}

impl Slot<'_> {
    fn write_to(self, register: &mut [f32]) {
        match self {
            Slot::Register => {}
            Slot::Slice(values) => register.copy_from_slice(values),
            Slot::Const(value) => register.fill(value),
        }
    }
}

#[inline(always)]
fn each(x: &mut [f32], f: impl Fn(f32) -> f32) {
    for x in x {
        *x = f(*x);
    }
}

#[inline(always)]
fn each_pair(a: &mut [f32], b: &[f32], f: impl Fn(f32, f32) -> f32) {
    for (a, &b) in a.iter_mut().zip(b) {
        *a = f(*a, b);
    }
}

fn unary(op: Unary, x: &mut [f32]) {
    match op {
        Unary::Neg => each(x, |x| -x),
        Unary::Abs => each(x, f32::abs),
        Unary::Sqrt => each(x, f32::sqrt),
        Unary::Rsqrt => each(x, |x| 1.0 / x.sqrt()),
        Unary::Exp => each(x, f32::exp),
        Unary::Log => each(x, f32::ln),
        Unary::Relu => each(x, |x| if x <= 0.0 { 0.0 } else { x }),
    }
}

fn binary(op: Binary, a: &mut [f32], b: &[f32]) {
    match op {
        Binary::Add => each_pair(a, b, |a, b| a + b),
        Binary::Sub => each_pair(a, b, |a, b| a - b),
        Binary::Mul => each_pair(a, b, |a, b| a * b),
        Binary::Div => each_pair(a, b, |a, b| a / b),
        Binary::Pow => each_pair(a, b, f32::powf),
    }
}

/// The exponents that PyTorch also computes without `pow`.
fn pow_scalar(x: &mut [f32], exponent: f32) {
    if exponent == 2.0 {
        each(x, |x| x * x);
    } else if exponent == 3.0 {
        each(x, |x| x * x * x);
    } else if exponent == 0.5 {
        each(x, f32::sqrt);
    } else if exponent == -0.5 {
        each(x, |x| 1.0 / x.sqrt());
    } else if exponent == -1.0 {
        each(x, |x| 1.0 / x);
    } else if exponent == -2.0 {
        each(x, |x| 1.0 / (x * x));
    } else {
        each(x, |x| x.powf(exponent));
    }
}
