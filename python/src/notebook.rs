//! Programs that stand for notebooks: a cell is compiled as what it was, a piece of one module.
//!
//! Its names are those of the module, it may import everything that another module has, and what its last line comes to is
//! shown. A cell that cannot be read raises when it is called, as in a notebook, and the others run.

use std::collections::BTreeMap;

use napkin_trace::notebook::is_cell;
use ruff_python_ast::visitor::Visitor;
use ruff_python_ast::{
    Alias, AtomicNodeIndex, Expr, Identifier, Mod, ModModule, Stmt, StmtImport, StmtWith, WithItem,
};
use ruff_python_parser::{Mode, ParseOptions, parse_module, parse_unchecked};
use ruff_text_size::{Ranged, TextRange, TextSize};
use rustpython_vm::builtins::{PyBaseExceptionRef, PyCode};
use rustpython_vm::compiler::codegen::compile::compile_top;
use rustpython_vm::compiler::core::SourceFileBuilder;
use rustpython_vm::compiler::{self, CompileError};
use rustpython_vm::vm::VmCompileError;
use rustpython_vm::{PyRef, PyResult, VirtualMachine};

use crate::rewriting::{Rewriting, assign, call, evaluate, text};
use crate::syntax_error;
use crate::trace::Names;

/// What makes a function of a cell's code, and what shows the last line of one: `_notebook.py` puts both where compiled
/// files find them.
const CELL: &str = "<cell>";
const SHOW: &str = "<show>";
/// What is called at the end of each.
const END: &str = "<end>";
/// What the module that does so is called in a program.
const NOTEBOOK: &str = "<notebook>";

/// A cell, compiled.
#[derive(Clone)]
pub(crate) struct Cell {
    pub(crate) name: String,
    /// Or what is raised where it is called, if it cannot be read.
    pub(crate) code: Result<PyRef<PyCode>, PyBaseExceptionRef>,
    /// What it assigns to.
    pub(crate) stored: Vec<String>,
}

/// The code of a notebook's program, and that of its cells.
pub(crate) fn compiled(
    source: &str,
    path: &str,
    rewriting: &Rewriting,
    vm: &VirtualMachine,
) -> PyResult<(PyRef<PyCode>, Vec<Cell>)> {
    // As RustPython reads it.
    let source = source.replace("\r\n", "\n");
    let mut cells = Vec::new();
    let readable =
        readable(&source, |name, piece, line| cells.extend(unreadable(name, piece, line, path, vm)));
    let raised = |error: VmCompileError, text: &str| syntax_error::raised(text, path, error, vm);
    let mut module = match parse_module(&readable) {
        Ok(parsed) => parsed.into_syntax(),
        Err(_) => {
            let error = vm.compile(&readable, compiler::Mode::Exec, path).err();
            return Err(
                error.map_or_else(|| vm.new_runtime_error("it cannot be read"), |it| raised(it, &readable))
            );
        }
    };
    let mut stored = BTreeMap::new();
    for statement in &module.body {
        if let Stmt::FunctionDef(function) = statement {
            stored.entry(function.name.to_string()).or_insert_with(|| stored_in(&function.body));
        }
    }
    rewriting.apply(&mut module);
    let top = |module: ModModule| {
        let file = SourceFileBuilder::new(path, readable.as_str()).finish();
        compile_top(Mod::Module(module), file, compiler::Mode::Exec, vm.compile_opts())
    };
    for statement in &mut module.body {
        let Stmt::FunctionDef(function) = statement else { continue };
        if !is_cell(function.name.as_str()) {
            continue;
        }
        let (name, range) = (function.name.to_string(), function.range());
        let mut body = std::mem::take(&mut function.body);
        let start = TextRange::empty(range.start());
        *statement = assign(&name, call(CELL, vec![text(&name, start)], start), start);
        if cells.iter().any(|cell| cell.name == name) {
            continue;
        }
        // A poll may stand before it.
        body.retain(|it| !is_future(it));
        if let Some(last) = body.last_mut() {
            show(last, &readable);
            // Figures that are open are drawn at its last line.
            let end = TextRange::empty(last.start());
            body.push(evaluate(call(END, Vec::new(), end)));
        }
        let mut module = ModModule { node_index: AtomicNodeIndex::NONE, range, body, runtime_body: None };
        surround(&mut module);
        let code = top(module).map(|mut code| {
            code.obj_name.clone_from(&name);
            code.qualname.clone_from(&name);
            PyCode::new_ref_from_bytecode(vm, code)
        });
        let code = code.map_err(|error| raised(CompileError::from(error).into(), &readable));
        let stored = stored.remove(&name).unwrap_or_default();
        cells.push(Cell { name, code, stored });
    }
    let at =
        usize::from(matches!(module.body.first(), Some(Stmt::Expr(it)) if it.value.is_string_literal_expr()));
    module.body.insert(at, import());
    let code = top(module).map_err(|error| raised(CompileError::from(error).into(), &readable))?;
    Ok((PyCode::new_ref_from_bytecode(vm, code), cells))
}

