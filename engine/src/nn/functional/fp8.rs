//! Linear layers whose products are made in 8 bits.

use std::cell::Cell;

use crate::autograd::{Node, no_grad};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::program::{Binary, Compute, Expr, Program};
use crate::tensor::views::signed;
use crate::tensor::{Tensor, product_then};

/// A tensor in 8 bits: `values · scale`, with one scale that brings the largest element to the largest of the format.
struct Scaled {
    values: Tensor,
    /// float32 of one element.
    scale: Tensor,
}

impl Scaled {
    fn new(x: &Tensor, dtype: DType) -> Result<Self> {
        let most = dtype.format().map_or(1.0, |format| format.info().max);
        let largest = x.amax(&[], false)?.maximum(&x.amin(&[], false)?.neg()?)?;
        // Of nothing but zeros any scale will do.
        let scale = largest.eq(0.0)?.where_(1.0, &largest.div(most)?)?;
        let divide = Program::binary(Compute::F32, Binary::Div);
        let values = x.combined(&divide, &[&scale.expand(&signed(x.shape()))?], dtype)?;
        Ok(Self { values, scale })
    }
}

/// [`super::linear`] with its three products in 8 bits, summed up in float32: x and weight as E4M3, the gradient that
/// comes back as E5M2, each under one scale for the whole tensor (Micikevicius et al. 2022). x `(…, in)`, weight
/// `(out, in)` and bias `(out,)` are float32, and so are result and gradients.
///
/// # Errors
/// If a dtype is another one, or the shapes do not fit.
pub fn linear_fp8(x: &Tensor, weight: &Tensor, bias: Option<&Tensor>) -> Result<Tensor> {
    for t in [Some(x), Some(weight), bias].into_iter().flatten() {
        if t.dtype() != DType::F32 {
            let message = format!("takes float32, not {}", t.dtype());
            return Err(Error::DType { op: "linear_fp8", message });
        }
    }
    let (&[.., width], &[out, inputs]) = (x.shape(), weight.shape()) else {
        let message = format!("takes (…, in) and (out, in), not {:?} and {:?}", x.shape(), weight.shape());
        return Err(Error::Shape { op: "linear_fp8", message });
    };
    if width != inputs || bias.is_some_and(|bias| bias.shape() != [out]) || x.numel() == 0 {
        return super::linear(x, weight, bias);
    }
    rows(&x.as_rows()?, weight, bias)?.shaped_like(x)
}

fn rows(x: &Tensor, weight: &Tensor, bias: Option<&Tensor>) -> Result<Tensor> {
    let (own, of_weight) = no_grad(|| {
        Ok::<_, Error>((Scaled::new(x, DType::F8E4M3FN)?, Scaled::new(weight, DType::F8E4M3FN)?))
    })?;
    let inputs: Vec<&Tensor> = [Some(x), Some(weight), bias].into_iter().flatten().collect();
    let saved = [&own.values, &own.scale, &of_weight.values, &of_weight.scale];
    let formula = || Expr::input(0) * Expr::input(1) * Expr::input(2);
    let scaled = |name| formula().program(Compute::F32).named(name);
    let [forward, of_x, of_w] = ["_scaled_mm", "_scaled_mm (dX)", "_scaled_mm (dW)"].map(scaled);
    // The gradients of a linear layer, each from two tensors in 8 bits. That of the result is rounded once for both.
    let (is_shared, shared) = (x.requires_grad() && weight.requires_grad(), Cell::new(None));
    let node = Node::record_each_once("LinearFp8Backward0", &inputs, &saved, move |input, g, saved, into| {
        let [x, x_scale, weight, weight_scale] = saved else {
            return Err(Error::Autograd("a product saved something else".into()));
        };
        if input == 2 {
            return g.sum_rows_into(into);
        }
        let rounded = || Scaled::new(g, DType::F8E5M2);
        if input == 0 {
            let Scaled { values, scale } = rounded()?;
            let of_x = product_then(&values, weight, &of_x, &[&scale, weight_scale], DType::F32, None);
            shared.set(is_shared.then_some(Scaled { values, scale }));
            return of_x;
        }
        let Scaled { values, scale } = shared.take().map_or_else(rounded, Ok)?;
        product_then(&values.t()?, x, &of_w, &[&scale, x_scale], DType::F32, into)
    });
    let weight = no_grad(|| of_weight.values.t())?;
    let mut inputs = vec![&own.scale, &of_weight.scale];
    inputs.extend(bias);
    let forward = match bias {
        Some(_) => (formula() + Expr::input(3)).program(Compute::F32).named(forward.name()),
        None => forward,
    };
    let product = product_then(&own.values, &weight, &forward, &inputs, DType::F32, None)?;
    Ok(product.made_by(node))
}
