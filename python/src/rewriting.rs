//! What is put into a program's own files when they are compiled: polls (`polling.rs`), guards around the statements of
//! `main` and of sections, and an error in place of what cannot be read (`recovery.rs`). Every line stays where it is.

use ruff_python_ast::visitor::Visitor;
use ruff_python_ast::visitor::transformer::Transformer;
use ruff_python_ast::{
    Arguments, AtomicNodeIndex, ExceptHandler, ExceptHandlerExceptHandler, Expr, ExprCall, ExprContext,
    ExprName, ExprNumberLiteral, ExprStringLiteral, Identifier, Int, Mod, ModModule, Number, Parameter,
    Parameters, Stmt, StmtAssign, StmtExpr, StmtReturn, StmtTry, StringLiteral, StringLiteralFlags,
    StringLiteralValue,
};
use ruff_python_parser::parse_module;
use ruff_text_size::{Ranged, TextRange};
use rustpython_vm::builtins::PyCode;
use rustpython_vm::compiler::Mode;
use rustpython_vm::compiler::codegen::compile::compile_top;
use rustpython_vm::compiler::core::SourceFileBuilder;
use rustpython_vm::{PyRef, PyResult, VirtualMachine};

use crate::options::options;
use crate::polling;
use crate::trace::{Names, called};

/// What a guard calls where its statement has raised; a program cannot call anything of its own so.
const BROKEN: &str = "<broken>";
/// What stands in a function that cannot be read.
const UNREAD: &str = "<unread>";

/// What a file is compiled with.
#[derive(Default, PartialEq, Eq)]
pub(crate) struct Rewriting {
    polls: bool,
    /// Functions whose statements are guarded.
    guarded: Vec<String>,
    /// Functions that cannot be read, by name, with their numbers.
    unread: Vec<(String, usize)>,
}

impl Rewriting {
    /// That of a file as programs run now.
    pub(crate) fn of(path: &str) -> Self {
        let mut rewriting = Self { polls: polling::is_on(), ..Self::default() };
        if let Some(recovery) = &options().recovery {
            let guarded = recovery.guarded.iter().filter(|it| it.path == path);
            rewriting.guarded = guarded.map(|it| it.function.clone()).collect();
            let unread = recovery.unread.iter().enumerate().filter(|(_, it)| it.cell.path == path);
            rewriting.unread = unread.map(|(at, it)| (it.cell.function.clone(), at)).collect();
        }
        rewriting
    }

    /// The code of a text that RustPython has compiled before, rewritten.
    pub(crate) fn compiled(
        &self,
        source: &str,
        path: &str,
        plain: PyRef<PyCode>,
        vm: &VirtualMachine,
    ) -> PyRef<PyCode> {
        if *self == Self::default() {
            return plain;
        }
        // As RustPython reads it.
        let source = source.replace("\r\n", "\n");
        let Ok(parsed) = parse_module(&source) else { return plain };
        let mut module = parsed.into_syntax();
        self.apply(&mut module);
        let file = SourceFileBuilder::new(path, source).finish();
        compile_top(Mod::Module(module), file, Mode::Exec, vm.compile_opts())
            .map_or(plain, |code| PyCode::new_ref_from_bytecode(vm, code))
    }

    /// Puts in what a file is compiled with.
    pub(crate) fn apply(&self, module: &mut ModModule) {
        self.guard(module);
        if !self.unread.is_empty() {
            Raising(&self.unread).visit_body(&mut module.body);
        }
        if self.polls {
            polling::Insertion.visit_body(&mut module.body);
        }
    }

    /// Guards the statements of some functions, each by itself.
    fn guard(&self, module: &mut ModModule) {
        for statement in &mut module.body {
            if let Stmt::FunctionDef(function) = statement
                && self.guarded.iter().any(|name| *name == function.name.as_str())
            {
                function.body.iter_mut().for_each(guard);
            }
        }
    }
}

/// Puts what a program calls in guards and in place of what cannot be read where compiled files find it.
pub(crate) fn install(vm: &VirtualMachine) -> PyResult<()> {
    let cells = vm.import("_cells", 0)?;
    for (name, function) in [(BROKEN, "broken"), (UNREAD, "unread")] {
        vm.builtins.dict().set_item(name, cells.get_attr(function, vm)?, vm)?;
    }
    Ok(())
}

/// Raises in place of what functions do.
struct Raising<'a>(&'a [(String, usize)]);

impl Transformer for Raising<'_> {
    fn visit_stmt(&self, statement: &mut Stmt) {
        ruff_python_ast::visitor::transformer::walk_stmt(self, statement);
        let (name, body, parameters) = match statement {
            Stmt::FunctionDef(it) => (&it.name, &mut it.body, Some(&mut it.parameters)),
            Stmt::ClassDef(it) => (&it.name, &mut it.body, None),
            _ => return,
        };
        if let Some((_, number)) = self.0.iter().find(|(unread, _)| unread == name.as_str()) {
            let range = TextRange::empty(name.start());
            // Whatever it is called with, that is not what is wrong.
            parameters.into_iter().for_each(|it| **it = any_arguments(range));
            let number = Expr::NumberLiteral(ExprNumberLiteral {
                node_index: AtomicNodeIndex::NONE,
                range,
                value: Number::Int(Int::from(u64::try_from(*number).unwrap_or_default())),
            });
            *body = std::iter::once(evaluate(call(UNREAD, vec![number], range))).collect();
        }
    }
}

