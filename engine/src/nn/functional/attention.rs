//! Attention: two products and a softmax.

use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::random::Source;
use crate::rows::Softmax;
use crate::tensor::Tensor;
use crate::tensor::views::signed;

use super::dropout;
use super::softmax::fused;

/// The options of [`scaled_dot_product_attention`], by default PyTorch's.
#[derive(Default)]
pub struct Attention<'a> {
    /// Broadcast to the scores: truth values say where to look, numbers are added.
    pub attn_mask: Option<&'a Tensor>,
    /// Row i looks at columns up to i.
    pub is_causal: bool,
    /// What the scores are multiplied by; 1/√(width of the query) without.
    pub scale: Option<f64>,
    /// Several heads of the query (third dimension from the end) share one of key and value.
    pub enable_gqa: bool,
    /// With which probability a weight is dropped, and what it is drawn from.
    pub dropout: Option<(f64, &'a mut dyn Source)>,
}

/// `scaled_dot_product_attention(query, key, value, …)`: softmax(q kᵀ · scale + mask) v over the last two dimensions
/// (Vaswani et al. 2017), query `(…, L, E)`, key `(…, S, E)`, value `(…, S, V)`. A row without anything to look at
/// gives zeros.
///
/// # Errors
/// With PyTorch's message if shapes or dtypes do not fit, or a mask is given beside `is_causal`.
pub fn scaled_dot_product_attention(
    query: &Tensor,
    key: &Tensor,
    value: &Tensor,
    how: Attention<'_>,
) -> Result<Tensor> {
    check(query, key, value, &how)?;
    let is_whole = is_whole(query, key, value, &how);
    let out = if how.enable_gqa { grouped } else { attend }(query, key, value, how)?;
    if !is_whole {
        return Ok(out);
    }
    let out = out.laid_like(query)?;
    Ok(if query.shape().len() == 4 {
        out.called("ScaledDotProductFlashAttentionForCpuBackward0")
    } else {
        out
    })
}

/// Whether PyTorch computes it at once: under a name of its own, and with a result that lies as the query does.
fn is_whole(query: &Tensor, key: &Tensor, value: &Tensor, how: &Attention<'_>) -> bool {
    let is_fixed = how.attn_mask.is_none_or(|mask| !mask.requires_grad());
    matches!(query.shape().len(), 3 | 4)
        && query.shape().last() == value.shape().last()
        && [query, key, value].iter().all(|t| t.layout().strides().last() == Some(&1))
        && is_fixed
        && how.dropout.is_none()
}

fn attend(query: &Tensor, key: &Tensor, value: &Tensor, how: Attention<'_>) -> Result<Tensor> {
    let width = query.shape()[query.shape().len() - 1];
    let softmax = Softmax {
        is_log: false,
        scale: how.scale.unwrap_or(1.0 / (width as f64).sqrt()),
        is_causal: how.is_causal,
        is_safe: how.attn_mask.is_some(),
    };
    let scores = query.matmul(&key.transpose(-2, -1)?)?;
    let mut weights = fused(&scores, -1, softmax, how.attn_mask)?;
    if let Some((p, generator)) = how.dropout {
        weights = dropout(&weights, p, true, generator)?;
    }
    weights.matmul(value)
}

/// The heads of the query in groups, as one more dimension along which key and value are broadcast.
fn grouped(query: &Tensor, key: &Tensor, value: &Tensor, how: Attention<'_>) -> Result<Tensor> {
    let all = [query, key, value].map(|t| t.shape().iter().rev().nth(2).copied());
    let [Some(heads), Some(of_key), Some(of_value)] = all else {
        let message = "Dimension out of range (expected to be in range of [-2, 1], but got -3)";
        return Err(Error::index("scaled_dot_product_attention", message));
    };
    let groups = of_key.max(of_value);
    if [of_key, of_value].iter().any(|&n| n == 0 || !heads.is_multiple_of(n) || !groups.is_multiple_of(n)) {
        let message = "Number of heads in key and value must divide the number of heads in query";
        return Err(Error::shape("scaled_dot_product_attention", message));
    }
    // (…, heads, L, E) → (…, groups, heads / groups, L, E), the others (…, groups, 1, S, E)
    let query = split(query, groups)?;
    let key = split(&repeated(key, of_key, groups)?, groups)?;
    let value = split(&repeated(value, of_value, groups)?, groups)?;
    let mask =
        how.attn_mask.map(|mask| if mask.shape().len() > 2 { split(mask, groups) } else { Ok(mask.clone()) });
    let mask = mask.transpose()?;
    let dropout = how.dropout.map(|(p, source)| -> (f64, &mut dyn Source) { (p, source) });
    let out = attend(&query, &key, &value, Attention { attn_mask: mask.as_ref(), dropout, ..how })?;
    let at = out.shape().len() - 4;
    let mut shape = signed(out.shape());
    shape.splice(at..at + 2, [heads.cast_signed()]);
    out.reshape(&shape)
}

/// The third dimension from the end in two: groups and what is in one. A single head stays one.
fn split(t: &Tensor, groups: usize) -> Result<Tensor> {
    let at = t.shape().len() - 3;
    let heads = t.shape()[at];
    let groups = groups.min(heads);
    let mut shape = signed(t.shape());
    shape.splice(at..=at, [groups.cast_signed(), (heads / groups.max(1)).cast_signed()]);
    t.reshape(&shape)
}

/// Each head as often as it takes to have as many as groups.
fn repeated(t: &Tensor, heads: usize, groups: usize) -> Result<Tensor> {
    if heads == groups {
        return Ok(t.clone());
    }
    let at = t.shape().len() - 3;
    let mut shape = signed(t.shape());
    shape.insert(at + 1, (groups / heads).cast_signed());
    let each = t.unsqueeze(at.cast_signed() + 1)?.expand(&shape)?;
    shape.splice(at..at + 2, [groups.cast_signed()]);
    each.reshape(&shape)
}

fn check(query: &Tensor, key: &Tensor, value: &Tensor, how: &Attention<'_>) -> Result<()> {
    let fault = |message: String| Err(Error::shape("scaled_dot_product_attention", message));
    let all = [query, key, value];
    let told = |t: &Tensor| t.dtype().cpp_name();
    if all.iter().any(|t| t.dtype() != query.dtype()) {
        return fault(format!(
            "Expected query, key, and value to have the same dtype, but got query.dtype: {} key.dtype: {} and \
             value.dtype: {} instead.",
            told(query),
            told(key),
            told(value)
        ));
    }
    let ranks = all.map(|t| t.shape().len());
    if ranks.iter().any(|&rank| rank < 2) {
        return fault(format!(
            "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: {} key.dim: {} and \
             value.dim: {} instead.",
            ranks[0], ranks[1], ranks[2]
        ));
    }
    let Some(mask) = how.attn_mask else { return Ok(()) };
    if ![DType::Bool, DType::F32, query.dtype()].contains(&mask.dtype()) {
        return fault(format!(
            "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: {} and  \
             query.dtype: {} instead.",
            told(mask),
            told(query)
        ));
    }
    if how.is_causal {
        let message =
            "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True";
        return fault(message.into());
    }
    Ok(())
}
