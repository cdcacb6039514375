//! Optimizers: each step is one fused kernel per parameter, in place.

use crate::DType;
use crate::autograd::no_grad;
use crate::backend::Update;
use crate::error::{Error, Result};
use crate::tensor::Tensor;

/// Which rule moves the parameters; names, formulas and defaults are those of `torch.optim`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Rule {
    /// Stochastic gradient descent; without momentum no state, else one value per parameter.
    Sgd {
        /// How much of the last step goes on (Sutskever et al. 2013).
        momentum: f32,
        /// What a new gradient is damped by.
        dampening: f32,
        /// Looks one step ahead.
        nesterov: bool,
        /// Added to the gradient, times the parameter.
        weight_decay: f32,
    },
    /// `s += g²; p −= lr · g / (√s + eps)`: one value of state per parameter (Duchi, Hazan and Singer 2011).
    Adagrad {
        /// Added to the root; PyTorch's default is 1e-10.
        eps: f32,
        /// Added to the gradient, times the parameter.
        weight_decay: f32,
    },
    /// AdaGrad as the lecture writes it: `p −= lr · g / √(s + eps)`, with `eps` 1e-5.
    AdagradEpsInsideRoot {
        /// Added under the root.
        eps: f32,
    },
    /// A running mean of g² in the place of AdaGrad's sum (Hinton 2012): one value of state per parameter.
    Rmsprop {
        /// How much of the past is kept; PyTorch's default is 0.99.
        alpha: f32,
        /// Added to the root; PyTorch's default is 1e-8.
        eps: f32,
        /// Added to the gradient, times the parameter.
        weight_decay: f32,
    },
    /// Running means of g and g² (Kingma and Ba 2015): two values of state per parameter.
    Adam {
        /// How much of the past the two means keep; PyTorch's defaults are 0.9 and 0.999.
        betas: [f32; 2],
        /// Added to the root; PyTorch's default is 1e-8.
        eps: f32,
        /// Added to the gradient, times the parameter.
        weight_decay: f32,
    },
    /// Adam whose decay shrinks the parameters themselves (Loshchilov and Hutter 2019).
    AdamW {
        /// How much of the past the two means keep; PyTorch's defaults are 0.9 and 0.999.
        betas: [f32; 2],
        /// Added to the root; PyTorch's default is 1e-8.
        eps: f32,
        /// How much of a parameter goes with each step, times the learning rate; PyTorch's default is 0.01.
        weight_decay: f32,
    },
}

impl Rule {
    /// `p −= lr · g`
    pub const SGD: Self = Self::Sgd { momentum: 0.0, dampening: 0.0, nesterov: false, weight_decay: 0.0 };

    /// Values of state kept per value of a parameter.
    #[must_use]
    pub fn state_per_param(self) -> usize {
        self.update(0.0, 1).states()
    }

    /// What `torch.optim` calls the state of a parameter, in the order of [`Optimizer::state`].
    #[must_use]
    pub fn state_names(self) -> &'static [&'static str] {
        match self {
            Self::Sgd { momentum: 0.0, .. } => &[],
            Self::Sgd { .. } => &["momentum_buffer"],
            Self::Adagrad { .. } | Self::AdagradEpsInsideRoot { .. } => &["sum"],
            Self::Rmsprop { .. } => &["square_avg"],
            Self::Adam { .. } | Self::AdamW { .. } => &["exp_avg", "exp_avg_sq"],
        }
    }

    /// The update of step `step`, counted from 1.
    fn update(self, lr: f32, step: u32) -> Update {
        match self {
            Self::Sgd { momentum, dampening, nesterov, weight_decay } => {
                Update::Sgd { lr, momentum, dampening, nesterov, weight_decay, is_first: step == 1 }
            }
            Self::Adagrad { eps, weight_decay } => {
                Update::Adagrad { lr, eps, eps_inside_root: false, weight_decay }
            }
            Self::AdagradEpsInsideRoot { eps } => {
                Update::Adagrad { lr, eps, eps_inside_root: true, weight_decay: 0.0 }
            }
            Self::Rmsprop { alpha, eps, weight_decay } => Update::Rmsprop { lr, alpha, eps, weight_decay },
            Self::Adam { betas, eps, weight_decay } => {
                Update::Adam { lr, betas, eps, weight_decay, is_decoupled: false, step }
            }
            Self::AdamW { betas, eps, weight_decay } => {
                Update::Adam { lr, betas, eps, weight_decay, is_decoupled: true, step }
            }
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
    /// Steps that each parameter has taken.
    steps: Vec<u32>,
}

impl Optimizer {
    /// An optimizer with zeroed state.
    ///
    /// # Errors
    /// If `lr` is negative or not finite, a parameter is not a contiguous float32 leaf, or memory
    /// does not allow the state.
    pub fn new(params: Vec<Tensor>, rule: Rule, lr: f32) -> Result<Self> {
        check_lr(lr)?;
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
        let steps = vec![0; params.len()];
        Ok(Self { params, state, rule, lr, steps })
    }

    /// Moves every parameter that has a gradient.
    ///
    /// # Errors
    /// If the device fails.
    pub fn step(&mut self) -> Result<()> {
        for ((param, state), step) in self.params.iter().zip(&self.state).zip(&mut self.steps) {
            let Some(grad) = param.grad() else { continue };
            let operands: Vec<_> = state.iter().map(Tensor::operand).collect();
            let device = param.device();
            *step += 1;
            let update = self.rule.update(self.lr, *step);
            no_grad(|| device.backend().update(update, param.operand(), grad.operand(), &operands))?;
            let bytes = param.storage_bytes();
            device.ledger().ran(0, bytes * (2 + state.len()), bytes * (1 + state.len()));
            param.mark_written();
            state.iter().for_each(Tensor::mark_written);
        }
        Ok(())
    }

    /// Changes the learning rate, as a schedule does between steps.
    ///
    /// # Errors
    /// If it is negative or not finite.
    pub fn set_lr(&mut self, lr: f32) -> Result<()> {
        check_lr(lr)?;
        self.lr = lr;
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

    /// The steps that each parameter has taken, in order.
    #[must_use]
    pub fn steps(&self) -> &[u32] {
        &self.steps
    }

    /// Goes on after so many steps of each parameter, once [`Optimizer::state`] is that of then.
    ///
    /// # Errors
    /// If they are not as many as the parameters.
    pub fn set_steps(&mut self, steps: &[u32]) -> Result<()> {
        if steps.len() != self.params.len() {
            let message = format!("{} steps for {} parameters", steps.len(), self.params.len());
            return Err(Error::Value { op: "Optimizer", message });
        }
        self.steps.copy_from_slice(steps);
        Ok(())
    }
}

fn check_lr(lr: f32) -> Result<()> {
    if lr.is_finite() && lr >= 0.0 {
        return Ok(());
    }
    Err(Error::Value { op: "Optimizer", message: format!("Invalid learning rate: {lr}") })
}
