//! What of the library a program may have changed, put back before the next one.
//!
//! An interpreter that has imported the library takes a fifth of a second to start; one program is run in it many times,
//! with other numbers on its sliders. Each time begins as the first did: modules that were imported since are forgotten,
//! and every module, class, list, dict and set of the library has the content again that it had. What is set in the
//! engine (default dtype, seeds, modes) is put back by [`crate::torch::renew`].

use std::collections::HashSet;

use rustpython_vm::builtins::{PyDict, PyDictRef, PyList, PyModule, PySet, PyStr, PyType, PyTypeRef};
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyRef, PyResult, VirtualMachine};

/// What most lectures import, and what takes longest.
pub(crate) const IMPORTS: &str =
    "import torch, numpy, einops, jaxtyping, napkin, _cells, copy, functools, gc, math, os, random, time";

/// Packages whose objects may hold what a program has set. Those of Python's own library are left alone: its weak
/// references and caches look after themselves.
const OURS: [&str; 11] = [
    "torch",
    "numpy",
    "einops",
    "jaxtyping",
    "napkin",
    "safetensors",
    "os",
    "_contextvars",
    "_file_imports",
    "_streams",
    "_tracebacks",
];
/// Modules of which nothing but names is put back.
const NAMES_ALONE: [&str; 6] = ["_abc", "_weakrefset", "abc", "gc", "importlib", "weakref"];

/// A container and what it held.
enum Kept {
    /// Of a class, its attributes.
    Entries(PyDictRef, Vec<(PyObjectRef, PyObjectRef)>, Option<PyTypeRef>),
    Items(PyRef<PyList>, Vec<PyObjectRef>),
    Members(PyRef<PySet>, Vec<PyObjectRef>),
}

/// The library as it was.
pub(crate) struct Library {
    kept: Vec<Kept>,
}

impl Library {
    /// As it is now. From here on the collector of garbage leaves it alone.
    pub(crate) fn new(vm: &VirtualMachine) -> Self {
        let mut looking = Looking { vm, seen: HashSet::new(), kept: Vec::new() };
        let modules = vm.sys_module.get_attr("modules", vm).ok();
        let modules = modules.and_then(|modules| modules.downcast::<PyDict>().ok());
        for (name, module) in modules.map(|modules| modules.items_vec()).unwrap_or_default() {
            let name = name.downcast_ref::<PyStr>().map(ToString::to_string).unwrap_or_default();
            if let Some(module) = module.downcast_ref::<PyModule>()
                && name != "__main__"
            {
                looking.entries(module.dict(), None, !NAMES_ALONE.contains(&root(&name)));
            }
        }
        let kept = looking.kept;
        vm.state.gc.collect_force(2);
        vm.state.gc.freeze();
        Self { kept }
    }

    /// Puts back what has changed, and lets go of what nothing holds any more.
    pub(crate) fn restore(&self, vm: &VirtualMachine) {
        for kept in &self.kept {
            // What cannot be put back, a program has made so that it cannot.
            let _ = kept.restore(vm);
        }
        vm.state.gc.collect_force(2);
    }
}

impl Kept {
    fn restore(&self, vm: &VirtualMachine) -> PyResult<()> {
        match self {
            Self::Entries(dict, entries, class) => {
                let now = dict.items_vec();
                let is_same = now.len() == entries.len()
                    && now.iter().zip(entries).all(|(now, then)| now.0.is(&then.0) && now.1.is(&then.1));
                if is_same {
                    return Ok(());
                }
                // What goes may run code that looks here: it goes when all is back.
                dict.clear();
                for (key, value) in entries {
                    dict.set_item(&**key, value.clone(), vm)?;
                }
                if let Some(class) = class {
                    class.modified();
                }
            }
            Self::Items(list, items) => {
                if !same(&list.borrow_vec(), items) {
                    let now = std::mem::replace(&mut *list.borrow_vec_mut(), items.clone());
                    drop(now);
                }
            }
            Self::Members(set, members) => {
                if !same(&set.elements(), members) {
                    vm.call_method(set.as_object(), "clear", ())?;
                    for member in members {
                        set.add(member.clone(), vm)?;
                    }
                }
            }
        }
        Ok(())
    }
}

fn same(now: &[PyObjectRef], then: &[PyObjectRef]) -> bool {
    now.len() == then.len() && now.iter().zip(then).all(|(now, then)| now.is(then))
}

/// The first part of a module's name.
fn root(name: &str) -> &str {
    name.split('.').next().unwrap_or_default()
}

/// A walk through all that the library holds.
struct Looking<'a> {
    vm: &'a VirtualMachine,
    seen: HashSet<usize>,
    kept: Vec<Kept>,
}

impl Looking<'_> {
    fn entries(&mut self, dict: PyDictRef, class: Option<PyTypeRef>, is_deep: bool) {
        let entries = dict.items_vec();
        let values: Vec<PyObjectRef> =
            if is_deep { entries.iter().map(|(_, value)| value.clone()).collect() } else { Vec::new() };
        self.kept.push(Kept::Entries(dict, entries, class));
        values.iter().for_each(|value| self.visit(value));
    }

    fn visit(&mut self, object: &PyObject) {
        let types = &self.vm.ctx.types;
        if object.downcastable::<PyModule>() || !self.seen.insert(object.get_id()) {
            return;
        }
        let class = object.class();
        if class.is(types.dict_type) {
            if let Ok(dict) = object.to_owned().downcast::<PyDict>() {
                self.entries(dict, None, true);
            }
        } else if class.is(types.list_type) {
            let Ok(list) = object.to_owned().downcast::<PyList>() else { return };
            let items = list.borrow_vec().to_vec();
            self.kept.push(Kept::Items(list, items.clone()));
            items.iter().for_each(|item| self.visit(item));
        } else if class.is(types.set_type) {
            let Ok(set) = object.to_owned().downcast::<PySet>() else { return };
            let members = set.elements();
            self.kept.push(Kept::Members(set, members));
        } else if let Some(own) = object.downcast_ref::<PyType>() {
            // A class without a dict is compiled in, and cannot be changed.
            if let Some(attributes) = own.attributes.as_dict() {
                let is_deep = self.is_ours(own);
                self.entries(attributes.to_owned(), Some(own.to_owned()), is_deep);
            }
        } else if self.is_ours(class)
            && let Some(attributes) = object.dict()
        {
            self.entries(attributes, None, true);
        }
    }

    fn is_ours(&self, class: &PyType) -> bool {
        let module = class.attributes.get(self.vm.ctx.intern_str("__module__"));
        let module = module.and_then(|module| module.downcast::<PyStr>().ok());
        module.is_some_and(|module| OURS.contains(&root(&module.to_string_lossy())))
    }
}
