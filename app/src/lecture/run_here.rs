//! A recorded trace, run here: what its lines show now beside what was recorded.

use std::sync::Arc;

use leptos::prelude::*;
use napkin_trace::notebook::is_cell;
use napkin_trace::trace::Step;

use super::model::{Pair, beside_recorded};
use super::run::use_run;
use super::save_notebook::save_notebook;
use super::scroll::show_line;
use super::state::use_lecture;
use crate::components::ValueView;

/// More rows nobody reads.
const MOST_ROWS: usize = 200;

/// What a trace that somebody else has recorded comes to here; nothing for other lectures.
#[component]
pub fn RunHere() -> impl IntoView {
    let (state, run) = (use_lecture(), use_run());
    let is_shown = Memo::new(move |_| {
        let original = state.original.read();
        original.trace.is_recorded && !original.trace.files.is_empty()
    });
    // While it runs, what was found before stays.
    let compared = Memo::new(move |known: Option<&Option<(usize, Vec<Pair>)>>| {
        let (original, lecture) = (state.original.get(), state.lecture.get());
        if !run.is_idle.get() {
            return known.cloned().flatten();
        }
        (!Arc::ptr_eq(&original, &lecture)).then(|| beside_recorded(&original, &lecture))
    });
    let is_notebook = Memo::new(move |_| state.original.read().notebook.is_some());
    let has_shown = Memo::new(move |_| {
        let original = state.original.read();
        let in_cell = |step: &&Step| step.stack.last().is_some_and(|it| is_cell(&it.function_name));
        let is_any = |it: &Step| !(it.renderings.is_empty() && it.stdout.is_empty() && it.stderr.is_empty());
        original.trace.steps.iter().filter(in_cell).any(is_any)
    });
    let content = move || match compared.get() {
        None => {
            let go = move |_| run.run();
            view! {
                <p>
                    {move || match (is_notebook.get(), has_shown.get()) {
                        (true, false) => "This notebook has no outputs: nobody has run it, or they were cleared. ",
                        (true, true) => "This is as the file has it. ",
                        (false, _) => "This is what was recorded elsewhere. ",
                    }}
                    <button type="button" disabled=move || !run.is_idle.get() on:click=go>"Run it here"</button>
                </p>
            }
            .into_any()
        }
        Some((count, others)) if others.is_empty() => {
            let words = match count {
                0 => "It has run here. Nothing was recorded to compare with.".to_owned(),
                _ => format!("Run here: all {count} values that its lines show are as recorded."),
            };
            view! { <p>{words}</p> }.into_any()
        }
        Some((count, others)) => {
            let words = format!(
                "Run here: {} of {count} values that its lines show are not as recorded",
                others.len()
            );
            let more = others.len().saturating_sub(MOST_ROWS);
            let rows = others.into_iter().take(MOST_ROWS).map(row).collect_view();
            view! {
                <details>
                    <summary>{words}</summary>
                    <div class="scroll" tabindex="0" role="group" aria-label="Values that differ">
                        <table class="beside-recorded">
                            <thead>
                                <tr>
                                    <th scope="col">"Line"</th>
                                    <th scope="col">"Name"</th>
                                    <th scope="col">"Recorded"</th>
                                    <th scope="col">"Here"</th>
                                </tr>
                            </thead>
                            <tbody>{rows}</tbody>
                        </table>
                    </div>
                    {(more > 0).then(|| format!("… and {more} more."))}
                </details>
            }
            .into_any()
        }
    };
    let save_it = move || {
        is_notebook.get().then(|| {
            view! { <button type="button" on:click=move |_| save_notebook(state, run)>"Save the notebook"</button> }
        })
    };
    move || is_shown.get().then(|| view! { <div class="run-here" role="status">{content} {save_it}</div> })
}

fn row(pair: Pair) -> impl IntoView {
    let (state, run) = (use_lecture(), use_run());
    let Pair { path, line, name, recorded, here } = pair;
    let label = format!("{path}:{line}");
    let go = move |_| {
        if !show_line(state, &path, line) {
            run.announcer.say("Nothing of that place has run.");
        }
    };
    let is_absent = here.is_none();
    let here = here.map(|value| view! { <ValueView name=name.clone() value /> });
    view! {
        <tr>
            <td><button type="button" on:click=go>{label}</button></td>
            <th scope="row"><code>{name.clone()}</code></th>
            <td><ValueView name value=recorded /></td>
            <td>{here} {is_absent.then_some("not shown here")}</td>
        </tr>
    }
}
