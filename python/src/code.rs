//! Bytecode of modules, compiled once as long as their text is the same.

use std::cell::RefCell;
use std::collections::BTreeMap;

use rustpython_vm::builtins::PyCode;
use rustpython_vm::compiler::Mode;
use rustpython_vm::{PyRef, PyResult, VirtualMachine};

use crate::polling;

thread_local! {
    /// By path. Programs have no way to it, so none can leave another one's code to the next.
    static KNOWN: RefCell<BTreeMap<String, Known>> = RefCell::default();
}

struct Known {
    text: String,
    is_polling: bool,
    code: PyRef<PyCode>,
}

/// Another interpreter begins.
pub(crate) fn forget() {
    drop(KNOWN.take());
}

/// The code of a file with that text.
pub(crate) fn compiled(source: &str, path: &str, vm: &VirtualMachine) -> PyResult<PyRef<PyCode>> {
    let is_polling = polling::is_on();
    let known = KNOWN.with_borrow(|known| {
        let known = known.get(path).filter(|known| known.is_polling == is_polling && known.text == source);
        known.map(|known| known.code.clone())
    });
    if let Some(code) = known {
        return Ok(code);
    }
    let mut code =
        vm.compile(source, Mode::Exec, path).map_err(|error| error.into_pyexception(vm, Some(source)))?;
    if is_polling {
        code = polling::compiled(source, path, code, vm);
    }
    let known = Known { text: source.to_owned(), is_polling, code: code.clone() };
    let before = KNOWN.with_borrow_mut(|all| all.insert(path.to_owned(), known));
    drop(before);
    Ok(code)
}
