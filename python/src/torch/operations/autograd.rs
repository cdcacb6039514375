//! Gradients.

use std::cell::RefCell;
use std::rc::Rc;

use napkin_engine::autograd::{self, BackwardOptions, GradOptions};
use napkin_engine::{Error, Tensor};
use rustpython_vm::builtins::PyBaseExceptionRef;
use rustpython_vm::vm::thread::with_current_vm;
use rustpython_vm::{AsObject, PyObjectRef, PyResult, VirtualMachine};

use super::{Give, List, Operation, operations};
use crate::torch::OrRaise;
use crate::torch::arguments::{Bound, elements};
use crate::torch::tensor::to_tensor;

pub(super) const OPERATIONS: &[Operation] = operations! {
    "_backward(Tensor[] tensors, Any? grad_tensors, bool? retain_graph, bool create_graph, Any? inputs)" => |a| {
        let (tensors, given, inputs) = (a.tensors(0)?, maybe_tensors(a, 1)?, maybe_tensors(a, 4)?);
        let tensors: Vec<_> = tensors.iter().collect();
        let given: Option<Vec<_>> = given.as_ref().map(|given| given.iter().map(Option::as_ref).collect());
        let inputs: Option<Vec<_>> = inputs.as_ref().map(|inputs| inputs.iter().flatten().collect());
        let options = BackwardOptions {
            grad_tensors: given.as_deref(),
            retain_graph: a.maybe_bool(2)?,
            create_graph: a.bool_or(3, false)?,
            inputs: inputs.as_deref(),
        };
        or_raised(autograd::backward(&tensors, options), a.vm)?;
    };
    "detach(Tensor input)" => |a| a.tensor(0)?.detach();
    "detach_(Tensor input)" => |a| a.changed(a.tensor(0)?.detach_());
    "is_inference(Tensor input)" => |a| a.tensor(0)?.is_inference();
    "retain_grad(Tensor input)" => |a| a.tensor(0)?.retain_grad();
    "requires_grad_(Tensor input, bool requires_grad=True)" => |a| {
        a.changed(a.tensor(0)?.set_requires_grad(a.bool_or(1, true)?))
    };
    "_register_hook(Tensor input, Any hook)" => |a| hook(a)?;
    "_register_grad_hook(Tensor input, Any hook)" => |a| grad_hook(a)?;
    "_set_saved_tensors_hooks(Any? pack, Any? unpack)" => |a| pack_by(a.object(0).zip(a.object(1)));
    "_grad(Tensor[] outputs, Tensor[] inputs, Any? grad_outputs, bool? retain_graph, bool create_graph, bool allow_unused)" => |a| {
        let (outputs, inputs, given) = (a.tensors(0)?, a.tensors(1)?, maybe_tensors(a, 2)?);
        let given: Option<Vec<_>> = given.as_ref().map(|given| given.iter().map(Option::as_ref).collect());
        let options = GradOptions {
            grad_outputs: given.as_deref(),
            retain_graph: a.maybe_bool(3)?,
            create_graph: a.bool_or(4, false)?,
            allow_unused: a.bool_or(5, false)?,
        };
        let (outputs, inputs): (Vec<_>, Vec<_>) = (outputs.iter().collect(), inputs.iter().collect());
        let gradients = or_raised(autograd::grad(&outputs, &inputs, options), a.vm)?;
        List(gradients.into_iter().map(|gradient| gradient.give(a.vm)).collect::<PyResult<_>>()?)
    };
    "_checkpoint(Any function, Tensor[] inputs)" => |a| checkpoint(a)?;
    "_function(str name, Tensor[] inputs, Tensor[] saved, Tensor output, Any backward)" => |a| function(a)?;
    "is_inference_mode_enabled()" => |_a| autograd::is_inference_mode_enabled();
    "_set_inference_mode(bool mode)" => |a| std::mem::forget(autograd::set_inference_mode(a.bool_or(0, true)?));
    "is_grad_enabled()" => |_a| autograd::is_grad_enabled();
    "_set_grad_enabled(bool mode)" => |a| std::mem::forget(autograd::set_grad_enabled(a.bool_or(0, true)?));
};

thread_local! {
    /// What Python raised within a backward pass.
    static RAISED: RefCell<Option<PyBaseExceptionRef>> = const { RefCell::new(None) };
}

/// Ends a backward pass with what Python raised in it.
fn ended(raised: PyBaseExceptionRef) -> Error {
    let name = raised.class().name().to_string();
    RAISED.set(Some(raised));
    Error::Autograd(format!("{name} in the backward pass"))
}

