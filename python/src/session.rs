//! An interpreter and what it was given.

use std::fmt;

use napkin_trace::trace::Trace;
use rustpython_vm as vm;
use vm::builtins::{PyBaseExceptionRef, PyInt};
use vm::compiler::core::frozen::FrozenLib;
use vm::function::IntoFuncArgs;
use vm::{AsObject, Interpreter, PyResult, TryFromObject, VirtualMachine};

use crate::files::folder;
use crate::library::{self, Library};
use crate::options::{Options, give, options};
#[cfg(not(target_arch = "wasm32"))]
use crate::polling::keyboard_interrupt;
#[cfg(not(target_arch = "wasm32"))]
use crate::turn::Turn;
use crate::{code, entry, host, math, polling, random, recovery, rewriting, torch, trace};

/// Modules in Python, compiled by the build script.
const LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/library.bin"));

/// What is told of a program that defines its `main` and never comes to it.
const UNCALLED: &str = "Nothing calls `main`, so nothing of it has run: write `main()` as the last line.";

/// Python as it was left by what ran in it before.
pub struct Session {
    /// As it was before the first program, if there is to be more than one.
    library: Option<Library>,
    interpreter: Interpreter,
    #[cfg(not(target_arch = "wasm32"))]
    interrupter: Interrupter,
    /// Last, since it ends when the interpreter has ended.
    #[cfg(not(target_arch = "wasm32"))]
    _turn: Turn,
}

/// Stops what runs in a session, from any thread.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Debug, Clone)]
pub struct Interrupter(vm::signal::UserSignalSender);

#[cfg(not(target_arch = "wasm32"))]
impl Interrupter {
    /// Raises `KeyboardInterrupt` between two instructions of Python, or of the next program if none runs.
    pub fn interrupt(&self) {
        // Without a session there is nothing to stop.
        let _ = self.0.send(Box::new(|vm| Err(keyboard_interrupt(vm))));
    }
}

/// What Python raised and nobody caught, as it prints it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The traceback and the exception; of `sys.exit` what it is to print.
    pub traceback: String,
    /// What a process should end with.
    pub code: u8,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.traceback.trim_end())
    }
}

impl std::error::Error for Failure {}

impl Session {
    /// A new interpreter; there is one of a thread at a time, and other threads wait until it has ended.
    #[must_use]
    pub fn new(options: Options) -> Self {
        #[cfg(not(target_arch = "wasm32"))]
        let turn = Turn::wait();
        give(options);
        code::forget();
        let builder = Interpreter::builder(vm::Settings::default());
        let context = vm::Context::genesis().clone();
        let builder = builder
            .add_native_modules(&[
                torch::module_def(&context),
                host::module_def(&context),
                math::module_def(&context),
                random::module_def(&context),
            ])
            .add_frozen_modules(FrozenLib::from_ref(LIBRARY));
        #[cfg(not(target_arch = "wasm32"))]
        let (interrupter, builder) = {
            let (sender, receiver) = vm::signal::user_signal_channel();
            (Interrupter(sender), builder.init_hook(|vm| vm.set_user_signal_channel(receiver)))
        };
        let session = Self {
            library: None,
            interpreter: builder.build(),
            #[cfg(not(target_arch = "wasm32"))]
            interrupter,
            #[cfg(not(target_arch = "wasm32"))]
            _turn: turn,
        };
        // Nobody could read what goes wrong here.
        let _ = session.interpreter.enter(|vm| {
            let _ = polling::install(vm);
            let _ = execute("import _start, _limits", "<start>", vm);
            rewriting::install(vm)
        });
        session
    }

    /// A new interpreter that has imported most of what programs import, and can be made as new.
    #[must_use]
    pub fn with_library(options: Options) -> Self {
        let mut session = Self::new(options);
        session.library = Some(session.interpreter.enter(|vm| {
            let _ = execute(library::IMPORTS, "<library>", vm);
            Library::new(vm)
        }));
        session
    }

    /// Other things for the next program.
    pub fn give(&self, options: Options) {
        give(options);
    }

    /// Makes an interpreter [with the library](Self::with_library) as new, for another run of the same program: its
    /// modules are forgotten, and what it has set in the library is as it was. The code of the library is not looked
    /// after, so another program is better given another interpreter.
    pub fn renew(&self) {
        if let Some(library) = &self.library {
            self.interpreter.enter(|vm| {
                library.restore(vm);
                let _ = torch::renew();
                // A program may lower it.
                let _ = call("_limits", "renew", (), vm);
            });
        }
    }

