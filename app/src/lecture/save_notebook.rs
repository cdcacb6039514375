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
    let cells = lecture.parts.iter().filter(|part| is_cell(&part.function));
    let now: serde_json::Map<String, Json> = cells
        .map(|part| (part.function.clone(), untrack(|| cell(state, run, &lecture, part, has_run))))
        .collect();
    spawn_local(async move {
        let name = original.main().unwrap_or_default();
        let notebook = original.notebook.as_deref().unwrap_or_default();
        match prepare::saved(notebook, &Json::Object(now).to_string()).await {
            Ok(text) => save(run.announcer, name, &text),
            Err(why) => run.announcer.say(format!("{name} was not saved: {why}.")),
        }
    });
}

/// What has become of a cell: a `Now` of [`napkin_trace::notebook`].
fn cell(state: LectureState, run: Runs, lecture: &Lecture, part: &Part, has_run: bool) -> Json {
    let text = |text: &str| Json::from(text);
    let list = Json::Array;
    let call = &lecture.calls.calls[part.call];
    let steps = lecture.trace.steps[call.first..=call.last].iter().filter(|step| has_run && !step.is_old);
    let shown: Vec<Json> = steps
        .map(|step| {
            let drawn = step.renderings.iter().map(|it| list(vec![text(&it.kind), it.data.clone()]));
            list(vec![text(&step.stdout), text(&step.stderr), drawn.collect()])
        })
        .collect();
    let key = function_key(&part.path, &part.function);
    let fault = run.fault_of(&part.path, &part.function);
    let fault = fault.filter(|it| it.waits_for.is_none() && !it.kind.is_empty());
    let parts = [
        state.edits.read().get(&key).map(|it| text(it)),
        (!shown.is_empty()).then(|| list(shown)),
        fault.map(|it| list(vec![text(&it.kind), text(&it.message), text(&it.text)])),
    ];
    list(parts.map(Option::unwrap_or_default).into())
}
