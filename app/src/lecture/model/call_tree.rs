//! The calls of a program: which step belongs to which call, who called it, and what ran in it.

use napkin_trace::trace::{StackElement, Step};

use super::lecture::Lecture;

/// A call of a function, or the file outside all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub path: String,
    pub function: String,
    pub caller: Option<usize>,
    /// The first step in it or in what it calls.
    pub first: usize,
    pub last: usize,
    /// The statements that ran in itself, in order. A call that a foreign trace shows only on the way to others has none.
    pub runs: Vec<Run>,
    /// The calls that it makes itself, in order.
    pub made: Vec<usize>,
}

impl Call {
    /// The steps in itself up to one.
    pub fn steps_until(&self, step: usize) -> impl Iterator<Item = usize> {
        self.runs.iter().flat_map(Run::steps).take_while(move |own| *own <= step)
    }
}

/// A statement that ran once in a call itself: before and after what it called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The first line of the statement.
    pub line: u32,
    /// The step before what it calls.
    pub first: usize,
    /// The step after that; the same one if it calls nothing.
    pub last: usize,
    /// The last step of what it calls: a program that was cut off or failed there has no step after it.
    pub end: usize,
}

impl Run {
    pub fn steps(&self) -> impl Iterator<Item = usize> + use<> {
        let after = (self.first != self.last).then_some(self.last);
        std::iter::once(self.first).chain(after)
    }
}

/// All calls, and the one that each step is in.
#[derive(Debug, Default)]
pub struct CallTree {
    /// In the order in which they begin.
    pub calls: Vec<Call>,
    call_of_step: Vec<Option<usize>>,
}

impl CallTree {
    /// Follows the program of a lecture.
    pub fn new(lecture: &Lecture) -> Self {
        let mut tree = Self::default();
        for (number, Step { stack, .. }) in lecture.trace.steps.iter().enumerate() {
            let before = tree.call_of_step.last().copied().flatten();
            let Some(place) = stack.last() else {
                // Of a damaged trace: it is where the step before was.
                tree.call_of_step.push(before);
                continue;
            };
            let mut open = tree.open(before);
            let is_same = |(call, place): &(&usize, &StackElement)| {
                let call = &tree.calls[**call];
                call.path == place.path && call.function == place.function_name
            };
            let mut kept = open.iter().zip(stack).take_while(is_same).count();
            // A function that begins while it is open is called again; the step before may have been deeper.
            if kept == stack.len() && kept > 1 && lecture.is_entry(place) {
                kept -= 1;
            }
            open.truncate(kept);
            for place in &stack[kept..] {
                let (caller, made) = (open.last().copied(), tree.calls.len());
                tree.calls.push(Call {
                    path: place.path.clone(),
                    function: place.function_name.clone(),
                    caller,
                    first: number,
                    last: number,
                    runs: Vec::new(),
                    made: Vec::new(),
                });
                if let Some(caller) = caller {
                    tree.calls[caller].made.push(made);
                }
                open.push(made);
            }
            tree.call_of_step.push(open.last().copied());
            let line = lecture.line(place);
            for (depth, call) in open.iter().enumerate() {
                let call = &mut tree.calls[*call];
                call.last = number;
                let is_here = depth + 1 == open.len();
                match call.runs.last_mut() {
                    Some(run) if !is_here => run.end = number,
                    // The same line again at once, without a call between, is another round of a loop.
                    Some(run) if run.line == line && run.first == run.last && run.first + 1 < number => {
                        (run.last, run.end) = (number, number);
                    }
                    _ if is_here => call.runs.push(Run { line, first: number, last: number, end: number }),
                    _ => {}
                }
            }
        }
        tree
    }

    /// A call and its callers, outermost first.
    pub fn open(&self, call: Option<usize>) -> Vec<usize> {
        let mut open: Vec<usize> = std::iter::successors(call, |call| self.calls[*call].caller).collect();
        open.reverse();
        open
    }

    /// The call that a step is in.
    pub fn call(&self, step: usize) -> Option<usize> {
        self.call_of_step.get(step).copied().flatten()
    }

    /// The statement that made a call; none in foreign traces, whose callers may do nothing themselves.
    pub fn made_by(&self, call: usize) -> Option<&Run> {
        let Call { caller, first, .. } = self.calls[call];
        self.calls[caller?].runs.iter().rfind(|run| run.first <= first)
    }

    /// The calls that a call makes itself between two steps.
    pub fn made(&self, call: usize, first: usize, last: usize) -> &[usize] {
        let made = &self.calls[call].made;
        let before = |step: usize| made.partition_point(|made| self.calls[*made].first < step);
        &made[before(first)..before(last.saturating_add(1))]
    }
}
