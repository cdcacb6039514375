//! The variables of a frame, and which of them a statement has changed.

use std::collections::VecDeque;

use napkin_trace::trace::{Map, Value};
use rustpython_vm::builtins::{PyDict, PyDictRef, PyFunction, PyModule, PyStr, PyType};
use rustpython_vm::frame::FrameObject;
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyRef, VirtualMachine};

use super::snapshot::Snapshots;
use crate::torch::PyTensor;

/// Those of a frame as they were after a statement, in the order in which Python has them.
#[derive(Default)]
pub(super) struct Variables(VecDeque<Variable>);

struct Variable {
    name: PyObjectRef,
    mark: Mark,
    value: Value,
}

/// What tells without another look that a value is as it was. Nothing is held that has memory of its own.
enum Mark {
    /// A number, a truth value or `None`: the object itself.
    Fixed(PyObjectRef),
    /// The address and the version of a tensor's storage, and its class.
    Tensor(u64, u64, usize),
    Unknown,
}

impl Mark {
    fn of(object: &PyObject, vm: &VirtualMachine) -> Self {
        let (class, types) = (object.class(), &vm.ctx.types);
        if let Some(tensor) = object.downcast_ref::<PyTensor>() {
            let tensor = tensor.get();
            return Self::Tensor(tensor.storage_address(), tensor.version(), class.get_id());
        }
        let fixed = [types.int_type, types.float_type, types.bool_type, types.none_type];
        if fixed.into_iter().any(|fixed| class.is(fixed)) {
            Self::Fixed(object.to_owned())
        } else {
            Self::Unknown
        }
    }
}

impl Variable {
    fn is_still(&self, object: &PyObject) -> bool {
        match &self.mark {
            Mark::Unknown => false,
            Mark::Fixed(known) => known.is(object),
            Mark::Tensor(address, version, class) => {
                object.downcast_ref::<PyTensor>().is_some_and(|tensor| {
                    let tensor = tensor.get();
                    let (layout, value) = (tensor.layout(), &self.value);
                    (*address, *version, *class)
                        == (tensor.storage_address(), tensor.version(), object.class().get_id())
                        && value.shape.as_deref() == Some(layout.shape())
                        && value.stride.as_deref() == Some(layout.strides())
                        && value.offset == Some(layout.offset())
                        && value.requires_grad == Some(tensor.requires_grad())
                        && value.dtype.as_deref().and_then(|name| name.strip_prefix("torch."))
                            == Some(tensor.dtype().name())
                })
            }
        }
    }
}

impl Variables {
    /// Takes those of the frame as they are now; the answer are the changed ones, and nothing for those that are gone.
    pub(super) fn compare(
        &mut self,
        frame: &PyRef<FrameObject>,
        snapshots: &mut Snapshots<'_>,
    ) -> Map<Option<Value>> {
        let vm = snapshots.vm;
        let mut changed = Map::new();
        let mut before = std::mem::take(&mut self.0);
        for (name, object) in locals(frame, vm).map(|locals| locals.items_vec()).unwrap_or_default() {
            let Some(text) = name.downcast_ref::<PyStr>() else { continue };
            if text.as_wtf8().as_bytes().starts_with(b"__") || !is_data(&object, vm) {
                continue;
            }
            let is_named = |known: &Variable| {
                known.name.is(&name)
                    || known
                        .name
                        .downcast_ref::<PyStr>()
                        .is_some_and(|known| known.as_wtf8() == text.as_wtf8())
            };
            // Mostly they stand as they stood.
            let known = before.iter().position(is_named).and_then(|at| before.remove(at));
            let variable = match known {
                Some(known) if known.is_still(&object) => known,
                known => {
                    let value = snapshots.value(&object);
                    if known.is_none_or(|known| known.value != value) {
                        changed.insert(text.to_string(), Some(value.clone()));
                    }
                    Variable { name, mark: Mark::of(&object, vm), value }
                }
            };
            self.0.push_back(variable);
        }
        let gone = before.into_iter().filter_map(|gone| Some(gone.name.downcast_ref::<PyStr>()?.to_string()));
        changed.extend(gone.map(|name| (name, None)));
        changed
    }
}

/// Modules, functions and classes are what a program is made of, not what it computes.
fn is_data(object: &PyObject, vm: &VirtualMachine) -> bool {
    !(object.downcastable::<PyModule>()
        || object.downcastable::<PyFunction>()
        || object.class().is(vm.ctx.types.builtin_function_or_method_type)
        || object.downcastable::<PyType>())
}

/// The variables of a frame.
fn locals(frame: &PyRef<FrameObject>, vm: &VirtualMachine) -> Option<PyDictRef> {
    let locals: PyObjectRef = frame.locals(vm).ok()?.into();
    match locals.downcast::<PyDict>() {
        Ok(dict) => Some(dict),
        Err(mapping) => {
            let dict = vm.ctx.new_dict();
            dict.merge_object(mapping, vm).ok()?;
            Some(dict)
        }
    }
}

/// `x` or `x.grad` in a frame.
pub(super) fn find(frame: &PyRef<FrameObject>, expression: &str, vm: &VirtualMachine) -> Option<PyObjectRef> {
    let mut names = expression.split('.');
    let first = locals(frame, vm)?.get_item_opt(names.next()?, vm).ok()??;
    names.try_fold(first, |object, name| object.get_attr(&vm.ctx.new_str(name), vm).ok())
}
