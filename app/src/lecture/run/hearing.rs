//! What the worker that runs Python says, and what of it is shown.

use std::collections::BTreeMap;
use std::sync::Arc;

use js_sys::{Array, Uint8Array};
use leptos::prelude::*;
use leptos::wasm_bindgen::{JsCast, JsValue};
use napkin_trace::python::{CellName, Command, Event, Part};
use napkin_trace::trace::{Step, Trace};
use napkin_trace::{Fault, Message, Request, RequestId};

use super::super::faults::{STOPPED, in_words_of_cell};
use super::super::model::{Lecture, function_key, with_beginning, with_end, with_part};
use super::stopping::YOU_STOPPED;
use super::{Activity, DEVICE, Runs, now_ms, sentence};
use crate::components::{save, save_picture};
use crate::workers::gpu_tuning;

impl Runs {
    /// Takes what the worker says: a text, or a text and bytes.
    pub(super) fn hear(self, heard: Result<JsValue, String>) {
        let data = match heard {
            Ok(data) => data,
            Err(why) => return self.fail(format!("Python could not be started: {why}.")),
        };
        let (text, bytes) = match data.dyn_ref::<Array>() {
            Some(both) => (both.get(0).as_string(), Some(both.get(1))),
            None => (data.as_string(), None),
        };
        let message = text.and_then(|text| serde_json::from_str::<Message<Event>>(&text).ok());
        let Some(Message { id, event }) = message else { return };
        let is_running = id.is_some() && self.queue.with_value(|queue| queue.running == id);
        if is_running {
            self.queue.update_value(|queue| queue.heard_ms = now_ms());
        }
        match event {
            Event::Loading { bytes, total } => self.activity.set(Activity::Loading(bytes, total)),
            Event::Ready { gpu, has_suspension, .. } => {
                if gpu.is_err() {
                    self.state.values.set(DEVICE, None);
                }
                self.gpu.set(Some(gpu));
                if let Some(text) = gpu_tuning() {
                    self.post(&Request { id: self.number(), command: Command::UseTuning(text) });
                }
                self.activity.set(Activity::Idle);
                self.queue.update_value(|queue| {
                    queue.is_ready = true;
                    queue.is_listening = has_suspension;
                });
                self.go_on();
            }
            Event::CellSteps { cell, steps } if is_running => self.take_cell(&cell, steps, false),
            Event::Steps(parts) if is_running => self.take_steps(parts),
            Event::Cancelled if is_running => self.set_idle(),
            Event::Fault(fault) if is_running => self.take_fault(*fault),
            Event::Done { trace, files } if is_running => {
                self.left.set(files);
                self.take_trace(id, *trace);
            }
            // Of a run that is not wanted any more.
            Event::CellSteps { .. }
            | Event::Steps(_)
            | Event::Fault(_)
            | Event::Cancelled
            | Event::Done { .. } => {}
            Event::Tuned(text) => self.compute.learn(text),
            Event::File(path) => {
                let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
                match bytes {
                    Some(bytes) if name.ends_with(".png") && is_markup(&bytes) => {
                        save_picture(self.announcer, name, "rasterized", Array::of1(&bytes));
                    }
                    Some(bytes) => save(self.announcer, &name, bytes),
                    None => {}
                }
            }
            Event::Exported { name, text } => save(self.announcer, &name, &text),
            Event::Failed(message) => {
                self.tell(vec![sentence(&message)]);
                if id.is_none() || is_running {
                    self.set_idle();
                }
                self.go_on();
            }
            // Files that programs have left would go with it.
            Event::Full if self.is_idle.get_untracked() && self.left.read_untracked().is_empty() => {
                self.end();
                self.prepare();
            }
            Event::Full => {}
            Event::Crashed(message) => self.fail(message),
        }
    }

    /// No program runs any more.
    fn set_idle(self) {
        self.queue.update_value(|queue| queue.running = None);
        self.activity.set(Activity::Idle);
    }

