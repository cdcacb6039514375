//! What cells did when they ran last, so that a change runs again only what depends on it.
//!
//! A cell is not run where everything that it can come to reads as it did and its arguments are the same. Then its steps
//! are shown again, and what it returned is returned. Kept is only what that is true of: arguments and results that are
//! plain values, no random numbers whose seed is older than the cell, no files but those that it makes and removes.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use napkin_engine::autograd::{is_grad_enabled, is_inference_mode_enabled};
use napkin_trace::trace::{StackElement, Step};
use rustpython_vm::builtins::{PyFloat, PyInt, PyStr, PyTuple};
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyResult, VirtualMachine};

use super::File;
use super::reach::Definition;
use super::snapshot::Storages;
use crate::options::options;
use crate::torch::PyGenerator;

/// A value that is what it reads as.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Plain {
    None,
    Bool(bool),
    Int(String),
    /// By its bits: what is no number equals itself here.
    Float(u64),
    Text(String),
    Tuple(Vec<Self>),
}

impl Plain {
    fn of(object: &PyObject, vm: &VirtualMachine) -> Option<Self> {
        if vm.is_none(object) {
            return Some(Self::None);
        }
        // Of a class of its own, a number may be more than its value.
        let class = object.class();
        if class.is(vm.ctx.types.bool_type) {
            return Some(Self::Bool(object.is(&vm.ctx.true_value)));
        }
        if class.is(vm.ctx.types.int_type) {
            return object.downcast_ref::<PyInt>().map(|value| Self::Int(value.as_bigint().to_string()));
        }
        if class.is(vm.ctx.types.float_type) {
            return object.downcast_ref::<PyFloat>().map(|value| Self::Float(value.to_f64().to_bits()));
        }
        if class.is(vm.ctx.types.str_type) {
            return object.downcast_ref::<PyStr>()?.to_str().map(|text| Self::Text(text.to_owned()));
        }
        if class.is(vm.ctx.types.tuple_type) {
            let parts = object.downcast_ref::<PyTuple>()?.iter().map(|part| Self::of(part, vm));
            return parts.collect::<Option<_>>().map(Self::Tuple);
        }
        None
    }

    fn object(&self, vm: &VirtualMachine) -> PyResult {
        Ok(match self {
            Self::None => vm.ctx.none(),
            Self::Bool(value) => vm.ctx.new_bool(*value).into(),
            Self::Int(digits) => vm.ctx.types.int_type.as_object().call((digits.clone(),), vm)?,
            Self::Float(bits) => vm.ctx.new_float(f64::from_bits(*bits)).into(),
            Self::Text(text) => vm.ctx.new_str(text.as_str()).into(),
            Self::Tuple(parts) => {
                let parts = parts.iter().map(|part| part.object(vm)).collect::<PyResult<Vec<_>>>()?;
                vm.ctx.new_tuple(parts).into()
            }
        })
    }
}

/// One run of a cell.
struct Run {
    reach: Vec<Definition>,
    arguments: Plain,
    /// Where it was called.
    stack: Vec<StackElement>,
    steps: Vec<Rc<Step>>,
    returned: Plain,
    /// Of PyTorch's generator afterwards, if the cell seeded it.
    generator: Option<Vec<u8>>,
    /// What it looked for or made; none of it was there before, or is afterwards.
    files: BTreeSet<String>,
}

/// The last run of each cell, by file and name. It outlives the interpreter that they ran in.
#[derive(Default)]
pub struct Recall {
    runs: BTreeMap<(String, String), Run>,
    /// Cells that took too long, with what is told of that: they would again.
    stopped: BTreeMap<(String, String), (Vec<Definition>, String)>,
    /// As they were read last, by path.
    files: BTreeMap<String, Rc<File>>,
    /// Numbers of storages are given once for all runs whose steps may stand side by side.
    pub(super) storages: Rc<RefCell<Storages>>,
}

impl std::fmt::Debug for Recall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recall").field("runs", &self.runs.len()).finish_non_exhaustive()
    }
}

