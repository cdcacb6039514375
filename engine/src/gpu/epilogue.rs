//! What becomes of an element of a product before it is written: a program as the function `finish` of the kernels
//! in shaders/matmul_*.wgsl.

use std::fmt::Write as _;

use super::body::Body;
use super::core::Core;
use super::kernels::UNIFORM_WINDOW;
use super::operand::{Binding, Number, functions, storage, word};
use super::storage::GpuStorage;
use crate::backend::Operand;
use crate::dtype::DType;
use crate::error::Result;
use crate::program::{Compute, Program};

/// Words of the uniforms before those of an epilogue: see `Params` in shaders/matmul.wgsl.
const FIRST_WORD: usize = 32;

/// Words for an input: offset, strides of rows and of columns.
const INPUT_WORDS: usize = 4;

/// A program that each element of a product runs through: input 0 is the element, the others have the shape of the
/// product.
pub(crate) struct Epilogue<'a> {
    program: &'a Program,
    inputs: Vec<Input<'a>>,
}

struct Input<'a> {
    operand: Operand<'a>,
    buffer: &'a GpuStorage,
    row: usize,
    col: usize,
}

impl<'a> Epilogue<'a> {
    /// `None` if the kernels cannot run it: in a batch, not in float32, or with too many inputs.
    pub(crate) fn new(
        core: &Core,
        program: &'a Program,
        inputs: &[Operand<'a>],
        out: Operand<'_>,
    ) -> Result<Option<Self>> {
        let &[rows, cols] = out.layout.shape() else { return Ok(None) };
        let is_real = |o: &Operand<'_>| o.dtype.is_floating_point();
        let limit = core.device.limits().max_storage_buffers_per_shader_stage as usize;
        let words = FIRST_WORD + inputs.len() * INPUT_WORDS + program.instrs.len();
        let fits = program.compute == Compute::F32
            && inputs.iter().all(|input| is_real(input) && input.layout.shape() == [rows, cols])
            && inputs.len() + 3 <= limit
            && 4 * words <= UNIFORM_WINDOW;
        if !fits {
            return Ok(None);
        }
        let input = |operand: &Operand<'a>| -> Result<Input<'a>> {
            let strides = operand.layout.strides();
            let buffer = storage(core, "matmul", *operand)?;
            Ok(Input { operand: *operand, buffer, row: strides[0], col: strides[1] })
        };
        Ok(Some(Self { program, inputs: inputs.iter().map(input).collect::<Result<_>>()? }))
    }

    /// Of the transposed product.
    pub(crate) fn transposed(mut self) -> Self {
        self.inputs.iter_mut().for_each(|input| std::mem::swap(&mut input.row, &mut input.col));
        self
    }

    pub(crate) fn buffers(&self) -> impl Iterator<Item = &'a GpuStorage> {
        self.inputs.iter().map(|input| input.buffer)
    }

    /// The program for elements one by one or by four.
    pub(crate) fn finish(&self, vector: bool) -> Result<Finish> {
        let mut inputs = vec!["product".to_owned()];
        let (mut words, mut dtypes) = (Vec::new(), Vec::new());
        for (i, input) in self.inputs.iter().enumerate() {
            let place = format!("params.data[{i}]");
            let load =
                |c: usize| format!("load_e{i}({place}.x + row * {place}.y + (col + {c}u) * {place}.z)");
            inputs.push(match vector {
                true => format!("vec4<f32>({})", [0, 1, 2, 3].map(load).join(", ")),
                false => load(0),
            });
            let place = [input.operand.layout.offset(), input.row, input.col, 0];
            words.extend(place.iter().map(|&x| word("matmul", x)).collect::<Result<Vec<_>>>()?);
            dtypes.push(input.operand.dtype);
        }
        let body = Body::new(self.program, Number::F32, vector, &inputs, words.len())?;
        words.extend(&body.constants);
        words.resize(words.len().next_multiple_of(4), 0);
        Ok(Finish { body, words, dtypes, vector })
    }
}

/// An [`Epilogue`] as text.
pub(crate) struct Finish {
    body: Body,
    /// The uniforms behind the product's own, a multiple of four words.
    pub(crate) words: Vec<u32>,
    dtypes: Vec<DType>,
    vector: bool,
}

impl Finish {
    pub(crate) fn name(&self) -> String {
        format!("{:?} {} {}", self.dtypes, self.words.len(), self.body.text)
    }

    /// The function `finish`, with the bindings of its inputs behind the product's three.
    pub(crate) fn declare(&self) -> Result<String> {
        let mut text = String::new();
        for (i, &dtype) in self.dtypes.iter().enumerate() {
            text += &Binding::default().declare(&format!("e{i}"), 3 + i, dtype)?;
        }
        if self.body.needs_functions() {
            text += &functions();
            text += &self.body.vectors;
        }
        let ty = if self.vector { Number::F32.four() } else { Number::F32.wgsl() };
        let _ = writeln!(text, "\nfn finish(product: {ty}, row: u32, col: u32) -> {ty} {{");
        let _ = writeln!(text, "{}    return {};\n}}", self.body.text, self.body.result);
        Ok(text)
    }
}
