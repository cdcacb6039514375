//! `torch.nn.init`: what parameters begin with, drawn as PyTorch's CPU generator draws; without a record.

use crate::autograd::no_grad;
use crate::error::{Error, Result};
use crate::random::Generator;
use crate::tensor::Tensor;

/// What follows a layer, for the gain that keeps the size of its outputs.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Nonlinearity {
    /// Nothing, or a convolution.
    Linear,
    /// σ
    Sigmoid,
    /// tanh
    Tanh,
    /// max(x, 0)
    Relu,
    /// x below 0 is multiplied by this slope; PyTorch's default is 0.01, in the Kaiming functions 0.
    LeakyRelu(f64),
    /// Klambauer et al. 2017
    Selu,
}

/// `calculate_gain(nonlinearity)`
#[must_use]
pub fn calculate_gain(nonlinearity: Nonlinearity) -> f64 {
    match nonlinearity {
        Nonlinearity::Linear | Nonlinearity::Sigmoid => 1.0,
        Nonlinearity::Tanh => 5.0 / 3.0,
        Nonlinearity::Relu => std::f64::consts::SQRT_2,
        Nonlinearity::LeakyRelu(slope) => (2.0 / (1.0 + slope * slope)).sqrt(),
        Nonlinearity::Selu => 0.75,
    }
}

/// Which sums keep their variance: those of the forward or of the backward pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fan {
    /// Over the inputs.
    In,
    /// Over the outputs.
    Out,
}

/// Inputs and outputs of a layer with a weight (out, in, …).
///
/// # Errors
/// If the weight has fewer than two dimensions.
pub fn fan_in_and_fan_out(tensor: &Tensor) -> Result<(usize, usize)> {
    let &[fan_out, fan_in, ref field @ ..] = tensor.shape() else {
        let message = "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions".into();
        return Err(Error::Shape { op: "init", message });
    };
    let field: usize = field.iter().product();
    Ok((fan_in * field, fan_out * field))
}

/// `uniform_(tensor, a, b)`: from [a, b).
///
/// # Errors
/// As [`Tensor::uniform_`].
pub fn uniform_(tensor: &Tensor, a: f64, b: f64, generator: &mut Generator) -> Result<()> {
    no_grad(|| tensor.uniform_(a, b, generator))
}

/// `normal_(tensor, mean, std)`
///
/// # Errors
/// As [`Tensor::normal_`].
pub fn normal_(tensor: &Tensor, mean: f64, std: f64, generator: &mut Generator) -> Result<()> {
    no_grad(|| tensor.normal_(mean, std, generator))
}

/// `trunc_normal_(tensor, mean, std, a, b)`: normal, within [a, b].
///
/// # Errors
/// As [`Tensor::trunc_normal_`].
pub fn trunc_normal_(
    tensor: &Tensor,
    mean: f64,
    std: f64,
    [a, b]: [f64; 2],
    generator: &mut Generator,
) -> Result<()> {
    no_grad(|| tensor.trunc_normal_(mean, std, [a, b], generator))
}

/// `constant_(tensor, value)`
///
/// # Errors
/// If the device fails.
pub fn constant_(tensor: &Tensor, value: f64) -> Result<()> {
    no_grad(|| tensor.fill_(value))
}

/// `zeros_(tensor)`
///
/// # Errors
/// If the device fails.
pub fn zeros_(tensor: &Tensor) -> Result<()> {
    constant_(tensor, 0.0)
}

/// `xavier_uniform_(tensor, gain)`: variance gain² · 2 / (in + out) (Glorot and Bengio 2010).
///
/// # Errors
/// If the tensor has fewer than two dimensions.
pub fn xavier_uniform_(tensor: &Tensor, gain: f64, generator: &mut Generator) -> Result<()> {
    let (fan_in, fan_out) = fan_in_and_fan_out(tensor)?;
    let bound = 3f64.sqrt() * (gain * (2.0 / (fan_in + fan_out) as f64).sqrt());
    uniform_(tensor, -bound, bound, generator)
}

/// `kaiming_uniform_(tensor, a, mode, nonlinearity)`: variance gain² / fan (He et al. 2015). A tensor without elements
/// stays as it is.
///
/// # Errors
/// As [`xavier_uniform_`].
pub fn kaiming_uniform_(
    tensor: &Tensor,
    mode: Fan,
    nonlinearity: Nonlinearity,
    generator: &mut Generator,
) -> Result<()> {
    if tensor.numel() == 0 {
        return Ok(());
    }
    let bound = 3f64.sqrt() * kaiming_std(tensor, mode, nonlinearity)?;
    uniform_(tensor, -bound, bound, generator)
}

fn kaiming_std(tensor: &Tensor, mode: Fan, nonlinearity: Nonlinearity) -> Result<f64> {
    let (fan_in, fan_out) = fan_in_and_fan_out(tensor)?;
    let fan = match mode {
        Fan::In => fan_in,
        Fan::Out => fan_out,
    };
    Ok(calculate_gain(nonlinearity) / (fan as f64).sqrt())
}
