//! Operations whose derivative somebody else knows.

use super::node::Node;
use crate::error::{Error, Result};
use crate::layout::join;
use crate::names::interned;
use crate::tensor::Tensor;

/// `torch.autograd.Function.apply`: `output` as the result of an operation on `inputs`. `derivative` makes of the gradient
/// of the output and of the saved tensors those of the inputs, in their shapes, `None` where there is none. The name is
/// that of the result's `grad_fn`.
///
/// Inputs and the output come back from being saved with their histories. Where gradients are recorded themselves,
/// recording is on while `derivative` runs: its own derivative is that of what it does then.
///
/// The result shares the output's memory; it has a history if recording is on and an input requires a gradient.
/// In the backward pass it is an error if a saved tensor has been overwritten, or a gradient has another shape than its
/// input.
#[must_use]
pub fn function(
    name: &str,
    inputs: &[&Tensor],
    saved: &[&Tensor],
    output: &Tensor,
    derivative: impl Fn(&Tensor, &[Tensor]) -> Result<Vec<Option<Tensor>>> + 'static,
) -> Tensor {
    let name = interned(name);
    let shapes: Vec<Vec<usize>> = inputs.iter().map(|input| input.shape().to_vec()).collect();
    let checked = move |gradient: &Tensor, saved: &[Tensor]| {
        let gradients = derivative(gradient, saved)?;
        for (at, (gradient, shape)) in gradients.iter().zip(&shapes).enumerate() {
            if let Some(gradient) = gradient.as_ref().filter(|gradient| gradient.shape() != *shape) {
                return Err(Error::Autograd(format!(
                    "Function {name} returned an invalid gradient at index {at} - got [{}] but expected shape \
                     compatible with [{}]",
                    join(gradient.shape().iter()),
                    join(shape.iter())
                )));
            }
        }
        Ok(gradients)
    };
    output.detach().made_by(Node::record_own(name, inputs, saved, checked))
}
