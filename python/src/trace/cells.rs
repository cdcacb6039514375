//! Cells as they are called: recalled, or run and remembered.

use napkin_trace::trace::StackElement;
use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};

use super::{Active, CURRENT, MOST_STEPS, ahead, recall as runs};
use crate::options::options;

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
    let reach = tracer.program.as_ref().and_then(|program| program.reach(path, name));
    let stack: Vec<StackElement> = tracer.frames.iter().filter_map(Active::place).collect();
    // What has happened until now is the caller's.
    tracer.settle();
    let known = recall.borrow().answer(path, name, arguments, reach.as_deref(), &stack, vm)?;
    let Some((steps, returned)) = known else {
        runs::begin(path, name, arguments, reach, tracer.steps.len(), stack, vm);
        return Ok(None);
    };
    let room = MOST_STEPS.saturating_sub(tracer.steps.len());
    tracer.is_truncated |= steps.len() > room;
    tracer.steps.extend(steps.into_iter().take(room));
    tracer.tell(1);
    Ok(Some(returned))
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
    if tracer.is_truncated {
        return runs::forget_last();
    }
    recall.borrow_mut().remember(&tracer.steps, returned, vm);
}

/// The cell that began last has raised.
pub(crate) fn abandon() {
    if let Some(tracer) = CURRENT.with_borrow(Clone::clone) {
        ahead::show(&tracer.borrow().steps);
    }
    runs::forget_last();
}