/// `*args, **kwargs`
fn any_arguments(range: TextRange) -> Parameters {
    let all = |name: &str| {
        Some(Box::new(Parameter {
            node_index: AtomicNodeIndex::NONE,
            range,
            name: Identifier::new(name, range),
            annotation: None,
            runtime_type_comment: None,
            runtime_type_comment_bytes: None,
        }))
    };
    Parameters { vararg: all("args"), kwarg: all("kwargs"), ..Parameters::default() }
}

/// `try: x = f(y)`, `except: x = <broken>("y", "f")`
fn guard(statement: &mut Stmt) {
    let is_silent = match statement {
        Stmt::Expr(it) => it.value.is_string_literal_expr(),
        Stmt::FunctionDef(_)
        | Stmt::ClassDef(_)
        | Stmt::Import(_)
        | Stmt::ImportFrom(_)
        | Stmt::Global(_)
        | Stmt::Nonlocal(_)
        | Stmt::Delete(_)
        | Stmt::Pass(_) => true,
        _ => false,
    };
    if is_silent {
        return;
    }
    let mut names = Names::default();
    names.visit_stmt(statement);
    let range = TextRange::empty(statement.start());
    let loaded = names.loaded.into_iter().collect::<Vec<_>>().join(" ");
    let called = called(statement).unwrap_or_default();
    let missing = call(BROKEN, vec![text(&loaded, range), text(&called, range)], range);
    let targets: Vec<Expr> =
        names.stored.iter().map(|name| variable(name, ExprContext::Store, range)).collect();
    let instead = match statement {
        Stmt::Return(_) => Stmt::Return(StmtReturn {
            node_index: AtomicNodeIndex::NONE,
            range,
            value: Some(Box::new(missing)),
        }),
        _ if targets.is_empty() => evaluate(missing),
        _ => assign_all(targets, missing, range),
    };
    let handler = ExceptHandler::ExceptHandler(ExceptHandlerExceptHandler {
        node_index: AtomicNodeIndex::NONE,
        range,
        type_: None,
        name: None,
        body: std::iter::once(instead).collect(),
        runtime_body: None,
    });
    let whole = statement.range();
    let guarded = std::mem::replace(statement, evaluate(variable(BROKEN, ExprContext::Load, range)));
    *statement = Stmt::Try(StmtTry {
        node_index: AtomicNodeIndex::NONE,
        range: whole,
        body: std::iter::once(guarded).collect(),
        handlers: vec![handler],
        orelse: Default::default(),
        finalbody: Default::default(),
        is_star: false,
        runtime_body: None,
        runtime_handlers: None,
        runtime_orelse: None,
        runtime_finalbody: None,
    });
}

fn assign_all(targets: Vec<Expr>, value: Expr, range: TextRange) -> Stmt {
    Stmt::Assign(StmtAssign {
        node_index: AtomicNodeIndex::NONE,
        range,
        targets,
        value: Box::new(value),
        runtime_targets: None,
        runtime_type_comment: None,
        runtime_type_comment_bytes: None,
    })
}

pub(crate) fn assign(name: &str, value: Expr, range: TextRange) -> Stmt {
    assign_all(vec![variable(name, ExprContext::Store, range)], value, range)
}

fn variable(name: &str, ctx: ExprContext, range: TextRange) -> Expr {
    Expr::Name(ExprName { node_index: AtomicNodeIndex::NONE, range, id: name.into(), ctx })
}

pub(crate) fn text(value: &str, range: TextRange) -> Expr {
    let flags = StringLiteralFlags::empty();
    let literal = StringLiteral { node_index: AtomicNodeIndex::NONE, range, value: value.into(), flags };
    let value = StringLiteralValue::single(literal);
    Expr::StringLiteral(ExprStringLiteral { node_index: AtomicNodeIndex::NONE, range, value })
}

pub(crate) fn call(name: &str, args: Vec<Expr>, range: TextRange) -> Expr {
    Expr::Call(ExprCall {
        node_index: AtomicNodeIndex::NONE,
        range_start: range.start(),
        func: Box::new(variable(name, ExprContext::Load, range)),
        arguments: Arguments {
            range,
            node_index: AtomicNodeIndex::NONE,
            args: args.into(),
            keywords: Default::default(),
            runtime_args: None,
            runtime_bases: None,
        },
    })
}

pub(crate) fn evaluate(value: Expr) -> Stmt {
    Stmt::Expr(StmtExpr { node_index: AtomicNodeIndex::NONE, range: value.range(), value: Box::new(value) })
}