/// A cell that cannot be read.
fn unreadable(name: &str, piece: &str, line: usize, path: &str, vm: &VirtualMachine) -> Option<Cell> {
    // Lines are counted as in the file.
    let error = syntax_error::of_text(&("\n".repeat(line) + piece), path, vm)?;
    // As far as it goes.
    let parsed = parse_unchecked(piece, ParseOptions::from(Mode::Module)).try_into_module();
    let stored = parsed.map(|it| match it.suite().first() {
        Some(Stmt::FunctionDef(function)) => stored_in(&function.body),
        _ => Vec::new(),
    });
    Some(Cell { name: name.to_owned(), code: Err(error), stored: stored.unwrap_or_default() })
}

/// The text of a program with nothing in the place of the cells that cannot be read; `take` is told of each its name, its
/// text and how many lines stand before it.
pub(crate) fn readable(source: &str, mut take: impl FnMut(&str, &str, usize)) -> String {
    if parse_module(source).is_ok() {
        return source.to_owned();
    }
    let mut readable = String::with_capacity(source.len());
    for piece in pieces(source) {
        let name = piece.strip_prefix("def ").and_then(|rest| rest.split('(').next());
        if let Some(name) = name.filter(|name| is_cell(name) && parse_module(piece).is_err()) {
            take(name, piece, readable.matches('\n').count());
            readable += &format!("def {name}(): pass{}", "\n".repeat(piece.matches('\n').count()));
        } else {
            readable += piece;
        }
    }
    readable
}

/// Whether a statement imports what is in Python 3 anyway.
fn is_future(statement: &Stmt) -> bool {
    let Stmt::ImportFrom(import) = statement else { return false };
    import.module.as_ref().is_some_and(|name| name.as_str() == "__future__")
}

/// The names that statements assign to, define or import.
fn stored_in(body: &[Stmt]) -> Vec<String> {
    let mut names = Names::default();
    names.visit_body(body);
    let defined = body.iter().filter_map(|statement| match statement {
        Stmt::FunctionDef(it) => Some(it.name.to_string()),
        Stmt::ClassDef(it) => Some(it.name.to_string()),
        _ => None,
    });
    let imported = names.imports.into_iter().map(|import| import.bound);
    names.stored.into_iter().chain(defined).chain(imported).collect()
}

/// A program before its first cell, its cells, and what is behind the last one.
fn pieces(source: &str) -> Vec<&str> {
    let begins = |line: &str| {
        let cell = line.strip_prefix("def ").and_then(|rest| rest.strip_suffix("():\n"));
        cell.is_some_and(is_cell) || line == "if __name__ == \"__main__\":\n"
    };
    let (mut pieces, mut start, mut at) = (Vec::new(), 0, 0);
    for line in source.split_inclusive('\n') {
        if begins(line) {
            pieces.push(&source[start..at]);
            start = at;
        }
        at += line.len();
    }
    pieces.push(&source[start..]);
    pieces
}

/// Shows what the last statement of a cell comes to, unless it ends with a semicolon.
fn show(last: &mut Stmt, source: &str) {
    let end = last.end().to_usize();
    let is_silent =
        source.get(end..).is_some_and(|rest| rest.trim_start_matches([' ', '\t']).starts_with(';'));
    if let Stmt::Expr(statement) = last
        && !is_silent
    {
        let range = statement.range();
        let none =
            Expr::NoneLiteral(ruff_python_ast::ExprNoneLiteral { node_index: AtomicNodeIndex::NONE, range });
        let value = std::mem::replace(&mut *statement.value, none);
        *last = evaluate(call(SHOW, vec![value], range));
    }
}

/// Puts a cell in what its magic makes around it: `with get_ipython().run_cell_magic("time", ""):`.
fn surround(cell: &mut ModModule) {
    let is_magic = |statement: &Stmt| match statement {
        Stmt::Expr(it) => it.value.as_call_expr().is_some_and(|call| {
            let name = call.func.as_attribute_expr().map(|it| it.attr.as_str());
            name == Some("run_cell_magic") && call.arguments.args.len() == 2
        }),
        _ => false,
    };
    // Only what nobody has written stands before it.
    let Some(at) = cell.body.iter().take(2).position(is_magic) else { return };
    let body = cell.body.split_off(at + 1);
    if let Some(Stmt::Expr(magic)) = cell.body.pop() {
        let range = magic.range();
        let item = WithItem {
            range,
            node_index: AtomicNodeIndex::NONE,
            context_expr: *magic.value,
            optional_vars: None,
        };
        cell.body.push(Stmt::With(StmtWith {
            node_index: AtomicNodeIndex::NONE,
            range,
            is_async: false,
            items: vec![item],
            body,
            runtime_type_comment: None,
            runtime_type_comment_bytes: None,
            runtime_body: None,
        }));
    }
}

/// `import _notebook`, under a name that no program has.
fn import() -> Stmt {
    let range = TextRange::empty(TextSize::new(0));
    let name = |id: &str| Identifier { id: id.into(), range, node_index: AtomicNodeIndex::NONE };
    let alias = Alias {
        range,
        node_index: AtomicNodeIndex::NONE,
        name: name("_notebook"),
        asname: Some(name(NOTEBOOK)),
    };
    Stmt::Import(StmtImport { node_index: AtomicNodeIndex::NONE, range, names: vec![alias], is_lazy: false })
}
