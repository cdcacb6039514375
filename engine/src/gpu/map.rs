//! Elementwise programs: from a [`Program`] to a dispatch of shaders/map.wgsl.

use std::fmt::Write as _;
use std::rc::Rc;

use super::core::{Core, Dispatch, HEADER_WORDS, UNIFORM_WINDOW};
use super::operand::{Binding, Collapsed, storage, word};
use super::template::{Variables, expand};
use crate::backend::Operand;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::program::{Binary, Compute, Instr, Program, Unary};

/// Invocations per workgroup in shaders/map.wgsl.
const THREADS: u64 = 64;

/// A program as WGSL.
struct Body {
    text: String,
    result: String,
    constants: Vec<f32>,
}

pub(crate) fn map(core: &Core, program: &Program, inputs: &[Operand<'_>], out: Operand<'_>) -> Result<()> {
    if program.compute != Compute::F32 && !is_small(program, inputs, out) {
        let message = "this GPU computes in float32 and not in float64 or whole numbers".to_owned();
        return Err(Error::DType { op: "map", message });
    }
    let operands: Vec<Operand<'_>> = std::iter::once(out).chain(inputs.iter().copied()).collect();
    let limit = core.device.limits().max_storage_buffers_per_shader_stage as usize;
    if operands.len() > limit {
        let message = format!("{} inputs; this adapter binds {limit} buffers to one kernel", inputs.len());
        return Err(Error::Value { op: "map", message });
    }
    let mut buffers = Vec::with_capacity(operands.len());
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
    let body = wgsl(program, inputs.len(), vector, &splat[1..], first_constant)?;

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
    data.extend(body.constants.iter().map(|c| c.to_bits()));
    let words4 = data.len().div_ceil(4);
    if 4 * (HEADER_WORDS + 4 * words4) > UNIFORM_WINDOW {
        let message = format!("{rank} dimensions of {} operands are too many for one kernel", operands.len());
        return Err(Error::Value { op: "map", message });
    }
    let mut name = format!("map {rank} {words4} {vector}");
    for (operand, splat) in operands.iter().zip(&splat) {
        let _ = write!(name, " {}{splat}", operand.dtype);
    }
    name.push_str(&body.text);
    let mut access = vec![false; operands.len()];
    access[0] = true;
    let kernel = core.kernels.get(&core.device, &core.faults, &name, &access, || {
        let mut codec = Binding { vector, write: true, ..Binding::default() }.declare("out", 0, out.dtype)?;
        for (i, input) in inputs.iter().enumerate() {
            let binding = Binding { vector: vector && !splat[i + 1], ..Binding::default() };
            codec += &binding.declare(&format!("in{i}"), i + 1, input.dtype)?;
        }
        let variables = Variables::default()
            .with("RANK", rank)
            .with("INPUTS", inputs.len())
            .with("VECTOR", vector)
            .with("WORDS4", words4)
            .with("CODEC", codec)
            .with("VECTORS", vectors())
            .with("BODY", body.text.as_str())
            .with("RESULT", body.result.as_str());
        expand("map", include_str!("../../../shaders/map.wgsl"), &variables)
    })?;
    let mut params = vec![0; HEADER_WORDS];
    params.extend(data);
    params.resize(HEADER_WORDS + 4 * words4, 0);
    core.dispatch(Dispatch {
        kernel: &kernel,
        buffers: &buffers,
        params,
        workgroups: ((total / step) as u64).div_ceil(THREADS),
        flops: total as u64 * program.instrs.len() as u64,
    })
}

/// Whether whole numbers are so small that float32 has all of them, before and after one operation.
fn is_small(program: &Program, inputs: &[Operand<'_>], out: Operand<'_>) -> bool {
    let is_byte = |dtype: DType| matches!(dtype, DType::U8 | DType::Bool);
    let operations =
        program.instrs.iter().filter(|instr| !matches!(instr, Instr::Input(_) | Instr::Const(_)));
    operations.count() <= 1
        && program.compute == Compute::I64
        && inputs.iter().all(|input| is_byte(input.dtype))
        && (is_byte(out.dtype) || out.dtype.is_floating_point())
        && program.instrs.iter().all(|instr| match instr {
            Instr::Const(scalar) => scalar.as_f64().abs() < 65_536.0,
            Instr::Binary(op) => !matches!(op, Binary::Pow),
            _ => true,
        })
}

/// Copies `input` to `out`, which may have another dtype and other strides.
pub(crate) fn copy(core: &Core, input: Operand<'_>, out: Operand<'_>) -> Result<()> {
    map(core, &Program::copy(input.dtype), &[input], out)
}

/// A new contiguous f32 storage for intermediate results of `numel` elements.
pub(crate) fn scratch(core: &Core, numel: usize) -> Result<Rc<super::pool::GpuStorage>> {
    core.allocate(numel * DType::F32.size_bytes())
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

fn wgsl(
    program: &Program,
    inputs: usize,
    vector: bool,
    splat: &[bool],
    first_constant: usize,
) -> Result<Body> {
    let malformed = |what: &str| Error::Value { op: "map", message: format!("malformed program: {what}") };
    let (ty, four) = if vector { ("vec4<f32>", "4") } else { ("f32", "") };
    let mut body = Body { text: String::new(), result: String::new(), constants: Vec::new() };
    let mut stack: Vec<usize> = Vec::new();
    for (at, instr) in program.instrs.iter().enumerate() {
        let value = match *instr {
            Instr::Input(i) if i < inputs => match (vector, splat[i]) {
                (true, true) => format!("vec4<f32>(load_in{i}(at{}))", i + 1),
                (true, false) => format!("load4_in{i}(at{} / 4u)", i + 1),
                (false, _) => format!("load_in{i}(at{})", i + 1),
            },
            Instr::Input(i) => return Err(malformed(&format!("input {i} of {inputs}"))),
            Instr::Const(value) => {
                let slot = first_constant + body.constants.len();
                body.constants.push(value.as_f64() as f32);
                let component = ["x", "y", "z", "w"][slot % 4];
                format!("{ty}(bitcast<f32>(params.data[{}].{component}))", slot / 4)
            }
            Instr::Unary(op) => {
                let x = stack.pop().ok_or_else(|| malformed("an operation without argument"))?;
                unary(op, &format!("v{x}"), ty, four)
            }
            Instr::Binary(op) => {
                let (Some(b), Some(a)) = (stack.pop(), stack.pop()) else {
                    return Err(malformed("an operation without arguments"));
                };
                binary(op, &format!("v{a}"), &format!("v{b}"), ty, four)
            }
            Instr::Where => {
                let (Some(b), Some(a), Some(condition)) = (stack.pop(), stack.pop(), stack.pop()) else {
                    return Err(malformed("an operation without arguments"));
                };
                format!("select(v{b}, v{a}, v{condition} != {ty}(0.0))")
            }
        };
        let _ = writeln!(body.text, "    let v{at} = {value};");
        stack.push(at);
    }
    match stack.as_slice() {
        [result] => body.result = format!("v{result}"),
        _ => return Err(malformed("it does not leave one value")),
    }
    Ok(body)
}

/// The functions of shaders/map.wgsl for vectors: component by component.
fn vectors() -> String {
    const UNARY: [&str; 8] = [
        "square_root",
        "logarithm",
        "expm1",
        "log1p",
        "hyperbolic_tangent",
        "error_function",
        "nan_mark",
        "infinity_mark",
    ];
    const BINARY: [&str; 6] = ["power", "fmod", "remainder", "floor_divide", "larger", "smaller"];
    let of_one = UNARY.map(|name| {
        let parts = ["x", "y", "z", "w"].map(|part| format!("{name}(x.{part})")).join(", ");
        format!("\nfn {name}4(x: vec4<f32>) -> vec4<f32> {{\n    return vec4<f32>({parts});\n}}\n")
    });
    let of_two = BINARY.map(|name| {
        let parts = ["x", "y", "z", "w"].map(|part| format!("{name}(a.{part}, b.{part})")).join(", ");
        format!(
            "\nfn {name}4(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {{\n    return vec4<f32>({parts});\n}}\n"
        )
    });
    of_one.concat() + &of_two.concat()
}

/// An operation of one argument; `four` is the ending of the functions for vectors.
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
        Unary::Exp => format!("exp({x})"),
        Unary::Exp2 => format!("exp2({x})"),
        Unary::Expm1 => format!("expm1{four}({x})"),
        Unary::Log => format!("logarithm{four}({x})"),
        Unary::Log2 => format!("logarithm{four}({x}) * 1.44269504"),
        Unary::Log10 => format!("logarithm{four}({x}) * 0.43429448"),
        Unary::Log1p => format!("log1p{four}({x})"),
        Unary::Sin => format!("sin({x})"),
        Unary::Cos => format!("cos({x})"),
        Unary::Tanh => format!("hyperbolic_tangent{four}({x})"),
        Unary::Sigmoid => format!("{ty}(1.0) / ({ty}(1.0) + exp(-{x}))"),
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

/// An operation of two arguments.
fn binary(op: Binary, a: &str, b: &str, ty: &str, four: &str) -> String {
    let truth = |condition: String| format!("select({ty}(0.0), {ty}(1.0), {condition})");
    let (left, right) = (format!("({a} != {ty}(0.0))"), format!("({b} != {ty}(0.0))"));
    match op {
        Binary::Add => format!("{a} + {b}"),
        Binary::Sub => format!("{a} - {b}"),
        Binary::Mul => format!("{a} * {b}"),
        Binary::Div => format!("{a} / {b}"),
        Binary::FloorDiv => format!("floor_divide{four}({a}, {b})"),
        Binary::Remainder => format!("remainder{four}({a}, {b})"),
        Binary::Fmod => format!("fmod{four}({a}, {b})"),
        Binary::Pow => format!("power{four}({a}, {b})"),
        Binary::Max => format!("larger{four}({a}, {b})"),
        Binary::Min => format!("smaller{four}({a}, {b})"),
        Binary::Eq => truth(format!("{a} == {b}")),
        Binary::Ne => truth(format!("{a} != {b}")),
        Binary::Lt => truth(format!("{a} < {b}")),
        Binary::Le => truth(format!("{a} <= {b}")),
        Binary::Gt => truth(format!("{a} > {b}")),
        Binary::Ge => truth(format!("{a} >= {b}")),
        Binary::And => truth(format!("{left} & {right}")),
        Binary::Or => truth(format!("{left} | {right}")),
        Binary::Xor => truth(format!("{left} != {right}")),
    }
}
