//! What a program does, statement by statement.
//!
//! Python calls the tracer before each line. A statement is open from there until the next one in its frame; then what it
//! did is written down: at the step that opened it, or, if functions were traced meanwhile, at a new one. Whatever is
//! not a file of the program, and whatever a statement steps over, is no step of its own.

mod ahead;
mod cells;
mod histogram;
mod reach;
mod recall;
mod record;
mod rounds;
mod snapshot;
mod source;
mod variables;

use std::cell::{OnceCell, RefCell};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use napkin_trace::notebook::{is_cell, is_notebook};
use napkin_trace::trace::{LedgerDelta, Map, StackElement, Step, Trace, Value};
use rustpython_vm::builtins::{PyBaseExceptionRef, PyDictRef, PyStr, PyStrInterned};
use rustpython_vm::frame::FrameObject;
use rustpython_vm::{AsObject, PyObjectRef, PyRef, PyResult, VirtualMachine};

pub(crate) use ahead::{begin_ahead, end_ahead, is_ahead};
pub(crate) use cells::{abandon, failed, recall, remember, stopped};
pub(crate) use histogram::{Histogram, histogram};
pub use reach::{Definition, Program, names};
pub(crate) use reach::{Names, called};
pub use recall::{Recall, is_in_cell};
pub(crate) use recall::{drew, reached, reached_out, seeded};
pub(crate) use record::{held, is_kept, rendered, wrote};
pub(crate) use snapshot::{DRAWING, Snapshots, Storages};
pub use source::{Source, bodies};

use crate::files::folder;
use crate::options::options;
use crate::polling;
use record::{Readings, take_pending};
use rounds::{Passed, Rounds};
use snapshot::{VARIABLE, WHOLE};
use variables::{Variables, find};

/// More are not recorded.
const MOST_STEPS: usize = 20_000;
/// A statement that is written down takes as long as so many rounds of a loop.
const STATEMENT_ROUNDS: u32 = 16;

/// A file whose statements are steps.
struct File {
    /// As it is seen from the program's folder.
    path: String,
    source: Source,
    defined: OnceCell<Rc<reach::File>>,
}

impl File {
    /// A file that was read before is not read again.
    fn new(path: String, text: &str) -> Rc<Self> {
        let read =
            |path| Rc::new(Self { path, source: Source::new(text.to_owned()), defined: OnceCell::new() });
        match &options().recall {
            Some(recall) => recall.borrow_mut().file(path, text, read),
            None => read(path),
        }
    }

    fn defined(&self) -> Rc<reach::File> {
        self.defined.get_or_init(|| Rc::new(reach::File::new(&self.path, &self.source.text))).clone()
    }
}

/// A frame of the program.
struct Active {
    frame: PyRef<FrameObject>,
    file: Rc<File>,
    name: String,
    /// Whether a statement that steps over it has called it.
    is_over: bool,
    open: Option<Open>,
    /// Whether the statement that runs is passed over, and those that were.
    is_passing: bool,
    passed: Vec<Passed>,
    /// The variables after the last statement.
    known: Variables,
}

/// A statement that has begun.
struct Open {
    first: u32,
    last: u32,
    step: usize,
}