/// A cell that runs.
struct Cell {
    path: String,
    name: String,
    arguments: Option<Plain>,
    reach: Option<Vec<Definition>>,
    /// Its first step.
    step: usize,
    /// Where it is called.
    stack: Vec<StackElement>,
    /// When it began, in seeds.
    seeds: u64,
    files: BTreeSet<String>,
    is_its_own: bool,
}

#[derive(Default)]
struct Watch {
    cells: Vec<Cell>,
    /// How many seeds there were.
    seeds: u64,
}

thread_local! {
    static WATCH: RefCell<Watch> = RefCell::default();
}

/// Whether a cell of the program runs, so that it can be ended alone.
#[must_use]
pub fn is_in_cell() -> bool {
    WATCH.with_borrow(|watch| !watch.cells.is_empty())
}

/// Something was read or changed that outlives the cells that run.
pub(crate) fn reached_out() {
    WATCH.with_borrow_mut(|watch| watch.cells.iter_mut().for_each(|cell| cell.is_its_own = false));
}

/// A file is read or changed, or looked for. Of one that was there before, a cell tells or learns something.
pub(crate) fn reached(path: &str) {
    WATCH.with_borrow_mut(|watch| {
        for cell in watch.cells.iter_mut().filter(|cell| cell.is_its_own && !cell.files.contains(path)) {
            cell.is_its_own = is_missing(path);
            cell.files.insert(path.to_owned());
        }
    });
}

fn is_missing(path: &str) -> bool {
    options().files.entry(path).is_err()
}

/// PyTorch's generator was seeded.
pub(crate) fn seeded() {
    WATCH.with_borrow_mut(|watch| watch.seeds += 1);
}

/// Numbers were drawn from PyTorch's generator: they follow from a seed that may be older than a cell.
pub(crate) fn drew() {
    WATCH.with_borrow_mut(|watch| {
        let seeds = watch.seeds;
        for cell in &mut watch.cells {
            cell.is_its_own &= seeds > cell.seeds;
        }
    });
}

/// No cell runs.
pub(super) fn forget() {
    WATCH.set(Watch::default());
}

/// Whether definitions read the same, wherever they stand.
fn are_same(now: &[Definition], then: &[Definition]) -> bool {
    let is_one = |(now, then): (&Definition, &Definition)| {
        (&now.path, &now.name, &now.text) == (&then.path, &then.name, &then.text)
    };
    now.len() == then.len() && now.iter().zip(then).all(is_one)
}

fn is_usual() -> bool {
    is_grad_enabled() && !is_inference_mode_enabled()
}

impl Recall {
    /// The steps of a cell's last run and what it returned, if it would do the same again. `stack` is where it is
    /// called.
    pub(super) fn answer(
        &self,
        path: &str,
        name: &str,
        arguments: &PyObjectRef,
        reach: Option<&[Definition]>,
        stack: &[StackElement],
        vm: &VirtualMachine,
    ) -> PyResult<Option<(Vec<Rc<Step>>, PyObjectRef)>> {
        let Some(run) = self.runs.get(&(path.to_owned(), name.to_owned())) else { return Ok(None) };
        let is_same = |reach: &&[Definition]| is_usual() && are_same(reach, &run.reach);
        let Some(reach) = reach.filter(is_same) else { return Ok(None) };
        if Plain::of(arguments, vm).as_ref() != Some(&run.arguments)
            || !run.files.iter().all(|path| is_missing(path))
        {
            return Ok(None);
        }
        if let Some(state) = &run.generator {
            // It was a state before.
            let _ = PyGenerator::default_one(vm).seed_with(|generator| generator.set_state(state));
        }
        let is_there =
            run.stack == stack && reach.iter().zip(&run.reach).all(|(now, then)| now.first == then.first);
        let steps = match is_there {
            true => run.steps.clone(),
            false => run.steps.iter().map(|step| Rc::new(moved(step, run, reach, stack))).collect(),
        };
        Ok(Some((steps, run.returned.object(vm)?)))
    }

    /// A file as it was read last, if it still has that text.
    pub(super) fn file(
        &mut self,
        path: String,
        text: &str,
        read: impl FnOnce(String) -> Rc<File>,
    ) -> Rc<File> {
        if let Some(known) = self.files.get(&path).filter(|known| known.source.text == text) {
            return known.clone();
        }
        let file = read(path.clone());
        self.files.insert(path, file.clone());
        file
    }

