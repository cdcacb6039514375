//! Elementwise programs, interpreted over chunks: each instruction is one loop that the compiler
//! vectorises, and the chunk stays in the first-level cache between instructions.

use crate::backend::Operand;
use crate::interrupt::Watch;
use crate::program::{Instr, Program};
use crate::{DType, Error, Result};

use super::arithmetic::Arithmetic;
use super::elements::{self, CHUNK};
use super::parallel;
use super::storage;
use super::walk::Walk;

pub(super) fn map(program: &Program, inputs: &[Operand<'_>], out: Operand<'_>) -> Result<()> {
    computed!(program.compute, map_in(program, inputs, out))
}

fn map_in<T: Arithmetic>(program: &Program, inputs: &[Operand<'_>], out: Operand<'_>) -> Result<()> {
    let room = Room::new(program, inputs.len())?;
    let words = (inputs.iter().filter(|i| !i.is(&out)).map(|&i| storage::read("map", i)))
        .collect::<Result<Vec<_>>>()?;
    let mut words = words.iter();
    let mut out_words = storage::write("map", out)?;
    let mut layouts = vec![out.layout];
    layouts.extend(inputs.iter().map(|i| i.layout));
    let walk = Walk::new(&layouts);
    let numel = walk.numel();
    if numel == 0 {
        return Ok(());
    }
    let sources: Vec<Source<'_, T>> = (1..)
        .zip(inputs)
        .map(|(operand, input)| match (input.is(&out), walk.contiguous_from(operand)) {
            (true, _) => Source::Out,
            (_, Some(start)) if input.dtype == T::DTYPE => {
                Source::Slice(&elements::elements(words.next().map_or(&[], |words| words))[start..])
            }
            _ => Source::Convert {
                words: words.next().map_or(&[], |words| words),
                dtype: input.dtype,
                operand,
            },
        })
        .collect();
    let reads_out = sources.iter().any(|source| matches!(source, Source::Out));
    // The bottom of the stack is the output itself where that is contiguous and of the type computed in.
    if let Some(first) = walk.contiguous_from(0).filter(|_| out.dtype == T::DTYPE) {
        let values = &mut elements::elements_mut(&mut out_words)[first..][..numel];
        return parallel::each_part(values, PART, numel * program.instrs.len(), |part, values| {
            let mut upper = room.upper(CHUNK.min(values.len()));
            let mut old = Vec::new();
            for (i, bottom) in values.chunks_mut(CHUNK).enumerate() {
                let (start, len) = (part * PART + i * CHUNK, bottom.len());
                if reads_out {
                    old.clear();
                    old.extend_from_slice(bottom);
                }
                let registers = Registers { bottom, upper: &mut upper };
                let chunk = Chunk { room: &room, walk: &walk, sources: &sources, old: &old, start, len };
                chunk.run(program, registers)?;
            }
            Ok(())
        });
    }
    let watch = Watch::begin();
    let run = |words: &mut [u64], range: std::ops::Range<usize>, contiguous: bool| {
        let chunk = CHUNK.min(range.len());
        let (mut bottom, mut upper) = (vec![T::zeroed(); chunk], room.upper(chunk));
        let mut old = vec![T::zeroed(); if reads_out { chunk } else { 0 }];
        // Where a chunk of the output is among these words.
        let places =
            |start: usize, len: usize, visit: &mut dyn FnMut(usize, usize, std::ops::Range<usize>)| {
                if contiguous {
                    visit(start - range.start, 1, 0..len);
                } else {
                    walk.runs(0, start, len, visit);
                }
            };
        for start in range.clone().step_by(CHUNK) {
            watch.check()?;
            let len = chunk.min(range.end - start);
            let bottom = &mut bottom[..len];
            if reads_out {
                places(start, len, &mut |at, stride, range| {
                    T::load(words, out.dtype, at, stride, &mut old[range]);
                });
            }
            let registers = Registers { bottom, upper: &mut upper };
            Chunk { room: &room, walk: &walk, sources: &sources, old: &old, start, len }
                .run(program, registers)?;
            places(start, len, &mut |at, stride, range| {
                T::store(words, out.dtype, at, stride, &bottom[range]);
            });
        }
        Ok(())
    };
    // Narrow elements are shared between cores by whole words.
    let size = out.dtype.size_bytes();
    let first = walk.contiguous_from(0);
    let Some(shared) = first.and_then(|at| parallel::whole_words(&mut out_words, at, numel, size)) else {
        return run(&mut out_words, 0..numel, false);
    };
    parallel::each_part(
        shared,
        PART * size / size_of::<u64>(),
        numel * program.instrs.len(),
        |part, words| run(words, part * PART..((part + 1) * PART).min(numel), true),
    )
}

/// Elements that a core takes at a time.
const PART: usize = 16 * CHUNK;

/// What a program needs room for.
struct Room {
    /// Largest number of values on the stack.
    depth: usize,
    /// For each instruction the number of the buffer in which its value is kept, if another one reads it again.
    kept: Vec<Option<usize>>,
    buffers: usize,
}

impl Room {
    fn new(program: &Program, inputs: usize) -> Result<Self> {
        let fault = |message: String| Error::Value { op: "map", message };
        let (mut height, mut room) = (0usize, Self { depth: 0, kept: Vec::new(), buffers: 0 });
        for (at, instr) in program.instrs.iter().enumerate() {
            room.kept.push(None);
            match *instr {
                Instr::Input(i) if i >= inputs => {
                    return Err(fault(format!("the program reads input {i} of {inputs}")));
                }
                Instr::Again(before) if before >= at => {
                    return Err(fault(format!("instruction {at} reads the value of instruction {before}")));
                }
                Instr::Again(before) if room.kept[before].is_none() => {
                    room.kept[before] = Some(room.buffers);
                    room.buffers += 1;
                }
                _ => {}
            }
            height = height
                .checked_sub(instr.arity())
                .ok_or_else(|| fault(format!("{instr:?} finds {height} values on the stack")))?
                + 1;
            room.depth = room.depth.max(height);
        }
        if height != 1 {
            return Err(fault(format!("the program leaves {height} values instead of one")));
        }
        Ok(room)
    }

    /// Buffers of `len` elements for all but the bottom of the stack.
    fn upper<T: bytemuck::Zeroable + Copy>(&self, len: usize) -> Vec<T> {
        vec![T::zeroed(); len * (self.depth - 1 + self.buffers)]
    }
}

/// Where an input's elements come from.
enum Source<'a, T> {
    /// From the output, before it is written.
    Out,
    /// They are there.
    Slice(&'a [T]),
    /// They are gathered and converted.
    Convert { words: &'a [u64], dtype: DType, operand: usize },
}

/// A value on the stack.
#[derive(Clone, Copy)]
enum Slot<'a, T> {
    /// In the register of its height.
    Register,
    Slice(&'a [T]),
    Const(T),
    /// In the buffer of that number.
    Kept(usize),
}

/// One buffer per height of the stack; those above the bottom lie behind one another, and behind them those that
/// keep values.
struct Registers<'a, T> {
    bottom: &'a mut [T],
    upper: &'a mut [T],
}

impl<T> Registers<'_, T> {
    fn at(&mut self, height: usize) -> &mut [T] {
        let len = self.bottom.len();
        match height.checked_sub(1) {
            None => self.bottom,
            Some(above) => &mut self.upper[above * len..][..len],
        }
    }

    /// The registers of `height` and of `count` heights above, those behind one another.
    fn from(&mut self, height: usize, count: usize) -> (&mut [T], &mut [T]) {
        let len = self.bottom.len();
        match height.checked_sub(1) {
            None => (self.bottom, &mut self.upper[..count * len]),
            Some(above) => self.upper[above * len..][..(1 + count) * len].split_at_mut(len),
        }
    }
}

struct Chunk<'a, T> {
    room: &'a Room,
    walk: &'a Walk,
    sources: &'a [Source<'a, T>],
    /// What the output held, if a source is [`Source::Out`].
    old: &'a [T],
    start: usize,
    len: usize,
}

