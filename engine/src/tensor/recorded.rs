//! Programs in derivatives: one kernel, or, where gradients are recorded themselves, one operation after the other.

use super::Tensor;
use super::elementwise::Arg;
use crate::DType;
use crate::autograd::creates_graph;
use crate::error::{Error, Result};
use crate::program::{Binary, Compute, Instr, Program, Unary};

impl Tensor {
    /// [`Tensor::combined`] in a derivative; recorded where gradients are.
    pub(crate) fn combined_back(&self, program: &Program, others: &[&Self], dtype: DType) -> Result<Self> {
        let inputs = [&[self], others].concat();
        if creates_graph() {
            recorded(program, &inputs)?.to_dtype(dtype)
        } else {
            self.combined(program, others, dtype)
        }
    }
}

/// What the program makes of these inputs, by recorded operations in what it computes in.
fn recorded(program: &Program, inputs: &[&Tensor]) -> Result<Tensor> {
    let dtype = match program.compute {
        Compute::F32 => DType::F32,
        Compute::F64 => DType::F64,
        Compute::I64 => DType::I64,
    };
    let (mut values, mut stack): (Vec<Tensor>, Vec<Tensor>) = (Vec::new(), Vec::new());
    for instr in &program.instrs {
        let arguments = stack.split_off(stack.len().saturating_sub(instr.arity()));
        let value = match (instr, arguments.as_slice()) {
            (Instr::Input(at), _) => inputs.get(*at).ok_or_else(unwritten)?.to_dtype(dtype)?,
            (Instr::Const(scalar), _) => {
                let device = inputs.first().ok_or_else(unwritten)?.device();
                Tensor::full(&[], *scalar, dtype, device)?
            }
            (Instr::Again(at), _) => values.get(*at).ok_or_else(unwritten)?.clone(),
            (Instr::Unary(op), [x]) => unary(*op, x)?,
            (Instr::Binary(op), [a, b]) => binary(*op, a, b)?,
            (Instr::Where, [condition, a, b]) => condition.ne(0)?.where_(Arg::Tensor(a), Arg::Tensor(b))?,
            _ => return Err(unwritten()),
        };
        values.push(value.clone());
        stack.push(value);
    }
    stack.pop().ok_or_else(unwritten)
}

fn unary(op: Unary, x: &Tensor) -> Result<Tensor> {
    match op {
        Unary::Neg => x.neg(),
        Unary::Abs => x.abs(),
        Unary::Sign => x.sign(),
        Unary::Sqrt => x.sqrt(),
        Unary::Rsqrt => x.rsqrt(),
        Unary::Reciprocal => x.reciprocal(),
        Unary::Exp => x.exp(),
        Unary::Exp2 => x.exp2(),
        Unary::Expm1 => x.expm1(),
        Unary::Log => x.log(),
        Unary::Log2 => x.log2(),
        Unary::Log10 => x.log10(),
        Unary::Log1p => x.log1p(),
        Unary::Sin => x.sin(),
        Unary::Cos => x.cos(),
        Unary::Tanh => x.tanh(),
        Unary::Sigmoid => x.sigmoid(),
        Unary::Erf => x.erf(),
        Unary::Relu => x.relu(),
        _ => Err(unwritten()),
    }
}

fn binary(op: Binary, a: &Tensor, b: &Tensor) -> Result<Tensor> {
    match op {
        Binary::Add => a.add(b),
        Binary::Sub => a.sub(b),
        Binary::Mul => a.mul(b),
        Binary::Div => a.div(b),
        Binary::Pow => a.pow(b),
        Binary::Atan2 => a.atan2(b),
        Binary::Max => a.maximum(b),
        Binary::Min => a.minimum(b),
        Binary::Gt => a.gt(b),
        Binary::Le => a.le(b),
        _ => Err(unwritten()),
    }
}

fn unwritten() -> Error {
    Error::Autograd("a derivative has an instruction that is not implemented twice".into())
}
