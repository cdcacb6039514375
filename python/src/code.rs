//! Bytecode of modules, compiled once as long as their text is the same.

use std::cell::RefCell;
use std::collections::BTreeMap;

use napkin_trace::notebook::is_notebook;
use rustpython_vm::builtins::PyCode;
use rustpython_vm::compiler::Mode;
use rustpython_vm::{PyRef, PyResult, VirtualMachine};

use crate::notebook::{self, Cell};
use crate::options::options;
use crate::rewriting::Rewriting;
use crate::syntax_error;

/// The modules of Python's own library and of ours that are files, by their paths there.
const FETCHED: &str = include_str!("../fetched.txt");

thread_local! {
    /// By path. Programs have no way to it, so none can leave another one's code to the next.
    static KNOWN: RefCell<BTreeMap<String, Known>> = RefCell::default();
}

struct Known {
    text: String,
    rewriting: Rewriting,
    code: PyRef<PyCode>,
    /// Those of a notebook.
    cells: Vec<Cell>,
}

/// Another interpreter begins.
pub(crate) fn forget() {
    drop(KNOWN.take());
}

/// The code of a file with that text.
pub(crate) fn compiled(source: &str, path: &str, vm: &VirtualMachine) -> PyResult<PyRef<PyCode>> {
    let rewriting = Rewriting::of(path);
    let known = KNOWN.with_borrow(|known| {
        let known = known.get(path).filter(|known| known.rewriting == rewriting && known.text == source);
        known.map(|known| known.code.clone())
    });
    if let Some(code) = known {
        return Ok(code);
    }
    let whole = syntax_error::whole(source);
    if is_notebook(path) {
        let (code, cells) = notebook::compiled(&whole, path, &rewriting, vm)?;
        keep(path, Known { text: source.to_owned(), rewriting, code: code.clone(), cells });
        return Ok(code);
    }
    let plain = vm
        .compile(&whole, Mode::Exec, path)
        .map_err(|error| syntax_error::raised(&whole, path, error, vm))?;
    let code = rewriting.compiled(source, path, plain, vm);
    keep(path, Known { text: source.to_owned(), rewriting, code: code.clone(), cells: Vec::new() });
    Ok(code)
}

/// A cell of a notebook that was compiled.
pub(crate) fn cell(path: &str, name: &str, vm: &VirtualMachine) -> PyResult<Cell> {
    let found =
        KNOWN.with_borrow(|known| known.get(path)?.cells.iter().find(|cell| cell.name == name).cloned());
    found.ok_or_else(|| vm.new_runtime_error("there is no such cell"))
}

/// The code of a module of Python's own library that is a file, fetched once.
pub(crate) fn fetched(path: &str, vm: &VirtualMachine) -> PyResult<PyRef<PyCode>> {
    let name = format!("<library>/{path}");
    if let Some(code) = KNOWN.with_borrow(|known| known.get(&name).map(|known| known.code.clone())) {
        return Ok(code);
    }
    let text = match &options().fetch {
        Some(fetch) if FETCHED.lines().any(|known| known == path) => fetch(path),
        _ => Err("it is not among the files that can be.".to_owned()),
    };
    let text = text.map_err(|why| {
        vm.new_import_error(
            format!("{path} of Python's library cannot be fetched: {why}"),
            vm.ctx.new_utf8_str(path),
        )
    })?;
    let code =
        vm.compile(&text, Mode::Exec, &name).map_err(|error| error.into_pyexception(vm, Some(&text)))?;
    keep(
        &name,
        Known { text: String::new(), rewriting: Rewriting::default(), code: code.clone(), cells: Vec::new() },
    );
    Ok(code)
}

fn keep(path: &str, known: Known) {
    let before = KNOWN.with_borrow_mut(|all| all.insert(path.to_owned(), known));
    // What goes may run code that looks here.
    drop(before);
}
