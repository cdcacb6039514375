//! The course of a program through its functions: which step belongs to which call, and where steps lead.

use napkin_notebook::trace::{StackElement, Step};

/// A call of a function, or the file outside all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Its file.
    pub path: String,
    /// Its function.
    pub function: String,
    /// Who called it.
    pub caller: Option<usize>,
    /// The first step in it or in what it calls.
    pub first: usize,
    /// The last one.
    pub last: usize,
    /// Those in itself, in order. A call that a foreign trace shows only on the way to others has none.
    pub own: Vec<usize>,
}

/// All calls, and the one that each step is in.
#[derive(Debug, Default)]
pub struct Course {
    /// In the order in which they begin.
    pub calls: Vec<Call>,
    at: Vec<usize>,
    depths: Vec<usize>,
}

impl Course {
    /// Follows a program. `is_entry` says whether a place is where its function begins.
    #[must_use]
    pub fn new(steps: &[Step], is_entry: impl Fn(&StackElement) -> bool) -> Self {
        let mut course = Self::default();
        for step in steps {
            course.follow(step, &is_entry);
        }
        course
    }

    fn follow(&mut self, step: &Step, is_entry: &impl Fn(&StackElement) -> bool) {
        let number = self.at.len();
        let mut open = self.open(number.checked_sub(1).and_then(|before| self.at.get(before).copied()));
        let is_same = |call: &Call, place: &StackElement| {
            call.path == place.path && call.function == place.function_name
        };
        let mut kept = open
            .iter()
            .zip(&step.stack)
            .take_while(|(call, place)| is_same(&self.calls[**call], place))
            .count();
        // A function that begins while it is open is called again; the step before may have been deeper.
        if kept == step.stack.len() && kept > 1 && step.stack.last().is_some_and(is_entry) {
            kept -= 1;
        }
        open.truncate(kept);
        for place in &step.stack[kept..] {
            self.calls.push(Call {
                path: place.path.clone(),
                function: place.function_name.clone(),
                caller: open.last().copied(),
                first: number,
                last: number,
                own: Vec::new(),
            });
            open.push(self.calls.len() - 1);
        }
        for call in &open {
            self.calls[*call].last = number;
        }
        if let Some(call) = open.last() {
            self.calls[*call].own.push(number);
        }
        // A step without a place, of a damaged trace, is where the one before was.
        let before = self.at.last().copied();
        self.at.push(open.last().copied().or(before).unwrap_or(usize::MAX));
        self.depths.push(step.stack.len());
    }

    /// A call and its callers, outermost first.
    #[must_use]
    pub fn open(&self, call: Option<usize>) -> Vec<usize> {
        let caller = |call: &usize| self.calls.get(*call)?.caller;
        let mut open: Vec<usize> =
            std::iter::successors(call.filter(|call| *call < self.calls.len()), caller).collect();
        open.reverse();
        open
    }

    /// The call that a step is in.
    #[must_use]
    pub fn call(&self, step: usize) -> Option<usize> {
        self.at.get(step).copied().filter(|call| *call < self.calls.len())
    }

    /// How many calls of the same function were before: with its name this is the call's own in every run of a program.
    #[must_use]
    pub fn turn(&self, call: usize) -> usize {
        let is_same = |it: &&Call| {
            self.calls.get(call).is_some_and(|call| it.path == call.path && it.function == call.function)
        };
        self.calls.iter().take(call).filter(is_same).count()
    }

    /// Steps of a call itself up to one.
    #[must_use]
    pub fn own_until(&self, call: usize, step: usize) -> &[usize] {
        let own = self.calls.get(call).map_or(&[][..], |call| &call.own);
        &own[..own.partition_point(|own| *own <= step)]
    }

    /// Where to begin in a call: after the line that names it.
    #[must_use]
    pub fn landing(&self, call: usize) -> usize {
        let Some(call) = self.calls.get(call) else { return 0 };
        call.own.get(1).or(call.own.first()).copied().unwrap_or(call.first)
    }

    /// The next step that is no deeper.
    #[must_use]
    pub fn over(&self, step: usize) -> Option<usize> {
        let depth = *self.depths.get(step)?;
        (step + 1..self.depths.len()).find(|to| self.depths[*to] <= depth)
    }

    /// The step before that is no deeper.
    #[must_use]
    pub fn back_over(&self, step: usize) -> Option<usize> {
        let depth = *self.depths.get(step)?;
        (0..step).rev().find(|to| self.depths[*to] <= depth)
    }

    /// The next step outside of the function.
    #[must_use]
    pub fn out(&self, step: usize) -> Option<usize> {
        let depth = *self.depths.get(step)?;
        (step + 1..self.depths.len()).find(|to| self.depths[*to] < depth)
    }
}
