//! Elementwise programs: from a [`Program`] to a dispatch of shaders/map.wgsl.

use std::fmt::Write as _;
use std::rc::Rc;

use super::alarm;
use super::body::{Body, splatted};
use super::core::{Core, Dispatch};
use super::operand::{Binding, Collapsed, Number, functions, no_float64, storage, uniforms, with_wide, word};
use super::storage::GpuStorage;
use super::template::{Variables, expand};
use crate::backend::Operand;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::program::{Binary, Bits, Compute, Instr, Program, Unary};

/// Invocations per workgroup in shaders/map.wgsl.
const THREADS: u64 = 64;

pub(crate) fn map(core: &Core, program: &Program, inputs: &[Operand<'_>], out: Operand<'_>) -> Result<()> {
    let number = number(program, inputs, out)?;
    // The output first; an input that is the output is read where it is written.
    let others = inputs.iter().copied().filter(|input| !input.is(&out));
    let operands: Vec<Operand<'_>> = std::iter::once(out).chain(others).collect();
    let both = operands.len() <= inputs.len();
    let limit = core.device.limits().max_storage_buffers_per_shader_stage as usize;
    let reports = number != Number::F32 && divides(program);
    if operands.len() + usize::from(reports) > limit {
        let message =
            format!("{} inputs; this adapter binds at most {limit} buffers to one kernel", inputs.len());
        return Err(Error::Value { op: "map", message });
    }
    let mut buffers = Vec::with_capacity(operands.len() + 1);
    for operand in &operands {
        if operand.layout.shape() != out.layout.shape() {
            let (have, want) = (operand.layout.shape(), out.layout.shape());
            return Err(Error::Shape {
                op: "map",
                message: format!("an input has shape {have:?}, the output {want:?}"),
            });
        }
        buffers.push(storage(core, "map", *operand)?);
    }
    let total = out.layout.numel();
    if total == 0 {
        return Ok(());
    }
    let strides: Vec<_> = operands.iter().map(|o| o.layout.strides().to_vec()).collect();
    let dims = Collapsed::new(out.layout.shape(), &strides);
    let (rank, vector) = (dims.shape.len(), vectorizes(&operands, &dims));
    let splat: Vec<bool> = dims.strides.iter().map(|s| vector && s.last() == Some(&0)).collect();
    let first_constant = 1 + rank + operands.len() * (rank + 1);
    let mut bound = 0;
    let loads: Vec<String> = inputs
        .iter()
        .map(|input| {
            if input.is(&out) {
                return if vector { "load4_out(at0 / 4u)".to_owned() } else { "load_out(at0)".to_owned() };
            }
            bound += 1;
            match (vector, splat[bound]) {
                (true, true) => splatted(number, &format!("load_in{}(at{bound})", bound - 1)),
                (true, false) => format!("load4_in{}(at{bound} / 4u)", bound - 1),
                (false, _) => format!("load_in{}(at{bound})", bound - 1),
            }
        })
        .collect();
    let body = Body::new(program, number, vector, &loads, first_constant)?;

    let step = if vector { 4 } else { 1 };
    let mut data = vec![word("map", total / step)?];
    for (d, &size) in dims.shape.iter().enumerate() {
        data.push(word("map", if d + 1 == rank { size / step } else { size })?);
    }
    for (operand, strides) in operands.iter().zip(&dims.strides) {
        data.push(word("map", operand.layout.offset())?);
        for (d, &stride) in strides.iter().enumerate() {
            data.push(word("map", if d + 1 == rank { stride * step } else { stride })?);
        }
    }
    data.extend(&body.constants);
    let what = format_args!("{rank} dimensions of {} operands", operands.len());
    let (params, words4) = uniforms("map", &data, what)?;
    let mut name = format!("map {number:?} {rank} {words4} {vector} {both}");
    for (operand, splat) in operands.iter().zip(&splat) {
        let _ = write!(name, " {}{splat}", operand.dtype);
    }
    name.push_str(&body.text);
    let mut access = vec![false; operands.len()];
    access[0] = true;
    let alarm = if reports { Some(core.alarm()?) } else { None };
    if let Some(alarm) = &alarm {
        buffers.push(alarm);
        access.push(true);
    }
    let kernel = core.kernels.get(&core.device, &core.faults, &name, &access, || {
        let write = Binding { vector, write: true, both, number, ..Binding::default() };
        let mut codec = write.declare("out", 0, out.dtype)?;
        for (i, input) in operands[1..].iter().enumerate() {
            let binding = Binding { vector: vector && !splat[i + 1], number, ..Binding::default() };
            codec += &binding.declare(&format!("in{i}"), i + 1, input.dtype)?;
        }
        if reports {
            codec += &alarm::declare(operands.len())?;
        }
        let arithmetic = match number {
            Number::F32 if body.needs_functions() => functions(),
            Number::F32 => String::new(),
            Number::I32 | Number::I64 => number.arithmetic(reports)?,
        };
        let variables = Variables::default()
            .with("RANK", rank)
            .with("INPUTS", operands.len() - 1)
            .with("VECTOR", vector)
            .with("WORDS4", words4)
            .with("CODEC", with_wide(codec, number))
            .with("ARITHMETIC", arithmetic)
            .with("VECTORS", body.vectors.as_str())
            .with("BODY", body.text.as_str())
            .with("RESULT", body.result.as_str());
        expand("map", shader!("map"), &variables)
    })?;
    core.dispatch(Dispatch {
        kernel: &kernel,
        buffers: &buffers,
        params,
        workgroups: ((total / step) as u64).div_ceil(THREADS),
        flops: total as u64 * program.instrs.len() as u64,
    })
}

/// Whether the program divides.
fn divides(program: &Program) -> bool {
    use Binary::{Div, FloorDiv, Fmod, Remainder};
    program.instrs.iter().any(|instr| matches!(instr, Instr::Binary(Div | FloorDiv | Fmod | Remainder)))
}

/// What to compute a program in: 32 bits serve whole numbers where nothing that 64 bits would hold is lost.
fn number(program: &Program, inputs: &[Operand<'_>], out: Operand<'_>) -> Result<Number> {
    match program.compute {
        Compute::F64 => return Err(no_float64()),
        Compute::F32 => return Ok(Number::F32),
        Compute::I64 => {}
    }
    let is_byte = |operand: &Operand<'_>| matches!(operand.dtype, DType::U8 | DType::Bool);
    let (mut operations, mut growing, mut largest) = (0, 0, 0);
    for instr in &program.instrs {
        use Binary::{Add, Div, FloorDiv, Mul, Pow, Sub};
        match instr {
            Instr::Const(value) => largest = largest.max(value.as_i64().unsigned_abs()),
            Instr::Input(_) | Instr::Again(_) => {}
            Instr::Binary(Add | Sub | Mul | Div | FloorDiv | Pow)
            | Instr::Unary(Unary::Neg | Unary::Abs)
            | Instr::Bits(Bits::ShiftLeft) => {
                growing += 1;
                operations += 1;
            }
            _ => operations += 1,
        }
    }
    // What outgrows 32 bits is cut off in the end, if nothing looks at it before; bytes outgrow nothing at once.
    let is_cut = matches!(out.dtype, DType::I32 | DType::U8);
    let is_bytes = inputs.iter().all(is_byte)
        && largest < 1 << 16
        && !program.instrs.contains(&Instr::Binary(Binary::Pow))
        && !program.instrs.contains(&Instr::Bits(Bits::ShiftLeft));
    let fits = growing == 0 || (operations == 1 && (is_cut || is_bytes));
    let is_narrow = inputs.iter().all(|input| is_byte(input) || input.dtype == DType::I32);
    Ok(if fits && is_narrow && largest < 1 << 31 { Number::I32 } else { Number::I64 })
}

/// Copies `input` to `out`, which may have another dtype and other strides.
pub(crate) fn copy(core: &Core, input: Operand<'_>, out: Operand<'_>) -> Result<()> {
    map(core, &Program::copy(input.dtype), &[input], out)
}

/// A new contiguous storage for intermediate results of `numel` elements.
pub(crate) fn scratch(core: &Core, number: Number, numel: usize) -> Result<Rc<GpuStorage>> {
    core.allocate(numel.saturating_mul(number.dtype().size_bytes()))
}

/// Whether groups of four along the last dimension are whole words of every operand.
fn vectorizes(operands: &[Operand<'_>], dims: &Collapsed) -> bool {
    let Some(last) = dims.shape.last() else { return false };
    let aligned = |n: &usize| n.is_multiple_of(4);
    aligned(last)
        && operands.iter().zip(&dims.strides).enumerate().all(|(i, (operand, strides))| {
            let Some((&along, outer)) = strides.split_last() else { return false };
            (along == 1 && aligned(&operand.layout.offset()) && outer.iter().all(aligned))
                || (i > 0 && along == 0)
        })
}