    /// A cell that can come to these definitions took too long.
    pub(super) fn stop(&mut self, path: &str, name: &str, reach: Vec<Definition>, report: &str) {
        self.stopped.insert((path.to_owned(), name.to_owned()), (reach, report.to_owned()));
    }

    /// What is told of a cell that took too long, if it can come to the same definitions as then.
    pub(super) fn stopped(&self, path: &str, name: &str, reach: &[Definition]) -> Option<String> {
        let (then, report) = self.stopped.get(&(path.to_owned(), name.to_owned()))?;
        are_same(reach, then).then(|| report.clone())
    }

    /// The cell that ended last, with the steps that were written down since the first of all.
    pub(super) fn remember(&mut self, steps: &[Rc<Step>], returned: &PyObject, vm: &VirtualMachine) {
        let Some(cell) = WATCH.with_borrow_mut(|watch| watch.cells.pop()) else { return };
        let Cell { path, name, stack, files, .. } = cell;
        let run = (|| {
            let is_its_own = cell.is_its_own && files.iter().all(|path| is_missing(path));
            let arguments = cell.arguments.filter(|_| is_its_own && is_usual())?;
            let has_seeded = WATCH.with_borrow(|watch| watch.seeds > cell.seeds);
            Some(Run {
                reach: cell.reach?,
                arguments,
                stack,
                files,
                steps: steps.get(cell.step..)?.to_vec(),
                returned: Plain::of(returned, vm)?,
                generator: has_seeded.then(|| PyGenerator::default_one(vm).state()),
            })
        })();
        match run {
            Some(run) => drop(self.runs.insert((path, name), run)),
            None => drop(self.runs.remove(&(path, name))),
        }
    }
}

/// A cell begins with that step; `stack` is where it is called.
pub(super) fn begin(
    path: &str,
    name: &str,
    arguments: &PyObject,
    reach: Option<Vec<Definition>>,
    step: usize,
    stack: Vec<StackElement>,
    vm: &VirtualMachine,
) {
    let arguments = Plain::of(arguments, vm);
    WATCH.with_borrow_mut(|watch| {
        watch.cells.push(Cell {
            path: path.to_owned(),
            name: name.to_owned(),
            arguments,
            reach,
            step,
            stack,
            seeds: watch.seeds,
            files: BTreeSet::new(),
            is_its_own: is_usual(),
        });
    });
}

/// The first step of the cell that began last.
pub(super) fn first_step() -> Option<usize> {
    WATCH.with_borrow(|watch| watch.cells.last().map(|cell| cell.step))
}

/// The first step of the cell that began last, and how deep in the stack it was called, if it is that one.
pub(super) fn began(path: &str, name: &str) -> Option<(usize, usize)> {
    WATCH.with_borrow(|watch| {
        let cell = watch.cells.last().filter(|cell| cell.path == path && cell.name == name)?;
        Some((cell.step, cell.stack.len()))
    })
}

/// The cell that began last is not kept.
pub(super) fn forget_last() {
    WATCH.with_borrow_mut(|watch| drop(watch.cells.pop()));
}

/// A step as it would be now: called from `stack`, and with definitions where they stand now.
fn moved(step: &Step, run: &Run, reach: &[Definition], stack: &[StackElement]) -> Step {
    let own = step.stack.get(run.stack.len()..).unwrap_or_default().iter().map(|place| {
        let is_in = |then: &Definition| {
            then.path == place.path && (then.first..=then.last).contains(&place.line_number)
        };
        let by = run.reach.iter().zip(reach).find(|(then, _)| is_in(then));
        let by = by.map_or(0, |(then, now)| i64::from(now.first) - i64::from(then.first));
        let line = |line: u32| u32::try_from(i64::from(line) + by).unwrap_or(line);
        StackElement {
            line_number: line(place.line_number),
            end_line_number: place.end_line_number.map(line),
            ..place.clone()
        }
    });
    Step { stack: stack.iter().cloned().chain(own).collect(), ..step.clone() }
}