impl<T: Arithmetic> Chunk<'_, T> {
    /// Leaves the result in the bottom register. The program has passed [`Room::new`].
    fn run(&self, program: &Program, registers: Registers<'_, T>) -> Result<()> {
        let Registers { bottom, upper } = registers;
        let (upper, kept) = upper.split_at_mut((self.room.depth - 1) * bottom.len());
        let mut registers = Registers { bottom, upper };
        let buffer = |k: usize| k * self.len..(k + 1) * self.len;
        let mut stack: Vec<Slot<'_, T>> = Vec::with_capacity(4);
        let mut left: Vec<Slot<'_, T>> = vec![Slot::Register; self.room.buffers];
        for (at, instr) in program.instrs.iter().enumerate() {
            let slot = match *instr {
                Instr::Const(value) => Slot::Const(T::from_scalar(value)),
                Instr::Input(i) => self.input(&self.sources[i], registers.at(stack.len())),
                Instr::Again(before) => match self.room.kept[before] {
                    Some(k) => left[k],
                    None => break,
                },
                Instr::Unary(op) => {
                    let Some(x) = stack.pop() else { break };
                    let register = registers.at(stack.len());
                    x.write_to(register, kept);
                    T::unary(op, register)?;
                    Slot::Register
                }
                Instr::Binary(op) => {
                    let (Some(b), Some(a)) = (stack.pop(), stack.pop()) else { break };
                    let (left, right) = registers.from(stack.len(), 1);
                    a.write_to(left, kept);
                    match b {
                        Slot::Slice(b) => T::binary(op, left, b)?,
                        Slot::Register => T::binary(op, left, right)?,
                        Slot::Const(b) => T::binary_scalar(op, left, b)?,
                        Slot::Kept(k) => T::binary(op, left, &kept[buffer(k)])?,
                    }
                    Slot::Register
                }
                Instr::Bits(op) => {
                    let (Some(b), Some(a)) = (stack.pop(), stack.pop()) else { break };
                    let (left, right) = registers.from(stack.len(), 1);
                    a.write_to(left, kept);
                    b.write_to(right, kept);
                    T::bits(op, left, right)?;
                    Slot::Register
                }
                Instr::Where => {
                    let (Some(b), Some(a), Some(condition)) = (stack.pop(), stack.pop(), stack.pop()) else {
                        break;
                    };
                    let (left, right) = registers.from(stack.len(), 2);
                    let (first, second) = right.split_at_mut(left.len());
                    condition.write_to(left, kept);
                    a.write_to(first, kept);
                    b.write_to(second, kept);
                    for ((to, &a), &b) in left.iter_mut().zip(&*first).zip(&*second) {
                        *to = if to.is_true() { a } else { b };
                    }
                    Slot::Register
                }
            };
            if let Some(k) = self.room.kept[at] {
                left[k] = slot;
                if let Slot::Register = slot {
                    kept[buffer(k)].copy_from_slice(registers.at(stack.len()));
                    left[k] = Slot::Kept(k);
                }
            }
            stack.push(slot);
        }
        if let Some(result) = stack.pop() {
            result.write_to(registers.bottom, kept);
        }
        Ok(())
    }

    fn input<'a>(&'a self, source: &Source<'a, T>, register: &mut [T]) -> Slot<'a, T> {
        match *source {
            Source::Out => Slot::Slice(&self.old[..self.len]),
            Source::Slice(all) => Slot::Slice(&all[self.start..][..self.len]),
            Source::Convert { words, dtype, operand } => {
                self.walk.runs(operand, self.start, self.len, |at, stride, range| {
                    T::load(words, dtype, at, stride, &mut register[range]);
                });
                Slot::Register
            }
        }
    }
}

impl<T: Copy> Slot<'_, T> {
    fn write_to(self, register: &mut [T], kept: &[T]) {
        match self {
            Slot::Register => {}
            Slot::Slice(values) => register.copy_from_slice(values),
            Slot::Const(value) => register.fill(value),
            Slot::Kept(k) => register.copy_from_slice(&kept[k * register.len()..][..register.len()]),
        }
    }
}
