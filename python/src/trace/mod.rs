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
mod snapshot;
mod source;

use std::cell::{OnceCell, RefCell};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use napkin_trace::trace::{Map, StackElement, Step, Trace, Value};
use rustpython_vm::builtins::{
    PyBaseExceptionRef, PyDict, PyDictRef, PyFunction, PyModule, PyStr, PyStrInterned, PyType,
};
use rustpython_vm::frame::FrameObject;
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyRef, PyResult, VirtualMachine};

pub(crate) use ahead::{begin_ahead, end_ahead, is_ahead};
pub(crate) use cells::{abandon, recall, remember};
pub(crate) use histogram::{Histogram, histogram};
pub(crate) use reach::{Definition, Program};
pub use recall::Recall;
pub(crate) use recall::{drew, reached, reached_out, seeded};
pub(crate) use record::{held, is_kept, rendered, wrote};
pub(crate) use snapshot::{DRAWING, Snapshots, Storages};
pub(crate) use source::{Source, bodies};

use crate::session::{folder, keyboard_interrupt, options};
use record::{Readings, take_pending};
use snapshot::VARIABLE;

/// More are not recorded.
const MOST_STEPS: usize = 20_000;
/// Lines between two looks at whether to go on.
const POLL_LINES: u32 = 64;
/// A statement that is written down takes as long as so many that are not.
const STATEMENT_LINES: u32 = 16;

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
    /// The variables after the last statement.
    known: Vec<(String, Value)>,
}

/// A statement that has begun.
struct Open {
    first: u32,
    last: u32,
    step: usize,
}

