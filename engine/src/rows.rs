//! Kernels that look at whole rows: softmax, normalisation, cross-entropy, and their derivatives.
//!
//! A row is what lies along the last dimension of the first operand, of shape `(rows…, C)`. Every other operand is
//! broadcast to that shape: `(C,)` is one value per column, `(rows…, 1)` one per row. Elements of up to 32 bits are
//! computed with in f32, float64 in f64; what is kept for the derivative (`(rows…, 1)` each) is f32 or f64.

mod frame;

pub(crate) use frame::{Frame, Operands, Place};

/// What [`crate::backend::Backend::rows`] makes of each row; the operands in the order in which they are passed,
/// those with a question mark optional.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Rows {
    /// x, mask? → y, the softmax of `scale · x + mask`.
    Softmax(Softmax),
    /// g, y → dx, which is `scale · y (g − Σ g y)`, and of the logarithm `scale · (g − e^y Σ g)`.
    SoftmaxBackward(Softmax),
    /// x, weight?, bias? → y, rstd, and where it is centred mean: `y = (x − mean) · rstd · weight + bias` with
    /// `rstd = 1/√(mean of (x − mean)² + eps)` (Ba, Kiros and Hinton 2016; Zhang and Sennrich 2019 without the mean).
    Norm {
        /// Whether the mean is taken off (layer norm) or not (RMS norm).
        centred: bool,
        /// Added under the root.
        eps: f64,
    },
    /// g, x, rstd, mean?, weight? → dx. With `h = (x − mean) · rstd` and `u = g · weight` it is
    /// `rstd · (u − mean of u − h · mean of (u h))`, without the first mean where there is no mean.
    NormBackward,
    /// g, x, rstd, mean? → dweight `(C,)`, the sum of `g h` over the rows; and if there is a second output dbias,
    /// that of g. Summed in an order that depends on the shape only.
    NormParameters,
    /// logits, classes (int64), weight? → loss, share, top, log. With `lse = ln Σ eˣ`, the class t, the weight w
    /// (1 without) and the smoothing ε the loss is `(1 − ε) w_t (lse − x_t) + ε/C Σ w (lse − x)`, and its share in a mean
    /// is w_t. Of an ignored row both are 0. lse is kept in two parts, the largest logit and ln Σ e^(x − top): their sum
    /// would lose digits where logits are large.
    CrossEntropy(CrossEntropy),
    /// logits, classes, top, log, g, weight? → dlogits, which is `g` times the derivative of the loss.
    CrossEntropyBackward(CrossEntropy),
}

/// How a softmax is taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Softmax {
    /// Its logarithm instead.
    pub is_log: bool,
    /// What x is multiplied by before.
    pub scale: f64,
    /// Row i of a matrix ends with column i: what is beyond counts as −∞.
    pub is_causal: bool,
    /// A row of nothing but −∞ gives zeros, and not NaN: it attends to nothing.
    pub is_safe: bool,
}

impl Softmax {
    /// `softmax(x)` as it is.
    pub const PLAIN: Self = Self { is_log: false, scale: 1.0, is_causal: false, is_safe: false };
}

/// How a cross-entropy is taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrossEntropy {
    /// The class whose rows do not count.
    pub ignore_index: i64,
    /// ε: how much of the target goes to all classes alike (Szegedy et al. 2016).
    pub label_smoothing: f64,
}

impl Rows {
    /// The operation's name in errors.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Softmax(_) => "softmax",
            Self::SoftmaxBackward(_) => "softmax_backward",
            Self::Norm { .. } => "norm",
            Self::NormBackward => "norm_backward",
            Self::NormParameters => "norm_parameters",
            Self::CrossEntropy(_) => "cross_entropy",
            Self::CrossEntropyBackward(_) => "cross_entropy_backward",
        }
    }

    /// Its name in PyTorch, where a normalisation is one of layers or by the root of squares.
    pub(crate) const fn torch_name(self, has_mean: bool) -> &'static str {
        match (self, has_mean) {
            (Self::Softmax(Softmax { is_log: true, .. }), _) => "_log_softmax",
            (Self::Softmax(_), _) => "_softmax",
            (Self::SoftmaxBackward(Softmax { is_log: true, .. }), _) => "_log_softmax_backward_data",
            (Self::SoftmaxBackward(_), _) => "_softmax_backward_data",
            (Self::Norm { centred: true, .. }, _) => "native_layer_norm",
            (Self::Norm { .. }, _) => "_fused_rms_norm",
            (Self::NormBackward, true) => "native_layer_norm_backward (dX)",
            (Self::NormBackward, false) => "_fused_rms_norm_backward (dX)",
            (Self::NormParameters, true) => "native_layer_norm_backward (dW)",
            (Self::NormParameters, false) => "_fused_rms_norm_backward (dW)",
            (Self::CrossEntropy(_), _) => "cross_entropy_loss",
            (Self::CrossEntropyBackward(_), _) => "cross_entropy_loss_backward",
        }
    }
}