    /// Shows the cell in sight, which has run before all others.
    fn take_cell(self, cell: &CellName, steps: Vec<Step>, is_broken: bool) {
        let joined = self.queue.try_update_value(|queue| {
            let before = queue.before.clone()?;
            let part = before.parts.iter().position(|part| part.is_of(&cell.path, &cell.function))?;
            queue.in_sight = Some((cell.clone(), steps.clone()));
            let trace = with_part(&before, &queue.files, part, steps, is_broken)?;
            let shown = Arc::new(Lecture::after(&before, trace));
            // What is shown of the rest of the run has the cell as it is now.
            queue.meanwhile = Some(shown.clone());
            Some(shown)
        });
        joined.flatten().into_iter().for_each(|shown| self.show(shown));
    }

    /// Shows the parts that are over while the rest still runs.
    fn take_steps(self, parts: Vec<Part>) {
        let joined = self.queue.try_update_value(|queue| {
            let known = queue.steps.len();
            for part in parts {
                match part {
                    Part::New(steps) => queue.steps.extend(steps),
                    Part::Same { from, count } => {
                        let same = queue.last.as_ref().and_then(|(_, steps)| steps.get(from..from + count));
                        queue.steps.extend_from_slice(same.unwrap_or_default());
                    }
                }
            }
            self.activity.set(Activity::Running(queue.steps.len()));
            let before = queue.meanwhile.as_ref().or(queue.before.as_ref())?;
            let trace = with_beginning(before, &queue.files, &queue.steps, known)?;
            Some(Lecture::after(before, trace))
        });
        if let Some(lecture) = joined.flatten() {
            self.show(Arc::new(lecture));
        }
    }

    /// Takes what has gone wrong in a cell, at once: the rest of the program may take its time.
    fn take_fault(self, mut fault: Fault) {
        let told = self.queue.try_update_value(|queue| {
            let before = self.faults.get_untracked();
            // What was stopped once is told again as it was.
            let is_known = |it: &Fault| it.cell == fault.cell && it.message == YOU_STOPPED;
            if fault.kind == STOPPED && (queue.is_stopping || before.iter().any(is_known)) {
                fault.message = YOU_STOPPED.to_owned();
            }
            if let Some(cell) = fault.cell.clone().filter(|_| fault.frames.iter().any(|it| it.is_of_text)) {
                queue.unread.insert(cell);
                queue.files = self.state.files_with(&queue.edits, &queue.unread);
            }
            // A cell in sight may have run, and failed, before its time. Who reads of that, or presses a button there, goes on.
            let is_same = |known: &Fault| {
                (&known.cell, &known.kind, &known.message) == (&fault.cell, &fault.kind, &fault.message)
                    && fault.frames.ends_with(&known.frames)
            };
            if !queue.faults.iter().any(is_same) {
                queue.faults.retain(|known| known.cell != fault.cell);
                queue.faults.push(fault.clone());
            }
            let others = before.iter().filter(|it| !queue.faults.iter().any(|new| new.cell == it.cell));
            queue.faults.iter().chain(others).cloned().collect()
        });
        self.tell(told.unwrap_or_default());
        if fault.message == YOU_STOPPED && self.queue.with_value(|queue| queue.is_stopping) {
            self.announcer.say("It is stopped. What does not need it runs on: Stop again ends the run.");
        }
        let in_sight = self.queue.with_value(|queue| queue.in_sight.clone());
        if let Some((cell, steps)) = in_sight.filter(|(cell, _)| fault.cell.as_ref() == Some(cell)) {
            self.take_cell(&cell, steps, true);
        }
    }

