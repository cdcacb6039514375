//! What follows attention in a block, and `nn.Dropout`.

use super::functional::{self, Gelu};
use super::linear::Linear;
use super::module::{Mode, module};
use crate::device::Device;
use crate::error::Result;
use crate::program::{Expr, Unary};
use crate::random::Generator;
use crate::tensor::Tensor;

/// `nn.Dropout`: in training each element is 0 with probability p, and the others are divided by 1 − p.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dropout {
    /// Probability that an element is dropped.
    pub p: f64,
}

impl Dropout {
    /// Same shape out as in.
    ///
    /// # Errors
    /// If p is no probability.
    pub fn forward(&self, x: &Tensor, mode: &mut Mode<'_>) -> Result<Tensor> {
        mode.dropout(x, self.p)
    }
}

/// What is applied to each element between two layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// max(x, 0)
    Relu,
    /// x Φ(x)
    Gelu(Gelu),
    /// x σ(x)
    Silu,
}

impl Activation {
    /// Same shape out as in.
    ///
    /// # Errors
    /// If the device fails.
    pub fn apply(self, x: &Tensor) -> Result<Tensor> {
        match self {
            Self::Relu => x.relu(),
            Self::Gelu(kind) => functional::gelu(x, kind),
            Self::Silu => functional::silu(x),
        }
    }

    /// `self.apply(layer.forward(x))`, in one kernel where nothing is recorded.
    fn after(self, layer: &Linear, x: &Tensor) -> Result<Tensor> {
        let formula = |x: Expr| match self {
            Self::Relu => x.unary(Unary::Relu),
            Self::Gelu(kind) => kind.of(&x),
            Self::Silu => functional::silu_of(&x),
        };
        if !layer.is_fp8
            && let Some(out) = x.linear_then(&layer.weight, layer.bias.as_ref(), formula)?
        {
            return Ok(out);
        }
        self.apply(&layer.forward(x)?)
    }
}

/// Two layers with an activation between them: `c_proj(f(c_fc(x)))`. A gated one (Shazeer 2020; with silu: SwiGLU) is
/// `c_proj(f(c_gate(x)) · c_fc(x))`.
#[derive(Clone)]
pub struct Mlp {
    /// (hidden, dim)
    pub c_fc: Linear,
    /// (hidden, dim), where the activation is a gate.
    pub c_gate: Option<Linear>,
    /// (dim, hidden)
    pub c_proj: Linear,
    /// f
    pub activation: Activation,
    /// Of the result.
    pub dropout: Dropout,
}

module!(Mlp { c_fc, c_gate, c_proj });

impl Mlp {
    /// With the layers' default weights.
    ///
    /// # Errors
    /// If memory does not allow it.
    pub fn new(
        dim: usize,
        hidden: usize,
        activation: Activation,
        is_gated: bool,
        bias: bool,
        generator: &mut Generator,
        device: &Device,
    ) -> Result<Self> {
        let mut linear = |inputs, outputs| Linear::new(inputs, outputs, bias, generator, device);
        Ok(Self {
            c_fc: linear(dim, hidden)?,
            c_gate: is_gated.then(|| linear(dim, hidden)).transpose()?,
            c_proj: linear(hidden, dim)?,
            activation,
            dropout: Dropout { p: 0.0 },
        })
    }

    /// From (…, dim) to (…, dim).
    ///
    /// # Errors
    /// With PyTorch's message if the shapes do not fit.
    pub fn forward(&self, x: &Tensor, mode: &mut Mode<'_>) -> Result<Tensor> {
        let inner = match &self.c_gate {
            Some(gate) => {
                let inner = self.c_fc.forward(x)?;
                self.activation.after(gate, x)?.mul(&inner)?
            }
            None => self.activation.after(&self.c_fc, x)?,
        };
        self.dropout.forward(&self.c_proj.forward(&inner)?, mode)
    }
}
