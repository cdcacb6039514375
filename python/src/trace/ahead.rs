//! The cell that a reader looks at, run before its time: what it does is shown first, and nothing else notices.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use napkin_trace::trace::Step;
use rustpython_vm::VirtualMachine;

use super::{CURRENT, recall};
use crate::options::options;
use crate::torch::PyGenerator;

/// What is put back when the cell has run.
struct Before {
    steps: Vec<Rc<Step>>,
    told: usize,
    is_truncated: bool,
    /// Of PyTorch's generator.
    generator: Vec<u8>,
}

thread_local! {
    static BEFORE: RefCell<Option<Before>> = const { RefCell::new(None) };
    /// Whether the cell in sight has been shown in this run.
    static IS_SHOWN: Cell<bool> = const { Cell::new(false) };
}

/// A run begins.
pub(super) fn forget() {
    BEFORE.set(None);
    IS_SHOWN.set(false);
}

/// Whether a cell runs before its time.
pub(crate) fn is_ahead() -> bool {
    BEFORE.with_borrow(Option::is_some)
}

/// From here on a cell runs before its time.
pub(crate) fn begin_ahead(vm: &VirtualMachine) {
    let Some(tracer) = CURRENT.with_borrow(Clone::clone) else { return };
    let mut tracer = tracer.borrow_mut();
    // What has happened until now is the caller's.
    tracer.settle();
    let generator = PyGenerator::default_one(vm).state();
    let steps = std::mem::take(&mut tracer.steps);
    BEFORE.set(Some(Before { steps, told: tracer.told, is_truncated: tracer.is_truncated, generator }));
    (tracer.told, tracer.is_truncated) = (0, false);
    tracer.wake(vm);
}

/// The cell has run: the program goes on as if it had not.
pub(crate) fn end_ahead(vm: &VirtualMachine) {
    let (Some(tracer), Some(before)) = (CURRENT.with_borrow(Clone::clone), BEFORE.take()) else { return };
    let mut tracer = tracer.borrow_mut();
    // What is left over belongs to nobody.
    tracer.settle();
    (tracer.steps, tracer.told, tracer.is_truncated) = (before.steps, before.told, before.is_truncated);
    if !tracer.is_truncated {
        tracer.wake(vm);
    }
    // It was a state before.
    let _ = PyGenerator::default_one(vm).seed_with(|generator| generator.set_state(&before.generator));
}

/// Hands on the steps of the cell that ran last, if it is the one in sight and this is the first time.
pub(super) fn show(steps: &[Rc<Step>]) {
    let Some(cell) = options().in_sight.clone().filter(|_| !IS_SHOWN.get()) else { return };
    let Some((from, depth)) = recall::began(&cell.path, &cell.function) else { return };
    IS_SHOWN.set(true);
    let own = steps.get(from..).unwrap_or_default().iter().map(|step| {
        let mut step = Step::clone(step);
        step.stack.drain(..depth.min(step.stack.len()));
        step
    });
    (cell.take)(own.collect());
}