    /// What stops it from another thread.
    #[cfg(not(target_arch = "wasm32"))]
    #[must_use]
    pub fn interrupter(&self) -> Interrupter {
        self.interrupter.clone()
    }

    /// Runs a program as `__main__`; `path` is what tracebacks call it, and its folder that of the modules beside it.
    ///
    /// # Errors
    /// With Python's traceback, if the program does not compile or raises.
    pub fn run(&self, source: &str, path: &str) -> Result<(), Failure> {
        polling::switch(options().interrupt.is_some());
        self.interpreter.enter(|vm| run(source, path, vm))
    }

    /// The same, written down statement by statement, with paths as they are seen from the program's folder.
    pub fn trace(&self, source: &str, path: &str) -> (Trace, Result<(), Failure>) {
        polling::switch(true);
        self.interpreter.enter(|vm| {
            recovery::tell_unread(vm);
            let (result, mut trace) = trace::traced(path, source, vm, || run(source, path, vm));
            trace.failure = result.as_ref().err().map(|failure| failure.traceback.clone());
            if result.is_ok() && entry::has_idle_main(source) {
                trace.warnings.push(UNCALLED.to_owned());
            }
            (trace, result)
        })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        code::forget();
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

fn run(source: &str, path: &str, vm: &VirtualMachine) -> Result<(), Failure> {
    let arguments = options().arguments.iter().map(|text| vm.ctx.new_str(text.as_str()).into()).collect();
    let arguments = vm.ctx.new_list(arguments);
    call("_file_imports", "begin", (path.to_owned(), folder(path).to_owned(), arguments), vm)
        .or_else(|raised| failure(raised, vm).map(|()| vm.ctx.none()))?;
    execute(source, path, vm)?;
    if entry::is_lecture(source) {
        let main = || vm.import("__main__", 0)?.get_attr("main", vm)?.call((), vm).map(drop);
        main().or_else(|raised| failure(raised, vm))?;
    }
    Ok(())
}

fn execute(source: &str, path: &str, vm: &VirtualMachine) -> Result<(), Failure> {
    let run = || -> PyResult<()> {
        call("_tracebacks", "remember", (path.to_owned(), source.to_owned()), vm)?;
        let code = code::compiled(source, path, vm)?;
        let scope = vm.new_scope_with_main()?;
        vm.run_code_obj(code, scope).map(drop)
    };
    run().or_else(|raised| failure(raised, vm))
}

/// What Python raised; `sys.exit()` is no failure.
fn failure(raised: PyBaseExceptionRef, vm: &VirtualMachine) -> Result<(), Failure> {
    if options().recovery.is_some() {
        // What it could not tell is in the traceback.
        let _ = call("_cells", "ended", (raised.clone(),), vm);
    }
    if raised.fast_isinstance(vm.ctx.exceptions.system_exit) {
        let code = raised.as_object().get_attr("code", vm).unwrap_or_else(|_| vm.ctx.none());
        if vm.is_none(&code) {
            return Ok(());
        }
        if let Some(code) = code.downcast_ref::<PyInt>() {
            // A process has eight bits for it, as in any shell.
            let code = code.try_to_primitive::<i64>(vm).map_or(u8::MAX, |code| code.rem_euclid(256) as u8);
            return if code == 0 { Ok(()) } else { Err(Failure { traceback: String::new(), code }) };
        }
        let text = code.str(vm).map_or_else(|_| String::new(), |text| text.to_string());
        return Err(Failure { traceback: text + "\n", code: 1 });
    }
    let described = call("_tracebacks", "describe", (raised.clone(),), vm)
        .and_then(|text| String::try_from_object(vm, text));
    let traceback = described.unwrap_or_else(|_| {
        let mut plain = String::new();
        match vm.write_exception(&mut plain, &raised) {
            Ok(()) => plain,
            Err(_) => raised.class().name().to_string(),
        }
    });
    // As of a process that Ctrl-C has ended, in any shell.
    let is_interrupted = raised.fast_isinstance(vm.ctx.exceptions.keyboard_interrupt);
    Err(Failure { traceback, code: if is_interrupted { 130 } else { 1 } })
}
