//! A notebook that the reader has opened, as a file again.

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use napkin_trace::notebook::{Now, Shown, is_cell};
use napkin_trace::trace::Step;

use super::model::function_key;
use super::prepare;
use super::run::use_run;
use super::state::use_lecture;
use crate::components::save;

/// A button that saves it with what the reader has written, and what its cells have shown here; nothing for other lectures.
#[component]
pub fn SaveNotebook() -> impl IntoView {
    let (state, run) = (use_lecture(), use_run());
    let save_it = move |_| {
        let (original, lecture) = (state.original.get_untracked(), state.lecture.get_untracked());
        let has_run = !Arc::ptr_eq(&original, &lecture);
        let mut now = BTreeMap::new();
        for part in lecture.parts.iter().filter(|part| is_cell(&part.function)) {
            let call = &lecture.calls.calls[part.call];
            let steps = lecture.trace.steps[call.first..=call.last].iter();
            let shown: Vec<_> = steps.filter(|step| has_run && !step.is_old).map(shown).collect();
            let key = function_key(&part.path, &part.function);
            let code = state.edits.with_untracked(|edits| edits.get(&key).cloned());
            let fault = untrack(|| run.fault_of(&part.path, &part.function));
            let fault = fault.filter(|it| it.waits_for.is_none() && !it.kind.is_empty());
            let raised = fault.map(|it| [it.kind, it.message, it.text]);
            let shown = (!shown.is_empty()).then_some(shown);
            now.insert(part.function.clone(), Now { code, shown, raised });
        }
        spawn_local(async move {
            let name = original.main().unwrap_or_default();
            match prepare::saved(original.notebook.as_deref().unwrap_or_default(), &now).await {
                Ok(text) => save(run.announcer, name, &text),
                Err(why) => run.announcer.say(format!("{name} was not saved: {why}.")),
            }
        });
    };
    let is_notebook = move || state.original.read().notebook.is_some();
    view! {
        <Show when=is_notebook><button type="button" on:click=save_it>"Save the notebook"</button></Show>
    }
}

fn shown(step: &Step) -> Shown {
    let drawn = step.renderings.iter().map(|it| (it.kind.clone(), it.data.clone())).collect();
    Shown { stdout: step.stdout.clone(), stderr: step.stderr.clone(), drawn }
}
