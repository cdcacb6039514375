//! Ending a run before its time: by the reader, by the clock, or because the worker is gone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;
use napkin_trace::python::{CellName, Command, Edit};
use napkin_trace::trace::{Map, StackElement};
use napkin_trace::{Frame, Request, RequestId};

use super::super::model::{Lecture, function_key, with_end, with_stopped};
use super::{Activity, GRACE_SECS, MOST_SECS, Queue, Runs, now_ms, sentence};

/// What is said of a cell that the reader has stopped.
pub(super) const YOU_STOPPED: &str = "You stopped it.";

impl Runs {
    /// Ends a run of which nothing is heard any more.
    pub(super) fn watch(self, id: RequestId) {
        let limit = MOST_SECS + GRACE_SECS;
        let look = move || {
            let is_it = |queue: &Queue| (queue.running == Some(id)).then_some(queue.heard_ms);
            let Some(heard_ms) = self.queue.try_with_value(is_it).flatten() else { return };
            if now_ms() - heard_ms < 1e3 * limit {
                return self.watch(id);
            }
            self.fail("The program was stopped: it did not end when its time was up.");
        };
        set_timeout(look, Duration::from_secs_f64(limit));
    }

    /// Ends what runs, and says why. What it has done so far stays.
    pub(super) fn fail(self, why: impl Into<String>) {
        let why = why.into();
        for Edit { cell, text, .. } in self.queue.with_value(|queue| queue.edits.clone()) {
            self.state.keep_version(&function_key(&cell.path, &cell.function), text, false);
        }
        let reached = self.queue.try_update_value(|queue| {
            queue.running?;
            let (before, steps) = (queue.before.clone()?, std::mem::take(&mut queue.steps));
            let place = steps.last().map(|step| step.stack.clone()).unwrap_or_default();
            // One that runs before its time has said nothing of what it does.
            let ahead = queue.ahead.take().filter(|_| queue.in_sight.is_none());
            Some((before, queue.files.clone(), steps, place, ahead))
        });
        let mut fault = sentence(&why);
        if let Some((before, files, steps, place, ahead)) = reached.flatten() {
            // The cell that it was in when it ended.
            let cells = before.cells().map(|at| &before.parts[at]);
            let cell =
                cells.filter(|part| place.iter().any(|it| part.is_of(&it.path, &it.function_name))).last();
            let name = cell.map(|it| CellName { path: it.path.clone(), function: it.function.clone() });
            let is_broken = |path: &str, function: &str| {
                name.as_ref().is_some_and(|it| it.path == path && it.function == function)
            };
            let trace = match ahead.as_ref().filter(|it| steps.is_empty() && self.is_all_that_changed(it)) {
                Some(ahead) => with_stopped(&before, &files, &ahead.path, &ahead.function),
                None => with_end(&before, &files, &steps, &is_broken),
            };
            self.show(Arc::new(Lecture::after(&before, trace)));
            let frame = |it: &StackElement| Frame {
                path: it.path.clone(),
                function: it.function_name.clone(),
                line: it.line_number,
                ..Frame::default()
            };
            let is_ahead = name.is_none() && ahead.is_some();
            fault.frames = if is_ahead { Vec::new() } else { place.iter().map(frame).collect() };
            fault.cell = name.or(ahead);
        }
        self.end();
        self.left.set(Vec::new());
        self.announcer.say(why);
        self.tell(vec![fault]);
    }

    /// Whether what is shown ran with all that stands there but the code of one function.
    fn is_all_that_changed(self, cell: &CellName) -> bool {
        let key = function_key(&cell.path, &cell.function);
        self.since.with_untracked(|(_, cause)| cause.iter().eq([&key]))
    }

    pub(super) fn end(self) {
        self.worker.set_value(None);
        self.queue.set_value(Queue::default());
        self.activity.set(Activity::Idle);
    }

    /// Stops the cell that runs; asked again, the whole run. Where the worker hears nothing meanwhile, or does not end the
    /// cell soon, it has to go itself.
    pub fn stop(self) {
        let words = match self.activity.get_untracked() {
            Activity::Idle => return,
            Activity::Loading(..) => "You stopped it before Python had come.".to_owned(),
            Activity::Running(0) => YOU_STOPPED.to_owned(),
            Activity::Running(steps) => format!("You stopped it after {steps} steps."),
        };
        let asked = self.queue.try_update_value(|queue| {
            let may_ask = queue.is_listening && !std::mem::replace(&mut queue.is_stopping, true);
            queue.running.filter(|_| may_ask)
        });
        let has_stopped =
            move || self.faults.with_untracked(|all| all.iter().any(|it| it.message == YOU_STOPPED));
        let end = move || {
            let known = has_stopped().then(|| self.faults.get_untracked().to_vec());
            self.fail(words);
            // One cell was stopped by itself: the one that ran then has done nothing wrong.
            known.into_iter().for_each(|known| self.tell(known));
        };
        let Some(id) = asked.flatten() else { return end() };
        self.post(&Request { id: self.number(), command: Command::Stop });
        let look = move || {
            if !has_stopped() && self.queue.try_with_value(|queue| queue.running == Some(id)) == Some(true) {
                end();
            }
        };
        set_timeout(look, Duration::from_secs_f64(GRACE_SECS));
    }

    /// Shows the lecture as it was before the reader changed anything.
    pub fn show_original(self) {
        self.abandon();
        self.show(self.state.original.get_untracked());
        self.announcer.say("The lecture is as it was.");
    }

    /// Forgets the program that runs or has run: it is not wanted any more.
    pub fn abandon(self) {
        self.tell(Vec::new());
        self.left.set(Vec::new());
        self.ran.set_value((Map::default(), false));
        self.ran_edits.set(BTreeMap::new());
        self.good.set_value(BTreeMap::new());
        self.since.set((self.state.original.get_untracked(), BTreeSet::new()));
        self.queue.update_value(|queue| queue.before = None);
        if self.queue.with_value(|queue| queue.running.is_some() || queue.is_wanted) {
            self.end();
        }
    }
}
