//! An interpreter and what it was given.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use napkin_engine::Device;
use rustpython_vm as vm;
use vm::builtins::PyBaseExceptionRef;
use vm::compiler::Mode;
use vm::function::IntoFuncArgs;
use vm::{AsObject, Interpreter, PyResult, TryFromObject, VirtualMachine};

use crate::files::{Files, Memory};
use crate::{host, math, random, torch};

/// Where Python writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// `sys.stdout`
    Output,
    /// `sys.stderr`
    Error,
}

/// Takes text for a stream.
pub type Write = Rc<dyn Fn(Stream, &str)>;

/// What Python gets to see.
#[derive(Clone)]
pub struct Options {
    /// The device called `cuda`, if there is one.
    pub gpu: Option<Device>,
    /// Takes what is written.
    pub write: Write,
    /// The files that it sees.
    pub files: Rc<dyn Files>,
}

impl Default for Options {
    fn default() -> Self {
        Self { gpu: None, write: Rc::new(|_, _| ()), files: Rc::new(Memory::default()) }
    }
}

/// Python as it was left by what ran in it before.
pub struct Session {
    interpreter: Interpreter,
}

/// What Python raised and nobody caught, as it prints it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The traceback and the exception.
    pub traceback: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.traceback.trim_end())
    }
}

impl std::error::Error for Failure {}

thread_local! {
    /// Of the session of this thread: native modules have no other way to it.
    static OPTIONS: RefCell<Rc<Options>> = RefCell::default();
}

/// What the session of this thread was given.
pub(crate) fn options() -> Rc<Options> {
    OPTIONS.with_borrow(Rc::clone)
}

impl Session {
    /// A new interpreter; there is one of a thread at a time.
    #[must_use]
    pub fn new(options: Options) -> Self {
        OPTIONS.set(Rc::new(options));
        let builder = Interpreter::builder(vm::Settings::default());
        let context = vm::Context::genesis().clone();
        let interpreter = builder
            .add_native_modules(&[
                torch::module_def(&context),
                host::module_def(&context),
                math::module_def(&context),
                random::module_def(&context),
            ])
            .add_frozen_modules(include!(concat!(env!("OUT_DIR"), "/library.rs")))
            .add_frozen_modules(rustpython_derive::py_freeze!(
                dir = "../lib",
                crate_name = "rustpython_vm::compiler::core"
            ))
            .build();
        let session = Self { interpreter };
        // Nobody could read what goes wrong here.
        let _ = session.run("import _start", "<start>");
        session
    }

    /// Runs a program as `__main__`; `path` is what tracebacks call it.
    ///
    /// # Errors
    /// With Python's traceback, if the program does not compile or raises.
    pub fn run(&self, source: &str, path: &str) -> Result<(), Failure> {
        self.interpreter.enter(|vm| {
            let run = || -> PyResult<()> {
                call("_tracebacks", "remember", (path.to_owned(), source.to_owned()), vm)?;
                let code = vm
                    .compile(source, Mode::Exec, path)
                    .map_err(|error| error.into_pyexception(vm, Some(source)))?;
                let scope = vm.new_scope_with_main()?;
                vm.run_code_obj(code, scope).map(drop)
            };
            run().map_err(|raised| failure(&raised, vm))
        })
    }
}

fn call(
    module: &'static str,
    function: &'static str,
    args: impl IntoFuncArgs,
    vm: &VirtualMachine,
) -> PyResult {
    vm.import(module, 0)?.get_attr(function, vm)?.call(args, vm)
}

fn failure(raised: &PyBaseExceptionRef, vm: &VirtualMachine) -> Failure {
    let described = call("_tracebacks", "describe", (raised.clone(),), vm)
        .and_then(|text| String::try_from_object(vm, text));
    let traceback = described.unwrap_or_else(|_| {
        let mut plain = String::new();
        match vm.write_exception(&mut plain, raised) {
            Ok(()) => plain,
            Err(_) => raised.class().name().to_string(),
        }
    });
    Failure { traceback }
}
