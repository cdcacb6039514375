//! The variables of a frame, and which of them a statement has changed.

use std::collections::VecDeque;

use napkin_engine::{DType, Layout};
use napkin_trace::trace::{Map, Value};
use rustpython_vm::builtins::{PyDict, PyDictRef, PyFunction, PyModule, PyStr, PyType};
use rustpython_vm::frame::FrameObject;
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyRef, VirtualMachine};

use super::snapshot::{Bounds, Snapshots, sequence};
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
    Tensor {
        class: usize,
        address: u64,
        writes: u64,
        layout: Layout,
        dtype: DType,
        requires_grad: bool,
    },
    /// A number or a text, or the class of a container and as many numbers and texts in it as are shown.
    Held(usize, Vec<PyObjectRef>),
    Unknown,
}

impl Mark {
    fn of(object: &PyObject, bounds: Bounds, vm: &VirtualMachine) -> Self {
        let class = object.class().get_id();
        if let Some(tensor) = object.downcast_ref::<PyTensor>() {
            let tensor = tensor.get();
            return Self::Tensor {
                class,
                address: tensor.storage_address(),
                writes: tensor.writes(),
                layout: tensor.layout().clone(),
                dtype: tensor.dtype(),
                requires_grad: tensor.requires_grad(),
            };
        }
        // With one more than is shown, which says that there are more.
        let held = if is_fixed(object, vm) {
            vec![object.to_owned()]
        } else if let Some(items) = sequence(object, bounds.items + 1) {
            items
        } else if let Some(dict) = object.downcast_ref::<PyDict>() {
            dict.into_iter().take(bounds.items + 1).flat_map(|(key, value)| [key, value]).collect()
        } else {
            return Self::Unknown;
        };
        if held.iter().all(|object| is_fixed(object, vm)) { Self::Held(class, held) } else { Self::Unknown }
    }

    fn is_still(&self, now: &Self) -> bool {
        match (self, now) {
            (
                Self::Tensor { class, address, writes, layout, dtype, requires_grad },
                Self::Tensor { class: a, address: b, writes: c, layout: d, dtype: e, requires_grad: f },
            ) => (class, address, writes, layout, dtype, requires_grad) == (a, b, c, d, e, f),
            (Self::Held(class, held), Self::Held(other, now)) => {
                class == other
                    && held.len() == now.len()
                    && held.iter().zip(now).all(|(held, now)| held.is(now))
            }
            _ => false,
        }
    }
}

/// Whether an object never changes and refers to no other.
fn is_fixed(object: &PyObject, vm: &VirtualMachine) -> bool {
    let (class, types) = (object.class(), &vm.ctx.types);
    let numbers = [types.int_type, types.float_type, types.bool_type];
    let mut fixed = numbers.into_iter().chain([types.str_type, types.bytes_type, types.none_type]);
    fixed.any(|fixed| class.is(fixed))
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
            let mark = Mark::of(&object, snapshots.bounds, vm);
            let variable = match known {
                Some(known) if known.mark.is_still(&mark) => known,
                known => {
                    let value = snapshots.value(&object);
                    if known.is_none_or(|known| known.value != value) {
                        changed.insert(text.to_string(), Some(value.clone()));
                    }
                    Variable { name, mark, value }
                }
            };
            self.0.push_back(variable);
        }
        let gone = before.into_iter().filter_map(|gone| Some(gone.name.downcast_ref::<PyStr>()?.to_string()));
        changed.extend(gone.map(|name| (name, None)));
        changed
    }
}

/// Modules, functions and classes are what a program is made of, not what it computes; and what a failed cell would have
/// given is no value.
fn is_data(object: &PyObject, vm: &VirtualMachine) -> bool {
    !(is_missing(object, vm)
        || object.downcastable::<PyModule>()
        || object.downcastable::<PyFunction>()
        || object.class().is(vm.ctx.types.builtin_function_or_method_type)
        || object.downcastable::<PyType>())
}

/// Whether it stands for what a failed cell would have given (`_cells.py`).
fn is_missing(object: &PyObject, vm: &VirtualMachine) -> bool {
    let class = object.class();
    &*class.name() == "Missing"
        && class
            .get_attr(vm.ctx.intern_str("__module__"))
            .and_then(|module| module.downcast::<PyStr>().ok())
            .is_some_and(|module| module.as_wtf8() == "_cells")
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
    if is_missing(&first, vm) {
        return None;
    }
    names.try_fold(first, |object, name| object.get_attr(&vm.ctx.new_str(name), vm).ok())
}