struct Tracer {
    /// What Python calls.
    function: PyObjectRef,
    /// The program's folder.
    folder: PathBuf,
    /// All files that have been seen, by what Python calls them; none of those that are not the program's.
    files: Vec<(&'static PyStrInterned, Option<Rc<File>>)>,
    frames: Vec<Active>,
    /// How many frames there were when each cell that runs began.
    cells: Vec<usize>,
    steps: Vec<Rc<Step>>,
    /// How many of them have been handed on.
    told: usize,
    is_truncated: bool,
    rounds: Rounds,
    readings: Readings,
    storages: Rc<RefCell<Storages>>,
    /// The program, once `main` has begun: then all that it consists of has been read.
    program: Option<Program>,
}

thread_local! {
    /// The one that is on.
    static CURRENT: RefCell<Option<Rc<RefCell<Tracer>>>> = const { RefCell::new(None) };
}

/// Calls `run` with the tracer on, which records what a program does.
pub(crate) fn traced<T>(
    path: &str,
    source: &str,
    vm: &VirtualMachine,
    run: impl FnOnce() -> T,
) -> (T, Trace) {
    let folder = PathBuf::from(folder(path));
    let files = vec![(vm.ctx.intern_str(path), Some(File::new(seen_from(&folder, path), source)))];
    let tracer = Rc::new(RefCell::new(Tracer {
        function: vm.ctx.none(),
        folder,
        files,
        frames: Vec::new(),
        cells: Vec::new(),
        steps: Vec::new(),
        told: 0,
        is_truncated: false,
        rounds: Rounds::default(),
        readings: Readings::now(),
        storages: options()
            .recall
            .as_ref()
            .map(|recall| recall.borrow().storages.clone())
            .unwrap_or_default(),
        program: None,
    }));
    recall::forget();
    ahead::forget();
    cells::forget();
    CURRENT.set(Some(tracer.clone()));
    record::keep(true);
    let events = tracer.clone();
    let function = vm.new_function(
        "trace",
        move |frame: PyRef<FrameObject>, event: PyRef<PyStr>, _what: PyObjectRef, vm: &VirtualMachine| {
            // What Python runs to show a value is not traced.
            let is_followed = match events.try_borrow_mut() {
                Ok(mut tracer) => tracer.event(&frame, event.as_wtf8().as_bytes(), vm)?,
                Err(_) => false,
            };
            Ok::<_, PyBaseExceptionRef>(if is_followed {
                vm.trace_func.borrow().clone()
            } else {
                vm.ctx.none()
            })
        },
    );
    tracer.borrow_mut().function = function.into();
    tracer.borrow().wake(vm);
    let out = run();
    sleep(vm);
    CURRENT.set(None);
    let trace = tracer.borrow_mut().finish(vm);
    record::keep(false);
    (out, trace)
}

/// From here on Python calls the tracer no more, and is as fast as without it.
fn sleep(vm: &VirtualMachine) {
    vm.trace_func.replace(vm.ctx.none());
    vm.use_tracing.set(false);
}

/// Ends tracing where nothing is recorded any more. The tracer itself cannot: Python turns it on again after each call of
/// it.
pub(crate) fn rest(vm: &VirtualMachine) {
    let Some(tracer) = CURRENT.with_borrow(Clone::clone).filter(|_| vm.use_tracing.get()) else { return };
    let Ok(mut tracer) = tracer.try_borrow_mut() else { return };
    if tracer.is_truncated {
        sleep(vm);
        // Nobody says when they end, and what they hold is not to be held for longer.
        let is_recorded_again = is_ahead() || options().recovery.is_some();
        let frames = if is_recorded_again { Vec::new() } else { std::mem::take(&mut tracer.frames) };
        drop(tracer);
        drop(frames);
    }
}

impl Tracer {
    /// From here on Python calls it.
    fn wake(&self, vm: &VirtualMachine) {
        vm.trace_func.replace(self.function.clone());
        vm.use_tracing.set(true);
    }

    /// Whether the lines of the frame are of interest.
    fn event(&mut self, frame: &PyRef<FrameObject>, event: &[u8], vm: &VirtualMachine) -> PyResult<bool> {
        if event == b"call" {
            let Some(file) = self.file(frame, vm) else { return Ok(false) };
            self.enter(frame, file, vm);
            return Ok(true);
        }
        let Some(depth) = self.frames.iter().rposition(|active| active.frame.is(frame)) else {
            return Ok(false);
        };
        while self.frames.len() > depth + 1 {
            self.close(vm);
            self.frames.pop();
        }
        match event {
            b"line" => {
                let Ok(line) = u32::try_from(frame.lineno()) else { return Ok(true) };
                let Some(active) = self.frames.last() else { return Ok(true) };
                let is_new =
                    active.open.as_ref().is_none_or(|open| !(open.first..=open.last).contains(&line));
                // Beyond what is recorded nothing is spent here, so that the next question ends tracing.
                if is_new && !self.is_truncated {
                    self.close(vm);
                    self.open(line, vm);
                    polling::spend(STATEMENT_ROUNDS, vm)?;
                }
            }
            b"return" => {
                self.close(vm);
                self.write_passed(vm);
                self.frames.pop();
            }
            _ => {}
        }
        Ok(true)
    }

    fn enter(&mut self, frame: &PyRef<FrameObject>, file: Rc<File>, vm: &VirtualMachine) {
        let is_over = self.frames.last().is_some_and(|caller| {
            let steps_over = |open: &Open| caller.file.source.directives(open.first).stepover;
            caller.is_over || caller.is_passing || caller.open.as_ref().is_some_and(steps_over)
        });
        let code = frame.f_code();
        let name = code.obj_name.to_string();
        // What begins without variables of its own is compared with what is there.
        let is_module = name == MODULE || (is_notebook(&file.path) && is_cell(&name));
        if name == "main" && self.frames.len() <= 1 {
            self.meet(frame, vm);
        }
        self.frames.push(Active {
            frame: frame.clone(),
            file,
            name,
            is_over,
            open: None,
            is_passing: false,
            passed: Vec::new(),
            known: Variables::default(),
        });
        if is_module {
            self.compare(vm);
        } else {
            let line = code.first_line_number.map_or(0, |line| u32::try_from(line.get()).unwrap_or(u32::MAX));
            self.open(line, vm);
        }
    }

