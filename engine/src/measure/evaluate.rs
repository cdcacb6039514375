//! Computing an expression.

use crate::size::written;
use crate::tensor::Arg;
use crate::{Error, Result, Tensor};

use super::expression::{Expr, Operator};
use super::functions::{Function, Options, Run};

/// What an expression comes to on the way.
enum Value {
    Tensor(Tensor),
    Number(f64),
}

impl Value {
    fn arg(&self) -> Arg<'_> {
        match self {
            Self::Tensor(tensor) => tensor.into(),
            Self::Number(number) => (*number).into(),
        }
    }

    fn tensor(&self, op: &'static str) -> Result<&Tensor> {
        match self {
            Self::Tensor(tensor) => Ok(tensor),
            Self::Number(number) => {
                let message = format!("takes tensors, and {number} is a number");
                Err(Error::Value { op, message })
            }
        }
    }
}

/// Computes an expression of these inputs. No tensor on the way may have more than `most` bytes.
///
/// # Errors
/// PyTorch's own, from the first operation that PyTorch refuses, and [`Error::OutOfMemory`].
pub(super) fn compute(expr: &Expr, inputs: &[Tensor], most: u64) -> Result<Tensor> {
    value(expr, inputs, most)?.tensor("measure").cloned()
}

fn value(expr: &Expr, inputs: &[Tensor], most: u64) -> Result<Value> {
    let of = |expr: &Expr| value(expr, inputs, most);
    let tensor = match expr {
        Expr::Number(number) => return Ok(Value::Number(*number)),
        Expr::Tensor(input) => {
            let outside = || Error::Value { op: "measure", message: format!("there is no input {input}") };
            return inputs.get(*input).cloned().map(Value::Tensor).ok_or_else(outside);
        }
        Expr::Negative(x) => of(x)?.tensor("neg")?.neg()?,
        Expr::Binary(operator, sides) => binary(*operator, &of(&sides[0])?, &of(&sides[1])?)?,
        Expr::Call(function, arguments, options) => {
            let values = arguments.iter().map(of).collect::<Result<Vec<_>>>()?;
            call(function, &values, options)?
        }
    };
    let bytes = tensor.numel() as u64 * tensor.dtype().size_bytes() as u64;
    if bytes > most {
        let rule = format!("an expression may take {} here", written(most.into()));
        let error = Error::out_of_memory(bytes.into(), tensor.device().to_string(), rule);
        return Err(error.of_tensor(tensor.shape(), tensor.dtype()));
    }
    Ok(Value::Tensor(tensor))
}

fn call(function: &Function, values: &[Value], options: &Options) -> Result<Tensor> {
    let name = function.names[0];
    match (&function.run, values) {
        (Run::One(run), [x]) => run(x.tensor(name)?),
        (Run::Two(run), [a, b]) => run(a.tensor(name)?, b.tensor(name)?),
        (Run::Number(run), [a, b]) => run(a.tensor(name)?, b.arg()),
        (Run::Any(run), values) => {
            let tensors = values.iter().map(|value| value.tensor(name)).collect::<Result<Vec<_>>>()?;
            run(&tensors, options)
        }
        (_, values) => {
            Err(Error::Value { op: name, message: format!("does not take {} arguments", values.len()) })
        }
    }
}

fn binary(operator: Operator, a: &Value, b: &Value) -> Result<Tensor> {
    use Operator::{Add, Div, Matmul, Mul, Pow, Sub};
    match (operator, a) {
        (Matmul, _) => a.tensor("matmul")?.matmul(b.tensor("matmul")?),
        (Add, Value::Tensor(a)) => a.add(b.arg()),
        (Sub, Value::Tensor(a)) => a.sub(b.arg()),
        (Mul, Value::Tensor(a)) => a.mul(b.arg()),
        (Div, Value::Tensor(a)) => a.div(b.arg()),
        (Pow, Value::Tensor(a)) => a.pow(b.arg()),
        // A number on the left, as Python's reflected operators have it.
        (Add, Value::Number(a)) => b.tensor("add")?.add(*a),
        (Mul, Value::Number(a)) => b.tensor("mul")?.mul(*a),
        (Sub, Value::Number(a)) => b.tensor("rsub")?.neg()?.add(*a),
        (Div, Value::Number(a)) => b.tensor("reciprocal")?.reciprocal()?.mul(*a),
        (Pow, Value::Number(_)) => {
            let message = "the base of ** is a tensor; exp2 and exp raise numbers to tensors".to_owned();
            Err(Error::Value { op: "pow", message })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::compute;
    use crate::measure::expression::parse;
    use crate::{DType, Device, Tensor};

    /// Operators bind and are reflected as Python's; inputs are 1, 2, 4 and 0.5, 3, −1.
    #[test]
    fn operators_are_pythons() {
        let device = Device::cpu();
        for (text, want) in [
            ("[3] + [3]", [1.5, 5.0, 3.0]),
            ("[3] - [3] * 2", [0.0, -4.0, 6.0]),
            ("([3] - [3]) * 2", [1.0, -2.0, 10.0]),
            ("1 - [3]", [0.0, -1.0, -3.0]),
            ("8 / [3]", [8.0, 4.0, 2.0]),
            ("[3] / 2 / 2", [0.25, 0.5, 1.0]),
            ("-[3] ** 2", [-1.0, -4.0, -16.0]),
            ("--[3] + -1", [0.0, 1.0, 3.0]),
            ("[3] ** 2 ** 1", [1.0, 4.0, 16.0]),
            ("[3] * 2 ** -1", [0.5, 1.0, 2.0]),
            ("2 * 3 + [3]", [7.0, 8.0, 10.0]),
            ("maximum([3], 2.5)", [2.5, 2.5, 4.0]),
            ("relu(3 - [3] - 1.5e0)", [0.5, 0.0, 0.0]),
            ("exp2(add(3, -1))", [1.0, 2.0, 8.0]),
        ] {
            let parsed = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let values = [[1.0, 2.0, 4.0], [0.5, 3.0, -1.0]];
            let inputs: Vec<Tensor> = parsed
                .shapes
                .iter()
                .zip(values)
                .map(|(shape, values)| Tensor::from_slice(&values, shape, DType::F32, &device).unwrap())
                .collect();
            let result = compute(&parsed.expr, &inputs, u64::MAX).unwrap();
            assert_eq!(pollster::block_on(result.to_vec()).unwrap(), want, "{text}");
        }
    }
}
