//! einops' notation: a text names the axes of a tensor before and after, as in `b (h w) c -> b c h w`.
//!
//! Everything is made of recorded tensor operations, so gradients flow, and a result is a view where einops'
//! is one. Texts of errors are einops', without the lines that repeat the call.

mod einsum;
mod equation;
mod pattern;
mod transform;

use std::str::FromStr;

use crate::{Error, Result, Tensor};
use equation::Equation;
use transform::{Operation, transform};

/// How [`reduce`] combines the elements along an axis that is left out on the right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduction {
    /// The smallest.
    Min,
    /// The largest.
    Max,
    /// The sum.
    Sum,
    /// The mean.
    Mean,
    /// The product.
    Prod,
    /// Whether one of them is not 0.
    Any,
    /// Whether none of them is 0.
    All,
}

impl Reduction {
    const ALL: [Self; 7] = [Self::Min, Self::Max, Self::Sum, Self::Mean, Self::Prod, Self::Any, Self::All];

    /// Its name in einops, as `mean`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Min => "min",
            Self::Max => "max",
            Self::Sum => "sum",
            Self::Mean => "mean",
            Self::Prod => "prod",
            Self::Any => "any",
            Self::All => "all",
        }
    }
}

impl FromStr for Reduction {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|reduction| reduction.name() == name).ok_or_else(|| {
            let known = Self::ALL.map(|reduction| format!("'{}'", reduction.name())).join(", ");
            Error::Value {
                op: "reduce",
                message: format!("Unknown reduction {name}. Expect one of ({known})."),
            }
        })
    }
}

/// `einops.rearrange(x, pattern, **sizes)`: permutes, splits and joins axes. An axis in parentheses of which
/// all parts but one are known is divided; `1` and `()` are axes of size 1, `...` any number of axes.
///
/// # Errors
/// With einops' message if the pattern does not parse, names different axes on its sides, or does not fit the
/// shape.
pub fn rearrange(x: &Tensor, pattern: &str, sizes: &[(&str, usize)]) -> Result<Tensor> {
    transform(Operation::Rearrange, x, pattern, sizes)
}

/// `einops.reduce(x, pattern, reduction, **sizes)`: as [`rearrange`], and the axes that the right side does
/// not name are combined. A number on the left, as in `(h 2) w -> h w`, is an axis of that size.
///
/// # Errors
/// As [`rearrange`], if the right side names an axis that the left does not, and where the reduction refuses
/// the dtype or an axis of size 0.
pub fn reduce(x: &Tensor, pattern: &str, reduction: Reduction, sizes: &[(&str, usize)]) -> Result<Tensor> {
    transform(Operation::Reduce(reduction), x, pattern, sizes)
}

/// `einops.repeat(x, pattern, **sizes)`: as [`rearrange`], and along the axes that only the right side names,
/// or that are numbers there, the elements are repeated.
///
/// # Errors
/// As [`rearrange`], if the left side names an axis that the right does not, and if a new axis has no size.
pub fn repeat(x: &Tensor, pattern: &str, sizes: &[(&str, usize)]) -> Result<Tensor> {
    transform(Operation::Repeat, x, pattern, sizes)
}

/// `einops.einsum(*tensors, pattern)`: products summed over the axes that the right side does not name, as in
/// `batch q d, batch k d -> batch q k`. Tensors are contracted from the first to the last, each pair by one
/// batched product of matrices.
///
/// # Errors
/// With einops' or PyTorch's message if the pattern does not parse or does not fit the shapes.
pub fn einsum(pattern: &str, tensors: &[&Tensor]) -> Result<Tensor> {
    if tensors.is_empty() {
        return Err(Error::shape(
            "einsum",
            "`einops.einsum` takes at minimum two arguments: the tensors (at least one), followed by the \
             pattern.",
        ));
    }
    einsum::einsum(&Equation::named(pattern)?, tensors)
}

/// `torch.einsum(equation, *tensors)`: [`einsum()`] where every letter is an axis, as in `bij,bjk->bik`. Without
/// an arrow the result has the axes of the ellipsis and then, sorted, the letters that stand once.
///
/// # Errors
/// With PyTorch's message if the equation does not parse or does not fit the shapes.
pub fn torch_einsum(equation: &str, tensors: &[&Tensor]) -> Result<Tensor> {
    if tensors.is_empty() {
        return Err(Error::shape("einsum", "einsum(): must provide at least one operand"));
    }
    einsum::einsum(&Equation::lettered(equation)?, tensors)
}