struct Tracer {
    /// Without it, the program is only asked to stop when it is time.
    is_recording: bool,
    lines: u32,
    /// The program's folder.
    folder: PathBuf,
    /// All files that have been seen, by what Python calls them; none of those that are not the program's.
    files: Vec<(&'static PyStrInterned, Option<Rc<File>>)>,
    frames: Vec<Active>,
    steps: Vec<Rc<Step>>,
    /// How many of them have been handed on.
    told: usize,
    is_truncated: bool,
    readings: Readings,
    storages: Rc<RefCell<Storages>>,
    /// The program, once `main` has begun: then all that it consists of has been read.
    program: Option<Program>,
}

thread_local! {
    /// The one that is on.
    static CURRENT: RefCell<Option<Rc<RefCell<Tracer>>>> = const { RefCell::new(None) };
}

/// Calls `run` with the tracer on, which records what a program does, if there is one, and else only asks whether to stop.
pub(crate) fn traced<T>(
    main: Option<(&str, &str)>,
    vm: &VirtualMachine,
    run: impl FnOnce() -> T,
) -> (T, Trace) {
    let is_recording = main.is_some();
    let folder = PathBuf::from(main.as_ref().map_or("", |(path, _)| folder(path)));
    let files = main
        .map(|(path, source)| (vm.ctx.intern_str(path), Some(File::new(seen_from(&folder, path), source))))
        .into_iter()
        .collect();
    let tracer = Rc::new(RefCell::new(Tracer {
        is_recording,
        lines: 0,
        folder,
        files,
        frames: Vec::new(),
        steps: Vec::new(),
        told: 0,
        is_truncated: false,
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
    CURRENT.set(Some(tracer.clone()));
    record::keep(is_recording);
    let events = tracer.clone();
    let function = vm.new_function(
        "trace",
        move |frame: PyRef<FrameObject>, event: PyRef<PyStr>, _what: PyObjectRef, vm: &VirtualMachine| {
            // What Python runs to show a value is not traced.
            let is_followed = match events.try_borrow_mut() {
                Ok(mut tracer) => tracer.event(&frame, &event.to_string_lossy(), vm)?,
                Err(_) => false,
            };
            Ok::<_, PyBaseExceptionRef>(if is_followed {
                vm.trace_func.borrow().clone()
            } else {
                vm.ctx.none()
            })
        },
    );
    vm.trace_func.replace(function.into());
    vm.use_tracing.set(true);
    let out = run();
    vm.trace_func.replace(vm.ctx.none());
    vm.use_tracing.set(false);
    CURRENT.set(None);
    let trace = tracer.borrow_mut().finish();
    record::keep(false);
    (out, trace)
}

impl Tracer {
    /// Whether the lines of the frame are of interest.
    fn event(&mut self, frame: &PyRef<FrameObject>, event: &str, vm: &VirtualMachine) -> PyResult<bool> {
        self.lines += 1;
        if self.lines >= POLL_LINES {
            self.lines = 0;
            if options().interrupt.as_ref().is_some_and(|is_time| is_time()) {
                return Err(keyboard_interrupt(vm));
            }
        }
        if !self.is_recording {
            return Ok(true);
        }
        if event == "call" {
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
            "line" => {
                let Ok(line) = u32::try_from(frame.lineno()) else { return Ok(true) };
                let Some(active) = self.frames.last() else { return Ok(true) };
                if active.open.as_ref().is_none_or(|open| !(open.first..=open.last).contains(&line)) {
                    self.close(vm);
                    self.open(line);
                    self.lines += STATEMENT_LINES;
                }
            }
            "return" => {
                self.close(vm);
                self.frames.pop();
            }
            _ => {}
        }
        Ok(true)
    }

    fn enter(&mut self, frame: &PyRef<FrameObject>, file: Rc<File>, vm: &VirtualMachine) {
        let is_over = self.frames.last().is_some_and(|caller| {
            let steps_over = |open: &Open| caller.file.source.directives(open.first).stepover;
            caller.is_over || caller.open.as_ref().is_some_and(steps_over)
        });
        let code = frame.f_code();
        let name = code.obj_name.to_string();
        let is_module = name == MODULE;
        if name == "main" && self.frames.len() == 1 {
            self.meet(frame, vm);
        }
        self.frames.push(Active { frame: frame.clone(), file, name, is_over, open: None, known: Vec::new() });
        if is_module {
            self.compare(vm);
        } else {
            self.open(code.first_line_number.map_or(0, |line| u32::try_from(line.get()).unwrap_or(u32::MAX)));
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
    fn open(&mut self, line: u32) {
        let Some(active) = self.frames.last_mut() else { return };
        if active.is_silent() {
            return;
        }
        let (first, last) = active.file.source.statement(line);
        active.open = Some(Open { first, last, step: self.steps.len() });
        // What has happened since the last statement belongs to that one, as the arguments of a call do.
        self.settle();
        self.begin_step();
    }

    /// Hands on the steps that nothing can change any more: all but the last `open` ones.
    fn tell(&mut self, open: usize) {
        let until = self.steps.len().saturating_sub(open).max(self.told);
        if let Some(take) = options().take_step.as_ref().filter(|_| !is_ahead()) {
            self.steps.get(self.told..until).unwrap_or_default().iter().for_each(|step| take(step));
        }
        self.told = until;
    }

    fn begin_step(&mut self) {
        if self.steps.len() >= MOST_STEPS {
            self.is_truncated = true;
            return;
        }
        let stack = self.frames.iter().filter_map(Active::place).collect();
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
        let Some(open) = self.frames.last_mut().and_then(|active| active.open.take()) else { return };
        if self.steps.len() > open.step + 1 {
            // The place of the statement is that of the step that opened it.
            self.settle();
            let stack = self.steps.get(open.step).map(|step| step.stack.clone()).unwrap_or_default();
            if self.steps.len() >= MOST_STEPS {
                self.is_truncated = true;
            } else {
                self.steps.push(Rc::new(Step { stack, ..Step::default() }));
                self.tell(1);
            }
        }
        if self.is_truncated {
            return;
        }
        self.settle();
        let changed = self.compare(vm);
        let Some(active) = self.frames.last() else { return };
        let directives = active.file.source.directives(open.first);
        let locals = locals(&active.frame, vm);
        let mut storages = self.storages.borrow_mut();
        let mut snapshots = Snapshots::new(vm, &mut storages, VARIABLE);
        let Some(step) = self.steps.last_mut().map(Rc::make_mut) else { return };
        step.changed = changed;
        for expression in &directives.inspect {
            if let Some(object) = locals.as_ref().and_then(|locals| find(locals, expression, vm)) {
                step.env.insert(expression.clone(), Some(snapshots.value(&object)));
            }
        }
        for expression in &directives.clear {
            step.env.insert(expression.clone(), None);
        }
    }

    /// The variables of the innermost frame that are not as they were.
    fn compare(&mut self, vm: &VirtualMachine) -> Map<Option<Value>> {
        let Some(active) = self.frames.last_mut() else { return Map::new() };
        let mut storages = self.storages.borrow_mut();
        let mut snapshots = Snapshots::new(vm, &mut storages, VARIABLE);
        let entries = locals(&active.frame, vm).map(|locals| locals.items_vec()).unwrap_or_default();
        let now: Vec<(String, Value)> = entries
            .into_iter()
            .filter_map(|(name, object)| {
                let name = name.downcast_ref::<PyStr>()?.to_string();
                (!name.starts_with("__") && is_data(&object, vm)).then(|| (name, snapshots.value(&object)))
            })
            .collect();
        let before = std::mem::take(&mut active.known);
        let is_gone = |name: &String| !now.iter().any(|(known, _)| known == name);
        let gone =
            before.iter().map(|(name, _)| name).filter(|name| is_gone(name)).map(|name| (name.clone(), None));
        let new = now.iter().filter(|entry| !before.contains(entry));
        let changed = new.map(|(name, value)| (name.clone(), Some(value.clone()))).chain(gone).collect();
        active.known = now;
        changed
    }

    fn finish(&mut self) -> Trace {
        self.settle();
        self.tell(0);
        let mut steps = std::mem::take(&mut self.steps);
        if options().take_step.is_some() {
            steps.clear();
        }
        let mut trace = Trace {
            steps: steps.into_iter().map(Rc::unwrap_or_clone).collect(),
            truncated: self.is_truncated,
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

/// Modules, functions and classes are what a program is made of, not what it computes.
fn is_data(object: &PyObject, vm: &VirtualMachine) -> bool {
    !(object.downcastable::<PyModule>()
        || object.downcastable::<PyFunction>()
        || object.class().is(vm.ctx.types.builtin_function_or_method_type)
        || object.downcastable::<PyType>())
}

/// The variables of a frame.
fn locals(frame: &PyRef<FrameObject>, vm: &VirtualMachine) -> Option<PyDictRef> {
    let locals = frame.f_locals(vm).ok()?;
    match locals.downcast::<PyDict>() {
        Ok(dict) => Some(dict),
        Err(proxy) => {
            let dict = vm.ctx.new_dict();
            dict.merge_object(proxy, vm).ok()?;
            Some(dict)
        }
    }
}

/// `x` or `x.grad`.
fn find(locals: &PyDictRef, expression: &str, vm: &VirtualMachine) -> Option<PyObjectRef> {
    let mut names = expression.split('.');
    let first = locals.get_item_opt(names.next()?, vm).ok()??;
    names.try_fold(first, |object, name| object.get_attr(&vm.ctx.new_str(name), vm).ok())
}

/// The text of a module, from its importer.
fn source_text(globals: &PyDictRef, vm: &VirtualMachine) -> Option<String> {
    let loader = globals.get_item_opt("__loader__", vm).ok()??;
    let name = globals.get_item_opt("__name__", vm).ok()??;
    let text = vm.call_method(&loader, "get_source", (name,)).ok()?;
    Some(text.downcast_ref::<PyStr>()?.to_string())
}