    /// All of the program is there: from here on its cells may be recalled.
    fn meet(&mut self, frame: &PyRef<FrameObject>, vm: &VirtualMachine) {
        if options().recall.is_none() {
            return;
        }
        let known = self.files.iter().filter_map(|(name, file)| Some((name, file.as_ref()?)));
        let program =
            Program::of(known.clone().map(|(_, file)| (file.path.clone(), file.defined())).collect());
        let edited = options().recovery.as_ref().map(|recovery| recovery.edited.clone());
        let program = program.with_cells(edited.unwrap_or_default());
        let name = frame.f_code().source_path();
        let main = known.clone().find(|(known, _)| known.is(name)).map_or("", |(_, file)| &*file.path);
        let pair = |(first, second): (String, String)| vm.new_tuple((first, second)).into();
        let cells = program.cells(main).into_iter().map(pair).collect();
        let paths = known.map(|(name, file)| pair((name.to_string(), file.path.clone()))).collect();
        let ahead = options().in_sight.clone().filter(|it| program.is_alone(&it.path, &it.function));
        let ahead = ahead.map_or_else(|| vm.ctx.none(), |it| pair((it.path, it.function)));
        self.program = Some(program);
        let name = name.to_string();
        let arguments = (frame.f_globals(), name, vm.ctx.new_list(paths), vm.ctx.new_list(cells), ahead);
        // Without it everything runs.
        let _ = vm
            .import("_cells", 0)
            .and_then(|module| module.get_attr("take_over", vm))
            .and_then(|function| function.call(arguments, vm));
    }

    /// The file of a frame, if it is the program's: one whose text its importer knows.
    fn file(&mut self, frame: &PyRef<FrameObject>, vm: &VirtualMachine) -> Option<Rc<File>> {
        let name = frame.f_code().source_path();
        if let Some((_, known)) = self.files.iter().find(|(known, _)| known.is(name)) {
            return known.clone();
        }
        let text = source_text(&frame.f_globals(), vm);
        let file = text.map(|text| File::new(seen_from(&self.folder, name.as_str()), &text));
        self.files.push((name, file.clone()));
        file
    }

    /// A statement begins.
    fn open(&mut self, line: u32, vm: &VirtualMachine) {
        let Some(active) = self.frames.last_mut().filter(|active| !active.is_silent()) else { return };
        let (first, last) = active.file.source.statement(line);
        if self.passes_over(first, last) {
            return;
        }
        self.write_passed(vm);
        // What has happened since the last statement belongs to that one, as the arguments of a call do.
        self.settle();
        let step = self.steps.len();
        if let Some(active) = self.frames.last_mut() {
            active.open = Some(Open { first, last, step });
        }
        self.begin_step(self.stack());
    }

    /// Where the program is.
    fn stack(&self) -> Vec<StackElement> {
        self.frames.iter().filter_map(Active::place).collect()
    }

    /// Hands on the steps that nothing can change any more: all but the last `open` ones.
    fn tell(&mut self, open: usize) {
        let until = self.steps.len().saturating_sub(open).max(self.told);
        if let Some(take) = options().take_step.as_ref().filter(|_| !is_ahead()) {
            self.steps.get(self.told..until).unwrap_or_default().iter().for_each(|step| take(step));
        }
        self.told = until;
    }

    fn begin_step(&mut self, stack: Vec<StackElement>) {
        if self.steps.len() >= MOST_STEPS {
            self.is_truncated = true;
            return;
        }
        self.steps.push(Rc::new(Step { stack, ..Step::default() }));
        self.tell(1);
    }

    /// Gives the last step what was written, drawn and counted.
    fn settle(&mut self) {
        if self.is_truncated {
            return;
        }
        let pending = take_pending();
        let ledger = self.readings.advance();
        if pending.is_empty() && ledger.is_empty() {
            return;
        }
        let Some(step) = self.steps.last_mut().map(Rc::make_mut) else { return };
        step.renderings.extend(pending.renderings);
        step.stdout += &pending.stdout;
        step.stderr += &pending.stderr;
        for (device, delta) in ledger {
            *step.ledger.entry(device).or_default() += delta;
        }
    }

