//! What `torch.nn.functional` has beside the operations of tensors.

use napkin_engine::nn::functional::{self, Attention, CrossEntropy, Gelu, LossReduction};
use napkin_engine::random::Source;
use rustpython_vm::PyResult;

use super::{Operation, operations};
use crate::torch::arguments::Bound;

pub(super) const OPERATIONS: &[Operation] = operations! {
    "linear(Tensor input, Tensor weight, Tensor? bias=None)" => |a| {
        functional::linear(&a.tensor(0)?, &a.tensor(1)?, a.maybe_tensor(2)?.as_ref())
    };
    "gelu(Tensor input, *, str approximate='none')" => |a| match a.string(1)?.as_deref() {
        None | Some("none") => functional::gelu(&a.tensor(0)?, Gelu::Exact),
        Some("tanh") => functional::gelu(&a.tensor(0)?, Gelu::Tanh),
        Some(_) => return Err(a.vm.new_runtime_error("approximate argument must be either none or tanh.")),
    };
    "silu(Tensor input)" => |a| functional::silu(&a.tensor(0)?);
    "softplus(Tensor input, float beta=1, float threshold=20)" => |a| {
        functional::softplus(&a.tensor(0)?, a.float_or(1, 1.0)?, a.float_or(2, 20.0)?)
    };
    "logsigmoid(Tensor input)" => |a| functional::logsigmoid(&a.tensor(0)?);
    "leaky_relu(Tensor input, float negative_slope=0.01)" => |a| {
        functional::leaky_relu(&a.tensor(0)?, a.float_or(1, 0.01)?)
    };
    "elu(Tensor input, float alpha=1)" => |a| functional::elu(&a.tensor(0)?, a.float_or(1, 1.0)?);
    "hardtanh(Tensor input, Scalar min_val=-1, Scalar max_val=1)" => |a| {
        functional::hardtanh(&a.tensor(0)?, a.scalar_or(1, -1)?, a.scalar_or(2, 1)?)
    };
    "dropout(Tensor input, float p=0.5, bool training=True)" => |a| {
        let generator = a.generator(3)?;
        let mut source = generator.draw();
        functional::dropout(&a.tensor(0)?, a.float_or(1, 0.5)?, a.bool_or(2, true)?, &mut *source)
    };
    "scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0.0, bool is_causal=False, *, float? scale=None, bool enable_gqa=False)" => |a| {
        let mask = a.maybe_tensor(3)?;
        let p = a.float_or(4, 0.0)?;
        let generator = a.generator(8)?;
        let mut source = generator.draw();
        let how = Attention {
            attn_mask: mask.as_ref(),
            is_causal: a.bool_or(5, false)?,
            scale: a.maybe_scalar(6)?.map(napkin_engine::Scalar::as_f64),
            enable_gqa: a.bool_or(7, false)?,
            dropout: (p > 0.0).then_some((p, &mut *source as &mut dyn Source)),
        };
        functional::scaled_dot_product_attention(&a.tensor(0)?, &a.tensor(1)?, &a.tensor(2)?, how)
    };
    "mse_loss(Tensor input, Tensor target, *, str reduction='mean')" => |a| {
        functional::mse_loss(&a.tensor(0)?, &a.tensor(1)?, reduction(a, 2)?)
    };
    "cross_entropy(Tensor input, Tensor target, *, Tensor? weight=None, int ignore_index=-100, str reduction='mean', float label_smoothing=0.0)" => |a| {
        let weight = a.maybe_tensor(2)?;
        let how = CrossEntropy {
            weight: weight.as_ref(),
            ignore_index: a.int_or(3, -100)?,
            reduction: reduction(a, 4)?,
            label_smoothing: a.float_or(5, 0.0)?,
        };
        functional::cross_entropy(&a.tensor(0)?, &a.tensor(1)?, how)
    };
    "layer_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1e-05)" => |a| {
        let (weight, bias) = (a.maybe_tensor(2)?, a.maybe_tensor(3)?);
        functional::layer_norm(&a.tensor(0)?, &a.shape(1)?, weight.as_ref(), bias.as_ref(), a.float_or(4, 1e-5)?)
    };
    "rms_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, float? eps=None)" => |a| {
        let eps = a.maybe_scalar(3)?.map(napkin_engine::Scalar::as_f64);
        functional::rms_norm(&a.tensor(0)?, &a.shape(1)?, a.maybe_tensor(2)?.as_ref(), eps)
    };
    "embedding(Tensor input, Tensor weight)" => |a| {
        a.tensor(1)?.embedding(&a.tensor(0)?).map_err(super::out_of_range)
    };
    "one_hot(Tensor tensor, int num_classes)" => |a| a.tensor(0)?.one_hot(a.size(1)?);
};

fn reduction(a: &Bound<'_>, at: usize) -> PyResult<LossReduction> {
    match a.string(at)?.as_deref() {
        Some("none") => Ok(LossReduction::None),
        None | Some("mean") => Ok(LossReduction::Mean),
        Some("sum") => Ok(LossReduction::Sum),
        Some(other) => Err(a.vm.new_value_error(format!("{other} is not a valid value for reduction"))),
    }
}
