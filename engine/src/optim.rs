//! Optimizers: each step is one fused kernel per parameter, in place.

use crate::DType;
use crate::autograd::no_grad;
use crate::backend::Update;
use crate::error::{Error, Result};
use crate::tensor::Tensor;

/// Which rule moves the parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Rule {
    /// `p −= lr · g`: no state.
    Sgd,
    /// `s += g²; p −= lr · g / (√s + eps)`: one value of state per parameter
    /// (Duchi, Hazan and Singer 2011; defaults of `torch.optim.Adagrad`).
    Adagrad {
        /// Added to the root; PyTorch's default is 1e-10.
        eps: f32,
    },
    /// AdaGrad as the lecture writes it: `p −= lr · g / √(s + eps)`, with `eps` 1e-5.
    AdagradEpsInsideRoot {
        /// Added under the root.
        eps: f32,
    },
}

impl Rule {
    /// Values of state kept per value of a parameter.
    #[must_use]
    pub fn state_per_param(self) -> usize {
        match self {
            Self::Sgd => 0,
            Self::Adagrad { .. } | Self::AdagradEpsInsideRoot { .. } => 1,
        }
    }

    fn update(self, lr: f32) -> Update {
        match self {
            Self::Sgd => Update::Sgd { lr },
            Self::Adagrad { eps } => Update::Adagrad { lr, eps, eps_inside_root: false },
            Self::AdagradEpsInsideRoot { eps } => Update::Adagrad { lr, eps, eps_inside_root: true },
        }
    }
}

/// Parameters, the rule that moves them, and its state.
pub struct Optimizer {
    params: Vec<Tensor>,
    /// Per parameter, the tensors of its state.
    state: Vec<Vec<Tensor>>,
    rule: Rule,
    lr: f32,
}

impl Optimizer {
    /// An optimizer with zeroed state.
    ///
    /// # Errors
    /// If `lr` is negative or not finite, a parameter is not a contiguous float32 leaf, or memory
    /// does not allow the state.
    pub fn new(params: Vec<Tensor>, rule: Rule, lr: f32) -> Result<Self> {
        if !(lr.is_finite() && lr >= 0.0) {
            return Err(Error::Value { op: "Optimizer", message: format!("Invalid learning rate: {lr}") });
        }
        for p in &params {
            if p.dtype() != DType::F32 || !p.layout().is_contiguous() || !p.is_leaf() {
                return Err(Error::Value {
                    op: "Optimizer",
                    message: format!("a parameter must be a contiguous float32 leaf, but one is {p:?}"),
                });
            }
        }
        let state = params
            .iter()
            .map(|p| (0..rule.state_per_param()).map(|_| p.full_like(0.0)).collect::<Result<Vec<_>>>())
            .collect::<Result<Vec<_>>>()?;
        Ok(Self { params, state, rule, lr })
    }

    /// Moves every parameter that has a gradient.
    ///
    /// # Errors
    /// If the device fails.
    pub fn step(&mut self) -> Result<()> {
        for (param, state) in self.params.iter().zip(&self.state) {
            let Some(grad) = param.grad() else { continue };
            let operands: Vec<_> = state.iter().map(Tensor::operand).collect();
            let device = param.device();
            let update = self.rule.update(self.lr);
            no_grad(|| device.backend().update(update, param.operand(), grad.operand(), &operands))?;
            let bytes = param.storage_bytes();
            device.ledger().ran(0, bytes * (2 + state.len()), bytes * (1 + state.len()));
            param.mark_written();
            state.iter().for_each(Tensor::mark_written);
        }
        Ok(())
    }

    /// Drops all gradients.
    pub fn zero_grad(&self) {
        self.params.iter().for_each(Tensor::zero_grad);
    }

    /// The state tensors of each parameter, in order.
    #[must_use]
    pub fn state(&self) -> &[Vec<Tensor>] {
        &self.state
    }
}
