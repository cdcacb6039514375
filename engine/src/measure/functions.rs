//! The functions of an expression, by their names in PyTorch, and computing one.

use crate::einops;
use crate::nn::functional::{self as f, Attention, Gelu};
use crate::tensor::Arg;
use crate::{Error, Result, Tensor};

use super::expression::{Expr, Operator, Options};

/// A function of tensors.
pub(super) struct Function {
    /// What it may be called.
    pub(super) names: &'static [&'static str],
    /// How many arguments, at least and at most.
    pub(super) tensors: (usize, usize),
    /// Whether the second one may be a number.
    pub(super) takes_number: bool,
    /// Whether it takes a text that says what goes where.
    pub(super) takes_pattern: bool,
    /// Arguments that have a name.
    pub(super) options: &'static [&'static str],
    run: Run,
}

enum Run {
    One(fn(&Tensor) -> Result<Tensor>),
    Two(fn(&Tensor, &Tensor) -> Result<Tensor>),
    Number(for<'a> fn(&Tensor, Arg<'a>) -> Result<Tensor>),
    Any(fn(&[&Tensor], &Options) -> Result<Tensor>),
}

impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        self.names == other.names
    }
}

impl std::fmt::Debug for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.names.first().unwrap_or(&""))
    }
}

const fn function(names: &'static [&'static str], tensors: (usize, usize), run: Run) -> Function {
    Function { names, tensors, takes_number: false, takes_pattern: false, options: &[], run }
}

const fn one(name: &'static [&'static str; 1], run: fn(&Tensor) -> Result<Tensor>) -> Function {
    function(name, (1, 1), Run::One(run))
}

const fn two(name: &'static [&'static str; 1], run: fn(&Tensor, &Tensor) -> Result<Tensor>) -> Function {
    function(name, (2, 2), Run::Two(run))
}

const fn arithmetic(
    name: &'static [&'static str; 1],
    run: for<'a> fn(&Tensor, Arg<'a>) -> Result<Tensor>,
) -> Function {
    Function { takes_number: true, ..function(name, (2, 2), Run::Number(run)) }
}

const fn any(
    names: &'static [&'static str],
    tensors: (usize, usize),
    options: &'static [&'static str],
    run: fn(&[&Tensor], &Options) -> Result<Tensor>,
) -> Function {
    Function { options, ..function(names, tensors, Run::Any(run)) }
}

/// All of them.
pub(super) static FUNCTIONS: [Function; 46] = [
    one(&["relu"], Tensor::relu),
    one(&["silu"], f::silu),
    one(&["sigmoid"], Tensor::sigmoid),
    one(&["tanh"], Tensor::tanh),
    one(&["exp"], Tensor::exp),
    one(&["exp2"], Tensor::exp2),
    one(&["expm1"], Tensor::expm1),
    one(&["log"], Tensor::log),
    one(&["log2"], Tensor::log2),
    one(&["log1p"], Tensor::log1p),
    one(&["sqrt"], Tensor::sqrt),
    one(&["rsqrt"], Tensor::rsqrt),
    one(&["reciprocal"], Tensor::reciprocal),
    one(&["sin"], Tensor::sin),
    one(&["cos"], Tensor::cos),
    one(&["erf"], Tensor::erf),
    one(&["abs"], Tensor::abs),
    one(&["neg"], Tensor::neg),
    one(&["sign"], Tensor::sign),
    one(&["floor"], Tensor::floor),
    one(&["ceil"], Tensor::ceil),
    one(&["round"], Tensor::round),
    one(&["clone"], Tensor::copy),
    arithmetic(&["add"], |a, b| a.add(b)),
    arithmetic(&["sub"], |a, b| a.sub(b)),
    arithmetic(&["mul"], |a, b| a.mul(b)),
    arithmetic(&["div"], |a, b| a.div(b)),
    arithmetic(&["pow"], |a, b| a.pow(b)),
    arithmetic(&["maximum"], |a, b| a.maximum(b)),
    arithmetic(&["minimum"], |a, b| a.minimum(b)),
    two(&["matmul"], Tensor::matmul),
    two(&["mm"], Tensor::mm),
    two(&["bmm"], Tensor::bmm),
    two(&["mv"], Tensor::mv),
    two(&["dot"], Tensor::dot),
    two(&["outer"], Tensor::outer),
    any(&["linear"], (2, 3), &[], |t, _| f::linear(t[0], t[1], t.get(2).copied())),
    any(&["gelu"], (1, 1), &["approximate"], |t, options| {
        f::gelu(t[0], if options.is_tanh { Gelu::Tanh } else { Gelu::Exact })
    }),
    any(&["sum"], (1, 1), &["dim"], |t, options| match options.dim {
        Some(dim) => t[0].sum_dims(&[dim], false),
        None => t[0].sum(),
    }),
    any(&["mean"], (1, 1), &["dim"], |t, options| match options.dim {
        Some(dim) => t[0].mean_dims(&[dim], false),
        None => t[0].mean(),
    }),
    any(&["softmax"], (1, 1), &["dim"], |t, options| f::softmax(t[0], options.dim.unwrap_or(-1))),
    any(&["log_softmax"], (1, 1), &["dim"], |t, options| f::log_softmax(t[0], options.dim.unwrap_or(-1))),
    any(&["layer_norm"], (1, 3), &[], |t, _| {
        f::layer_norm(t[0], last(t[0]), t.get(1).copied(), t.get(2).copied(), 1e-5)
    }),
    any(&["rms_norm"], (1, 2), &[], |t, _| f::rms_norm(t[0], last(t[0]), t.get(1).copied(), None)),
    any(&["attention", "scaled_dot_product_attention"], (1, 3), &["is_causal"], |t, options| {
        let how = Attention { is_causal: options.is_causal, ..Attention::default() };
        match *t {
            [q, k, v] => f::scaled_dot_product_attention(q, k, v, how),
            [q, kv] => f::scaled_dot_product_attention(q, kv, kv, how),
            [x, ..] => f::scaled_dot_product_attention(x, x, x, how),
            [] => Err(Error::Value { op: "attention", message: "takes tensors".to_owned() }),
        }
    }),
    Function {
        takes_pattern: true,
        ..any(&["einsum"], (1, 8), &[], |t, options| {
            let pattern = options.pattern.as_str();
            // Names with spaces between them are einops', letters side by side PyTorch's.
            let is_named = pattern
                .split("->")
                .flat_map(|side| side.split(','))
                .any(|term| term.trim().contains(char::is_whitespace));
            if is_named { einops::einsum(pattern, t) } else { einops::torch_einsum(pattern, t) }
        })
    },
];

/// The last dimension, which norms go over.
fn last(x: &Tensor) -> &[usize] {
    &x.shape()[x.shape().len().saturating_sub(1)..]
}

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
        let rule = format!("an expression may take {most} bytes");
        return Err(Error::OutOfMemory { bytes: bytes.into(), device: tensor.device().to_string(), rule });
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
