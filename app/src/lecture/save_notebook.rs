//! A notebook that the reader has opened, as a file again.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use napkin_trace::notebook::is_cell;
use napkin_trace::trace::Json;

use super::model::{Lecture, Part, function_key};
use super::prepare;
use super::run::Runs;
use super::state::LectureState;
use crate::components::save;

/// Saves it with what the reader has written, and what its cells have shown here.
pub fn save_notebook(state: LectureState, run: Runs) {
    let (original, lecture) = (state.original.get_untracked(), state.lecture.get_untracked());
    let has_run = !Arc::ptr_eq(&original, &lecture);
    let mut now = serde_json::Map::new();
    for part in &lecture.parts {
        if is_cell(&part.function) {
            now.insert(part.function.clone(), untrack(|| cell(state, run, &lecture, part, has_run)));
        }
    }
    spawn_local(async move {
        let name = original.main().unwrap_or_default();
        let notebook = original.notebook.as_deref().unwrap_or_default();
        match prepare::saved(notebook, &Json::Object(now).to_string()).await {
            Ok(text) => save(run.announcer, name, &text),
            Err(why) => run.announcer.say(format!("{name} was not saved: {why}.")),
        }
    });
}

/// What has become of a cell, as [`napkin_trace::notebook::save`] wants it.
fn cell(state: LectureState, run: Runs, lecture: &Lecture, part: &Part, has_run: bool) -> Json {
    let text = |text: &str| Json::from(text);
    let list = Json::Array;
    let call = &lecture.calls.calls[part.call];
    let mut shown = Vec::new();
    for step in &lecture.trace.steps[call.first..=call.last] {
        if has_run && !step.is_old {
            let drawn = step.renderings.iter().map(|it| list(vec![text(&it.kind), it.data.clone()]));
            shown.push(list(vec![text(&step.stdout), text(&step.stderr), list(drawn.collect())]));
        }
    }
    let key = function_key(&part.path, &part.function);
    let fault = run.fault_of(&part.path, &part.function);
    let fault = fault.filter(|it| it.waits_for.is_none() && !it.kind.is_empty());
    let code = state.edits.read().get(&key).map(|it| text(it));
    let shown = (!shown.is_empty()).then(|| list(shown));
    let raised = fault.map(|it| list(vec![text(&it.kind), text(&it.message), text(&it.text)]));
    list(vec![code.unwrap_or_default(), shown.unwrap_or_default(), raised.unwrap_or_default()])
}
