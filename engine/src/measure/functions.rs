//! The functions of an expression, by their names in PyTorch.

use crate::einops;
use crate::nn::functional::{self as f, Attention, Gelu};
use crate::tensor::Arg;
use crate::{Error, Result, Tensor};

/// What a function is told beside its tensors; a function takes those that it lists.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Options {
    /// `dim=-1`
    pub(super) dim: Option<isize>,
    /// `is_causal=True`
    pub(super) is_causal: bool,
    /// `approximate="tanh"`
    pub(super) is_tanh: bool,
    /// `"i k, k j -> i j"`
    pub(super) pattern: String,
}

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
    pub(super) run: Run,
}

/// What computes it.
pub(super) enum Run {
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
