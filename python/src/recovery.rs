//! How a program goes on behind what fails in it: with every cell that does not need what the broken one has not given.
//!
//! What a reader has written takes the place of a function only if Python can read it. If it cannot, the function stands
//! as it was, so that the rest of its file is compiled and every line stays where it is; whoever calls it gets the error.
//! In `main` and in sections every statement is guarded (`rewriting.rs`): one that raises is told, what it would have
//! assigned is missing, and the next one runs. What needs what is missing waits (`_cells.py`).

use std::rc::Rc;

use napkin_trace::notebook::{self, is_notebook};
use napkin_trace::python::{CellName, Edit, put};
use napkin_trace::trace::{Json, Map};
use napkin_trace::{Fault, Frame};
use ruff_python_ast::{Mod, Stmt};
use ruff_python_parser::parse_module;
use rustpython_vm::builtins::PyBaseExceptionRef;
use rustpython_vm::compiler::codegen::compile::compile_top;
use rustpython_vm::compiler::core::SourceFileBuilder;
use rustpython_vm::compiler::{CompileOpts, Mode};
use rustpython_vm::{PyResult, TryFromObject, VirtualMachine};

use crate::options::{Recovery, TakeFault, Unread, options};
use crate::syntax_error;
use crate::trace::{self, Program};

/// What a file is edited as that is edited whole.
const MODULE: &str = "<module>";

impl Recovery {
    /// The files of a program with what was written in place of their functions, and how to run them from `main`.
    #[must_use]
    pub fn new(
        files: &Map<String>,
        edits: &[Edit],
        main: &str,
        take: TakeFault,
        restart: Rc<dyn Fn()>,
    ) -> (Map<String>, Self) {
        let edits: Vec<Edit> = edits.iter().map(in_python).collect();
        let (files, unread) = applied(files, &edits);
        let program = Program::new(files.iter().map(|(path, text)| (path.as_str(), text.as_str())));
        let edited = edits.iter().filter(|edit| edit.is_cell).map(|edit| edit.cell.clone());
        let edited: Vec<CellName> = edited.collect();
        let guarded = program.with_cells(edited.clone()).callers_of_cells(main);
        (files, Self { take, restart, guarded, edited, unread })
    }
}

/// What was written in a cell of a notebook, where a line may be one of IPython.
fn in_python(edit: &Edit) -> Edit {
    if !is_notebook(&edit.cell.path) {
        return edit.clone();
    }
    let python = |text: &str| notebook::python(text).join("\n");
    Edit { text: python(&edit.text), good: edit.good.as_deref().map(python), ..edit.clone() }
}

/// Tells a fault, which Python has written as JSON.
pub(crate) fn tell(told: &str) {
    if let (Some(recovery), Ok(fault)) = (options().recovery.clone(), read(told)) {
        trace::failed(&fault, told);
        (recovery.take)(fault);
    }
}

fn read(told: &str) -> serde_json::Result<Fault> {
    serde_json::from_str::<Json>(told).and_then(serde_json::from_value)
}

/// Tells what cannot be read, before a program runs.
pub(crate) fn tell_unread(vm: &VirtualMachine) {
    if let Some(recovery) = options().recovery.clone() {
        recovery.unread.iter().for_each(|unread| (recovery.take)(unread.fault(vm)));
    }
}

/// Puts edits into files, each if it can be read by itself.
fn applied(files: &Map<String>, edits: &[Edit]) -> (Map<String>, Vec<Unread>) {
    let (mut files, mut unread) = (files.clone(), Vec::new());
    put(&mut files, edits, |edit| {
        if fault_of_text(&edit.text, &edit.cell).is_none() {
            return Some(&edit.text);
        }
        unread.push(Unread { cell: edit.cell.clone(), text: edit.text.clone() });
        edit.good.as_deref()
    });
    (files, unread)
}

/// Why what was written cannot stand in place of a function.
enum Why {
    /// It is no Python.
    Syntax,
    /// It does not define the function.
    Gone,
}

/// A text at the margin, and how many characters that has taken from each line.
fn at_margin(text: &str) -> (String, usize) {
    let margin = text.len() - text.trim_start_matches(' ').len();
    let line = |line: &str| {
        let indent = line.len() - line.trim_start_matches(' ').len();
        line[indent.min(margin)..].to_owned()
    };
    (text.split('\n').map(line).collect::<Vec<_>>().join("\n"), margin)
}

