//! Gradients.

use napkin_engine::autograd;

use super::{Operation, operations};

pub(super) const OPERATIONS: &[Operation] = operations! {
    "backward(Tensor input, Tensor? gradient=None, bool? retain_graph=None)" => |a| {
        a.tensor(0)?.backward_with(a.maybe_tensor(1)?.as_ref(), a.bool_or(2, false)?)
    };
    "detach(Tensor input)" => |a| a.tensor(0)?.detach();
    "detach_(Tensor input)" => |a| a.changed(a.tensor(0)?.detach_());
    "retain_grad(Tensor input)" => |a| a.tensor(0)?.retain_grad();
    "requires_grad_(Tensor input, bool requires_grad=True)" => |a| {
        a.changed(a.tensor(0)?.set_requires_grad(a.bool_or(1, true)?))
    };
    "_zero_grad(Tensor input)" => |a| a.tensor(0)?.zero_grad();
    "is_grad_enabled()" => |_a| autograd::is_grad_enabled();
    "_set_grad_enabled(bool mode)" => |a| std::mem::forget(autograd::set_grad_enabled(a.bool_or(0, true)?));
};
