//! The lecture's models without activations: two layers, and a deep linear one.

use super::static_memory::Optimizer;
use crate::papers::{self, reason};
use crate::{Bytes, Derived, Expr, Flop, Params, Result, Unit};

/// `h = x @ w1; y = h @ w2` with x (B, D), w1 (D, D), w2 (D, K).
#[derive(Debug, Clone)]
pub struct TwoLayers {
    /// Both products.
    pub forward: Derived<Flop>,
    /// The gradient of w2.
    pub dw2: Derived<Flop>,
    /// That of h1.
    pub dh1: Derived<Flop>,
    /// That of w1.
    pub dw1: Derived<Flop>,
    /// That of x, which nobody needs unless x is another layer's result.
    pub dx: Derived<Flop>,
    /// Both gradients of the second layer.
    pub second: Derived<Flop>,
    /// All four gradients.
    pub backward: Derived<Flop>,
    /// Without that of x.
    pub without_dx: Derived<Flop>,
}

impl TwoLayers {
    /// The FLOPs of a pass with these sizes.
    ///
    /// # Errors
    /// If a count exceeds 2^128.
    pub fn new(b: &Expr, d: &Expr, k: &Expr) -> Result<Self> {
        let product = |a: &Expr, b: &Expr, c: &Expr| Expr::constant(2.0, Unit::FLOP) * a * b * c;
        let step = |name, symbol, title: &'static str, expr, papers: &[papers::Paper]| {
            Derived::<Flop>::new(name, symbol, title, expr, papers)
        };
        let twice = [reason("a product's gradients are two products of the same size")];
        let forward = step(
            "forward_flop",
            "C_f",
            "forward pass",
            product(b, d, d) + product(b, d, k),
            &[papers::KAPLAN],
        )?;
        let dw2 = step("dw2_flop", "C_w2", "gradient of w2, h1ᵀ @ dy", product(d, b, k), &twice)?;
        let dh1 = step("dh1_flop", "C_h1", "gradient of h1, dy @ w2ᵀ", product(b, k, d), &twice)?;
        let dw1 = step("dw1_flop", "C_w1", "gradient of w1, xᵀ @ dh1", product(d, b, d), &twice)?;
        let dx = step("dx_flop", "C_x", "gradient of x, dh1 @ w1ᵀ", product(b, d, d), &twice)?;
        let second =
            step("second_layer_flop", "C_2", "gradients of the second layer", dw2.expr() + &dh1, &[])?;
        let backward = step(
            "backward_flop",
            "C_b",
            "backward pass, with the gradient of x",
            second.expr() + &dw1 + &dx,
            &[],
        )?;
        let without_dx = step(
            "backward_without_dx_flop",
            "C_b'",
            "backward pass, x needing no gradient",
            second.expr() + &dw1,
            &[],
        )?;
        Ok(Self { forward, dw2, dh1, dw1, dx, second, backward, without_dx })
    }
}

/// L layers of D to D and a head of D to 1 on batches of B points, in float32 or another format.
#[derive(Debug, Clone)]
pub struct DeepLinear {
    /// Parameters.
    pub params: Derived<Params>,
    /// Values of activations: what every layer gives.
    pub activations: Derived<Params>,
    /// Bytes of parameters.
    pub param_bytes: Derived<Bytes>,
    /// Bytes of activations.
    pub activation_bytes: Derived<Bytes>,
    /// Bytes of gradients.
    pub gradient_bytes: Derived<Bytes>,
    /// Bytes of optimizer state.
    pub state_bytes: Derived<Bytes>,
    /// All of it.
    pub total: Derived<Bytes>,
    /// Of the layers' products, forward.
    pub layers_flop: Derived<Flop>,
    /// Of the head's, forward.
    pub head_flop: Derived<Flop>,
    /// Of the gradient of the first layer's input, which is data: nobody needs it.
    pub first_flop: Derived<Flop>,
    /// 6 · B · parameters.
    pub flop: Derived<Flop>,
    /// What the products of a step really cost: the first layer's input needs no gradient.
    pub counted: Derived<Flop>,
}

impl DeepLinear {
    /// The costs of a step.
    ///
    /// # Errors
    /// If a count exceeds 2^128.
    pub fn new(
        b: &Expr,
        d: &Expr,
        l: &Expr,
        has_bias: bool,
        element_bytes: f64,
        optimizer: Optimizer,
    ) -> Result<Self> {
        let weights = d * d * l + d;
        let params = if has_bias { &weights + d * l + 1.0 } else { weights.clone() };
        let params = Derived::new("params", "N", "parameters", params, &[])?;
        let activations = Derived::new("activations", "A", "values of activations", b * d * l, &[])?;
        let element = Expr::constant(element_bytes, Unit::BYTE.per(Unit::PARAM));
        let param_bytes =
            Derived::new("param_bytes", "M_w", "parameters", params.expr() * element.clone(), &[])?;
        let activation_bytes = Derived::new(
            "activation_bytes",
            "M_a",
            "activations",
            activations.expr() * element.clone(),
            &[],
        )?;
        let gradient_bytes =
            Derived::new("gradient_bytes", "M_g", "gradients", params.expr() * element.clone(), &[])?;
        let state = match optimizer {
            Optimizer::Muon => {
                let matrices: Derived<Params> = Derived::new(
                    "muon_params",
                    "N_muon",
                    "parameters in the layers' matrices, which Muon moves",
                    d * d * l,
                    &[papers::MUON],
                )?;
                matrices.expr() + Optimizer::AdamW.numbers() * (params.expr() - &matrices)
            }
            _ => optimizer.numbers() * params.expr(),
        };
        let state_bytes = Derived::new(
            "optimizer_bytes",
            "M_o",
            "optimizer state",
            state * element,
            &[reason(
                "numbers per parameter: none for SGD, one for momentum, AdaGrad and RMSProp, two for Adam; Muon has one \
                 for those of matrices within the model and leaves the others to Adam",
            )],
        )?;
        let total = Derived::new(
            "step_bytes",
            "M",
            "memory of a step",
            param_bytes.expr() + &activation_bytes + &gradient_bytes + &state_bytes,
            &[],
        )?;
        let per_param = Expr::constant(6.0, Unit::FLOP.per(Unit::PARAM));
        let flop = Derived::new(
            "six_nb_flop",
            "C_6",
            "6·B·N of the step",
            per_param * b * &params,
            &[papers::KAPLAN],
        )?;
        let products = |elements: Expr| Expr::constant(2.0, Unit::FLOP) * b * elements;
        let part = |name, symbol, title: &'static str, elements| {
            Derived::<Flop>::new(name, symbol, title, products(elements), &[papers::KAPLAN])
        };
        let layers_flop = part("layers_flop", "C_L", "products of the layers", d * d * l)?;
        let head_flop = part("head_flop", "C_h", "product of the head", d.clone())?;
        let first_flop = part("first_dx_flop", "C_x", "gradient of the data, which nobody needs", d * d)?;
        let all = Expr::constant(6.0, Unit::FLOP) * b * weights;
        let counted = Derived::new(
            "step_flop",
            "C",
            "FLOPs of the step's products",
            all - &first_flop,
            &[reason("of the first layer's two gradients, that of the data is not needed")],
        )?;
        Ok(Self {
            params,
            activations,
            param_bytes,
            activation_bytes,
            gradient_bytes,
            state_bytes,
            total,
            layers_flop,
            head_flop,
            first_flop,
            flop,
            counted,
        })
    }
}