fn fault_of_text(text: &str, cell: &CellName) -> Option<Why> {
    // As RustPython reads it.
    let text = at_margin(text).0.replace("\r\n", "\n") + "\n";
    let Ok(parsed) = parse_module(&text) else { return Some(Why::Syntax) };
    let is_it = |statement: &Stmt| match statement {
        Stmt::FunctionDef(it) => it.name.as_str() == cell.function,
        Stmt::ClassDef(it) => it.name.as_str() == cell.function,
        _ => false,
    };
    let is_gone = cell.function != MODULE && !parsed.suite().iter().any(is_it);
    // A cell of a notebook may do what no function may.
    if is_notebook(&cell.path) {
        return is_gone.then_some(Why::Gone);
    }
    let file = SourceFileBuilder::new(cell.path.as_str(), text.as_str()).finish();
    let module = Mod::Module(parsed.into_syntax());
    if compile_top(module, file, Mode::Exec, CompileOpts::default()).is_err() {
        return Some(Why::Syntax);
    }
    is_gone.then_some(Why::Gone)
}

impl Unread {
    /// What Python raises of it.
    pub(crate) fn error(&self, vm: &VirtualMachine) -> PyBaseExceptionRef {
        let raised = syntax_error::of_text(&at_margin(&self.text).0, &self.cell.path, vm);
        raised.unwrap_or_else(|| {
            let function = &self.cell.function;
            vm.new_name_error(format!("name '{function}' is not defined"), vm.ctx.new_str(function.as_str()))
        })
    }

    /// The same for the reader, with its place in what was written.
    pub(crate) fn fault(&self, vm: &VirtualMachine) -> Fault {
        let Self { cell, text, .. } = self;
        let is_gone = matches!(fault_of_text(text, cell), Some(Why::Gone));
        let mut fault = report(&self.error(vm), vm).unwrap_or_default();
        let place = |frame: Frame| Frame {
            path: cell.path.clone(),
            function: cell.function.clone(),
            is_of_text: true,
            ..frame
        };
        let margin = u32::try_from(at_margin(text).1).unwrap_or_default();
        fault.frames = match fault.frames.pop().filter(|_| !is_gone) {
            Some(frame) => vec![place(Frame {
                column: frame.column.map(|column| column + margin),
                end_column: frame.end_column.map(|column| column + margin),
                ..frame
            })],
            None => vec![place(Frame { line: 1, ..Frame::default() })],
        };
        if is_gone {
            let function = &cell.function;
            fault.advice = Some(format!(
                "The lecture calls `{function}` by its name. One line of this code has to begin with `def {function}(`."
            ));
        }
        Fault { cell: Some(cell.clone()), ..fault }
    }
}

/// What is told of an exception.
fn report(raised: &PyBaseExceptionRef, vm: &VirtualMachine) -> PyResult<Fault> {
    let text = vm.import("_cells", 0)?.get_attr("report_of_written", vm)?.call((raised.clone(),), vm)?;
    let text = String::try_from_object(vm, text)?;
    read(&text).map_err(|error| vm.new_value_error(error.to_string()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    const TEXT: &str =
        "import math\n\ndef one():\n    return 1\n\n\nclass Two:\n    def forward(self):\n        return 2\n";

    fn edit(function: &str, lines: (u32, u32), text: &str, good: Option<&str>) -> Edit {
        let cell = CellName { path: "a.py".to_owned(), function: function.to_owned() };
        Edit { cell, is_cell: true, lines, text: text.to_owned(), good: good.map(str::to_owned) }
    }

    #[test]
    fn what_cannot_be_read_leaves_the_function_as_it_was() {
        let one = (3, 4);
        let forward = (8, 9);
        for (edits, text, unread) in [
            (vec![edit("one", one, "def one():\n    x = 3\n    return x", None)], "x = 3", vec![]),
            (vec![edit("one", one, "def one()\n    return 3", None)], "return 1", vec!["one"]),
            (vec![edit("one", one, "def oen():\n    return 3", None)], "return 1", vec!["one"]),
            (vec![edit("one", one, "x = 1\nreturn x", None)], "return 1", vec!["one"]),
            (vec![edit("one", one, "def one(:", Some("def one():\n    return 7"))], "7", vec!["one"]),
            (
                vec![edit("forward", forward, "    def forward(self):\n        return 5", None)],
                "return 5",
                vec![],
            ),
            // What stands above may grow.
            (
                vec![
                    edit("one", one, "def one():\n    # more\n    return 8", None),
                    edit("forward", forward, "    def forward(self):\n        return (", None),
                ],
                "return 8",
                vec!["forward"],
            ),
            (vec![edit(MODULE, (1, 9), "x = 1\n", None)], "x = 1\n", vec![]),
            (vec![edit(MODULE, (1, 9), "x = \n", None)], "import math", vec![MODULE]),
        ] {
            let files = Map::from_iter([("a.py".to_owned(), TEXT.to_owned())]);
            let (files, found) = applied(&files, &edits);
            assert!(files["a.py"].contains(text), "{}", files["a.py"]);
            assert!(parse_module(&files["a.py"]).is_ok(), "{}", files["a.py"]);
            let found: Vec<_> = found.iter().map(|it| it.cell.function.as_str()).collect();
            assert_eq!(found, unread);
        }
    }
}
