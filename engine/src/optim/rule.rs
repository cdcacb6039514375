//! The rules of `torch.optim`.

use crate::backend::Update;

/// Which rule moves the parameters; names, formulas and defaults are those of `torch.optim`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Rule {
    /// Stochastic gradient descent; without momentum no state, else one value per parameter.
    Sgd {
        /// How much of the last step goes on (Sutskever et al. 2013).
        momentum: f64,
        /// What a new gradient is damped by.
        dampening: f64,
        /// Looks one step ahead.
        nesterov: bool,
        /// Added to the gradient, times the parameter.
        weight_decay: f64,
    },
    /// `s += g²; p −= lr · g / (√s + eps)`: one value of state per parameter (Duchi, Hazan and Singer 2011).
    Adagrad {
        /// Added to the root; PyTorch's default is 1e-10.
        eps: f64,
        /// Added to the gradient, times the parameter.
        weight_decay: f64,
    },
    /// AdaGrad as the lecture writes it: `p −= lr · g / √(s + eps)`, with `eps` 1e-5.
    AdagradEpsInsideRoot {
        /// Added under the root.
        eps: f64,
    },
    /// A running mean of g² in the place of AdaGrad's sum (Hinton 2012): one value of state per parameter.
    Rmsprop {
        /// How much of the past is kept; PyTorch's default is 0.99.
        alpha: f64,
        /// Added to the root; PyTorch's default is 1e-8.
        eps: f64,
        /// Added to the gradient, times the parameter.
        weight_decay: f64,
    },
    /// Running means of g and g² (Kingma and Ba 2015): two values of state per parameter.
    Adam {
        /// How much of the past the two means keep; PyTorch's defaults are 0.9 and 0.999.
        betas: [f64; 2],
        /// Added to the root; PyTorch's default is 1e-8.
        eps: f64,
        /// Added to the gradient, times the parameter.
        weight_decay: f64,
    },
    /// Adam whose decay shrinks the parameters themselves (Loshchilov and Hutter 2019).
    AdamW {
        /// How much of the past the two means keep; PyTorch's defaults are 0.9 and 0.999.
        betas: [f64; 2],
        /// Added to the root; PyTorch's default is 1e-8.
        eps: f64,
        /// How much of a parameter goes with each step, times the learning rate; PyTorch's default is 0.01.
        weight_decay: f64,
    },
    /// Momentum whose matrix is made orthogonal (Jordan et al. 2024): one value of state per parameter; for matrices
    /// only. As `torch.optim.Muon`, in bfloat16 precision.
    Muon {
        /// How much of the past the running mean of gradients keeps; PyTorch's default is 0.95.
        momentum: f64,
        /// Looks one step ahead; PyTorch's default.
        nesterov: bool,
        /// How much of a parameter goes with each step, times the learning rate; PyTorch's default is 0.1.
        weight_decay: f64,
        /// a, b and c of the Newton–Schulz iteration `X = a X + (b X Xᵀ + c (X Xᵀ)²) X`.
        ns_coefficients: [f64; 3],
        /// How often it is applied; PyTorch's default is 5.
        ns_steps: u32,
        /// The least norm that a matrix is divided by.
        eps: f64,
        /// How the learning rate depends on the shape.
        adjust_lr: AdjustLr,
    },
}

/// Muon's learning rate for a matrix (A, B), relative to that which is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdjustLr {
    /// √max(1, A/B)
    Original,
    /// 0.2 √max(A, B): updates of the size of AdamW's.
    MatchRmsAdamW,
    /// √(A/B)
    SpectralUnclamped,
}

impl Rule {
    /// `p −= lr · g`
    pub const SGD: Self = Self::Sgd { momentum: 0.0, dampening: 0.0, nesterov: false, weight_decay: 0.0 };

    /// Muon with PyTorch's defaults.
    pub const MUON: Self = Self::Muon {
        momentum: 0.95,
        nesterov: true,
        weight_decay: 0.1,
        ns_coefficients: [3.4445, -4.7750, 2.0315],
        ns_steps: 5,
        eps: 1e-7,
        adjust_lr: AdjustLr::Original,
    };

    /// Its name in PyTorch.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Sgd { .. } => "sgd",
            Self::Adagrad { .. } | Self::AdagradEpsInsideRoot { .. } => "adagrad",
            Self::Rmsprop { .. } => "rmsprop",
            Self::Adam { .. } => "adam",
            Self::AdamW { .. } => "adamw",
            Self::Muon { .. } => "muon",
        }
    }

    /// What `torch.optim` calls the state of a parameter, in the order of [`super::Optimizer::state`].
    #[must_use]
    pub fn state_names(self) -> &'static [&'static str] {
        match self {
            Self::Sgd { momentum: 0.0, .. } => &[],
            Self::Sgd { .. } | Self::Muon { .. } => &["momentum_buffer"],
            Self::Adagrad { .. } | Self::AdagradEpsInsideRoot { .. } => &["sum"],
            Self::Rmsprop { .. } => &["square_avg"],
            Self::Adam { .. } | Self::AdamW { .. } => &["exp_avg", "exp_avg_sq"],
        }
    }

    /// Values of state kept per value of a parameter.
    #[must_use]
    pub fn state_per_param(self) -> usize {
        self.state_names().len()
    }

    /// The kernel of step `step`, counted from 1; Muon is no single one.
    pub(super) fn update(self, lr: f32, step: u32) -> Option<Update> {
        Some(match self {
            Self::Muon { .. } => return None,
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
        })
    }
}
