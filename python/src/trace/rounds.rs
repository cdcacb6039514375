//! Statements that run very often: of each the first times are steps, and the last one.
//!
//! What runs in between is passed over. It is still looked at where it begins and ends, so that what it was to show is known
//! when the loop is over.

use std::rc::Rc;

use napkin_trace::trace::{Map, Value};
use rustpython_vm::VirtualMachine;

use super::{File, Open, Tracer};

/// So many times each statement of a cell is a step.
const MOST_ROUNDS: u32 = 500;
/// So many statements of a cell are passed over. Beyond that nobody looks, since each look takes longer than a statement may.
const MOST_PASSED: u32 = 100_000;

/// How often statements have run since a cell began.
#[derive(Default)]
pub(super) struct Rounds {
    /// Of each file, by the first line.
    counts: Vec<(Rc<File>, Vec<u32>)>,
    passed: u32,
    /// Of each file and function, the first line that was passed over.
    told: Vec<(Rc<File>, String, u32)>,
}

/// A statement that was passed over: its lines, and what it was to show.
pub(super) struct Passed {
    first: u32,
    last: u32,
    env: Map<Option<Value>>,
}

impl Rounds {
    /// A cell begins.
    pub(super) fn begin(&mut self) {
        self.counts.clear();
        self.passed = 0;
    }

    /// Whether a statement that begins has run often enough.
    fn are_over(&mut self, file: &Rc<File>, first: u32) -> bool {
        let known = self.counts.iter().position(|(known, _)| Rc::ptr_eq(known, file));
        let at = known.unwrap_or_else(|| {
            self.counts.push((file.clone(), Vec::new()));
            self.counts.len() - 1
        });
        let (counts, line) = (&mut self.counts[at].1, first as usize);
        if counts.len() <= line {
            counts.resize(line + 1, 0);
        }
        counts[line] += 1;
        counts[line] > MOST_ROUNDS
    }

    /// What there is to say of what was passed over.
    pub(super) fn warnings(&self) -> impl Iterator<Item = String> + '_ {
        self.told.iter().map(|(file, function, line)| {
            let path = &file.path;
            format!("{path}, line {line}, in {function}: of a loop the first {MOST_ROUNDS} rounds and the last one are shown.")
        })
    }
}

impl Tracer {
    /// Passes over a statement that begins, if it has run often enough.
    pub(super) fn passes_over(&mut self, first: u32, last: u32) -> bool {
        let Some(active) = self.frames.last_mut() else { return false };
        active.is_passing = self.rounds.are_over(&active.file, first);
        if !active.is_passing {
            return false;
        }
        let told = &mut self.rounds.told;
        match told.iter_mut().find(|(file, name, _)| Rc::ptr_eq(file, &active.file) && *name == active.name) {
            Some((_, _, line)) => *line = first.min(*line),
            None => told.push((active.file.clone(), active.name.clone(), first)),
        }
        self.rounds.passed += 1;
        self.is_truncated |= self.rounds.passed > MOST_PASSED;
        active.passed.retain(|it| it.first != first);
        active.passed.push(Passed { first, last, env: Map::new() });
        true
    }

    /// The statement that was passed over ends: notes what it was to show.
    pub(super) fn end_passed(&mut self, vm: &VirtualMachine) {
        let Some(active) = self.frames.last_mut().filter(|active| active.is_passing) else { return };
        active.is_passing = false;
        let Some(first) = active.passed.last().map(|passed| passed.first) else { return };
        let env = self.asked_for(first, vm);
        if let Some(passed) = self.frames.last_mut().and_then(|active| active.passed.last_mut()) {
            passed.env = env;
        }
    }

    /// The loop is over: what was passed over last is a step.
    pub(super) fn write_passed(&mut self, vm: &VirtualMachine) {
        let passed =
            self.frames.last_mut().map(|active| std::mem::take(&mut active.passed)).unwrap_or_default();
        let count = passed.len();
        for (number, Passed { first, last, env }) in passed.into_iter().enumerate() {
            let step = self.steps.len();
            let Some(active) = self.frames.last_mut() else { return };
            active.open = Some(Open { first, last, step });
            self.begin_step(self.stack());
            if let Some(active) = self.frames.last_mut() {
                active.open = None;
            }
            if self.is_truncated {
                return;
            }
            let changed = if number + 1 == count { self.compare(vm) } else { Map::new() };
            if let Some(step) = self.steps.last_mut().map(Rc::make_mut) {
                (step.env, step.changed) = (env, changed);
            }
        }
    }
}
