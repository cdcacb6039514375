//! Cells as they are called: recalled, or run and remembered.

use std::cell::Cell;

use napkin_trace::Fault;
use napkin_trace::notebook::is_notebook;
use napkin_trace::trace::StackElement;
use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};

use super::reach::Definition;
use super::{Active, CURRENT, MOST_STEPS, Tracer, ahead, recall as runs, wrote};
use crate::options::{Stream, options};

/// What a cell that is about to be called returned when it ran last, if it would do the same; its steps are shown again.
/// Otherwise the cell begins.
pub(crate) fn recall(
    path: &str,
    name: &str,
    arguments: &PyObjectRef,
    vm: &VirtualMachine,
) -> PyResult<Option<PyObjectRef>> {
    let (Some(tracer), Some(recall)) = (CURRENT.with_borrow(Clone::clone), options().recall.clone()) else {
        return Ok(None);
    };
    let mut tracer = tracer.borrow_mut();
    let reach = reach(&tracer, path, name);
    let stack: Vec<StackElement> = tracer.frames.iter().filter_map(Active::place).collect();
    // What has happened until now is the caller's.
    tracer.settle();
    let known = recall.borrow().answer(path, name, arguments, reach.as_deref(), &stack, vm)?;
    let Some((steps, returned)) = known else {
        tracer.rounds.begin();
        let depth = tracer.frames.len();
        tracer.cells.push(depth);
        runs::begin(path, name, arguments, reach, tracer.steps.len(), stack, vm);
        return Ok(None);
    };
    let room = MOST_STEPS.saturating_sub(tracer.steps.len());
    tracer.is_truncated |= steps.len() > room;
    tracer.steps.extend(steps.into_iter().take(room));
    tracer.tell(1);
    Ok(Some(returned))
}

/// Of a cell that has filled the trace no more steps are kept.
const MOST_KEPT: usize = 1_000;

/// What is said behind the steps of a cell that are kept, if it has more.
const REST: &str = "… What this cell did then is not shown line by line: it has run too many lines.\n";

/// What a cell can come to; none if it cannot be told, as where something of it cannot be read, or it is one of a notebook,
/// which may come to whatever another has left.
fn reach(tracer: &Tracer, path: &str, name: &str) -> Option<Vec<Definition>> {
    if is_notebook(path) {
        return None;
    }
    let reach = tracer.program.as_ref()?.reach(path, name)?;
    let recovery = options().recovery.clone();
    let is_unread = |it: &Definition| recovery.as_ref().is_some_and(|all| all.has_unread(&it.path, &it.name));
    (!reach.iter().any(is_unread)).then_some(reach)
}

thread_local! {
    /// Whether the cell in sight has run in this run, be it ahead of its time.
    static IS_TRIED: Cell<bool> = const { Cell::new(false) };
}

/// A run begins.
pub(super) fn forget() {
    IS_TRIED.set(false);
}

/// What is told of a cell that was stopped and is as it was then. The cell in sight is tried again, once in a run.
pub(crate) fn stopped(path: &str, name: &str) -> Option<String> {
    let (tracer, options) = (CURRENT.with_borrow(Clone::clone)?, options());
    let is_in_sight = options.in_sight.as_ref().is_some_and(|it| it.path == path && it.function == name);
    if is_in_sight && !IS_TRIED.replace(true) {
        return None;
    }
    let reach = reach(&tracer.borrow(), path, name)?;
    options.recall.as_ref()?.borrow().stopped(path, name, &reach)
}

/// A cell has failed: nobody remembers what is around it, and one that took too long is not run again as it is.
pub(crate) fn failed(fault: &Fault, report: &str) {
    runs::reached_out();
    let (Some(cell), Some(tracer)) = (&fault.cell, CURRENT.with_borrow(Clone::clone)) else { return };
    if fault.kind == "KeyboardInterrupt"
        && let Some(reach) = reach(&tracer.borrow(), &cell.path, &cell.function)
        && let Some(recall) = &options().recall
    {
        recall.borrow_mut().stop(&cell.path, &cell.function, reach, report);
    }
}

/// The cell that began last has returned.
pub(crate) fn remember(returned: &PyObjectRef, vm: &VirtualMachine) {
    let (Some(tracer), Some(recall)) = (CURRENT.with_borrow(Clone::clone), options().recall.clone()) else {
        return;
    };
    let mut tracer = tracer.borrow_mut();
    // What has happened until now is the cell's.
    tracer.settle();
    ahead::show(&tracer.steps);
    let left = leave(&mut tracer);
    if tracer.is_truncated {
        go_on(&mut tracer, vm);
        runs::forget_last();
    } else {
        recall.borrow_mut().remember(&tracer.steps, returned, vm);
    }
    drop(tracer);
    drop(left);
}

/// A cell is over, and so are the frames in it. Where nothing was recorded any more, nobody has said so of them; and what
/// they hold may look here when it goes.
fn leave(tracer: &mut Tracer) -> Vec<Active> {
    let frames = &mut tracer.frames;
    let depth = tracer.cells.pop().unwrap_or(frames.len()).min(frames.len());
    frames.split_off(depth)
}

/// The cell that began last has raised.
pub(crate) fn abandon(vm: &VirtualMachine) {
    if let Some(tracer) = CURRENT.with_borrow(Clone::clone) {
        let mut tracer = tracer.borrow_mut();
        ahead::show(&tracer.steps);
        let left = leave(&mut tracer);
        go_on(&mut tracer, vm);
        drop(tracer);
        drop(left);
    }
    runs::forget_last();
}

/// A cell is over. If it has taken all the room there is, those that come after it have theirs.
fn go_on(tracer: &mut Tracer, vm: &VirtualMachine) {
    if tracer.is_truncated && options().recovery.is_some() {
        tracer.go_on_behind(runs::first_step().unwrap_or(0), MOST_KEPT, vm);
    }
}

impl Tracer {
    /// Records on behind a cell, of which no more than so many steps are kept: there was no more room. What it has written
    /// and drawn since stands behind them.
    fn go_on_behind(&mut self, cell: usize, steps: usize, vm: &VirtualMachine) {
        self.steps.truncate(cell + steps);
        self.told = self.told.min(self.steps.len());
        self.is_truncated = false;
        self.rounds.begin();
        let depth = self.steps.get(cell).map_or(0, |step| step.stack.len());
        let stack = self.steps.last().map(|step| step.stack.iter().take(depth).cloned().collect());
        wrote(Stream::Error, REST);
        self.begin_step(stack.unwrap_or_default());
        self.settle();
        self.wake(vm);
    }
}
