//! A program is asked now and then whether it is to stop, without anything being called at each of its lines.
//!
//! Nobody can interrupt the only thread of a page's worker from outside, and RustPython looks at no flag when it is
//! compiled to WebAssembly. So a program's own files are compiled with a look at [`Poll`] at the beginning of every
//! function and of every round of a loop. It is an object without a Python side: to be asked for its truth is two
//! instructions, of which one counts.

use std::cell::Cell;

use ruff_python_ast::visitor::transformer::{Transformer, walk_comprehension, walk_expr, walk_stmt};
use ruff_python_ast::{
    AtomicNodeIndex, Comprehension, Expr, ExprContext, ExprIf, ExprName, ExprNoneLiteral, Stmt, StmtIf,
    StmtPass,
};
use ruff_text_size::{Ranged, TextRange, TextSize};
use rustpython_vm::builtins::PyBaseExceptionRef;
use rustpython_vm::class::PyClassImpl;
use rustpython_vm::protocol::PyNumberMethods;
use rustpython_vm::types::AsNumber;
use rustpython_vm::{PyPayload, PyResult, VirtualMachine, pyclass};

use crate::options::options;
use crate::trace;

/// What a program cannot call anything of its own.
const NAME: &str = "<poll>";
/// Rounds and calls between two questions: so many take less than a tenth of a second unless each takes milliseconds.
const ROUNDS: u32 = 64;

thread_local! {
    /// Since the last question.
    static SPENT: Cell<u32> = const { Cell::new(0) };
    /// Whether files are compiled so that they poll.
    static IS_ON: Cell<bool> = const { Cell::new(false) };
}

/// Always true.
#[pyclass(module = false, name = "poll")]
#[derive(Debug, PyPayload)]
struct Poll;

#[pyclass(with(AsNumber))]
impl Poll {}

impl AsNumber for Poll {
    fn as_number() -> &'static PyNumberMethods {
        static METHODS: PyNumberMethods = PyNumberMethods {
            boolean: Some(|_, vm| spend(1, vm).map(|()| true)),
            ..PyNumberMethods::NOT_IMPLEMENTED
        };
        &METHODS
    }
}

/// Puts it where compiled files find it.
pub(crate) fn install(vm: &VirtualMachine) -> PyResult<()> {
    let poll = Poll.into_ref_with_type(vm, Poll::make_static_type())?;
    vm.builtins.dict().set_item(NAME, poll.into(), vm)
}

/// Whether files are compiled so that they poll from now on.
pub(crate) fn switch(is_on: bool) {
    IS_ON.set(is_on);
}

/// Whether files are compiled so that they poll.
pub(crate) fn is_on() -> bool {
    IS_ON.get()
}

/// Something took about as long as so many rounds of a loop. Raises `KeyboardInterrupt` if it is time to stop.
pub(crate) fn spend(rounds: u32, vm: &VirtualMachine) -> PyResult<()> {
    let spent = SPENT.get() + rounds;
    if spent < ROUNDS {
        SPENT.set(spent);
        return Ok(());
    }
    SPENT.set(0);
    ask(vm)
}

/// What stops a program.
pub(crate) fn keyboard_interrupt(vm: &VirtualMachine) -> PyBaseExceptionRef {
    vm.new_exception_empty(vm.ctx.exceptions.keyboard_interrupt.to_owned())
}

#[cold]
fn ask(vm: &VirtualMachine) -> PyResult<()> {
    trace::rest(vm);
    match &options().interrupt {
        Some(is_time) if is_time() => Err(keyboard_interrupt(vm)),
        _ => Ok(()),
    }
}

/// Puts polls into a file.
pub(crate) struct Insertion;

impl Transformer for Insertion {
    fn visit_stmt(&self, statement: &mut Stmt) {
        walk_stmt(self, statement);
        let body = match statement {
            Stmt::FunctionDef(it) => &mut it.body,
            Stmt::For(it) => &mut it.body,
            Stmt::While(it) => &mut it.body,
            _ => return,
        };
        // Nothing runs in what is only declared, nor in a text that says what a function does.
        let is_silent = |statement: &Stmt| match statement {
            Stmt::Global(_) | Stmt::Nonlocal(_) => true,
            Stmt::Expr(it) => it.value.is_string_literal_expr(),
            _ => false,
        };
        if let Some(at) = body.iter().position(|statement| !is_silent(statement)) {
            let place = body[at].start();
            body.insert(at, poll_statement(place));
        }
    }

    fn visit_expr(&self, expression: &mut Expr) {
        walk_expr(self, expression);
        if let Expr::Lambda(lambda) = expression {
            let range = lambda.body.range();
            let none = Expr::NoneLiteral(ExprNoneLiteral { node_index: AtomicNodeIndex::NONE, range });
            let body = std::mem::replace(&mut *lambda.body, none.clone());
            *lambda.body = Expr::If(ExprIf {
                node_index: AtomicNodeIndex::NONE,
                range,
                test: Box::new(poll(range.start())),
                body: Box::new(body),
                orelse: Box::new(none),
            });
        }
    }

    fn visit_comprehension(&self, comprehension: &mut Comprehension) {
        walk_comprehension(self, comprehension);
        comprehension.ifs.insert(0, poll(comprehension.target.start()));
    }
}

fn poll(place: TextSize) -> Expr {
    Expr::Name(ExprName {
        node_index: AtomicNodeIndex::NONE,
        range: TextRange::empty(place),
        id: NAME.into(),
        ctx: ExprContext::Load,
    })
}

/// `if poll: pass`
fn poll_statement(place: TextSize) -> Stmt {
    let range = TextRange::empty(place);
    let pass = Stmt::Pass(StmtPass { node_index: AtomicNodeIndex::NONE, range });
    Stmt::If(StmtIf {
        node_index: AtomicNodeIndex::NONE,
        range,
        test: Box::new(poll(place)),
        body: std::iter::once(pass).collect(),
        elif_else_clauses: Vec::new(),
        runtime_body: None,
    })
}