    /// Takes what a program has done.
    fn take_trace(self, id: Option<RequestId>, mut trace: Trace) {
        self.set_idle();
        let queued = self.queue.try_update_value(|queue| {
            trace.steps.clone_from(&queue.steps);
            queue.last = id.map(|id| (id, std::mem::take(&mut queue.steps)));
            let read = queue.edits.iter().filter(|edit| !queue.unread.contains(&edit.cell));
            let read =
                read.map(|edit| (function_key(&edit.cell.path, &edit.cell.function), edit.text.clone()));
            self.good.update_value(|good| good.extend(read));
            let faults = std::mem::take(&mut queue.faults);
            (queue.before.clone(), queue.ahead.take(), faults, std::mem::take(&mut queue.edits))
        });
        let Some((Some(before), asked, mut faults, edits)) = queued else { return };
        for edit in edits {
            let has_run = !faults.iter().any(|it| it.cell.is_none() || it.cell.as_ref() == Some(&edit.cell));
            self.state.keep_version(&function_key(&edit.cell.path, &edit.cell.function), edit.text, has_run);
        }
        self.state.note_originals_that_ran(|cell| !faults.iter().any(|it| it.cell.as_ref() == Some(cell)));
        // What another cell has said before is no news for who has run this one.
        let known = self.faults.get_untracked();
        let is_news = |it: &&Fault| {
            let is_asked = asked.is_none() || it.cell == asked;
            it.waits_for.is_none() && (is_asked || !known.contains(it))
        };
        // The cell that was run says by itself what is wrong there.
        let words = match faults.iter().find(is_news) {
            Some(fault) if asked.is_some() && fault.cell == asked => String::new(),
            Some(fault) => in_words_of_cell(self.state, fault),
            None if !faults.is_empty() => "It has run, but not all of it.".to_owned(),
            None => "It has run.".to_owned(),
        };
        let has_run = trace.steps.iter().any(|step| !step.stack.is_empty());
        if has_run && before.is_unrun {
            // Files that it has not come to may be needed when it is changed.
            for (path, text) in &before.trace.files {
                trace.files.entry(path.clone()).or_insert_with(|| text.clone());
            }
            trace.failure = None;
            self.state.open(Arc::new(Lecture::new(trace)), self.state.origin.get_untracked());
            // What was written is the program now.
            self.ran_edits.set(BTreeMap::new());
            self.good.set_value(BTreeMap::new());
        } else if has_run || !before.is_unrun {
            let trace = self.whole(&before, trace, &faults);
            self.show(Arc::new(Lecture::after(&before, trace)));
        }
        let lecture = self.state.lecture.get_untracked();
        for fault in faults.iter_mut().filter(|fault| fault.cell.is_none()) {
            fault.cell = lecture.cell_around(&fault.frames);
        }
        self.tell(faults);
        if self.queue.with_value(|queue| queue.is_wanted || !queue.waiting.is_empty()) {
            self.go_on();
        } else {
            self.announcer.say(words);
        }
    }

    /// A run that is over, with what the run before did of the cells that have failed or were not come to.
    fn whole(self, before: &Lecture, trace: Trace, faults: &[Fault]) -> Trace {
        if faults.is_empty() && !trace.truncated {
            return trace;
        }
        let is_broken = |path: &str, function: &str| {
            let cells = faults.iter().filter_map(|fault| fault.cell.as_ref());
            cells.into_iter().any(|cell| cell.path == path && cell.function == function)
        };
        let mut whole = with_end(before, &trace.files, &trace.steps, &is_broken);
        whole.hidden_line_numbers.extend(trace.hidden_line_numbers);
        whole.sliders.extend(trace.sliders);
        whole.predictions.extend(trace.predictions);
        Trace { warnings: trace.warnings, truncated: trace.truncated, ..whole }
    }
}

/// Whether bytes are a text that begins with a tag, as a picture that no worker can make a PNG of.
fn is_markup(bytes: &JsValue) -> bool {
    bytes.dyn_ref::<Uint8Array>().is_some_and(|bytes| bytes.get_index(0) == b'<')
}