    /// The open statement of the innermost frame, if there is one, has ended.
    fn close(&mut self, vm: &VirtualMachine) {
        self.end_passed(vm);
        let Some(open) = self.frames.last_mut().and_then(|active| active.open.take()) else { return };
        if self.steps.len() > open.step + 1 {
            // The place of the statement is that of the step that opened it.
            self.settle();
            let stack = self.steps.get(open.step).map(|step| step.stack.clone()).unwrap_or_default();
            self.begin_step(stack);
        }
        if self.is_truncated {
            return;
        }
        self.settle();
        let changed = self.compare(vm);
        let env = self.asked_for(open.first, vm);
        let Some(step) = self.steps.last_mut().map(Rc::make_mut) else { return };
        (step.changed, step.env) = (changed, env);
        // What a class computes to show itself is no work of the program; memory that it keeps is.
        for (device, LedgerDelta { allocated, .. }) in self.readings.advance() {
            if !allocated.is_empty() {
                *step.ledger.entry(device).or_default() +=
                    LedgerDelta { allocated, ..LedgerDelta::default() };
            }
        }
    }

    /// What the statement of the innermost frame that begins in a line is to show, and nothing for what it is to clear.
    fn asked_for(&self, first: u32, vm: &VirtualMachine) -> Map<Option<Value>> {
        let Some(active) = self.frames.last() else { return Map::new() };
        let directives = active.file.source.directives(first);
        let mut storages = self.storages.borrow_mut();
        let bounds = if options().keeps_whole { WHOLE } else { VARIABLE };
        let mut snapshots = Snapshots::new(vm, &mut storages, bounds);
        let mut shown = |expression: &String| {
            let object = find(&active.frame, expression, vm)?;
            Some((expression.clone(), Some(snapshots.value(&object))))
        };
        let shown = directives.inspect.iter().filter_map(&mut shown);
        shown.chain(directives.clear.iter().map(|expression| (expression.clone(), None))).collect()
    }

    /// The variables of the innermost frame that are not as they were.
    fn compare(&mut self, vm: &VirtualMachine) -> Map<Option<Value>> {
        let Some(active) = self.frames.last_mut().filter(|_| !options().keeps_whole) else {
            return Map::new();
        };
        let mut storages = self.storages.borrow_mut();
        let mut snapshots = Snapshots::new(vm, &mut storages, VARIABLE);
        active.known.compare(&active.frame, &mut snapshots)
    }

    fn finish(&mut self, vm: &VirtualMachine) -> Trace {
        // It holds the tracer.
        self.function = vm.ctx.none();
        self.settle();
        self.tell(0);
        let mut steps = std::mem::take(&mut self.steps);
        if options().take_step.is_some() {
            steps.clear();
        }
        let mut trace = Trace {
            steps: steps.into_iter().map(Rc::unwrap_or_clone).collect(),
            truncated: self.is_truncated,
            warnings: self.rounds.warnings().collect(),
            ..Trace::default()
        };
        for file in self.files.iter().filter_map(|(_, file)| file.as_ref()) {
            let File { path, source, .. } = &**file;
            trace.files.insert(path.clone(), source.text.clone());
            trace.hidden_line_numbers.insert(path.clone(), source.hidden.clone());
            if !source.sliders.is_empty() {
                trace.sliders.insert(path.clone(), source.sliders.clone());
            }
            if !source.predictions.is_empty() {
                trace.predictions.insert(path.clone(), source.predictions.clone());
            }
            trace.warnings.extend(source.warnings.iter().map(|warning| format!("{path}, {warning}")));
        }
        trace
    }
}

/// The path of a file from a folder, if it is in there.
fn seen_from(folder: &Path, path: &str) -> String {
    Path::new(path)
        .strip_prefix(folder)
        .map_or_else(|_| path.to_owned(), |inside| inside.display().to_string())
}

const MODULE: &str = "<module>";

impl Active {
    /// Comprehensions and lambdas belong to the statement that they are in.
    fn is_silent(&self) -> bool {
        self.is_over || (self.name.starts_with('<') && self.name != MODULE)
    }

    fn place(&self) -> Option<StackElement> {
        let open = self.open.as_ref()?;
        Some(StackElement {
            path: self.file.path.clone(),
            line_number: open.first,
            function_name: self.name.clone(),
            code: self.file.source.line(open.first),
            end_line_number: (open.last > open.first).then_some(open.last),
        })
    }
}

/// The text of a module, from its importer.
fn source_text(globals: &PyDictRef, vm: &VirtualMachine) -> Option<String> {
    let loader = globals.get_item_opt("__loader__", vm).ok()??;
    let name = globals.get_item_opt("__name__", vm).ok()??;
    let text = vm.call_method(&loader, "get_source", (name,)).ok()?;
    Some(text.downcast_ref::<PyStr>()?.to_string())
}