/// What Python raised in a backward pass comes out of it as it was.
fn or_raised<T>(result: napkin_engine::Result<T>, vm: &VirtualMachine) -> PyResult<T> {
    match (result, RAISED.take()) {
        (Err(_), Some(raised)) => Err(raised),
        (result, _) => result.or_raise(vm),
    }
}

/// Tensors, any of which may be `None`; or none at all.
fn maybe_tensors(a: &Bound<'_>, at: usize) -> PyResult<Option<Vec<Option<Tensor>>>> {
    let one = |object: &PyObjectRef| (!a.vm.is_none(object)).then(|| to_tensor(object, a.vm)).transpose();
    a.object(at).map(|given| elements(&given, a.vm)?.iter().map(one).collect()).transpose()
}

/// What derivatives keep goes through these two from now on.
fn pack_by(hooks: Option<(PyObjectRef, PyObjectRef)>) {
    autograd::set_pack(hooks.map(|(pack, unpack)| -> autograd::Pack {
        Rc::new(move |tensor| {
            let packed = with_current_vm(|vm| call(&pack, std::slice::from_ref(tensor), vm).map_err(ended));
            let unpack = unpack.clone();
            Rc::new(move || {
                with_current_vm(|vm| {
                    let given = unpack.call((packed.clone()?,), vm);
                    given.and_then(|given| to_tensor(&given, vm)).map_err(ended)
                })
            })
        })
    }));
}

fn grad_hook(a: &Bound<'_>) -> PyResult<()> {
    let Some(hook) = a.object(1) else {
        return Err(a.vm.new_type_error("register_post_accumulate_grad_hook() takes a function"));
    };
    let run = move || with_current_vm(|vm| hook.call((), vm).map(drop).map_err(ended));
    a.tensor(0)?.register_post_accumulate_grad_hook(run).or_raise(a.vm)
}

fn hook(a: &Bound<'_>) -> PyResult<()> {
    let Some(hook) = a.object(1) else { return Err(a.vm.new_type_error("register_hook() takes a function")) };
    let run = move |gradient: &Tensor| {
        with_current_vm(|vm| {
            let result = call(&hook, std::slice::from_ref(gradient), vm);
            let changed =
                result.and_then(|given| (!vm.is_none(&given)).then(|| to_tensor(&given, vm)).transpose());
            changed.map_err(ended)
        })
    };
    a.tensor(0)?.register_hook(run).or_raise(a.vm)
}

/// Calls the function with the inputs now and once more in the backward pass.
fn checkpoint(a: &Bound<'_>) -> PyResult {
    let Some(function) = a.object(0) else {
        return Err(a.vm.new_type_error("checkpoint() takes a function"));
    };
    let run = move |inputs: &[Tensor]| with_current_vm(|vm| call(&function, inputs, vm).map_err(ended));
    or_raised(autograd::checkpoint(run, &a.tensors(1)?), a.vm)
}

/// The output as that of an operation on the inputs, with a derivative in Python: from the gradient and the list of saved
/// tensors to the list of the inputs' gradients.
fn function(a: &Bound<'_>) -> PyResult<Tensor> {
    let Some(backward) = a.object(4) else {
        return Err(a.vm.new_type_error("apply() takes a backward function"));
    };
    let run = move |gradient: &Tensor, saved: &[Tensor]| {
        with_current_vm(|vm| {
            let call = || {
                let saved =
                    saved.iter().map(|tensor| tensor.clone().give(vm)).collect::<PyResult<Vec<_>>>()?;
                let given = backward.call((gradient.clone().give(vm)?, vm.ctx.new_list(saved)), vm)?;
                let one =
                    |object: &PyObjectRef| (!vm.is_none(object)).then(|| to_tensor(object, vm)).transpose();
                elements(&given, vm)?.iter().map(one).collect::<PyResult<Vec<_>>>()
            };
            call().map_err(ended)
        })
    };
    let (inputs, saved) = (a.tensors(1)?, a.tensors(2)?);
    let (inputs, saved): (Vec<_>, Vec<_>) = (inputs.iter().collect(), saved.iter().collect());
    Ok(autograd::function(&a.text(0)?, &inputs, &saved, &a.tensor(3)?, run))
}

fn call(function: &PyObjectRef, inputs: &[Tensor], vm: &VirtualMachine) -> PyResult {
    let inputs = inputs.iter().map(|input| input.clone().give(vm)).collect::<PyResult<Vec<_>>>()?;
    function.call(inputs, vm)
}
