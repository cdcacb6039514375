//! Bytecode of modules, compiled once as long as their text is the same.

use std::cell::RefCell;
use std::collections::BTreeMap;

use rustpython_vm::builtins::PyCode;
use rustpython_vm::compiler::Mode;
use rustpython_vm::{PyRef, PyResult, VirtualMachine};

thread_local! {
    /// Text and code by path. Programs have no way to it, so none can leave another one's code to the next.
    static KNOWN: RefCell<BTreeMap<String, (String, PyRef<PyCode>)>> = RefCell::default();
}

/// Another interpreter begins.
pub(crate) fn forget() {
    drop(KNOWN.take());
}

/// The code of a file with that text.
pub(crate) fn compiled(source: &str, path: &str, vm: &VirtualMachine) -> PyResult<PyRef<PyCode>> {
    let known = KNOWN.with_borrow(|known| {
        known.get(path).filter(|(text, _)| text == source).map(|(_, code)| code.clone())
    });
    if let Some(code) = known {
        return Ok(code);
    }
    let code =
        vm.compile(source, Mode::Exec, path).map_err(|error| error.into_pyexception(vm, Some(source)))?;
    let before =
        KNOWN.with_borrow_mut(|known| known.insert(path.to_owned(), (source.to_owned(), code.clone())));
    drop(before);
    Ok(code)
}
